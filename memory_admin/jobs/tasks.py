"""The relay, started by beat, and the outbox's own tidying."""

from datetime import datetime
from uuid import UUID

from celery import shared_task

from memory_admin import jobs
from memory_admin.jobs import outbox


@shared_task(name="jobs.relay", ignore_result=True)
def relay() -> None:
    """Send again whatever was not done by its time."""
    outbox.relay()


@jobs.job(jobs.PURGE_DONE)
def purge_done(*, object_id: UUID, epoch: int, now: datetime) -> None:
    """Forget jobs that were done long ago."""
    outbox.purge_done(now=now)
