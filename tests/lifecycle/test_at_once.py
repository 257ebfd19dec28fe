"""Deleting, taking back, erasing and writing at the same moment."""

from collections.abc import Callable
from datetime import timedelta
from random import Random

import pytest
from django.utils import timezone

from accounts.vocabulary import Channel
from memory_admin.errors import DomainError, NotFound
from memory_admin.indexing.models import Entry
from memory_admin.lifecycle import services as lifecycle
from memory_admin.lifecycle.models import ErasureRequest, State
from memory_admin.lifecycle.queries import clock
from memory_admin.memories import services as memories
from memory_admin.memories.models import Memory, Tombstone
from memory_admin.memories.vocabulary import GONE
from memory_admin.tenancy.scope import tenant_scope
from tests.api.cast import organisation
from tests.factories import Person, agent, claim, person, remembered
from tests.lifecycle.erasing import let_its_time_come
from tests.memories.test_capture_at_once import at_once

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def mia() -> Person:
    return person(organisation("north"), "mia")


def within(mia: Person, act: Callable[[int], object]) -> Callable[[int], object]:
    def run(number: int) -> None:
        with tenant_scope(mia.house.tenant.id):
            act(number)

    return run


def delete(mia: Person, memory: Memory) -> ErasureRequest:
    return lifecycle.request_erasure(memory_ids=[memory.id], by=mia.actor, now=timezone.now(), grace=lifecycle.GRACE)


def test_at_the_end_of_its_time_it_is_either_taken_back_or_erased(mia: Person) -> None:
    chance, times = Random(7), 12
    asked = []
    with tenant_scope(mia.house.tenant.id):
        for number in range(times):
            memory = remembered(mia, f"Likes city number {number}", kind="event", now=timezone.now())
            asked.append((memory.id, delete(mia, memory).id))

    def bring_near(number: int) -> None:
        due_at = clock() + timedelta(milliseconds=chance.choice([2, 4, 8, 12]))
        ErasureRequest.objects.filter(id=asked[number][1]).update(due_at=due_at)

    def take_back(number: int) -> None:
        lifecycle.take_back(erasure_id=asked[number][1], by=mia.actor, now=timezone.now())

    def erase(number: int) -> None:
        lifecycle.carry_on(erasure_id=asked[number][1], now=timezone.now())

    acts = (bring_near, take_back, take_back, erase, erase)
    raised = at_once(*[within(mia, act) for act in acts], times=times)

    assert {type(error) for error in raised} <= {lifecycle.TooLate}
    with tenant_scope(mia.house.tenant.id):
        for memory_id, erasure_id in asked:
            erasure, memory = ErasureRequest.objects.get(id=erasure_id), Memory.objects.get(id=memory_id)
            if erasure.state == State.WAITING:  # every job came before its time
                let_its_time_come(erasure_id)
                lifecycle.carry_on(erasure_id=erasure_id, now=timezone.now())
                memory.refresh_from_db()
            is_back = erasure.state == State.TAKEN_BACK
            assert (memory.status, memory.version) == (("active", 2) if is_back else ("erased", 2))
            assert Entry.objects.filter(memory_id=memory_id).exists() is is_back
            assert Tombstone.objects.filter(erasure_id=erasure_id).exists() is not is_back


def test_what_is_written_while_it_is_deleted_does_not_stay(mia: Person) -> None:
    words, times = "Keeps a heron called Quillon at home number {}", 8
    with tenant_scope(mia.house.tenant.id):
        relay = agent(mia.house, Channel.USER_MESSAGE)
        said = [remembered(mia, words.format(n), by=relay, kind="fact", now=timezone.now()) for n in range(times)]

    def write(number: int) -> None:
        again = claim(mia.subject, words.format(number).upper(), kind="event")
        memories.capture(claim=again, by=relay, now=timezone.now())

    def correct(number: int) -> None:
        memories.correct(memory_id=said[number].id, statement=f"Keeps stork {number}", by=mia.actor, now=timezone.now())

    def erase(number: int) -> None:
        delete(mia, said[number])

    raised = at_once(*[within(mia, act) for act in (write, erase, erase, correct, write)], times=times)

    assert all(isinstance(error, DomainError) for error in raised)
    with tenant_scope(mia.house.tenant.id):
        assert ErasureRequest.objects.count() == times
        # Corrected first, it is deleted as it then reads; what was written of the old words is another memory.
        left = {memory.statement.casefold() for memory in Memory.objects.exclude(status__in=GONE)}
        corrected = {
            words.format(n).casefold()
            for n, one in enumerate(said)
            if Memory.objects.get(id=one.id).statement.startswith("Keeps stork")
        }
        assert left <= corrected
        with pytest.raises(NotFound):
            memories.correct(memory_id=said[0].id, statement="Keeps a stork", by=relay, now=timezone.now())
