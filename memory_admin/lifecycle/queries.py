"""What a reader may see of erasures."""

from __future__ import annotations

from uuid import UUID

from django.db.models import QuerySet, Window
from django.db.models.functions import RowNumber

from accounts.actors import Actor
from memory_admin.errors import NotFound
from memory_admin.lifecycle.models import ErasureRequest


def erasure(erasure_id: UUID, *, by: Actor) -> ErasureRequest:
    """Find one erasure that the actor may see: a person their own, an agent those it asked for.

    :raises NotFound: it does not exist for this actor
    """
    erasures = ErasureRequest.objects.select_related("subject").filter(id=erasure_id)
    if by.is_person:
        erasures = erasures.filter(subject_id=by.subject_id) if by.subject_id else erasures.none()
    elif by.kind == "agent":
        erasures = erasures.filter(requested_by=by.ref)
    found = erasures.first()
    if found is None:
        raise NotFound
    return found


def receipts(*, by: Actor) -> QuerySet[ErasureRequest]:
    """List the erasures of a person, the newest first, each with its ``number`` among their own."""
    if by.subject_id is None:
        return ErasureRequest.objects.none()
    return (
        ErasureRequest.objects.filter(subject_id=by.subject_id)
        .annotate(number=Window(RowNumber(), order_by=["requested_at", "id"]))
        .order_by("-requested_at", "-id")
    )
