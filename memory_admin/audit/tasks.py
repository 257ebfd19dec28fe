"""Background work of the audit trail."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from memory_admin import jobs
from memory_admin.audit import checking, services


@jobs.job(jobs.CHECKPOINT)
def checkpoint(*, object_id: UUID, epoch: int, now: datetime) -> None:
    """Write a checkpoint of one tenant's chain, and have the chain checked once a day."""
    services.checkpoint(at=now)
    checking.ask_daily(now=now)


@jobs.job(jobs.VERIFY_TRAIL)
def verify_trail(*, object_id: UUID, epoch: int, now: datetime) -> None:
    """Check one tenant's chain."""
    checking.run(check_id=object_id, now=now)
