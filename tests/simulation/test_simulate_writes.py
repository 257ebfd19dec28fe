"""Writes decided again."""

from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accounts.actors import Actor
from memory_admin.lifecycle import services as lifecycle
from memory_admin.memories import services as memories
from memory_admin.memories.models import WriteDecision
from memory_admin.simulation.replays.write import compare, facts_under
from memory_admin.simulation.tally import UNCHANGED
from policies import baseline
from policies.engine import WriteFacts, decide_write
from tests.factories import NOON, Person, claim, remembered
from tests.policies.drafts import EVERY_WRITE, with_, write_pairs
from tests.simulation.trial import draft, simulated


def noted(who: Person, words: str, by: Actor, **fields: Any) -> None:
    memories.capture(claim=claim(who.subject, words, **fields), by=by, now=NOON)


def test_a_version_that_says_the_same_changes_nothing(alice: Person, helper: Actor, eva: Actor) -> None:
    noted(alice, "Likes green tea", helper)
    remembered(alice, "Call me on 079 555 12 34")

    done = simulated(draft(eva, "write"), eva)

    assert (done.events, done.considered, done.not_replayable) == (2, 2, 0)
    assert done.counts == {"unchanged": 2}
    assert (done.groups, done.examples) == ([], [])


def test_each_way_a_write_can_come_out_otherwise_is_counted(alice: Person, helper: Actor, eva: Actor) -> None:
    remembered(alice, "Prefers the window seat")  # W-300
    noted(alice, "Likes green tea", helper)  # W-400
    noted(alice, "Likes black tea", helper)
    remembered(alice, "Write to mia@example.org", kind="fact")  # W-030

    version = draft(
        eva,
        "write",
        {"rules.W-300.outcome": "refuse", "rules.W-400.outcome": "accept", "rules.W-030.match.findings": ["email"]},
    )
    done = simulated(version, eva)

    assert done.counts["newly_refused"] == 2
    assert done.counts["newly_stored"] == 2
    assert done.counts["by"]["agent"] == {"": {"newly_refused": 2}, helper.agent_name: {"newly_stored": 2}}
    assert done.groups[0] == {
        "flip": "newly_stored",
        "agent": helper.agent_name,
        "kind": "preference",
        "categories": [],
        "channel": "agent",
        "events": 2,
    }
    assert [one["group"] for one in done.examples] == [0, 0, 1, 2]
    first = done.examples[0]
    assert first["before"]["rules"] == [{"id": "W-400", "title": "An agent noted it, so it waits for your answer"}]
    assert (first["before"]["outcome"], first["after"]["outcome"]) == ("propose", "accept")
    assert WriteFacts(**first["facts"]).agent == helper.agent_name
    assert "tea" not in str(done.examples)


def test_other_redactions_are_counted(alice: Person, eva: Actor) -> None:
    remembered(alice, "Write to mia@example.org", kind="fact")

    done = simulated(draft(eva, "write", {"rules.W-030.match.findings": ["card"]}), eva)

    assert done.counts["redaction_changed"] == 1
    assert (done.examples[0]["before"]["redact"], done.examples[0]["after"]["redact"]) == (["personal"], [])


def test_a_refused_text_that_is_kept_for_another_time_is_counted(alice: Person, helper: Actor, eva: Actor) -> None:
    noted(alice, "Ok", helper, importance=0.0)

    done = simulated(draft(eva, "write", {"refused_text_days": 3}), eva)

    assert done.counts["refused_text_changed"] == 1


def test_what_stopped_a_write_outside_the_policy_is_left_aside(alice: Person, helper: Actor, eva: Actor) -> None:
    noted(alice, "Likes green tea", helper)
    WriteDecision.objects.update(result="refused", rule_ids=["P-001"])

    done = simulated(draft(eva, "write", {"rules.W-400.outcome": "refuse"}), eva)

    assert done.counts["newly_refused"] == 1


def test_what_lacks_its_facts_or_is_erased_is_not_decided_again(alice: Person, helper: Actor, eva: Actor) -> None:
    for words in ("Likes green tea", "Plays the cello", "Has a boat"):
        noted(alice, words, helper)
    old, other = WriteDecision.objects.order_by("id")[:2]
    WriteDecision.objects.filter(id=old.id).update(length=None)
    WriteDecision.objects.filter(id=other.id).update(outcome="accept")
    boat = remembered(alice, "Owns a bicycle")
    lifecycle.erase(memory_ids=[boat.id], by=alice.actor, now=NOON)

    done = simulated(draft(eva, "write", {"rules.W-400.outcome": "refuse"}), eva)

    assert done.counts["not_replayable"] == {"facts_missing": 1, "decided_otherwise": 1, "erased": 1}
    assert (done.not_replayable, done.counts["newly_refused"]) == (3, 1)


def test_a_change_of_which_no_write_tells_anything_is_named(alice: Person, eva: Actor) -> None:
    remembered(alice, "Prefers the window seat")

    done = simulated(draft(eva, "write", {"rates.per_agent": 5, "rules.W-400.outcome": "refuse"}), eva)

    assert done.counts == {
        "unchanged": 1,
        "untold": ["Up to 5 writes of one agent are taken within the window instead of 36000."],
    }


def test_only_the_window_and_the_agent_count(alice: Person, helper: Actor, eva: Actor) -> None:
    remembered(alice, "Prefers the window seat")
    noted(alice, "Likes green tea", helper)
    memories.capture(claim=claim(alice.subject, "Likes tea"), by=helper, now=NOON - timedelta(days=2))
    version = draft(eva, "write")

    assert simulated(version, eva).events == 2
    assert simulated(version, eva, agent_id=helper.agent_id).events == 1
    assert simulated(version, eva, since=NOON - timedelta(days=3), until=NOON).events == 1


def test_a_sample_depends_on_its_seed_alone(alice: Person, helper: Actor, eva: Actor) -> None:
    for number in range(12):
        noted(alice, f"Visited town {number}", helper, kind="fact" if number % 2 else "preference")
    version = draft(eva, "write", {"rules.W-400.outcome": "accept"})

    first, again, *others = (simulated(version, eva, maximum_events=4, seed=seed) for seed in (7, 7, 1, 2, 3, 4))

    assert (first.events, first.considered, first.counts["newly_stored"]) == (12, 4, 4)
    assert first.groups == again.groups
    assert any(one.groups != first.groups for one in others)


@pytest.mark.parametrize(
    ("confidence", "cap", "expected"),
    [(0.5, 0.3, 0.3), (0.5, 0.9, 0.5), (0.7, 0.6, 0.6), (0.7, 0.75, 0.75), (0.7, 0.9, None)],
)
def test_confidence_under_another_cap(confidence: float, cap: float, expected: float | None) -> None:
    then = baseline.WRITE
    document = with_(then, "confidence_caps.inferred", cap)
    document = with_(document, "rules.W-220.match.confidence", {"below": 0.8})
    facts = WriteFacts(kind="fact", origin="inferred", channel="agent", length=9, confidence=confidence, importance=0.5)

    asked = facts_under(document, facts, then=then)

    assert (asked and asked.confidence) == expected


@given(write_pairs, st.sampled_from(EVERY_WRITE))
def test_two_versions_differ_where_they_decide_otherwise_and_nowhere_else(pair: Any, facts: WriteFacts) -> None:
    before, after = pair
    same = compare(facts, before, before, then=before)
    other = compare(facts, before, after, then=after)

    assert isinstance(same, str) or same.flip == UNCHANGED
    if isinstance(other, str):
        return
    verdicts = [decide_write(one, WriteFacts(**_sets(other.facts))) for one in (before, after)]
    caps = [one.confidence_caps.stated for one in pair]
    if facts.origin != "stated" or caps[0] == caps[1]:
        kept = {(one.outcome, one.redact if one.outcome != "refuse" else (), one.keep_text_days) for one in verdicts}
        assert (other.flip == UNCHANGED) == (len(kept) == 1)


def _sets(given: Any) -> dict[str, Any]:
    return {**given, "categories": frozenset(given["categories"]), "findings": frozenset(given["findings"])}
