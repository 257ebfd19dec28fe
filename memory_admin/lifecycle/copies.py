"""Finished copies of what is remembered about a subject, which an erasure takes along."""

from __future__ import annotations

from uuid import UUID

from memory_admin.lifecycle.models import Export, ExportState


def withdraw(subject_id: UUID) -> int:
    """Remove every finished copy about a subject, for something of what it holds is gone; tell how many."""
    held = Export.objects.filter(subject_id=subject_id, state=ExportState.READY)
    return held.update(content=None, state=ExportState.WITHDRAWN)
