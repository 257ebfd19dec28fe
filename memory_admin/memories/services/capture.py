"""Writing a memory. Every write by every way comes here: screened, decided by policy, compared, stored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import groupby
from typing import Any

from django.db import transaction

from accounts import services as accounts
from accounts.actors import Actor
from accounts.models import Subject
from accounts.queries import may_see_subject
from accounts.vocabulary import Channel
from memory_admin import audit
from memory_admin.errors import Invalid, NotFound
from memory_admin.memories import changes
from memory_admin.memories.claims import Claim, Prepared, embedded_text_of, screen_claim, settled_origin
from memory_admin.memories.deciding import Desk, Outcome, facts_of, warnings_among, watched_by
from memory_admin.memories.vocabulary import UNJUDGED
from policies import engine
from policies.queries import in_force

LARGEST_BATCH = 500


class ChannelTooHigh(Invalid):
    """A write claims a more trusted channel than the actor has."""

    code = "channel_too_high"
    sentence = "This key may not claim that channel."


class BatchTooLarge(Invalid):
    """A batch holds more than can be decided at once."""

    code = "batch_too_large"
    sentence = f"A batch holds at most {LARGEST_BATCH} memories."


def prepare(claims: Sequence[Claim], *, by: Actor) -> list[Prepared]:
    """Screen and embed claims. Reads no database and holds no lock, so call it before a transaction is opened.

    :raises ChannelTooHigh: a claim names a more trusted channel than the actor's
    :raises Invalid: what cannot have a key has one
    """
    settled = [_settle(claim, by) for claim in claims]
    texts = [embedded_text_of(claim) for claim in settled]
    screened = [screen_claim(claim) for claim in settled]
    return [Prepared(*parts) for parts in zip(settled, screened, texts, changes.embed_or_none(texts), strict=True)]


def capture(*, claim: Claim | Prepared, by: Actor, now: datetime) -> Outcome:
    """Write one memory, or say why not.

    A refusal is an answer, not an error: it is recorded with its rules like any other decision.

    :raises ChannelTooHigh: the claim names a more trusted channel than the actor's
    :raises NotFound: the subject is outside what the actor may write about
    :raises Invalid: it names another memory that is not one of this subject
    """
    return capture_many(claims=[claim], by=by, now=now)[0]


@transaction.atomic
def capture_many(*, claims: Sequence[Claim | Prepared], by: Actor, now: datetime) -> list[Outcome]:
    """Write memories, each by its own decision, in the order given; see :func:`capture`.

    :raises BatchTooLarge: more than 500 claims
    """
    if len(claims) > LARGEST_BATCH:
        raise BatchTooLarge
    unprepared = iter(prepare([claim for claim in claims if isinstance(claim, Claim)], by=by))
    ready = [claim if isinstance(claim, Prepared) else next(unprepared) for claim in claims]
    policies = in_force(now, agent_id=by.agent_id)
    outcomes: dict[int, Outcome] = {}
    entries: list[audit.Entry] = []
    # Subjects are locked in one order, whatever order a batch names them in; and all of them before the first event is
    # recorded (of a new subject, of a request to change a policy), which locks the audit trail.
    numbered = sorted(enumerate(ready), key=lambda pair: (pair[1].claim.subject_ref, pair[0]))
    if len(refs := {one.claim.subject_ref for one in ready}) > 1:
        for known in Subject.objects.filter(ref__in=refs, is_test=by.is_test).order_by("ref"):
            changes.lock_subject(known.id)
    for ref, group in groupby(numbered, key=lambda pair: pair[1].claim.subject_ref):
        desk = Desk(subject=locked_subject(ref, by=by, now=now), policies=policies, by=by, now=now)
        pairs = list(group)
        decided = desk.decide([one for _, one in pairs])
        outcomes |= {number: outcome for (number, _), outcome in zip(pairs, decided, strict=True)}
        entries += desk.audited
    audit.record_many(entries)
    return [outcomes[number] for number in range(len(ready))]


@dataclass(frozen=True, kw_only=True)
class Checked:
    """What the policy in force says about a claim, its version, and the warnings that a write would bring."""

    verdict: engine.WriteVerdict
    policy_version: str
    warnings: tuple[Mapping[str, Any], ...]


def check(*, claim: Claim, by: Actor, now: datetime) -> Checked:
    """Tell what the policy in force says about a claim; nothing is stored or compared.

    :raises ChannelTooHigh: the claim names a more trusted channel than the actor's
    """
    settled = _settle(claim, by)
    policies = in_force(now, agent_id=by.agent_id)
    facts = facts_of(settled, screen_claim(settled), policies, by, subject_kind=claim.subject_ref.partition(":")[0])
    verdict = engine.decide_write(policies.write.document, facts)
    return Checked(
        verdict=verdict,
        policy_version=policies.write.version_label,
        warnings=warnings_among(watched_by(policies, facts), outcome=verdict.outcome),
    )


def _settle(claim: Claim, by: Actor) -> Claim:
    channel = by.channel if claim.channel is None else Channel(claim.channel)
    if not by.channel.may_claim(channel):
        raise ChannelTooHigh(fields={"channel": [ChannelTooHigh.sentence]})
    if claim.key is not None and claim.kind in UNJUDGED:
        raise Invalid(fields={"key": ["An event, an episode or a summary is no value of a key."]})
    return replace(claim, channel=channel, origin=settled_origin(claim.origin, channel))


def locked_subject(ref: str, *, by: Actor, now: datetime) -> Subject:
    """Give the subject under its lock until the transaction ends, made now if the actor may name new ones.

    :raises NotFound: it is outside what the actor may write about
    """
    subject = Subject.objects.filter(ref=ref, is_test=by.is_test).first()
    if subject is None:
        if by.is_person or by.subject_id is not None:
            raise NotFound
        subject = accounts.ensure_subject(ref=ref, by=by, now=now)
    if not may_see_subject(subject, by=by):
        raise NotFound
    return changes.lock_subject(subject.id)
