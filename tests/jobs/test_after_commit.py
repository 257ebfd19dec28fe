"""A job is written with its transaction, and sent when that commits."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from accounts.models import Tenant
from memory_admin import jobs
from memory_admin.jobs import outbox
from memory_admin.jobs.models import Job
from memory_admin.tenancy.scope import NoTenantScope, tenant_scope, uuid7


class ChangeOfMind(Exception):
    """Rolls a transaction back."""


def test_a_job_is_sent_when_its_transaction_commits(north: Any, broker: Any) -> None:
    with tenant_scope(north.tenant_id):
        jobs.after_commit(jobs.EMBED_MEMORY, object_id=uuid7())
        sent_before = broker.messages()
        job = Job.objects.get()

    assert sent_before == []
    (message,) = broker.messages()
    assert message.task == "memories.embed"
    assert message.args == [str(north.tenant_id), str(job.id)]  # ids, and nothing else


def test_no_job_is_sent_or_kept_when_its_transaction_is_rolled_back(north: Any, broker: Any) -> None:
    def change_mind() -> None:
        with tenant_scope(north.tenant_id):
            jobs.after_commit(jobs.EMBED_MEMORY, object_id=uuid7())
            raise ChangeOfMind

    with pytest.raises(ChangeOfMind):
        change_mind()

    with tenant_scope(north.tenant_id):
        assert not Job.objects.exists()
    assert broker.messages() == []


def test_a_job_that_waits_is_not_queued_twice(north: Any, broker: Any) -> None:
    object_id = uuid7()
    first = north.queue(object_id=object_id)

    again = north.queue(object_id=object_id)
    later_epoch = north.queue(object_id=uuid7(), epoch=1)

    assert again.id == first.id
    with tenant_scope(north.tenant_id):
        assert set(Job.objects.values_list("id", flat=True)) == {first.id, later_epoch.id}


def test_a_job_is_queued_again_behind_one_that_has_begun(north: Any, broker: Any) -> None:
    first = north.queue()
    queued: list[Job] = []

    def act(**_: Any) -> None:
        jobs.after_commit(jobs.EMBED_MEMORY, object_id=first.object_id)
        queued.extend(Job.objects.filter(object_id=first.object_id).exclude(id=first.id))

    outbox.run_once(act, north.tenant_id, first.id)

    assert len(queued) == 1
    assert north.now(first).done_at is not None
    assert north.now(queued[0]).done_at is None


def test_a_job_for_later_is_left_to_the_relay(north: Any, broker: Any) -> None:
    later = datetime.now(UTC) + timedelta(hours=1)

    job = north.queue(at=later)

    assert job.due_at == later
    assert broker.messages() == []


def test_a_write_succeeds_without_delay_while_the_broker_is_down(north: Any, closed_broker: str) -> None:
    began = time.monotonic()

    with tenant_scope(north.tenant_id):
        Tenant.objects.filter(id=north.tenant_id).update(name="Written meanwhile")
        jobs.after_commit(jobs.EMBED_MEMORY, object_id=uuid7())

    assert time.monotonic() - began < 1
    assert Tenant.objects.get(id=north.tenant_id).name == "Written meanwhile"
    with tenant_scope(north.tenant_id):
        assert Job.objects.filter(done_at=None).count() == 1


def test_no_job_is_queued_outside_a_tenant(transactional_db: None) -> None:
    with pytest.raises(NoTenantScope):
        jobs.after_commit(jobs.EMBED_MEMORY, object_id=uuid7())
