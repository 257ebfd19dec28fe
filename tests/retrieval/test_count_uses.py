"""Counting uses, and letting the texts of questions go."""

from datetime import datetime, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.actors import Actor
from memory_admin import jobs
from memory_admin.jobs.models import Job
from memory_admin.retrieval.models import Retrieval
from memory_admin.retrieval.services import count_uses, purge_query_texts
from memory_admin.tenancy.scope import tenant_scope
from tests.api.cast import organisation
from tests.factories import NOON, Person, agent, person, remembered
from tests.retrieval.asking import ask


def test_uses_are_added_once(alice: Person, helper: Actor) -> None:
    memory = remembered(alice, "Prefers the window seat")
    ask(alice, "seat", by=helper)
    ask(alice, "window", by=helper, now=NOON + timedelta(hours=1))

    counted = [count_uses(subject_id=alice.subject.id, now=NOON + timedelta(hours=2)) for _ in range(2)]

    memory.refresh_from_db()
    assert counted == [2, 0]
    assert memory.use_count == 2
    assert memory.last_used_at == NOON + timedelta(hours=1)


def test_many_answers_wait_for_one_job(alice: Person, helper: Actor) -> None:
    remembered(alice, "Prefers the window seat")

    for _ in range(3):
        ask(alice, "seat", by=helper)

    assert Job.objects.filter(name=jobs.COUNT_USES, object_id=alice.subject.id).count() == 1


def test_the_texts_of_an_hour_wait_for_one_job(alice: Person, helper: Actor) -> None:
    for minutes in (0, 10, 70):
        ask(alice, "seat", by=helper, now=NOON + timedelta(minutes=minutes))

    assert Job.objects.filter(name=jobs.PURGE_QUERY_TEXTS).count() == 2


@pytest.mark.django_db(transaction=True)
def test_what_this_process_has_queued_is_not_queued_again_until_it_has_begun() -> None:
    alice = person(organisation("acme"), "alice")
    by = agent(alice.house)
    with tenant_scope(alice.house.tenant.id):
        remembered(alice, "Prefers the window seat")

    def queued(now: datetime) -> int:
        with tenant_scope(alice.house.tenant.id), CaptureQueriesContext(connection) as captured:
            ask(alice, "seat", by=by, now=now)
        return sum("jobs_job" in query["sql"] for query in captured)

    assert queued(NOON) == 2
    assert queued(NOON + timedelta(seconds=30)) == 0
    assert queued(NOON + timedelta(seconds=59)) == 1


def test_a_question_loses_its_text_when_its_time_is_over(alice: Person, helper: Actor) -> None:
    ask(alice, "seat", by=helper)

    gone = [purge_query_texts(now=NOON + timedelta(days=days)) for days in (6, 7)]

    assert gone == [0, 1]
    assert Retrieval.objects.get().query_text is None
