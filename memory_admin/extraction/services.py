"""Bringing finished conversations in, turn by turn, through the same write decision as any other write."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import islice

from accounts.actors import Actor
from accounts.services import ensure_subject
from memory_admin.extraction.conversations import Conversation, claims
from memory_admin.memories import services as memories
from memory_admin.memories.claims import Claim
from memory_admin.memories.models import Source
from memory_admin.tenancy.scope import tenant_scope

BATCH = 100
"""Turns decided in one transaction: few enough that a stop loses seconds of work."""


@dataclass
class Imported:
    """What became of the turns of one batch, or of all: counted by outcome and the rules that decided."""

    turns: int = 0
    known: int = 0
    outcomes: Counter[tuple[str, str]] = field(default_factory=Counter)

    def add(self, other: Imported) -> None:
        """Take in the counts of another batch."""
        self.turns += other.turns
        self.known += other.known
        self.outcomes += other.outcomes


def import_conversation(conversation: Conversation, *, by: Actor, now: datetime) -> Iterator[Imported]:
    """Bring a conversation in, batch by batch, each in a transaction of its own; yield what became of each.

    Turns that are there already are passed over, so that it may be stopped and run again.

    :raises BadReference: the conversation's name cannot name a subject
    """
    with tenant_scope(by.tenant_id):
        ensure_subject(ref=conversation.subject_ref, by=by, now=now, display_name=" and ".join(conversation.speakers))
    for batch in _batches(claims(conversation)):
        yield _import(batch, by=by, now=now)


def _import(batch: Sequence[Claim], *, by: Actor, now: datetime) -> Imported:
    with tenant_scope(by.tenant_id):
        known = _known(batch, by=by)
    new = [claim for claim in batch if _message(claim) not in known]
    prepared = memories.prepare(new, by=by)
    with tenant_scope(by.tenant_id):
        outcomes = memories.capture_many(claims=prepared, by=by, now=now)
    counted = Counter((str(outcome.result), ", ".join(outcome.rule_ids)) for outcome in outcomes)
    return Imported(turns=len(batch), known=len(batch) - len(new), outcomes=counted)


def _known(batch: Sequence[Claim], *, by: Actor) -> set[tuple[str, str]]:
    threads = {thread for thread, _ in map(_message, batch)}
    of_subject = Source.objects.filter(subject__ref=batch[0].subject_ref, subject__is_test=by.is_test)
    kept = of_subject.filter(trace_id__in=threads)
    return set(kept.values_list("trace_id", "message_id"))


def _message(claim: Claim) -> tuple[str, str]:
    assert claim.source is not None
    return claim.source.trace_id, claim.source.message_id


def _batches(all_claims: Iterable[Claim]) -> Iterator[list[Claim]]:
    rest = iter(all_claims)
    while batch := list(islice(rest, BATCH)):
        yield batch
