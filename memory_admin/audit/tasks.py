"""Background work of the audit trail."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from memory_admin import jobs
from memory_admin.audit import services


@jobs.job(jobs.CHECKPOINT)
def checkpoint(*, object_id: UUID, epoch: int, now: datetime) -> None:
    """Write a checkpoint of one tenant's chain."""
    services.checkpoint(at=now)
