"""Letting go what was held back for a check."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from django.db import transaction

from accounts.actors import Actor
from accounts.vocabulary import REVIEWERS
from memory_admin import audit
from memory_admin.audit import Action
from memory_admin.errors import NotAllowed
from memory_admin.memories import changes
from memory_admin.memories.models import Memory
from memory_admin.memories.vocabulary import Status


@transaction.atomic
def release(*, memory_id: UUID, by: Actor, now: datetime, version: int | None = None) -> Memory:
    """Say that a held memory is no attack. It comes before the person then; no reviewer puts it into use.

    :raises NotFound: it does not exist for this actor
    :raises ChangedMeanwhile: it has another version by now
    :raises NotAllowed: the actor is no reviewer
    :raises WrongState: it is not held
    """
    memory = changes.locked(memory_id, by=by, version=version)
    if by.kind != "staff" or by.roles.isdisjoint(REVIEWERS):
        raise NotAllowed
    if memory.status != Status.QUARANTINED:
        raise changes.WrongState(details={"status": memory.status})
    changes.revise(memory, by=by, now=now, reason="released", status=Status.PROPOSED)
    audit.record(
        action=Action.MEMORY_RELEASED, by=by, target=("memory", memory.id), at=now, policy_version=memory.policy_version
    )
    return memory
