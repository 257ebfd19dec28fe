"""Erasing what was asked for, when its time has come: a bounded part in each transaction, until nothing is left."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from django.db import transaction

from accounts.actors import Actor, system
from accounts.models import Subject
from memory_admin import jobs
from memory_admin.errors import NotFound
from memory_admin.lifecycle import extent, queries
from memory_admin.lifecycle.models import ErasureRequest, State
from memory_admin.lifecycle.paraphrases import NONE, Vectors, embedded_for_job
from memory_admin.lifecycle.removal import remove
from memory_admin.memories import changes
from memory_admin.memories.models import Memory
from memory_admin.memories.tombstones import disentomb
from memory_admin.memories.vocabulary import Status

PART = 500
"""How many memories one transaction erases: others who write about the subject wait for no more."""


@transaction.atomic
def carry_on(*, erasure_id: UUID, now: datetime) -> None:
    """Erase the next part of what was asked for, and queue the one after it. Done twice, it erases nothing twice.

    Before its time it queues itself for then; what is erased or taken back is left alone.
    """
    asked = queries.with_time_left().filter(id=erasure_id).first()
    if asked is None:
        return
    vectors = NONE if asked.can_be_taken_back else embedded_for_job(_next_part(asked))
    subject = changes.lock_subject(asked.subject_id)
    erasure = queries.with_time_left().get(id=erasure_id)
    if not erasure.is_unfinished:
        return
    if erasure.can_be_taken_back:
        jobs.after_commit(jobs.ERASE, object_id=erasure.id, at=erasure.due_at)
        return
    _erase_part(erasure, subject=subject, now=now, vectors=vectors)
    if erasure.is_unfinished:
        jobs.after_commit(jobs.ERASE, object_id=erasure.id)


def carry_on_to_the_end(erasure: ErasureRequest, *, subject: Subject, now: datetime) -> None:
    """Erase all that is left of an erasure in the open transaction, under the subject's lock, whatever its time."""
    while erasure.is_unfinished:
        _erase_part(erasure, subject=subject, now=now)


@transaction.atomic
def try_again(*, erasure_id: UUID, by: Actor) -> ErasureRequest:
    """Queue an erasure whose time has come once more, in case its job was given up or a stage of it has failed.

    :raises NotFound: it does not exist for this actor
    """
    erasure = queries.erasure(erasure_id, by=by)
    if by.kind == "agent":
        raise NotFound
    if erasure.is_unfinished and not erasure.can_be_taken_back:
        jobs.after_commit(jobs.ERASE, object_id=erasure.id)
    if erasure.state == State.ERASED and erasure.verified_at is None:
        jobs.after_commit(jobs.VERIFY_ERASURE, object_id=erasure.id, epoch=-1 - erasure.looks)
    return erasure


def _next_part(erasure: ErasureRequest) -> list[UUID]:
    return erasure.memory_ids[erasure.done : erasure.done + PART]


def _erase_part(erasure: ErasureRequest, *, subject: Subject, now: datetime, vectors: Vectors = NONE) -> None:
    part = _next_part(erasure)
    memories = extent.read(Memory.objects.filter(id__in=part, status=Status.ERASING).order_by("id"))
    by = system("erasure", tenant_id=erasure.tenant_id)
    remove(erasure, memories, subject=subject, also_the_same=True, by=by, now=now, vectors=vectors)
    erasure.done += len(part)
    erasure.state = State.ERASING
    if erasure.done >= len(erasure.memory_ids):
        erasure.state, erasure.erased_at = State.ERASED, now
        jobs.after_commit(jobs.CHECKPOINT, object_id=erasure.tenant_id)
        jobs.after_commit(jobs.VERIFY_ERASURE, object_id=erasure.id, epoch=erasure.looks)
        if not erasure.keeps_out:
            disentomb(subject_id=erasure.subject_id, erasure_id=erasure.id)
    erasure.save(update_fields=["state", "done", "counts", "erased_at", "audit_seq"])
