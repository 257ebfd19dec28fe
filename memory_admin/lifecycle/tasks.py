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


@jobs.job(jobs.VERIFY_ERASURE)
def verify(*, object_id: UUID, epoch: int, now: datetime) -> None:
    """Look for what is left of what was erased; the epoch is how often it was looked for before."""
    services.verify(erasure_id=object_id, now=now)


@jobs.job(jobs.SWEEP)
def sweep(*, object_id: UUID, epoch: int, now: datetime) -> None:
    """Do the next part of what an hour's sweep has to forget; the epoch is the hour."""
    services.sweep(hour=epoch, now=now)


@jobs.job(jobs.EXPORT)
def export(*, object_id: UUID, epoch: int, now: datetime) -> None:
    """Make the copy that a person has asked for."""
    services.make_export(export_id=object_id, now=now)


@jobs.job(jobs.PURGE_EXPORTS)
def purge_exports(*, object_id: UUID, epoch: int, now: datetime) -> None:
    """Remove the copies whose week is over."""
    services.purge_exports(now=now)
