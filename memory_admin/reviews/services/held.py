"""Checking what was held back: it comes before the person, or is kept out."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from django.db import transaction

from accounts.actors import Actor
from memory_admin.memories import changes
from memory_admin.memories import services as memories
from memory_admin.memories.models import Memory
from memory_admin.memories.vocabulary import Status
from memory_admin.reviews import desk, queries


@transaction.atomic
def read_held(*, memory_id: UUID, by: Actor, now: datetime) -> Memory:
    """Read a memory that waits for a check, and record for the person who looked.

    :raises NotFound: there is no such memory
    :raises AlreadyAnswered: it waits no more
    """
    found = queries.memory(memory_id)
    role = desk.refuse_strangers(found.subject, by=by, now=now)
    _refuse_checked(found)
    desk.record_view("memory", found.id, subject=found.subject, role=role, by=by, now=now)
    return found


@transaction.atomic
def check_held(*, memory_id: UUID, is_harmless: bool, version: int, by: Actor, now: datetime) -> Memory:
    """Let a held memory come before the person, or keep it out for good.

    :param version: the version of the memory that the reviewer read
    :raises NotFound: there is no such memory
    :raises AlreadyAnswered: it waits no more
    :raises ChangedMeanwhile: it has another version by now
    """
    subject = queries.memory(memory_id).subject
    desk.refuse_strangers(subject, by=by, now=now)
    changes.lock_subject(subject.id)
    _refuse_checked(queries.memory(memory_id))
    decide = memories.release if is_harmless else memories.reject
    return decide(memory_id=memory_id, version=version, by=by, now=now)


def _refuse_checked(memory: Memory) -> None:
    if memory.status != Status.QUARANTINED:
        last = memory.revisions.order_by("-version").values_list("changed_by", flat=True).first()
        raise desk.AlreadyAnswered(details={"by": last, "result": memory.status})
