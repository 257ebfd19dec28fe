"""Disputing a memory."""

from __future__ import annotations

from datetime import datetime, timedelta
from uuid import UUID

from django.db import transaction

from accounts.actors import Actor
from memory_admin import audit
from memory_admin.audit import Action
from memory_admin.errors import Conflict, Invalid
from memory_admin.memories import changes
from memory_admin.memories.models import Dispute
from memory_admin.memories.vocabulary import DisputeReason, Status
from memory_admin.screening import screen

ANSWER_WITHIN = timedelta(days=30)


class AlreadyDisputed(Conflict):
    """An open dispute exists."""

    code = "already_disputed"
    sentence = "This memory is disputed already."


class WordsHoldASecret(Invalid):
    """What somebody says of a memory holds a secret, and those are kept nowhere."""

    code = "words_hold_a_secret"
    sentence = "These words hold a password, key or code. Say it without."


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
    :raises AlreadyDisputed: an open dispute exists
    :raises WrongState: it is not in use, so there is nothing to take out of use
    :raises WordsHoldASecret: the words hold a secret; personal data in them is replaced by placeholders
    """
    said = screen(words, origin="stated", kind="event")
    if said.has("secret"):
        raise WordsHoldASecret(fields={"words": [WordsHoldASecret.sentence]})
    memory = changes.locked(memory_id, by=by, version=version)
    if memory.status == Status.DISPUTED:
        raise AlreadyDisputed
    if memory.status != Status.ACTIVE:
        raise changes.WrongState(details={"status": memory.status})
    opened = Dispute.objects.create(
        memory=memory, reason=reason, words=said.redacted, opened_by=by.ref, opened_at=now, due_at=now + ANSWER_WITHIN
    )
    changes.revise(memory, by=by, now=now, reason="disputed", status=Status.DISPUTED)
    audit.record(
        action=Action.MEMORY_DISPUTED,
        by=by,
        target=("memory", memory.id),
        at=now,
        policy_version=memory.policy_version,
        payload={"reason": str(reason)},
    )
    return opened
