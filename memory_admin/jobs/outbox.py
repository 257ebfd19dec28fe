"""Queueing a job with its transaction, and running it once."""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any
from uuid import UUID

from celery import current_app, shared_task
from django.db import connection, transaction
from django.utils import timezone

from memory_admin.tenancy.scope import required_tenant, tenant_scope, uuid7

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from memory_admin.jobs.models import Job

logger = logging.getLogger(__name__)

# Every job by name; its task is in the `tasks` module of the package it begins with.
MAIL_INVITATION = "accounts.mail_invitation"
FORGET_INVITATION = "accounts.forget_invitation"
MAIL_NOTICE = "accounts.mail_notice"
WARN_OF_END = "accounts.warn_of_end"
ACTIVATE_POLICY = "policies.activate"
END_ACTIVATION = "policies.end_activation"
EXPIRE_APPROVAL = "policies.expire_approval"
REMIND_OF_EMERGENCY = "policies.remind_of_emergency"
APPLY_RETENTION = "memories.apply_retention"
EMBED_MEMORY = "memories.embed"
COUNT_USES = "retrieval.count_uses"
SEAL_READS = "retrieval.seal"
PURGE_QUERY_TEXTS = "retrieval.purge_query_texts"
PURGE_SEALED_TEXTS = "memories.purge_sealed_texts"
LIFT_RESTRICTION = "reviews.lift_restriction"
REMIND_OF_REQUEST = "reviews.remind_of_request"
RUN_SIMULATION = "simulation.run"
ERASE = "lifecycle.erase"
SWEEP = "lifecycle.sweep"
VERIFY_ERASURE = "lifecycle.verify"
EXPORT = "lifecycle.export"
PURGE_EXPORTS = "lifecycle.purge_exports"
CHECKPOINT = "audit.checkpoint"
VERIFY_TRAIL = "audit.verify"
PURGE_DONE = "jobs.purge_done"

#: What is done for every tenant in every hour; the epoch is the number of the hour.
HOURLY = (SWEEP, SEAL_READS, CHECKPOINT)

GRACE = timedelta(seconds=30)  # how long a sent job may take before the relay sends it again
ATTEMPTS = 8
KEPT_WHEN_DONE = timedelta(days=7)


def after_commit(name: str, *, object_id: UUID, epoch: int = 0, at: datetime | None = None) -> None:
    """Queue a job: written now, in this transaction, and sent when it commits. One that waits is not queued twice.

    :param epoch: the subject's erasure epoch; a job of an older epoch does nothing
    :param at: do it at this time instead, by the relay
    """
    from memory_admin.jobs.models import Job

    tenant_id, job_id = required_tenant(), uuid7()
    now = timezone.now()
    due_at = now + GRACE if at is None else max(at, now)
    Job.objects.bulk_create(
        [Job(id=job_id, tenant_id=tenant_id, name=name, object_id=object_id, epoch=epoch, due_at=due_at)],
        ignore_conflicts=True,
    )
    if at is None:
        transaction.on_commit(lambda: send(name, tenant_id, job_id))


def purge_later(name: str, *, until: datetime) -> None:
    """Queue the removal of what the open tenant keeps until a time; one job removes what ends within an hour."""
    hour = int(until.timestamp()) // 3600 + 1
    after_commit(name, object_id=required_tenant(), epoch=hour, at=datetime.fromtimestamp(hour * 3600, UTC))


def begin_hour(*, now: datetime) -> None:
    """Queue what is done in every hour for the open tenant."""
    for name in HOURLY:
        after_commit(name, object_id=required_tenant(), epoch=int(now.timestamp()) // 3600)


def send(name: str, tenant_id: UUID, job_id: UUID) -> None:
    """Hand a job to the broker. A broker that is down is the relay's business, not the caller's."""
    try:
        current_app.send_task(name, args=[str(tenant_id), str(job_id)], ignore_result=True)
    except Exception as error:  # kombu raises whatever its transport raises
        logger.warning(
            "job not sent, the relay will", extra={"job": name, "job_id": job_id, "code": type(error).__name__}
        )


def job(name: str) -> Callable[[Callable[..., None]], Any]:
    """Make a function the task of a job, called with ``object_id``, ``epoch`` and ``now`` in the tenant's scope.

    Its effect and the mark that it is done commit together, so a job that arrives twice acts once.
    """

    def decorate(act: Callable[..., None]) -> Any:
        @shared_task(name=name, ignore_result=True)
        def task(tenant_id: str, job_id: str) -> None:
            run_once(act, UUID(tenant_id), UUID(job_id))

        return task

    return decorate


def run_once(act: Callable[..., None], tenant_id: UUID, job_id: UUID) -> None:
    """Run a waiting job; one that is done, failed, running elsewhere, or gone is left alone."""
    now = timezone.now()
    begun = _begin(tenant_id, job_id, now=now)
    if begun is None:
        return
    try:
        with tenant_scope(tenant_id):
            if _waiting(job_id).select_for_update(skip_locked=True).first() is None:
                return
            act(object_id=begun.object_id, epoch=begun.epoch, now=now)
            _waiting(job_id).update(done_at=now, error="")
            if begun.name != PURGE_DONE:
                purge_later(PURGE_DONE, until=now + KEPT_WHEN_DONE)
    except Exception as error:
        logger.exception("job failed", extra={"job": begun.name, "job_id": job_id, "tenant_id": tenant_id})
        failed_at = now if begun.attempts >= ATTEMPTS else None
        with tenant_scope(tenant_id):
            _waiting(job_id).update(error=type(error).__name__, failed_at=failed_at)


def purge_done(*, now: datetime) -> int:
    """Forget the jobs of the open tenant that were done a week ago; tell how many. What failed stays to be seen."""
    from memory_admin.jobs.models import Job

    return Job.objects.filter(done_at__lte=now - KEPT_WHEN_DONE).delete()[0]


def _waiting(job_id: UUID) -> QuerySet[Job]:
    from memory_admin.jobs.models import Job

    return Job.objects.filter(id=job_id, done_at=None, failed_at=None)


def _begin(tenant_id: UUID, job_id: UUID, *, now: datetime) -> Job | None:
    """Count an attempt and put the next one off, before anything is tried: what kills its worker fails in the end, too.

    :return: nothing when the job is not to be run
    """
    with tenant_scope(tenant_id):
        found = _waiting(job_id).select_for_update(skip_locked=True).first()
        if found is None:
            return None
        if found.attempts >= ATTEMPTS:
            found.failed_at, found.error = now, found.error or "never ended"
            found.save(update_fields=["failed_at", "error"])
            return None
        found.attempts += 1
        found.due_at = now + GRACE * 2**found.attempts
        found.save(update_fields=["attempts", "due_at"])
        return found


def relay(*, limit: int = 500) -> int:
    """Send every job that is overdue and does not run, over all tenants; tell how many."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT tenant_id, id, name FROM overdue_jobs(%s)", [limit])
        overdue = cursor.fetchall()
    sent = 0
    for tenant_id, job_id, name in overdue:
        if _postpone(tenant_id, job_id):
            send(name, tenant_id, job_id)
            sent += 1
    return sent


def _postpone(tenant_id: UUID, job_id: UUID) -> bool:
    """Give a job time to be done; not one that runs, whose lock would hold up all others."""
    with tenant_scope(tenant_id):
        found = _waiting(job_id).select_for_update(skip_locked=True).first()
        if found is None:
            return False
        found.due_at = timezone.now() + GRACE
        found.save(update_fields=["due_at"])
        return True
