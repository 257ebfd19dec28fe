"""What waits for a reviewer, and what is told of it without its texts."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Count, Exists, Min, OuterRef, Q, QuerySet

from accounts.actors import Actor
from accounts.models import Stewardship
from memory_admin.errors import NotFound
from memory_admin.memories.models import Dispute, Memory, MemoryRevision, RefusalReview
from memory_admin.memories.vocabulary import GONE, Status


@dataclass(frozen=True, slots=True)
class Waiting:
    """How much waits for somebody, since when the oldest, and how much of it is overdue."""

    count: int
    overdue: int
    oldest_at: datetime | None


def _looked_after(by: Actor) -> QuerySet[Any, Any]:
    """Name the subjects that the actor stands in for."""
    return Stewardship.objects.filter(user=by.user_id, ended_at=None).values("subject_id")


def open_disputes(by: Actor) -> QuerySet[Dispute]:
    """Give the disputes that the actor can answer, the first due first: never one about themselves."""
    return (
        Dispute.objects.filter(closed_at=None, memory__subject__is_test=False)
        .exclude(memory__subject__user=by.user_id)
        .exclude(memory__subject_id__in=_looked_after(by))
        .exclude(memory__status=Status.ERASING)
        .select_related("memory__subject")
        .order_by("due_at", "id")
    )


def _asked_again() -> QuerySet[RefusalReview]:
    """Give the reviews of refusals, but no open one whose words the person has had deleted and may still take back."""
    same = {"subject_id": OuterRef("subject_id"), "digest": OuterRef("decision__sealed_digest")}
    is_leaving = Exists(MemoryRevision.objects.filter(memory__status=Status.ERASING, **same))
    return RefusalReview.objects.exclude(is_leaving, closed_at=None).select_related("subject", "decision")


def open_reviews(by: Actor) -> QuerySet[RefusalReview]:
    """Give the reviews of refusals that the actor can answer, the first due first: never one about themselves."""
    return (
        _asked_again()
        .filter(closed_at=None)
        .exclude(subject__user=by.user_id)
        .exclude(subject_id__in=_looked_after(by))
        .order_by("due_at", "id")
    )


def held(by: Actor) -> QuerySet[Memory]:
    """Give the memories that wait for a check, the oldest first: never one about the actor."""
    return (
        Memory.objects.filter(status=Status.QUARANTINED, subject__is_test=False)
        .exclude(subject__user=by.user_id)
        .exclude(subject_id__in=_looked_after(by))
        .select_related("subject", "agent")
        .order_by("recorded_at", "id")
    )


def memory(memory_id: UUID) -> Memory:
    """Find one memory that was held for a check, with its agent and source.

    :raises NotFound: there is none, or it was never held
    """
    was_held = MemoryRevision.objects.filter(memory_id=OuterRef("id"), status=Status.QUARANTINED)
    found = Memory.objects.exclude(status__in=GONE).select_related("subject", "agent", "source")
    one: Memory | None = found.filter(Exists(was_held), id=memory_id).first()
    if one is None:
        raise NotFound
    return one


def waiting(asked: QuerySet[Any], *, now: datetime) -> Waiting:
    """Count what waits: one statement."""
    told = asked.order_by().aggregate(
        count=Count("id"), overdue=Count("id", filter=Q(due_at__lte=now)), oldest_at=Min("opened_at")
    )
    return Waiting(**told)


def review(review_id: UUID) -> RefusalReview:
    """Find one review of a refusal, open or closed.

    :raises NotFound: there is none, or its words are being erased
    """
    found = _asked_again().filter(id=review_id).first()
    if found is None:
        raise NotFound
    return found


def waiting_held(by: Actor) -> Waiting:
    """Count what is held for a check: it has no due date, so nothing of it is overdue."""
    told = held(by).order_by().aggregate(count=Count("id"), oldest_at=Min("recorded_at"))
    return Waiting(overdue=0, **told)


def count_for(by: Actor) -> int:
    """Count all that waits for the actor."""
    return sum(asked.count() for asked in (open_disputes(by), open_reviews(by), held(by)))


def dispute(dispute_id: UUID) -> Dispute:
    """Find one dispute, open or closed, with its memory.

    :raises NotFound: there is none, or its memory is being erased
    """
    disputes = Dispute.objects.select_related("memory__subject", "memory__agent").exclude(memory__status=Status.ERASING)
    found = disputes.filter(id=dispute_id).first()
    if found is None:
        raise NotFound
    return found
