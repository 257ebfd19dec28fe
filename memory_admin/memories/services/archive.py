"""Putting a memory to rest, and bringing it back."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from django.db import transaction

from accounts.actors import Actor
from memory_admin import audit
from memory_admin.audit import Action
from memory_admin.errors import Conflict
from memory_admin.memories import changes
from memory_admin.memories.models import Memory
from memory_admin.memories.services.confirm import OnlyThePerson
from memory_admin.memories.vocabulary import Status


class AnotherIsCurrent(Conflict):
    """The key of an archived memory has another value by now."""

    code = "another_is_current"
    sentence = "Something newer is remembered in its place."


@transaction.atomic
def archive(*, memory_id: UUID, by: Actor, now: datetime, version: int | None = None) -> Memory:
    """Take an unused, unimportant memory out of retrieval; its subject can bring it back.

    :raises NotFound: it does not exist for this actor
    :raises WrongState: it is not active
    """
    memory = changes.locked(memory_id, by=by, version=version)
    if memory.status != Status.ACTIVE:
        raise changes.WrongState(details={"status": memory.status})
    changes.revise(memory, by=by, now=now, reason="archived", status=Status.ARCHIVED)
    audit.record(
        action=Action.MEMORY_ARCHIVED, by=by, target=("memory", memory.id), at=now, policy_version=memory.policy_version
    )
    return memory


@transaction.atomic
def restore(*, memory_id: UUID, by: Actor, now: datetime, version: int | None = None) -> Memory:
    """Bring an archived memory back into use. The same answer sent again changes nothing.

    :raises NotFound: it does not exist for this actor
    :raises OnlyThePerson: the actor is not the person it is about
    :raises WrongState: it is not archived
    :raises AnotherIsCurrent: its key has another value by now
    """
    memory = changes.locked(memory_id, by=by, version=version)
    if not by.is_person:
        raise OnlyThePerson
    if memory.status == Status.ACTIVE and changes.is_latest(memory, "restored", by=by):
        return memory
    if memory.status != Status.ARCHIVED:
        raise changes.WrongState(details={"status": memory.status})
    if changes.rivals(memory):
        raise AnotherIsCurrent
    changes.revise(memory, by=by, now=now, reason="restored", status=Status.ACTIVE)
    audit.record(
        action=Action.MEMORY_RESUMED, by=by, target=("memory", memory.id), at=now, policy_version=memory.policy_version
    )
    return memory
