"""What a reader may see of erasures."""

from __future__ import annotations

from uuid import UUID

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
