"""The relay, started by beat."""

from celery import shared_task

from memory_admin.jobs import outbox


@shared_task(name="jobs.relay", ignore_result=True)
def relay() -> None:
    """Send again whatever was not done by its time."""
    outbox.relay()
