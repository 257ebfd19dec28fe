"""What a reader may see of erasures."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import connection
from django.db.models import DurationField, ExpressionWrapper, F, Max, QuerySet
from django.db.models.functions import Now

from accounts.actors import Actor
from accounts.models import Subject
from memory_admin.errors import NotFound
from memory_admin.lifecycle import extent
from memory_admin.lifecycle.models import UNFINISHED, ErasureRequest
from memory_admin.memories.models import DataRequest, MemoryRevision, Tombstone
from memory_admin.memories.queries import visible_to
from memory_admin.tenancy.arrays import any_id


def clock() -> datetime:
    """Tell the time by the database, which every process shares; within a transaction it goes on."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT statement_timestamp()")
        at: datetime = cursor.fetchone()[0]
        return at


def with_time_left() -> QuerySet[ErasureRequest]:
    """Give erasures with how long each can still be taken back, by the clock of the database."""
    left = ExpressionWrapper(F("due_at") - Now(), output_field=DurationField())
    return ErasureRequest.objects.annotate(left=left)


def numbers_of(erasures: Sequence[ErasureRequest]) -> dict[UUID, str]:
    """Give the number of each erasure; one statement."""
    entered = DataRequest.objects.filter(object_id__in=[one.id for one in erasures])
    return {one.object_id: one.spoken for one in entered}


def allowed_again_at(erasure: ErasureRequest) -> datetime | None:
    """Tell when the person let agents learn again what an erasure had kept out; None while they have not."""
    lifted = Tombstone.objects.filter(erasure_id=erasure.id).aggregate(at=Max("lifted_at"))
    at: datetime | None = lifted["at"]
    return at


def erasure(erasure_id: UUID, *, by: Actor) -> ErasureRequest:
    """Find one erasure that the actor may see: a person their own, an agent those it asked for.

    :raises NotFound: it does not exist for this actor
    """
    erasures = with_time_left().select_related("subject").filter(id=erasure_id)
    if by.is_person:
        erasures = erasures.filter(subject_id=by.subject_id) if by.subject_id else erasures.none()
    elif by.kind == "agent":
        erasures = erasures.filter(requested_by=by.ref)
    found = erasures.first()
    if found is None:
        raise NotFound
    return found


def unfinished(memory_ids: Collection[UUID], *, by: Actor) -> ErasureRequest | None:
    """Find the erasure that has taken all of these memories of a person out of use and has not erased them yet."""
    if by.subject_id is None or not memory_ids:
        return None
    running = with_time_left().filter(
        subject_id=by.subject_id, state__in=UNFINISHED, memory_ids__contains=sorted(set(memory_ids))
    )
    return running.order_by("id").first()


def unfinished_of(by: Actor) -> QuerySet[ErasureRequest]:
    """List what a person has deleted and what is not erased yet, the newest first."""
    return receipts(by=by).filter(state__in=UNFINISHED)


def receipts(*, by: Actor) -> QuerySet[ErasureRequest]:
    """List the erasures of a person, the newest first."""
    if by.subject_id is None:
        return ErasureRequest.objects.none()
    return with_time_left().filter(subject_id=by.subject_id).order_by("-requested_at", "-id")


@dataclass(frozen=True, slots=True)
class Extent:
    """How much a deletion would take: memories, of them others than those named, and versions."""

    named: int
    made: int
    same: int
    versions: int


def extent_of(memory_ids: Collection[UUID], *, by: Actor) -> Extent:
    """Count what a deletion of these memories of a person would take along: made from them, or saying the same."""
    memories = extent.read(visible_to(by).select_related(None).filter(id__in=any_id(memory_ids)))
    if not memories:
        return Extent(0, 0, 0, 0)
    subject = Subject(id=memories[0].subject_id, tenant_id=memories[0].tenant_id)
    made = extent.all_that_goes(subject, memories, also_the_same=False)
    gone = extent.all_that_goes(subject, memories, also_the_same=True)
    versions = MemoryRevision.objects.filter(memory_id__in=any_id(memory.id for memory in gone))
    return Extent(
        named=len(memories), made=len(made) - len(memories), same=len(gone) - len(made), versions=versions.count()
    )
