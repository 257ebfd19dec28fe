"""A check that is asked for runs in the background and leaves what it found, also where the trail takes no event."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.core.cache import cache

from memory_admin import audit, jobs
from memory_admin.audit import checking, tasks
from memory_admin.audit.actions import Action
from memory_admin.audit.models import Check, Event
from memory_admin.jobs.models import Job
from memory_admin.tenancy.scope import tenant_scope

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def trail(acme: Any) -> Any:
    with tenant_scope(acme.tenant_id):
        audit.record_many([audit.Entry(action=Action.TENANT_CREATED, by=acme, target=None, at=NOON)] * 3)
    return acme


def run(by: Any) -> Check:
    """Do the check that waits, as a worker does."""
    with tenant_scope(by.tenant_id):
        waiting = Job.objects.get(name=jobs.VERIFY_TRAIL, done_at=None)
    tasks.verify_trail(str(by.tenant_id), str(waiting.id))
    with tenant_scope(by.tenant_id):
        return Check.objects.get(id=waiting.object_id)


def test_a_check_is_asked_for_once_and_says_who_when_and_what_was_found(trail: Any) -> None:
    with tenant_scope(trail.tenant_id):
        asked, again = (checking.ask(by=trail, now=NOON) for _ in range(2))
        assert asked.id == again.id
        assert checking.running(now=NOON) is not None
        assert checking.last() is None

    done = run(trail)

    assert (done.holds, done.events, done.asked_by, done.agreed) == (True, 3, trail.ref, 0)
    assert cache.get(f"audit-check:{done.id}") == 4  # the row of the chain is read, too
    with tenant_scope(trail.tenant_id):
        assert checking.running(now=NOON) is None
        assert Event.objects.latest("seq").action == Action.AUDIT_VERIFIED


def test_a_broken_trail_is_remembered_also_when_it_takes_no_event(trail: Any, tamper: Any) -> None:
    tamper("DELETE FROM audit_chain")
    with tenant_scope(trail.tenant_id):
        checking.ask(by=trail, now=NOON)

    done = run(trail)

    assert (done.first_bad, done.problem) == (1, "cut")
    with tenant_scope(trail.tenant_id):
        assert Event.objects.count() == 3


def test_a_chain_that_grew_is_checked_once_a_day(trail: Any) -> None:
    with tenant_scope(trail.tenant_id):
        first = checking.ask_daily(now=NOON)
    assert first is not None
    run(trail)

    with tenant_scope(trail.tenant_id):
        assert checking.ask_daily(now=NOON + timedelta(hours=30)) is None  # nothing but the check itself
        audit.record(action=Action.TENANT_CREATED, by=trail, target=None, at=NOON)
        Check.objects.update(asked_at=NOON)
        assert checking.ask_daily(now=NOON + timedelta(hours=23)) is None
        assert checking.ask_daily(now=NOON + timedelta(hours=25)) is not None


def test_every_payload_can_go_and_the_last_check_is_still_known(trail: Any) -> None:
    with tenant_scope(trail.tenant_id):
        checking.ask(by=trail, now=NOON)
    run(trail)
    with tenant_scope(trail.tenant_id):
        audit.erase_payloads(seqs=range(1, 5), by=trail, at=NOON)
        last = checking.last()

    assert last is not None
    assert last.holds
    assert audit.verify(trail.tenant_id).holds
