"""Letting the time of an erasure come, and its job run, without a worker."""

from datetime import timedelta
from uuid import UUID

from memory_admin import jobs
from memory_admin.jobs.models import Job
from memory_admin.lifecycle.models import ErasureRequest
from memory_admin.lifecycle.queries import clock
from memory_admin.lifecycle.tasks import erase


def let_its_time_come(erasure_id: UUID) -> None:
    ErasureRequest.objects.filter(id=erasure_id).update(due_at=clock() - timedelta(milliseconds=1))


def run_job(erasure_id: UUID) -> None:
    """Run the job that waits for an erasure, as a worker would."""
    waiting = Job.objects.filter(name=jobs.ERASE, object_id=erasure_id, done_at=None).get()
    erase(str(waiting.tenant_id), str(waiting.id))


def run_jobs(erasure_id: UUID) -> int:
    """Run its jobs until none waits; tell how many there were."""
    ran = 0
    while Job.objects.filter(name=jobs.ERASE, object_id=erasure_id, done_at=None).exists():
        run_job(erasure_id)
        ran += 1
    return ran
