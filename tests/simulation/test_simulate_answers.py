"""Answers, readings and lives decided again."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from accounts.actors import Actor
from accounts.vocabulary import Channel, Scope
from memory_admin.lifecycle import services as lifecycle
from memory_admin.memories import services as memories
from memory_admin.retrieval.models import Retrieval, RetrievalCandidate
from memory_admin.simulation import services
from policies.documents import Family
from policies.models import PolicySimulation
from tests.factories import NOON, Person, agent, remembered
from tests.retrieval.asking import ask
from tests.retrieval.holding import hold
from tests.simulation.trial import LATER, asked, draft, simulated

SEATS = (
    "Prefers the window seat on trains",
    "Prefers the aisle seat on planes",
    "Takes a seat near the exit in theatres",
)


@pytest.fixture
def diabetic(alice: Person) -> None:
    memory = remembered(alice, "Has type 1 diabetes", kind="fact", categories=["health"])
    memories.confirm(memory_id=memory.id, by=alice.actor, now=NOON)


@pytest.mark.parametrize("family", ["retrieval", "access", "retention"])
def test_a_version_that_says_the_same_changes_nothing(alice: Person, helper: Actor, eva: Actor, family: Family) -> None:
    for words in SEATS:
        remembered(alice, words)
    ask(alice, "Which seat does she like?", by=helper)

    done = simulated(draft(eva, family), eva)

    assert done.considered == done.counts["unchanged"] > 0
    assert (done.not_replayable, done.groups, done.examples) == (0, [], [])


# ── retrieval ──


def test_answers_that_would_be_shorter_are_measured(alice: Person, helper: Actor, eva: Actor) -> None:
    for words in SEATS:
        remembered(alice, words)
    answer = ask(alice, "Which seat does she like?", by=helper)
    assert len(answer.items) == 3
    ask(alice, "Postcode of the Lisbon warehouse", by=helper)

    done = simulated(draft(eva, "retrieval", {"k.default": 2}), eva)

    assert {name: done.counts[name] for name in ("unchanged", "changed", "gained", "lost")} == {
        "unchanged": 1,
        "changed": 1,
        "gained": 0,
        "lost": 1,
    }
    assert done.counts["mean_overlap"] == round((2 / 3 + 1) / 2, 4)
    assert done.counts["tokens_before"] - done.counts["tokens_after"] == answer.items[2].tokens
    [group] = done.groups
    assert (group["flip"], group["agent"], group["kind"], group["events"]) == (
        "lost",
        helper.agent_name,
        "preference",
        1,
    )
    [example] = done.examples
    assert example["facts"]["retrieval"] == str(answer.retrieval_id)
    assert (example["after"]["returned"], example["after"]["dropped"]) == (False, "k")
    assert str(answer.items[2].facts.memory_id) not in str(done.examples)


@pytest.mark.parametrize(
    "changes",
    [
        {"weights.keyword": 0.2, "weights.importance": 0.9, "k.default": 4},
        {"minimum_score": 0.72},
        {"minimum_score": 0.1},
        {"k.default": 3, "weights.recency": 1.0, "half_life_days": 90},
        {"token_budget.default": 20},
        {"form": "product", "minimum_score": 0.1},
        {"other_purposes.minimum_confidence": 0.95},
        {"minimum_score": 3.0, "summary_fallback": False},
    ],
)
def test_an_answer_replayed_is_what_the_version_answers_in_force(
    alice: Person, helper: Actor, eva: Actor, changes: dict[str, Any]
) -> None:
    for number, words in enumerate((*SEATS, "Plays the cello", "Walks by the sea", "Sits in the front seat of cars")):
        at = NOON - timedelta(days=20 * number)
        remembered(alice, words, now=at, importance=(number * 3 % 7) / 7, confidence=1 - number / 20)
    before = ask(alice, "Which seat does she like?", by=helper)

    done = simulated(draft(eva, "retrieval", changes), eva)
    hold("retrieval", changes, mode="enforce", agent_id=helper.agent_id)
    after = ask(alice, "Which seat does she like?", by=helper)

    assert after.policy_version == "retrieval/9"
    had, has = ({item.facts.memory_id for item in answer.items} for answer in (before, after))
    assert done.not_replayable == 0
    assert had != has
    assert (done.counts["lost"], done.counts["gained"]) == (len(had - has), len(has - had))
    assert (done.counts["tokens_before"], done.counts["tokens_after"]) == (before.tokens, after.tokens)


def test_answers_of_which_the_log_lacks_something_are_left_out(alice: Person, helper: Actor, eva: Actor) -> None:
    gone, *_ = [remembered(alice, words) for words in SEATS]
    ask(alice, "Which seat does she like?", by=helper)
    lifecycle.erase(memory_ids=[gone.id], by=alice.actor, now=NOON)
    altered = ask(alice, "Which seat does she like?", by=helper)
    Retrieval.objects.filter(id=altered.retrieval_id).update(min_score=0.99)
    remembered(alice, "Lives in Oslo", kind="fact", key="city", value="Oslo")
    ask(alice, "Which seat does she like?", by=helper, include_profile=True)

    done = simulated(draft(eva, "retrieval", {"k.default": 2}), eva)

    assert done.counts["not_replayable"] == {"erased": 1, "decided_otherwise": 1, "looked_up": 1}


# ── access ──


def test_readings_that_would_be_denied_or_allowed_are_counted(
    alice: Person, helper: Actor, eva: Actor, diabetic: None
) -> None:
    remembered(alice, "Prefers the window seat", kind="preference")
    ask(alice, "diabetes and the window seat", by=helper)

    version = draft(eva, "access", {"rules.A-010.match.without_scope": None})
    done = simulated(version, eva)

    assert (done.counts["unchanged"], done.counts["newly_denied"]) == (1, 1)
    assert done.counts["by"]["category"] == {"health": {"newly_denied": 1}}
    [example] = done.examples
    assert example["before"] == {
        "allowed": True,
        "rules": [{"id": "A-100", "title": "Your organisation's agents may read it"}],
    }
    assert example["after"]["rules"][0]["id"] == "A-010"
    assert example["facts"]["categories"] == ["health"]


def test_what_a_rule_kept_away_was_never_weighed_and_is_told_of(alice: Person, eva: Actor, diabetic: None) -> None:
    plain = agent(alice.house, Channel.AGENT, scopes=[Scope.MEMORIES_READ])
    ask(alice, "diabetes", by=plain)

    done = simulated(draft(eva, "access"), eva)

    assert (done.events, done.counts["never_weighed"]) == (0, 1)


def test_a_reading_of_which_facts_are_gone_is_left_out(alice: Person, helper: Actor, eva: Actor) -> None:
    for words in SEATS:
        remembered(alice, words)
    ask(alice, "Which seat does she like?", by=helper)
    ask(alice, "Which seat does she like?", by=alice.actor)  # about oneself no rule decides
    first, second, _ = RetrievalCandidate.objects.exclude(access_rule="own").order_by("id")
    RetrievalCandidate.objects.filter(id=first.id).update(access_rule="A-777")
    RetrievalCandidate.objects.filter(id=second.id).update(memory_version=9)

    done = simulated(draft(eva, "access"), eva)

    assert (done.events, done.counts["unchanged"]) == (3, 1)
    assert done.counts["not_replayable"] == {"decided_otherwise": 1, "erased": 1}


def test_a_reading_newly_allowed_is_counted_where_the_baseline_denies(
    alice: Person, helper: Actor, eva: Actor, diabetic: None
) -> None:
    ask(alice, "diabetes", by=helper)
    strict = draft(eva, "access", {"rules.A-010.match.without_scope": None})
    simulation = asked(draft(eva, "access"), eva)
    # As if the strict one had decided meanwhile.
    PolicySimulation.objects.filter(id=simulation.id).update(
        baseline_id=strict.id, baseline_sha256=strict.content_sha256
    )

    done = services.run(simulation_id=simulation.id, now=LATER)

    assert done is not None
    assert done.counts["newly_allowed"] == 1


# ── retention ──


def test_lives_that_would_change_are_counted_with_what_would_end_at_once(
    alice: Person, helper: Actor, eva: Actor
) -> None:
    remembered(alice, "Saw a play", kind="event", now=NOON - timedelta(days=20))
    remembered(alice, "Saw a film", kind="event")
    remembered(alice, "Prefers the window seat")

    done = simulated(draft(eva, "retention", {"days.event.stated": 10, "days.preference.stated": 1}), eva)

    assert (done.events, done.counts["ttl_shorter"]) == (2, 2)
    assert done.counts["stored"]["before"]["ends_now"] == 0
    assert done.counts["stored"]["after"] == {"ends_now": 1, "shortened": 3, "lengthened": 0}
    events = next(one for one in done.counts["stored"]["by_kind_and_origin"] if one["kind"] == "event")
    assert events["after"] == {"ends_now": 1, "shortened": 2, "lengthened": 0}
    assert {one["after"]["days"] for one in done.examples} == {1, 10}
