"""Pausing: a memory, a category, an agent, or everything, for a while."""

from __future__ import annotations

from collections.abc import Collection
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
def pause_memories(
    *, memory_ids: Collection[UUID], by: Actor, now: datetime, until: datetime | None = None
) -> list[MemoryPause]:
    """Keep many memories from every agent, until a time or until they are resumed; one paused already ends then, too.

    :raises OnlyForOneself: the actor is not a person about themselves
    :raises NotFound: one of the memories does not exist for this actor
    :raises Invalid: the end has passed
    """
    if not by.is_person or by.subject_id is None:
        raise OnlyForOneself
    if until is not None and until <= now:
        raise Invalid(fields={"until": ["This time has passed."]})
    changes.lock_subject(by.subject_id)
    wanted = set(memory_ids)
    if queries.visible_to(by).filter(id__in=wanted).count() != len(wanted):
        raise NotFound
    standing = {pause.memory_id: pause for pause in _of_memories(by.subject_id, wanted)}
    terms = {"mode": PauseMode.BOTH, "until": until, "paused_by": by.ref, "paused_at": now}
    MemoryPause.objects.filter(id__in=[pause.id for pause in standing.values()]).update(**terms)
    new = [
        MemoryPause(subject_id=by.subject_id, target=PauseTarget.MEMORY, memory_id=memory_id, **terms)
        for memory_id in sorted(wanted - standing.keys())
    ]
    paused = [*standing.values(), *MemoryPause.objects.bulk_create(new, batch_size=500)]
    told = {"target": str(PauseTarget.MEMORY), "mode": str(PauseMode.BOTH)}
    audit.record_many(
        [
            audit.Entry(action=Action.MEMORY_PAUSED, by=by, target=("pause", pause.id), at=now, payload=told)
            for pause in paused
        ]
    )
    return paused


@transaction.atomic
def resume_memories(*, memory_ids: Collection[UUID], by: Actor, now: datetime) -> int:
    """End the pauses of these memories now; tell how many there were.

    :raises OnlyForOneself: the actor is not a person about themselves
    """
    if not by.is_person or by.subject_id is None:
        raise OnlyForOneself
    changes.lock_subject(by.subject_id)
    ended = [pause.id for pause in _of_memories(by.subject_id, memory_ids)]
    MemoryPause.objects.filter(id__in=ended).update(resumed_at=now)
    audit.record_many(
        [audit.Entry(action=Action.MEMORY_RESUMED, by=by, target=("pause", pause_id), at=now) for pause_id in ended]
    )
    return len(ended)


def _of_memories(subject_id: UUID, memory_ids: Collection[UUID]) -> list[MemoryPause]:
    """List the pauses of these memories that nobody has ended, in the order of their ids."""
    pauses = MemoryPause.objects.filter(subject_id=subject_id, memory_id__in=memory_ids, resumed_at=None)
    return list(pauses.order_by("id"))


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
