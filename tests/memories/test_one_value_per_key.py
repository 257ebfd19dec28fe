"""A key has one value at a time, whatever order its values arrive and wait in."""

from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from itertools import pairwise
from typing import Any

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accounts.actors import Actor
from accounts.vocabulary import Channel
from memory_admin.errors import DomainError
from memory_admin.memories import services as memories
from memory_admin.memories.models import Link, Memory
from memory_admin.memories.services.archive import AnotherIsCurrent
from memory_admin.memories.vocabulary import DisputeReason
from tests.factories import NOON, Person, agent, claim, remembered

Live = Callable[..., Memory]


@pytest.fixture
def lives(alice: Person) -> Live:
    """Say where Alice lives, by somebody, from some day on."""

    def say(city: str, *, by: Actor | None = None, day: int = 0, **fields: Any) -> Memory:
        starts = NOON + timedelta(days=day)
        return remembered(
            alice, f"Lives in {city}", by=by, kind="fact", key="city", value=city, valid_from=starts, **fields
        )

    return say


def test_what_the_person_says_is_not_held_up_by_a_proposal_it_contradicts(lives: Live, helper: Actor) -> None:
    guess = lives("Bergen", by=helper, origin="inferred")

    said = lives("Oslo")

    assert said.status == "active"
    assert Memory.objects.get(id=guess.id).status == "superseded"


def test_saying_what_was_only_proposed_puts_it_into_force(alice: Person, relay: Actor, helper: Actor) -> None:
    guess = remembered(alice, "Likes early flights", by=helper, origin="inferred")

    said = memories.capture(claim=claim(alice.subject, "likes early flights"), by=relay, now=NOON)

    assert said.result == "stored"
    assert Memory.objects.get(id=guess.id).status == "superseded"


def test_a_present_value_and_a_waiting_one_are_both_replaced(lives: Live, helper: Actor) -> None:
    old = lives("Oslo")
    guess = lives("Bergen", by=helper, origin="inferred", day=1)

    new = lives("Tromsø", day=2)

    assert Memory.objects.get(id=old.id).valid_to == new.valid_from
    assert set(Link.objects.filter(from_id=new.id).values_list("to_id", flat=True)) == {old.id}
    assert Memory.objects.get(id=guess.id).status == "proposed"


def test_a_value_between_now_and_a_later_one_ends_where_that_begins(lives: Live) -> None:
    lives("Oslo", day=-10)
    later = lives("Bergen", day=9)

    between = lives("Tromsø", day=-2)

    assert Memory.objects.get(id=between.id).valid_to == later.valid_from
    assert Memory.objects.get(id=between.id).status == "active"


def test_a_disputed_value_that_is_confirmed_after_all_replaces_what_came_meanwhile(alice: Person, lives: Live) -> None:
    old = lives("Oslo")
    memories.dispute(memory_id=old.id, by=alice.actor, reason=DisputeReason.WRONG, now=NOON)
    new = lives("Bergen", day=1)

    memories.confirm(memory_id=old.id, by=alice.actor, now=NOON + timedelta(days=2))

    assert Memory.objects.get(id=old.id).status == "active"
    assert Memory.objects.get(id=new.id).status == "superseded"


def test_an_archived_value_is_not_brought_back_beside_a_newer_one(alice: Person, lives: Live) -> None:
    old = lives("Oslo")
    memories.archive(memory_id=old.id, by=alice.actor, now=NOON)
    lives("Bergen", day=1)

    with pytest.raises(AnotherIsCurrent):
        memories.restore(memory_id=old.id, by=alice.actor, now=NOON)


STEP = st.tuples(
    st.sampled_from(["say", "relay", "guess", "confirm", "reject", "dispute", "archive", "restore", "correct"]),
    st.integers(0, 3),
    st.integers(-5, 5),
)


def _take(step: tuple[str, int, int], alice: Person, writers: dict[str, Actor]) -> None:
    """Do one thing to Alice's city: somebody says a value, or something happens to one that is known."""
    act, which, day = step
    now = NOON + timedelta(days=day)
    if act in writers:
        city = ("Oslo", "Bergen", "Tromsø", "Hamar")[which]
        said = claim(alice.subject, f"Lives in {city}", kind="fact", key="city", value=city, valid_from=now)
        memories.capture(claim=said, by=writers[act], now=now)
        return
    known = list(Memory.objects.order_by("id"))
    if not known:
        return
    target = known[which % len(known)].id
    if act == "dispute":
        memories.dispute(memory_id=target, by=alice.actor, reason=DisputeReason.WRONG, now=now)
    elif act == "correct":
        memories.correct(memory_id=target, statement=f"Lives near pier {day}", by=alice.actor, now=now)
    else:
        getattr(memories, act)(memory_id=target, by=alice.actor, now=now)


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=st.lists(STEP, max_size=10))
def test_no_order_of_events_breaks_the_key(
    alice: Person, relay: Actor, helper: Actor, steps: list[tuple[str, int, int]]
) -> None:
    writers = {"say": alice.actor, "relay": relay, "guess": helper}

    with transaction.atomic():
        for step in steps:
            with suppress(DomainError):
                _take(step, alice, writers)
        active = Memory.objects.filter(status="active", key="city").order_by("valid_from")
        periods = list(active.values_list("valid_from", "valid_to"))
        transaction.set_rollback(True)

    assert all(end is not None and end <= start for (_, end), (start, _) in pairwise(periods))


def test_a_write_by_a_tool_never_ends_what_is_in_force(alice: Person, lives: Live) -> None:
    mine = lives("Oslo")

    for channel in (Channel.TOOL, Channel.DOCUMENT, Channel.PEER_AGENT):
        lives("Bergen", by=agent(alice.house, channel), origin="observed")

    assert Memory.objects.get(id=mine.id).status == "active"
