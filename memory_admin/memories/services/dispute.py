"""Disputing a memory."""

from __future__ import annotations

from datetime import datetime, timedelta
from uuid import UUID

from django.db import transaction

from accounts.actors import Actor
from memory_admin import audit
from memory_admin.audit import Action
from memory_admin.errors import Conflict, Invalid, NotAllowed, NotFound
from memory_admin.memories import changes
from memory_admin.memories.models import Dispute, Memory
from memory_admin.memories.requests import register
from memory_admin.memories.vocabulary import GONE, DisputeReason, DisputeResult, Origin, RequestKind, Status
from memory_admin.screening import screen

ANSWER_WITHIN = timedelta(days=30)


class AlreadyDisputed(Conflict):
    """An open dispute exists."""

    code = "already_disputed"
    sentence = "This memory is disputed already."


class WordsHoldASecret(Invalid):
    """What somebody says of a memory, or of an answer about it, holds a secret, and those are kept nowhere."""

    code = "words_hold_a_secret"
    sentence = "These words hold a password, key or code. Say it without."


class NotYoursToDispute(NotAllowed):
    """An agent takes out of use what the person stands behind, or what another agent wrote."""

    code = "not_yours_to_dispute"
    sentence = "Only the person, or the agent that wrote it, can dispute this."


@transaction.atomic
def dispute(
    *,
    memory_id: UUID,
    by: Actor,
    reason: DisputeReason,
    words: str = "",
    now: datetime,
    version: int | None = None,
) -> Dispute:
    """Take a memory out of every agent's use until somebody has checked it.

    :raises NotFound: it does not exist for this actor
    :raises ChangedMeanwhile: it has another version by now
    :raises NotYoursToDispute: an agent on a channel of its own, of a memory that is not its own or was confirmed
    :raises AlreadyDisputed: an open dispute exists
    :raises WrongState: it is not in use, so there is nothing to take out of use
    :raises WordsHoldASecret: the words hold a secret; personal data in them is replaced by placeholders
    """
    said = said_without_secrets(words)
    memory = changes.locked(memory_id, by=by, version=version)
    if by.kind == "agent" and not by.channel.is_the_persons and not _is_its_own(memory, by):
        raise NotYoursToDispute
    if memory.status == Status.DISPUTED:
        raise AlreadyDisputed
    if memory.status != Status.ACTIVE:
        raise changes.WrongState(details={"status": memory.status})
    opened = Dispute.objects.create(
        memory=memory, reason=reason, words=said, opened_by=by.ref, opened_at=now, due_at=now + ANSWER_WITHIN
    )
    changes.revise(memory, by=by, now=now, reason="disputed", status=Status.DISPUTED)
    register(RequestKind.DISPUTE, subject_id=memory.subject_id, object_id=opened.id, at=now, due_at=opened.due_at)
    audit.record(
        action=Action.MEMORY_DISPUTED,
        by=by,
        target=("memory", memory.id),
        at=now,
        policy_version=memory.policy_version,
        payload={"reason": str(reason)},
    )
    return opened


@transaction.atomic
def state(*, dispute_id: UUID, statement: str, by: Actor, now: datetime) -> Dispute:
    """Put a statement of the person's own beside a memory whose dispute was not upheld; an empty one takes it away.

    :raises NotFound: it is no dispute about this person's memory
    :raises WrongState: it was not answered so, or the memory is gone
    :raises WordsHoldASecret: the words hold a secret; personal data in them is replaced by placeholders
    """
    said = said_without_secrets(statement)
    if not by.is_person or by.subject_id is None:
        raise NotFound
    changes.lock_subject(by.subject_id)
    found = Dispute.objects.select_related("memory").filter(id=dispute_id, memory__subject_id=by.subject_id).first()
    if found is None:
        raise NotFound
    if found.result != DisputeResult.NOT_UPHELD or found.memory.status in GONE:
        raise changes.WrongState(details={"status": found.memory.status})
    if said != found.statement:
        found.statement = said
        found.save(update_fields=["statement"])
        audit.record(
            action=Action.MEMORY_STATEMENT_ADDED if said else Action.MEMORY_STATEMENT_REMOVED,
            by=by,
            target=("memory", found.memory_id),
            at=now,
            policy_version=found.memory.policy_version,
            payload={"dispute": str(found.id)},
        )
    return found


def said_without_secrets(words: str) -> str:
    """Give words as they may be kept: personal data in them replaced by placeholders.

    :raises WordsHoldASecret: they hold a secret
    """
    said = screen(words, origin="stated", kind="event")
    if said.has("secret"):
        raise WordsHoldASecret(fields={"words": [WordsHoldASecret.sentence]})
    return said.redacted


def _is_its_own(memory: Memory, by: Actor) -> bool:
    return memory.agent_id == by.agent_id and memory.confirmed_at is None and memory.origin != Origin.STATED
