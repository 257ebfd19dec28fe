"""The relay sends again whatever was not done by its time."""

from __future__ import annotations

import threading
from datetime import timedelta
from typing import Any

from django.db import connection
from django.utils import timezone

from memory_admin.jobs import outbox
from memory_admin.jobs.models import Job
from memory_admin.tenancy.scope import tenant_scope
from tests.jobs.conftest import send_to


def overdue(house: Any) -> Any:
    """Queue a job whose time has passed."""
    job = house.queue()
    house.change(job, due_at=timezone.now() - timedelta(seconds=1))
    return job


def sent(broker: Any) -> list[str]:
    return [message.args[1] for message in broker.messages()]


def test_a_job_that_the_broker_never_got_is_sent_once_it_is_overdue(
    north: Any, broker: Any, closed_broker: str
) -> None:
    job = overdue(north)
    outbox.relay()
    sent_while_down = sent(broker)
    north.change(job, due_at=timezone.now() - timedelta(seconds=1))

    send_to(broker.url)
    outbox.relay()

    assert sent_while_down == []
    assert sent(broker) == [str(job.id)]


def test_overdue_jobs_of_every_tenant_are_sent(north: Any, south: Any, broker: Any) -> None:
    jobs = [overdue(north), overdue(south)]
    broker.empty()

    relayed = outbox.relay()

    assert relayed == 2
    assert [(message.task, message.args[1]) for message in broker.messages()] == [
        ("memories.embed", str(job.id)) for job in jobs
    ]


def test_a_job_that_is_done_given_up_or_not_due_is_not_sent(north: Any, broker: Any) -> None:
    done, given_up, _not_due = overdue(north), overdue(north), north.queue()
    north.change(done, done_at=timezone.now())
    north.change(given_up, failed_at=timezone.now())
    broker.empty()

    assert outbox.relay() == 0
    assert sent(broker) == []


def test_a_job_that_was_sent_again_is_given_time(north: Any, broker: Any) -> None:
    job = overdue(north)
    broker.empty()

    outbox.relay()
    outbox.relay()

    assert sent(broker) == [str(job.id)]


def test_a_job_that_runs_long_holds_up_no_other(north: Any, broker: Any) -> None:
    long, other = overdue(north), overdue(north)
    runs, relay_is_through = threading.Event(), threading.Event()

    def run() -> None:
        with tenant_scope(north.tenant_id):
            Job.objects.select_for_update().get(id=long.id)  # as whoever runs it holds it
            runs.set()
            assert relay_is_through.wait(30)
        connection.close()

    worker = threading.Thread(target=run)
    worker.start()
    assert runs.wait(30)
    broker.empty()
    began = timezone.now()
    outbox.relay()
    took = timezone.now() - began
    relay_is_through.set()
    worker.join(30)

    assert sent(broker) == [str(other.id)]
    assert took < timedelta(seconds=10)


def test_no_more_than_asked_for_are_sent_at_once_the_oldest_first(north: Any, broker: Any) -> None:
    first, _second = overdue(north), overdue(north)
    north.change(first, due_at=timezone.now() - timedelta(hours=1))
    broker.empty()

    assert outbox.relay(limit=1) == 1
    assert sent(broker) == [str(first.id)]
