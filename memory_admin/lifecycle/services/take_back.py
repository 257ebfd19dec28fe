"""Undoing a deletion while its time is not over."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from django.db import transaction

from accounts.actors import Actor
from memory_admin import audit
from memory_admin.audit import Action
from memory_admin.errors import Conflict, NotFound
from memory_admin.lifecycle import queries
from memory_admin.lifecycle.models import ErasureRequest, State
from memory_admin.memories import changes
from memory_admin.memories.models import Link, Memory, MemoryRevision
from memory_admin.memories.tombstones import disentomb
from memory_admin.memories.vocabulary import Relation, Status
from policies.queries import in_force

EMBEDDED_AT_ONCE = 32
"""The vectors of so many are computed while the person waits; beyond, a job adds them."""


class TooLate(Conflict):
    """The time in which a deletion can be taken back is over, whether the job has run or not."""

    code = "too_late"
    sentence = "It is too late to take this back."


@transaction.atomic
def take_back(*, erasure_id: UUID, by: Actor, now: datetime) -> ErasureRequest:
    """Bring back everything that a deletion has taken out of use, as it was. Done twice, it brings back nothing twice.

    Each memory has the status and the words it had, in a new version. What has another value for its key by now comes
    back as what was replaced by it.

    :raises NotFound: it does not exist for this actor, or they did not ask for it
    :raises TooLate: its time is over
    """
    asked = queries.erasure(erasure_id, by=by)
    if not by.is_person or asked.requested_by != by.ref:
        raise NotFound
    changes.lock_subject(asked.subject_id)
    erasure = queries.with_time_left().get(id=erasure_id)
    if erasure.state == State.TAKEN_BACK:
        return erasure
    if not erasure.can_be_taken_back:
        raise TooLate
    _restore(erasure.memory_ids, by=by, now=now)
    disentomb(subject_id=erasure.subject_id, erasure_id=erasure.id)
    erasure.state, erasure.taken_back_at = State.TAKEN_BACK, now
    erasure.audit_seq = audit.record(
        action=Action.ERASURE_TAKEN_BACK,
        by=by,
        target=("erasure", erasure.id),
        at=now,
        policy_version=in_force(now).retention.version_label,
        payload={"memories": len(erasure.memory_ids)},
    )
    erasure.save(update_fields=["state", "taken_back_at", "audit_seq"])
    return erasure


def _restore(memory_ids: Sequence[UUID], *, by: Actor, now: datetime) -> None:
    waiting = Memory.objects.select_related("subject", "source").filter(id__in=memory_ids, status=Status.ERASING)
    memories = list(waiting.order_by("id"))
    versions = MemoryRevision.objects.filter(memory_id__in=memory_ids).order_by("memory_id", "-version")
    last = {version.memory_id: version for version in versions.distinct("memory_id")}
    links: list[Link] = []
    for memory in memories:
        memory.status = last[memory.id].status
        memory.changed_at = changes.recordable_from(memory, now)
        memory.version += 1
        links += _give_way(memory, now=now)
    Memory.objects.bulk_update(memories, ["status", "changed_at", "version", "valid_to"], batch_size=500)
    MemoryRevision.objects.bulk_create(
        [changes.revision_of(memory, by=by, reason="deletion taken back") for memory in memories], batch_size=500
    )
    Link.objects.bulk_create(links, ignore_conflicts=True)
    active = [memory for memory in memories if memory.status == Status.ACTIVE]
    changes.make_findable(active, [None] * len(active) if len(active) > EMBEDDED_AT_ONCE else None)


def _give_way(memory: Memory, *, now: datetime) -> list[Link]:
    """End a value where one begins that has taken its key meanwhile."""
    if memory.status not in changes.IN_HISTORY:
        return []
    rivals = changes.rivals(memory)
    if not rivals:
        return []
    memory.valid_to, is_over = changes.end_of(memory, at=rivals[0].valid_from, now=now)
    if is_over:
        memory.status = Status.SUPERSEDED
    return [Link(from_id=rivals[0].id, to_id=memory.id, relation=Relation.SUPERSEDES, created_at=now)]
