"""Jobs about erasures: ids in, one service call."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from memory_admin import jobs
from memory_admin.lifecycle import services


@jobs.job(jobs.ERASE)
def erase(*, object_id: UUID, epoch: int, now: datetime) -> None:
    """Erase the next part of what a person has deleted."""
    services.carry_on(erasure_id=object_id, now=now)


@jobs.job(jobs.SWEEP)
def sweep(*, object_id: UUID, epoch: int, now: datetime) -> None:
    """Do the next part of what an hour's sweep has to forget; the epoch is the hour."""
    services.sweep(hour=epoch, now=now)
