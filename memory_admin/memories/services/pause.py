"""Pausing: a memory, a category, an agent, or everything, for a while."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from django.db import transaction

from accounts.actors import Actor
from accounts.models import Agent
from memory_admin import audit
from memory_admin.audit import Action
from memory_admin.errors import Invalid, NotAllowed, NotFound
from memory_admin.memories import changes, queries
from memory_admin.memories.models import MemoryPause
from memory_admin.memories.vocabulary import PauseMode, PauseTarget


class OnlyForOneself(NotAllowed):
    """Pausing is for the person the memories are about."""

    code = "only_for_oneself"
    sentence = "Only the person the memories are about can pause them."


@transaction.atomic
def pause(
    *,
    target: PauseTarget,
    by: Actor,
    now: datetime,
    memory_id: UUID | None = None,
    agent_id: UUID | None = None,
    category: str | None = None,
    mode: PauseMode = PauseMode.BOTH,
    until: datetime | None = None,
) -> MemoryPause:
    """Stop agents from using or saving, until a time or until it is resumed. The same pause again changes its end.

    :raises OnlyForOneself: the actor is not a person about themselves
    :raises NotFound: the memory or agent does not exist for this actor
    :raises Invalid: the target is not the one named, or the end has passed
    """
    if not by.is_person or by.subject_id is None:
        raise OnlyForOneself
    named = {"memory": memory_id, "agent": agent_id, "category": category or None}
    if {name for name, value in named.items() if value is not None} != ({str(target)} - {"all"}):
        raise Invalid(fields={"target": ["Name exactly what is to be paused."]})
    if until is not None and until <= now:
        raise Invalid(fields={"until": ["This time has passed."]})
    changes.lock_subject(by.subject_id)
    if memory_id is not None:
        queries.one(memory_id, by=by)
    if agent_id is not None and not Agent.objects.filter(id=agent_id).exists():
        raise NotFound
    paused, _ = MemoryPause.objects.update_or_create(
        subject_id=by.subject_id,
        target=target,
        memory_id=memory_id,
        agent_id=agent_id,
        category=category,
        resumed_at=None,
        defaults={"tenant_id": by.tenant_id, "mode": mode, "until": until, "paused_by": by.ref, "paused_at": now},
    )
    audit.record(
        action=Action.MEMORY_PAUSED,
        by=by,
        target=("pause", paused.id),
        at=now,
        payload={"target": str(target), "mode": str(mode)},
    )
    return paused


@transaction.atomic
def resume(*, pause_id: UUID, by: Actor, now: datetime) -> None:
    """End a pause now.

    :raises OnlyForOneself: the actor is not a person about themselves
    :raises NotFound: there is no such open pause
    """
    if not by.is_person or by.subject_id is None:
        raise OnlyForOneself
    changes.lock_subject(by.subject_id)
    ended = MemoryPause.objects.filter(id=pause_id, subject_id=by.subject_id, resumed_at=None).update(resumed_at=now)
    if not ended:
        raise NotFound
    audit.record(action=Action.MEMORY_RESUMED, by=by, target=("pause", pause_id), at=now)
