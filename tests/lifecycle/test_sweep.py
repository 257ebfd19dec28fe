"""An hour's sweep: what is over ends and is purged, guesses fade, what nobody needs is put to rest."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.actors import Actor
from memory_admin import jobs
from memory_admin.indexing.models import Entry
from memory_admin.jobs.models import Job
from memory_admin.lifecycle import queries, services
from memory_admin.lifecycle.models import ErasureRequest, Sweep
from memory_admin.lifecycle.services import sweeping
from memory_admin.memories import services as memories
from memory_admin.memories.models import Memory, MemoryRevision, Tombstone
from memory_admin.memories.queries import visible_to
from memory_admin.memories.vocabulary import DisputeReason
from policies.baseline import RETENTION
from tests.factories import NOON, Person, audited, claim, person, remembered

DAY = timedelta(days=1)
Sweeping = Callable[[datetime], dict[str, int]]


@pytest.fixture
def swept(monkeypatch: pytest.MonkeyPatch) -> Sweeping:
    """Sweep to the end as if the database's clock showed some time, and tell what was done."""

    def to_the_end(at: datetime) -> dict[str, int]:
        monkeypatch.setattr(queries, "clock", lambda: at)
        hour = int(at.timestamp()) // 3600
        while (held := services.sweep(hour=hour, now=at)).ended_at is None:
            pass
        return dict(held.counts)

    return to_the_end


def now_of(memory: Memory) -> Memory:
    return Memory.objects.get(id=memory.id)


def guessed(alice: Person, confidence: float = 0.4) -> Memory:
    """An inference that is in use though nobody has confirmed it: only a trusted channel may write one."""
    memory = remembered(alice, "Likes jazz")
    Memory.objects.filter(id=memory.id).update(
        origin="inferred", confidence=confidence, confirmed_at=None, confirmed_by=None
    )
    return now_of(memory)


# --- what is over ----------------------------------------------------------------------------------------------------


def test_what_is_past_its_end_expires_and_a_day_later_its_words_are_gone(alice: Person, swept: Sweeping) -> None:
    memory = remembered(alice, "Is in Lisbon", expires_at=NOON + DAY)
    assert swept(NOON + DAY - timedelta(seconds=1)) == {}

    assert swept(NOON + DAY + timedelta(hours=1)) == {"expired": 1}
    assert (now_of(memory).status, now_of(memory).statement) == ("expired", "Is in Lisbon")
    assert not Entry.objects.filter(memory_id=memory.id).exists()

    assert swept(NOON + 2 * DAY) == {"purged": 1}
    assert (now_of(memory).status, now_of(memory).statement) == ("erased", "")
    assert not MemoryRevision.objects.filter(memory_id=memory.id).exists()
    assert audited(memory)[-2:] == ["memory.expired", "memory.erased"]


def test_what_expired_may_be_learned_anew_and_asks_for_no_receipt(alice: Person, swept: Sweeping) -> None:
    remembered(alice, "Is in Lisbon", expires_at=NOON + DAY)
    swept(NOON + DAY)
    swept(NOON + 3 * DAY)

    assert not Tombstone.objects.exists()
    assert not ErasureRequest.objects.exists()
    assert remembered(alice, "Is in Lisbon", now=NOON + 3 * DAY).status == "active"


def test_what_others_say_in_the_same_words_stays(alice: Person, swept: Sweeping) -> None:
    bob = person(alice.house, "bob")
    remembered(alice, "Is in Lisbon", expires_at=NOON + DAY)
    other = remembered(bob, "Is in Lisbon")
    swept(NOON + DAY)
    swept(NOON + 3 * DAY)

    assert now_of(other).statement == "Is in Lisbon"


def test_a_proposal_that_nobody_answers_is_not_kept(alice: Person, helper: Actor, swept: Sweeping) -> None:
    outcome = memories.capture(claim=claim(alice.subject, "May like jazz", origin="inferred"), by=helper, now=NOON)
    assert outcome.memory is not None
    assert outcome.memory.status == "proposed"
    days = RETENTION.unanswered_days

    assert swept(NOON + (days - 1) * DAY) == {}
    assert swept(NOON + days * DAY) == {"unanswered": 1}
    assert now_of(outcome.memory).status == "expired"
    assert swept(NOON + (days + 1) * DAY)["purged"] == 1


def test_what_is_disputed_waits_for_its_answer(alice: Person, swept: Sweeping) -> None:
    memory = remembered(alice, "Is in Lisbon", expires_at=NOON + DAY)
    memories.dispute(memory_id=memory.id, by=alice.actor, reason=DisputeReason.WRONG, words="", now=NOON)

    assert swept(NOON + 5 * DAY) == {}
    assert now_of(memory).status == "disputed"


def test_what_was_ended_by_a_reviewer_stays_in_the_history(alice: Person, relay: Actor, swept: Sweeping) -> None:
    memory = remembered(alice, "Lives in Kyiv")
    memories.dispute(memory_id=memory.id, by=alice.actor, reason=DisputeReason.OUT_OF_DATE, words="", now=NOON)
    memories.retire(memory_id=memory.id, by=alice.actor, now=NOON)

    assert swept(NOON + 90 * DAY) == {}
    assert now_of(memory).statement == "Lives in Kyiv"


def test_the_clock_of_the_database_decides(alice: Person) -> None:
    memory = remembered(alice, "Is in Lisbon", now=queries.clock())
    Memory.objects.filter(id=memory.id).update(expires_at=queries.clock() + timedelta(hours=1))

    services.sweep(hour=1, now=queries.clock() + 9 * DAY)  # a worker whose clock runs ahead
    assert now_of(memory).status == "active"


# --- what fades ------------------------------------------------------------------------------------------------------


def test_a_guess_loses_half_its_confidence_in_each_half_life_however_often_it_is_swept(
    alice: Person, swept: Sweeping
) -> None:
    memory = guessed(alice)
    days = RETENTION.decay.half_life_days

    for day in range(1, days, 7):
        swept(NOON + day * DAY)
    swept(NOON + days * DAY)

    assert now_of(memory).confidence == pytest.approx(0.2, rel=0.02)
    assert now_of(memory).version == memory.version + (now_of(memory).status == "archived")


def test_at_the_floor_a_guess_is_put_to_rest_and_its_subject_brings_it_back(alice: Person, swept: Sweeping) -> None:
    memory = guessed(alice)

    assert swept(NOON + (RETENTION.decay.half_life_days + 1) * DAY)["put_to_rest"] == 1
    assert now_of(memory).status == "archived"
    assert memory in visible_to(alice.actor)
    assert memories.restore(memory_id=memory.id, by=alice.actor, now=NOON + 91 * DAY).status == "active"


@pytest.mark.parametrize("fields", [{"origin": "stated"}, {"confidence": 0.5}, {"confirmed_at": NOON}])
def test_what_is_sure_does_not_fade(alice: Person, swept: Sweeping, fields: dict[str, object]) -> None:
    memory = guessed(alice)
    more = {"confirmed_by": alice.actor.ref} if "confirmed_at" in fields else {}
    Memory.objects.filter(id=memory.id).update(**fields, **more)
    before = now_of(memory).confidence
    swept(NOON + 50 * DAY)

    assert now_of(memory).confidence == before


# --- what nobody needs -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "rests"),
    [
        ({}, True),
        ({"importance": RETENTION.archive.importance_below}, False),
        ({"pinned": True}, False),
        ({"last_used_at": NOON + DAY}, False),
        ({"changed_at": NOON + DAY}, False),
    ],
)
def test_what_is_unused_and_unimportant_is_put_to_rest(
    alice: Person, swept: Sweeping, fields: dict[str, object], rests: bool
) -> None:
    memory = remembered(alice, "Once asked for a blue folder")
    Memory.objects.filter(id=memory.id).update(**{"importance": 0.1, **fields})

    done = swept(NOON + RETENTION.archive.unused_days * DAY)

    assert done == ({"put_to_rest": 1} if rests else {})
    assert now_of(memory).status == ("archived" if rests else "active")


# --- as a job --------------------------------------------------------------------------------------------------------


def test_a_large_sweep_goes_in_parts_and_counts_them(
    alice: Person, swept: Sweeping, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sweeping, "PART", 3)
    for number in range(7):
        remembered(alice, f"Is in room {number}", expires_at=NOON + DAY)
    monkeypatch.setattr(queries, "clock", lambda: NOON + DAY)

    first = services.sweep(hour=5, now=NOON)
    assert (first.counts, first.ended_at) == ({"expired": 3}, None)
    assert Job.objects.filter(name=jobs.SWEEP, epoch=5, done_at=None).count() == 1
    assert swept(NOON + DAY) == {"expired": 4}
    assert services.sweep(hour=5, now=NOON).ended_at is not None
    assert Sweep.objects.count() == 2


def test_a_sweep_takes_as_many_statements_for_many_as_for_few(alice: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queries, "clock", lambda: NOON + DAY)
    counts = []
    for hour, number in ((1, 2), (2, 40)):
        for at in range(number):
            remembered(alice, f"Is in room {hour}-{at}", expires_at=NOON + DAY)
        with CaptureQueriesContext(connection) as captured:
            services.sweep(hour=hour, now=NOON)
        counts.append(len(captured))

    assert counts[0] == counts[1]
