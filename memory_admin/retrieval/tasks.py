"""Background work of the log."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from memory_admin import jobs
from memory_admin.retrieval import services


@jobs.job(jobs.COUNT_USES)
def count_uses(*, object_id: UUID, epoch: int, now: datetime) -> None:
    """Add the uses of one subject's memories."""
    services.count_uses(subject_id=object_id, now=now)


@jobs.job(jobs.PURGE_QUERY_TEXTS)
def purge_query_texts(*, object_id: UUID, epoch: int, now: datetime) -> None:
    """Remove the texts of questions whose time is over, in the tenant of the job."""
    services.purge_query_texts(now=now)


@jobs.job(jobs.SEAL_READS)
def seal_reads(*, object_id: UUID, epoch: int, now: datetime) -> None:
    """Seal the answers that are not sealed yet, in the tenant of the job."""
    services.seal_reads(now=now)
