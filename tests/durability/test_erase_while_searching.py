"""An answer that is being made while words are erased leaves none of them in the log."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from accounts.vocabulary import Channel
from memory_admin.lifecycle import services as lifecycle
from memory_admin.retrieval import services as retrieval
from memory_admin.retrieval.models import Retrieval, RetrievalCandidate
from memory_admin.tenancy.scope import tenant_scope
from tests.api.cast import Organisation, organisation
from tests.factories import Person, agent, person, remembered


@pytest.fixture
def north(transactional_db: None) -> Organisation:
    return organisation("north")


@pytest.fixture
def mia(north: Organisation) -> Person:
    return person(north, "mia")


def in_another_connection(house: Organisation, act: Callable[[], Any]) -> threading.Thread:
    def run() -> None:
        with tenant_scope(house.tenant.id):
            act()
        connection.close()

    thread = threading.Thread(target=run)
    thread.start()
    return thread


def wait_until_blocked() -> None:
    """Wait until some connection waits for an advisory lock."""
    for _ in range(600):
        with connection.cursor() as cursor:
            cursor.execute("SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted")
            if cursor.rowcount:
                return
        threading.Event().wait(0.05)
    raise AssertionError("nobody waits")


def test_an_erasure_waits_for_an_answer_and_takes_its_words_out_of_the_log(north: Organisation, mia: Person) -> None:
    with tenant_scope(north.tenant.id):
        helper = agent(north, Channel.USER_MESSAGE)
        memory = remembered(mia, "Keeps the spare key under the third flowerpot", now=timezone.now())
    ask = retrieval.Ask(subjects=[mia.subject.ref], query="spare key under the flowerpot", purpose="answer")

    with tenant_scope(north.tenant.id):
        answer = retrieval.search(ask=ask, by=helper, now=timezone.now())
        erasure = in_another_connection(
            north, lambda: lifecycle.erase(memory_ids=[memory.id], by=mia.actor, now=timezone.now())
        )
        wait_until_blocked()
    erasure.join(30)

    assert [item.facts.memory_id for item in answer.items] == [memory.id]
    with tenant_scope(north.tenant.id):
        assert list(Retrieval.objects.values_list("query_text", flat=True)) == [None]
        assert not RetrievalCandidate.objects.exists()


@pytest.mark.parametrize("erase", [lifecycle.erase, lifecycle.request_erasure], ids=["at once", "later"])
def test_an_answer_waits_for_an_erasure_and_knows_nothing_of_it(
    north: Organisation, mia: Person, erase: Callable[..., Any]
) -> None:
    with tenant_scope(north.tenant.id):
        helper = agent(north, Channel.USER_MESSAGE)
        memory = remembered(mia, "Keeps the spare key under the third flowerpot", now=timezone.now())
    ask = retrieval.Ask(subjects=[mia.subject.ref], query="spare key", purpose="answer")
    answers: list[retrieval.Answer] = []

    with tenant_scope(north.tenant.id):
        erase(memory_ids=[memory.id], by=mia.actor, now=timezone.now())
        asking = in_another_connection(
            north, lambda: answers.append(retrieval.search(ask=ask, by=helper, now=timezone.now()))
        )
        wait_until_blocked()
    asking.join(30)

    assert [list(answer.items) for answer in answers] == [[]]
