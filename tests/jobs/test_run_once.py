"""A job is done once, however often it arrives; what fails is tried again, later each time, and given up visibly."""

from __future__ import annotations

import logging
import threading
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from accounts.models import Tenant
from memory_admin.jobs import outbox

CANARY = "Zygomorphic"


def rename(**_: Any) -> None:
    """Leave an effect in the database: one letter more."""
    tenant = Tenant.objects.select_for_update().get()
    tenant.name += "!"
    tenant.save()


def fail(**_: Any) -> None:
    rename()
    raise ValueError(f"about {CANARY}")


def name() -> str:
    return Tenant.objects.get().name


def test_the_effect_and_the_mark_commit_together(north: Any, broker: Any) -> None:
    job = north.queue(epoch=7)
    told: dict[str, Any] = {}

    outbox.run_once(lambda **about: told.update(about), north.tenant_id, job.id)

    assert (told["object_id"], told["epoch"]) == (job.object_id, 7)
    assert north.now(job).done_at == told["now"]


def test_a_job_that_arrives_twice_acts_once(north: Any, broker: Any) -> None:
    job = north.queue()

    outbox.run_once(rename, north.tenant_id, job.id)
    outbox.run_once(rename, north.tenant_id, job.id)

    assert name() == "North!"


def test_a_job_that_arrives_while_it_runs_is_left_to_who_runs_it(north: Any, broker: Any) -> None:
    job = north.queue()
    runs, other_is_through = threading.Event(), threading.Event()

    def slowly(**_: Any) -> None:
        runs.set()
        assert other_is_through.wait(30)
        rename()

    def run() -> None:
        outbox.run_once(slowly, north.tenant_id, job.id)
        connection.close()

    first = threading.Thread(target=run)
    first.start()
    assert runs.wait(30)
    outbox.run_once(rename, north.tenant_id, job.id)
    name_meanwhile = name()
    other_is_through.set()
    first.join(30)

    assert (name_meanwhile, name()) == ("North", "North!")
    assert north.now(job).done_at is not None


def test_an_unknown_job_and_one_of_another_tenant_are_left_alone(north: Any, south: Any, broker: Any) -> None:
    job = north.queue()
    acted: list[Any] = []

    outbox.run_once(lambda **about: acted.append(about), south.tenant_id, job.id)
    outbox.run_once(lambda **about: acted.append(about), north.tenant_id, north.tenant_id)

    assert acted == []
    assert north.now(job).attempts == 0


def test_a_failed_job_leaves_no_effect_and_is_tried_again_later_each_time(north: Any, broker: Any) -> None:
    job = north.queue()
    waits = []

    for _ in range(3):
        before = timezone.now()
        outbox.run_once(fail, north.tenant_id, job.id)
        waits.append(north.now(job).due_at - before)

    assert name() == "North"
    assert waits[0] >= timedelta(minutes=1)
    assert waits == sorted(waits)
    assert waits[2] >= 3 * waits[0]
    assert (north.now(job).attempts, north.now(job).failed_at) == (3, None)


def test_a_job_that_fails_too_often_is_given_up_visibly(north: Any, broker: Any) -> None:
    job = north.queue()

    for _ in range(outbox.ATTEMPTS):
        outbox.run_once(fail, north.tenant_id, job.id)

    given_up = north.now(job)
    assert given_up.failed_at is not None
    assert given_up.error == "ValueError"
    outbox.run_once(rename, north.tenant_id, job.id)
    assert name() == "North"


def test_a_job_that_kills_its_worker_is_given_up_as_well(north: Any, broker: Any) -> None:
    job = north.queue()

    def die(**_: Any) -> None:
        rename()
        raise SystemExit  # as much as a process that is killed leaves: a transaction that never ends

    for _ in range(outbox.ATTEMPTS):
        with pytest.raises(SystemExit):
            outbox.run_once(die, north.tenant_id, job.id)
    outbox.run_once(die, north.tenant_id, job.id)

    assert name() == "North"
    assert north.now(job).failed_at is not None


def test_a_job_that_succeeds_in_the_end_is_done_and_no_longer_in_error(north: Any, broker: Any) -> None:
    job = north.queue()
    outbox.run_once(fail, north.tenant_id, job.id)

    outbox.run_once(rename, north.tenant_id, job.id)

    assert name() == "North!"
    assert (north.now(job).error, north.now(job).failed_at) == ("", None)


def test_what_an_error_says_is_neither_kept_nor_logged(
    north: Any, broker: Any, caplog: pytest.LogCaptureFixture
) -> None:
    job = north.queue()
    shown = logging.getLogger().handlers[0].formatter or logging.Formatter()

    outbox.run_once(fail, north.tenant_id, job.id)

    (record,) = [record for record in caplog.records if record.getMessage() == "job failed"]
    assert CANARY not in north.now(job).error
    assert CANARY not in shown.format(record)
