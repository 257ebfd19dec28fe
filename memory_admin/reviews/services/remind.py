"""Seeing to it that what people asked for is answered in time."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from django.db import transaction

from accounts.vocabulary import NoticeKind
from memory_admin import jobs
from memory_admin.memories.models import DataRequest, Dispute, RefusalReview
from memory_admin.memories.requests import tell_reviewers
from memory_admin.memories.vocabulary import RequestKind

OVERDUE = 1  # the second reminder of a request


@transaction.atomic
def remind(*, request_id: UUID, now: datetime) -> bool:
    """Tell reviewers of a request that is due soon; once it is overdue, privacy officers too. Tell whether it is open.

    It asks for itself again at the due date.
    """
    asked = DataRequest.objects.filter(id=request_id).first()
    due_at = _due_at(asked) if asked else None
    if asked is None or due_at is None:
        return False
    is_overdue = due_at <= now
    tell_reviewers(asked, kind=NoticeKind.REQUEST_DUE, now=now, above=is_overdue)
    if not is_overdue:
        jobs.after_commit(jobs.REMIND_OF_REQUEST, object_id=asked.id, epoch=OVERDUE, at=due_at)
    return True


def _due_at(asked: DataRequest) -> datetime | None:
    """Tell when a request is due; nothing when it is answered."""
    table: type[Dispute] | type[RefusalReview] = Dispute if asked.kind == RequestKind.DISPUTE else RefusalReview
    return table.objects.filter(id=asked.object_id, closed_at=None).values_list("due_at", flat=True).first()
