"""What the portal reads beside the memories themselves."""

from datetime import timedelta
from uuid import UUID

from django.db.models import QuerySet
from django.utils import timezone

from accounts.actors import Actor
from memory_admin.memories.models import MemoryPause, WriteDecision
from memory_admin.memories.vocabulary import WriteResult

SHOWN_FOR = timedelta(days=30)
NOT_SAVED = (WriteResult.REFUSED, WriteResult.BLOCKED, WriteResult.POLICY_CHANGE)


def refused(by: Actor) -> QuerySet[WriteDecision]:
    """Give what was refused about this person lately, the newest first."""
    if by.subject_id is None:
        return WriteDecision.objects.none()
    return WriteDecision.objects.filter(
        subject_id=by.subject_id,
        result__in=NOT_SAVED,
        decided_at__gt=timezone.now() - SHOWN_FOR,
    ).order_by("-decided_at", "-id")


def own_pause(pause_id: UUID, *, by: Actor) -> MemoryPause | None:
    """Find a pause of the person who signed in, open or ended."""
    return MemoryPause.objects.filter(id=pause_id, subject_id=by.subject_id).first() if by.subject_id else None
