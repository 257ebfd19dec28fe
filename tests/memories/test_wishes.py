"""What a person wishes about everything that is remembered: a shorter life, and no conclusions."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest

from accounts.actors import Actor
from memory_admin.audit.models import Event
from memory_admin.errors import DomainError, Invalid
from memory_admin.memories import services as memories
from memory_admin.memories.models import DataRequest, Memory
from memory_admin.memories.services.pause import OnlyForOneself
from memory_admin.memories.vocabulary import CorrectionReason
from policies.baseline import RETENTION
from tests.factories import NOON, Person, audited, claim, person, remembered
from tests.memories.test_apply_retention import decides, end, kept

DAY = timedelta(days=1)


def keep(alice: Person, *, kinds: dict[str, int] | None = None, categories: dict[str, int] | None = None) -> int:
    return memories.keep_for(kinds=kinds or {}, categories=categories or {}, by=alice.actor, now=NOON)


# --- a shorter life --------------------------------------------------------------------------------------------------


def test_a_wish_moves_what_is_stored_and_what_is_written_from_now_on(alice: Person) -> None:
    before = remembered(alice, "Prefers tea", now=NOON - 10 * DAY)

    assert keep(alice, kinds={"preference": 30}) == 1
    after = remembered(alice, "Prefers trains")

    assert (end(before), end(after)) == (NOON + 20 * DAY, NOON + 30 * DAY)
    assert keep(alice, kinds={"preference": 30}) == 0, "twice is once"


def test_the_shortest_of_kind_and_categories_counts(alice: Person) -> None:
    memory = remembered(alice, "Prefers tea", categories=("food", "work"))
    keep(alice, kinds={"preference": 60}, categories={"food": 7, "work": 14, "travel": 1})

    assert end(memory) == NOON + 7 * DAY


def test_a_wish_never_lengthens_a_life(alice: Person) -> None:
    asked = remembered(alice, "Is in Lisbon", expires_at=NOON + 3 * DAY)
    by_policy = remembered(alice, "Met Ana", kind="event")
    ends = end(by_policy)
    keep(alice, kinds={"preference": 100, "event": 3_650})

    assert (end(asked), end(by_policy)) == (NOON + 3 * DAY, ends)


def test_a_wish_taken_back_gives_the_policys_end_again(alice: Person) -> None:
    memory = remembered(alice, "Prefers tea")
    keep(alice, kinds={"preference": 30})
    keep(alice)

    assert end(memory) is None
    decides(kept(50))
    memories.apply_retention(now=NOON)
    assert end(memory) == NOON + 50 * DAY


def test_a_policy_that_takes_effect_keeps_to_the_wishes(alice: Person) -> None:
    memory = remembered(alice, "Prefers tea")
    keep(alice, kinds={"preference": 30})
    decides(kept(50))
    memories.apply_retention(now=NOON)

    assert end(memory) == NOON + 30 * DAY


def test_a_correction_counts_the_days_anew(alice: Person) -> None:
    memory = remembered(alice, "Prefers tea", now=NOON - 10 * DAY)
    keep(alice, kinds={"preference": 30})
    wrong = CorrectionReason.WRONG
    memories.correct(memory_id=memory.id, statement="Prefers green tea", reason=wrong, by=alice.actor, now=NOON)

    assert end(memory) == NOON + 30 * DAY


def test_what_it_would_do_is_counted_before_and_nothing_is_stored(alice: Person) -> None:
    remembered(alice, "Prefers tea", now=NOON - 10 * DAY)
    remembered(alice, "Prefers trains")
    foreseen = memories.foresee_keeping(kinds={"preference": 5}, categories={}, by=alice.actor, now=NOON)

    assert (foreseen.ends_now, foreseen.shortened, foreseen.lengthened) == (1, 2, 0)
    assert not Memory.objects.filter(expires_at__isnull=False).exists()
    assert keep(alice, kinds={"preference": 5}) == foreseen.shortened


def test_others_are_not_touched(alice: Person) -> None:
    bob = person(alice.house, "bob")
    other = remembered(bob, "Prefers tea")
    keep(alice, kinds={"preference": 1})

    assert end(other) is None


@pytest.mark.parametrize(
    ("kinds", "categories"), [({"preference": 0}, {}), ({}, {"food": 3_651}), ({"moods": 5}, {}), ({"event": -1}, {})]
)
def test_a_wish_that_makes_no_sense_is_refused_and_nothing_changes(
    alice: Person, kinds: dict[str, int], categories: dict[str, int]
) -> None:
    with pytest.raises(Invalid):
        memories.keep_for(kinds=kinds, categories=categories, by=alice.actor, now=NOON)
    alice.subject.refresh_from_db()
    assert alice.subject.preferences == {}


# --- one memory ------------------------------------------------------------------------------------------------------


def test_one_memory_ends_when_its_subject_says_and_never_later_than_the_policy(alice: Person) -> None:
    memory = remembered(alice, "Met Ana", kind="event")
    days = RETENTION.days.event.stated
    assert days is not None

    memories.keep_until(memory_id=memory.id, until=NOON + 5 * DAY, by=alice.actor, now=NOON)
    assert end(memory) == NOON + 5 * DAY
    memories.keep_until(memory_id=memory.id, until=NOON + 1_000 * DAY, by=alice.actor, now=NOON)
    assert end(memory) == NOON + days * DAY
    memories.keep_until(memory_id=memory.id, until=None, by=alice.actor, now=NOON)
    assert end(memory) == NOON + days * DAY


def test_an_end_that_has_passed_is_refused(alice: Person) -> None:
    memory = remembered(alice, "Prefers tea")
    with pytest.raises(Invalid):
        memories.keep_until(memory_id=memory.id, until=NOON, by=alice.actor, now=NOON)


# --- conclusions -----------------------------------------------------------------------------------------------------


def test_who_objects_has_nothing_concluded_about_them(alice: Person, helper: Actor, relay: Actor) -> None:
    memories.object_to_inference(objects=True, by=alice.actor, now=NOON)
    guess = claim(alice.subject, "May like jazz", origin="inferred")

    for agent in (helper, relay):
        outcome = memories.capture(claim=guess, by=agent, now=NOON)
        assert (outcome.result, list(outcome.rule_ids), outcome.memory) == ("refused", ["P-002"], None)
    assert memories.capture(claim=claim(alice.subject, "Likes jazz"), by=relay, now=NOON).result == "stored"


def test_an_objection_is_registered_once_and_can_be_taken_back(alice: Person, helper: Actor) -> None:
    for objects in (True, True, False):
        memories.object_to_inference(objects=objects, by=alice.actor, now=NOON)
    guess = claim(alice.subject, "May like jazz", origin="inferred")

    assert DataRequest.objects.filter(kind="objection").count() == 1
    assert memories.capture(claim=guess, by=helper, now=NOON).result == "proposed"


@pytest.mark.parametrize(
    "act",
    [
        lambda by: memories.keep_for(kinds={}, categories={}, by=by, now=NOON),
        lambda by: memories.foresee_keeping(kinds={}, categories={}, by=by, now=NOON),
        lambda by: memories.object_to_inference(objects=True, by=by, now=NOON),
    ],
)
def test_only_the_person_decides_about_themselves(helper: Actor, act: Callable[[Actor], object]) -> None:
    with pytest.raises(OnlyForOneself):
        act(helper)


def test_each_wish_is_recorded(alice: Person) -> None:
    memory = remembered(alice, "Prefers tea")
    keep(alice, kinds={"preference": 30})
    memories.object_to_inference(objects=True, by=alice.actor, now=NOON)
    memories.object_to_inference(objects=False, by=alice.actor, now=NOON)
    memories.keep_until(memory_id=memory.id, until=NOON + DAY, by=alice.actor, now=NOON)
    about = Event.objects.filter(target_id=str(alice.subject.id)).order_by("seq").values_list("action", flat=True)

    assert list(about)[-3:] == ["wishes.changed", "inference.objected", "inference.allowed"]
    assert audited(memory)[-1] == "memory.end_chosen"


def test_a_stranger_finds_no_memory_to_end(alice: Person) -> None:
    memory = remembered(alice, "Prefers tea")
    bob = person(alice.house, "bob")
    with pytest.raises(DomainError):
        memories.keep_until(memory_id=memory.id, until=NOON + DAY, by=bob.actor, now=NOON)
