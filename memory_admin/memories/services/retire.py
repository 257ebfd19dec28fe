"""Ending a memory that held until now."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from django.db import transaction

from accounts.actors import Actor
from memory_admin import audit
from memory_admin.audit import Action
from memory_admin.memories import changes
from memory_admin.memories.models import Memory
from memory_admin.memories.vocabulary import Status


@transaction.atomic
def retire(*, memory_id: UUID, by: Actor, now: datetime) -> Memory:
    """End a disputed memory: it held until now, no agent is given it any more, and its history stays.

    :raises NotFound: it does not exist for this actor
    :raises WrongState: it is not disputed
    """
    memory = changes.locked(memory_id, by=by)
    if memory.status != Status.DISPUTED:
        raise changes.WrongState(details={"status": memory.status})
    ends = max(now if memory.valid_to is None else min(memory.valid_to, now), memory.valid_from)
    changes.revise(memory, by=by, now=now, reason="retired", status=Status.EXPIRED, valid_to=ends)
    audit.record(
        action=Action.MEMORY_RETIRED, by=by, target=("memory", memory.id), at=now, policy_version=memory.policy_version
    )
    return memory
