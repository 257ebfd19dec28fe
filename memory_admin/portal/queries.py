"""What the portal reads beside the memories themselves."""

from datetime import timedelta
from typing import Any
from uuid import UUID

from django.db.models import Count, Min, Q, QuerySet, TextField
from django.db.models.functions import Cast
from django.utils import timezone

from accounts.actors import Actor
from memory_admin.errors import NotFound
from memory_admin.lifecycle.queries import unfinished_of
from memory_admin.memories.models import DataRequest, MemoryPause, RefusalReview, Tombstone, WriteDecision
from memory_admin.memories.vocabulary import NOT_SAVED
from policies.models import PolicyChangeRequest

SHOWN_FOR = timedelta(days=30)
WISHES_SHOWN = 50


def refused(by: Actor) -> QuerySet[WriteDecision]:
    """Give what was refused about this person lately, the newest first."""
    if by.subject_id is None:
        return WriteDecision.objects.none()
    return WriteDecision.objects.filter(
        subject_id=by.subject_id,
        result__in=NOT_SAVED,
        decided_at__gt=timezone.now() - SHOWN_FOR,
    ).order_by("-decided_at", "-id")


def requests(by: Actor) -> QuerySet[DataRequest]:
    """Give everything that was asked for about this person, the newest first."""
    found = DataRequest.objects.order_by("-opened_at", "-id")
    return found.filter(subject_id=by.subject_id) if by.subject_id else found.none()


def wishes(by: Actor) -> list[PolicyChangeRequest]:
    """List what this person wished to change about the rules, the newest first; at most fifty."""
    found = PolicyChangeRequest.objects.order_by("-created_at", "-id")
    return list(found.filter(subject_id=by.subject_id)[:WISHES_SHOWN]) if by.subject_id else []


def request_of(object_id: UUID, *, by: Actor) -> DataRequest:
    """Find the request that an object of this person was asked for by.

    :raises NotFound: it is nothing of theirs
    """
    found = requests(by).filter(object_id=object_id).first()
    if found is None:
        raise NotFound
    return found


def review_of(decision_id: UUID) -> RefusalReview | None:
    """Find the review that was asked for of a refusal."""
    return RefusalReview.objects.filter(decision_id=decision_id).first()


def own_pause(pause_id: UUID, *, by: Actor) -> MemoryPause | None:
    """Find a pause of the person who signed in, open or ended."""
    return MemoryPause.objects.filter(id=pause_id, subject_id=by.subject_id).first() if by.subject_id else None


def kept_out(by: Actor) -> QuerySet[Any, Any]:
    """Give what is kept out for this person, one row for each removal, the newest first: when, how many, and an id."""
    # Of a deletion that is not done yet, there is nothing to allow again.
    unfinished = list(unfinished_of(by).values_list("id", flat=True))
    standing = Tombstone.objects.filter(lifted_at=None).exclude(erasure_id__in=unfinished)
    return (
        (standing.filter(subject_id=by.subject_id) if by.subject_id else standing.none())
        .order_by()
        .values("created_at")
        .annotate(
            tombstone_id=Min(Cast("id", TextField())),
            statements=Count("id", filter=Q(of="statement")),
            sources=Count("id", filter=Q(of="source")),
        )
        .order_by("-created_at")
    )
