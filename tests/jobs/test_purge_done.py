"""Forgetting what was done long ago."""

from datetime import timedelta

import pytest
from django.utils import timezone

from memory_admin import jobs
from memory_admin.jobs.models import Job
from memory_admin.jobs.outbox import KEPT_WHEN_DONE, purge_done, run_once
from memory_admin.tenancy.scope import tenant_scope, uuid7

TENANT = uuid7()


@pytest.mark.django_db
def test_a_job_that_was_done_is_forgotten_after_a_week_and_one_that_failed_is_not() -> None:
    now = timezone.now()
    with tenant_scope(TENANT):
        for name in ("done", "failed"):
            jobs.after_commit(name, object_id=TENANT)
        Job.objects.filter(name="failed").update(failed_at=now)
        done = Job.objects.get(name="done")
    run_once(lambda **_: None, TENANT, done.id)

    with tenant_scope(TENANT):
        purge_done(now=now + KEPT_WHEN_DONE - timedelta(hours=1))
        assert Job.objects.filter(name="done").exists()

        purge_done(now=now + KEPT_WHEN_DONE + timedelta(hours=1))
        assert set(Job.objects.values_list("name", flat=True)) == {"failed", jobs.PURGE_DONE}


@pytest.mark.django_db
def test_one_purge_removes_what_ends_within_an_hour() -> None:
    until = timezone.now().replace(minute=10)

    with tenant_scope(TENANT):
        for minutes in (0, 20, 70):
            jobs.purge_later(jobs.PURGE_SEALED_TEXTS, until=until + timedelta(minutes=minutes))

        due = sorted(Job.objects.values_list("due_at", flat=True))

    assert len(due) == 2
    assert due[0] > until + timedelta(minutes=20)
