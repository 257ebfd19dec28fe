"""What waits for a reviewer, and what is told of it without its texts."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Count, Min, Q, QuerySet

from accounts.actors import Actor
from memory_admin.errors import NotFound
from memory_admin.memories.models import Dispute, RefusalReview


@dataclass(frozen=True, slots=True)
class Waiting:
    """How much waits for somebody, since when the oldest, and how much of it is overdue."""

    count: int
    overdue: int
    oldest_at: datetime | None


def open_disputes(by: Actor) -> QuerySet[Dispute]:
    """Give the disputes that the actor can answer, the first due first: never one about themselves."""
    return (
        Dispute.objects.filter(closed_at=None, memory__subject__is_test=False)
        .exclude(memory__subject__user=by.user_id)
        .select_related("memory__subject")
        .order_by("due_at", "id")
    )


def open_reviews(by: Actor) -> QuerySet[RefusalReview]:
    """Give the reviews of refusals that the actor can answer, the first due first: never one about themselves."""
    return (
        RefusalReview.objects.filter(closed_at=None)
        .exclude(subject__user=by.user_id)
        .select_related("subject", "decision")
        .order_by("due_at", "id")
    )


def waiting(asked: QuerySet[Any], *, now: datetime) -> Waiting:
    """Count what waits: one statement."""
    told = asked.order_by().aggregate(
        count=Count("id"), overdue=Count("id", filter=Q(due_at__lte=now)), oldest_at=Min("opened_at")
    )
    return Waiting(**told)


def review(review_id: UUID) -> RefusalReview:
    """Find one review of a refusal, open or closed.

    :raises NotFound: there is none
    """
    found = RefusalReview.objects.select_related("decision", "subject").filter(id=review_id).first()
    if found is None:
        raise NotFound
    return found


def dispute(dispute_id: UUID) -> Dispute:
    """Find one dispute, open or closed, with its memory.

    :raises NotFound: there is none
    """
    found = Dispute.objects.select_related("memory__subject", "memory__agent").filter(id=dispute_id).first()
    if found is None:
        raise NotFound
    return found
