"""Two versions of a policy by meaning: what differs, and whether more is let through."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from itertools import product
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from policies import baseline
from policies.baseline import BASELINE
from policies.compare import changes, is_restricting, loosens
from policies.documents import FAMILIES, Procedure, ProcedurePolicy, WritePolicy
from policies.engine import (
    NEVER_KEPT,
    WriteFacts,
    WriteVerdict,
    confidence_cap,
    decide_write,
    expires_at,
    is_trusted_for,
)
from tests.policies import drafts
from tests.policies.drafts import with_, write, write_rule

NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)
OPENNESS = ["refuse", "policy_change", "quarantine", "propose", "accept"]


def decided(document: WritePolicy, facts: WriteFacts) -> WriteVerdict:
    """Decide a claim as it is decided in earnest: no surer than its origin may be."""
    cap = confidence_cap(document, facts.origin)
    return decide_write(document, replace(facts, confidence=min(facts.confidence, cap)))


def lets_more_in(was: WriteVerdict, now: WriteVerdict) -> bool:
    if was.outcome != now.outcome:
        # Whatever a stricter answer redacts or keeps of a refused text, less of it goes anywhere.
        return OPENNESS.index(now.outcome) > OPENNESS.index(was.outcome) or (
            now.outcome != "refuse" and not was.redact <= now.redact
        )
    if now.outcome == "refuse":
        return now.keep_text_days > was.keep_text_days
    return not was.redact <= now.redact


# --- it misses nothing -----------------------------------------------------------------------------------------------


@settings(max_examples=300)
@given(pair=drafts.write_pairs, seed=st.integers(0, 1_000))
def test_no_write_gets_further_unless_the_change_is_said_to_loosen(pair: drafts.Pair, seed: int) -> None:
    before, after = pair
    facts = Random(seed).sample(drafts.EVERY_WRITE, 60)
    further = [one for one in facts if lets_more_in(decided(before, one), decided(after, one))]

    assert not further or loosens("write", before, after)


@given(pair=drafts.access_pairs)
def test_no_memory_is_opened_unless_the_change_is_said_to_loosen(pair: drafts.Pair) -> None:
    before, after = pair
    opened = drafts.everything_open(after) - drafts.everything_open(before)

    said = any(not change.path.startswith("actions") for change in loosens("access", before, after))
    assert said or not opened
    if before.sensitive_categories == after.sensitive_categories:
        assert said == bool(opened)


@given(pair=drafts.action_pairs | drafts.access_pairs)
def test_no_action_is_freer_unless_the_change_is_said_to_loosen(pair: drafts.Pair) -> None:
    before, after = pair
    freer = [one for one in drafts.EVERY_ACTION if drafts.freedom(after, one) > drafts.freedom(before, one)]

    said = [change for change in loosens("access", before, after) if change.path.startswith("actions")]
    assert not freer or loosens("access", before, after)
    if before.sensitive_categories == after.sensitive_categories:
        assert bool(said) == bool(freer)


@given(pair=drafts.retention_pairs)
def test_nothing_is_kept_longer_unless_the_change_is_said_to_loosen(pair: drafts.Pair) -> None:
    said = loosens("retention", *pair)

    for kind, origin, region in product(("preference", "event"), ("stated", "inferred"), ("eu", "us", None)):
        was, now = (expires_at(one, kind=kind, origin=origin, region=region, at=NOON) for one in pair)
        if was is not None and (now is None or now > was):
            assert said


@given(pair=drafts.retrieval_pairs)
def test_no_memory_serves_a_purpose_unless_the_change_is_said_to_loosen(pair: drafts.Pair) -> None:
    said = loosens("retrieval", *pair)

    for name, origin, channel, confidence, is_confirmed in product(
        ("action", "answer", "chat"), ("stated", "inferred"), ("portal", "agent"), (0.0, 0.5, 1.0), (True, False)
    ):
        facts: Any = {"origin": origin, "channel": channel, "confidence": confidence, "is_confirmed": is_confirmed}
        did, does = (is_trusted_for(one.purpose(name), **facts) for one in pair)
        assert said or did or not does


PAIRS: dict[str, st.SearchStrategy[Any]] = {
    "write": drafts.write_pairs,
    "access": drafts.access_pairs | drafts.action_pairs,
    "retention": drafts.retention_pairs,
    "retrieval": drafts.retrieval_pairs,
}


@pytest.mark.parametrize("family", PAIRS)
@settings(max_examples=50)
@given(data=st.data())
def test_unequal_documents_differ_and_equal_ones_do_not(family: Any, data: st.DataObject) -> None:
    before, after = data.draw(PAIRS[family])

    assert bool(changes(family, before, after)) == (before != after)
    assert changes(family, before, before.model_copy(deep=True)) == []


# --- it says "loosens" of nothing else -------------------------------------------------------------------------------


@settings(max_examples=20)
@given(pair=drafts.write_pairs)
def test_of_rules_it_says_so_only_where_some_write_gets_further(pair: drafts.Pair) -> None:
    before: WritePolicy = pair[0]
    after = before.model_copy(update={"rules": pair[1].rules, "default": pair[1].default})

    further = any(lets_more_in(decide_write(before, one), decide_write(after, one)) for one in drafts.EVERY_WRITE)

    assert bool(loosens("write", before, after)) == further


def test_rules_that_never_meet_may_change_places() -> None:
    one, other = write_rule("W-001", "accept", kinds=("fact",)), write_rule("W-002", "refuse", kinds=("event",))

    found = changes("write", write(one, other), write(other, one))

    assert [change.direction for change in found] == ["neutral"]
    assert found[0].path.endswith(".place")


def test_rules_that_meet_may_not() -> None:
    one = write_rule("W-001", "accept", kinds=("fact",))
    other = write_rule("W-002", "refuse", findings=("attack",))

    assert loosens("write", write(other, one), write(one, other))
    assert is_restricting("write", write(one, other), write(other, one))


def test_a_rule_that_never_gets_anything_changes_nothing() -> None:
    every, dead = write_rule("W-001", "refuse"), write_rule("W-002", "accept")

    assert loosens("write", write(every), write(every, dead)) == []
    assert loosens("write", write(), write(dead))


def test_another_number_for_the_same_rule_is_neutral() -> None:
    found = changes("write", write(write_rule("W-001", "propose")), write(write_rule("W-002", "propose")))

    assert {change.direction for change in found} == {"neutral"}


def test_more_that_is_sensitive_can_open_what_was_closed() -> None:
    opens_what_is_sensitive = write(write_rule("W-001", "accept", sensitive=True), sensitive_categories=("health",))
    more = opens_what_is_sensitive.model_copy(update={"sensitive_categories": ("health", "food")})

    assert loosens("write", opens_what_is_sensitive, more)


def test_a_secret_is_kept_nowhere_so_its_rule_may_say_what_it_likes() -> None:
    secret = next(iter(NEVER_KEPT))
    forgets, keeps = (write(write_rule("W-001", "refuse", keeps, findings=(secret,))) for keeps in (False, True))

    assert [change.direction for change in changes("write", forgets, keeps)] == ["neutral"]


def test_less_that_is_redacted_loosens() -> None:
    both = write(write_rule("W-001", "redact", findings=("personal", "hidden")), write_rule("W-002", "accept"))
    one = write(write_rule("W-001", "redact", findings=("personal",)), write_rule("W-002", "accept"))
    too_late = write(*reversed(both.rules))

    assert loosens("write", both, one)
    assert loosens("write", both, too_late)
    assert is_restricting("write", one, both)


def test_what_is_too_large_to_compare_counts_as_loosening(monkeypatch: pytest.MonkeyPatch) -> None:
    every, dead = write_rule("W-001", "refuse"), write_rule("W-002", "accept")
    monkeypatch.setattr("policies.meaning.regions.STEPS", 0)

    assert loosens("write", write(every), write(every, dead))


# --- field by field --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("family", "path", "value", "direction"),
    [
        ("write", "default.outcome", "propose", "neutral"),  # nothing is left for the default of Baseline 1
        ("write", "rules.W-400.outcome", "accept", "loosens"),
        ("write", "rules.W-400.outcome", "quarantine", "tightens"),
        ("write", "rules.W-400.title", "An agent says so", "neutral"),
        ("write", "rules.W-010.outcome", "policy_change", "loosens"),
        ("write", "dedupe.near_identical", 0.99, "loosens"),
        ("write", "dedupe.neighbours", 30, "tightens"),
        ("write", "confidence_caps.inferred", 0.9, "loosens"),
        ("write", "confidence_caps.inferred", 0.5, "tightens"),
        ("write", "origin_ranks.inferred", 5, "loosens"),
        ("write", "origin_ranks.inferred", 0, "neutral"),
        ("write", "origin_ranks.observed", 1, "loosens"),
        ("write", "rates.per_agent", 40_000, "loosens"),
        ("write", "rates.window_seconds", 60, "loosens"),
        ("write", "rates.exempt_channels", ["portal", "import"], "tightens"),
        ("write", "refused_text_days", 60, "loosens"),
        ("write", "sensitive_categories", ["health"], "loosens"),
        ("retention", "days.preference.inferred", 90, "tightens"),
        ("retention", "days.event.stated", None, "loosens"),
        ("retention", "archive.unused_days", 365, "loosens"),
        ("retention", "archive.importance_below", 0.2, "loosens"),
        ("retention", "decay.origins", [], "loosens"),
        ("retention", "decay.half_life_days", 30, "tightens"),
        ("retention", "decay.floor", 0.1, "loosens"),
        ("retention", "consolidation.every_days", 14, "loosens"),
        ("retention", "unanswered_days", 10, "tightens"),
        ("retention", "region_limits", [{"region": "eu", "maximum_days": 400}], "tightens"),
        ("retrieval", "minimum_score", 0.2, "loosens"),
        ("retrieval", "k.maximum", 60, "loosens"),
        ("retrieval", "token_budget.maximum", 4_000, "tightens"),
        ("retrieval", "weights.recency", 0.5, "neutral"),
        ("retrieval", "form", "product", "neutral"),
        ("retrieval", "conflicts", "newest_only", "tightens"),
        ("retrieval", "query_text_days", 8, "loosens"),
        ("retrieval", "purposes", [], "loosens"),
        ("retrieval", "purposes.action.minimum_confidence", 0.5, "loosens"),
        ("retrieval", "purposes.action.confirmed_suffices", False, "tightens"),
        ("retrieval", "other_purposes.channels", ["portal"], "tightens"),
        ("access", "default.decision", "allow", "neutral"),  # nothing is left for it either
        ("access", "rules.A-010.decision", "allow", "loosens"),
        ("access", "rules.A-020.match.kinds", ["event"], "loosens"),
        ("access", "rules.A-100.match.kinds", ["fact"], "tightens"),
        ("access", "rules.A-100.match.agents", ["helper"], "tightens"),
        ("access", "sensitive_categories", [*baseline.SENSITIVE_CATEGORIES, "food"], "tightens"),
        ("access", "staff.reviewer", "content", "loosens"),
        ("access", "staff.developer", "queue", "tightens"),
    ],
)
def test_each_change_of_baseline_1_has_its_direction(family: Any, path: str, value: Any, direction: str) -> None:
    found = changes(family, BASELINE[family], with_(BASELINE[family], path, value))

    strictest = [one for one in ("loosens", "tightens", "neutral") if one in {change.direction for change in found}]
    assert strictest[0] == direction
    assert all(change.sentence.endswith(".") and change.path for change in found)


def test_a_lower_cap_loosens_where_a_rule_favours_what_is_unsure() -> None:
    favours = write(write_rule("W-001", "accept", confidence={"below": 0.5}))

    assert loosens("write", favours, with_(favours, "confidence_caps.stated", 0.3))


def test_agents_may_do_something_else_by_new_words_and_nothing_by_fewer() -> None:
    refund = Procedure(name="refund", title="How to refund", text="Ask first.", owner="payments", agents=("a", "b"))

    def directions(*procedures: Procedure) -> list[str]:
        after = ProcedurePolicy(procedures=procedures)
        return [change.direction for change in changes("procedure", ProcedurePolicy(procedures=(refund,)), after)]

    assert directions() == ["tightens"]
    assert directions(refund.model_copy(update={"text": "Do not ask."})) == ["loosens"]
    assert directions(refund.model_copy(update={"agents": ("a",)})) == ["tightens"]
    assert directions(refund.model_copy(update={"agents": ()})) == ["loosens"]
    assert directions(refund.model_copy(update={"owner": "sales"})) == ["neutral"]
    assert directions(refund, refund.model_copy(update={"name": "gift"})) == ["loosens"]


@pytest.mark.parametrize("family", FAMILIES)
def test_the_first_version_allows_what_nothing_allowed(family: Any) -> None:
    assert [change.direction for change in changes(family, None, BASELINE[family])] == ["loosens"]
    assert not is_restricting(family, None, BASELINE[family])


def test_a_change_of_words_restricts_nothing() -> None:
    before = write(write_rule("W-001", "refuse"))

    assert not is_restricting("write", before, with_(before, "rules.W-001.title", "Another title"))
    assert not is_restricting("write", before, before)


# --- what is told ----------------------------------------------------------------------------------------------------


def told(family: Any, path: str, value: Any) -> list[str]:
    return [change.sentence for change in changes(family, BASELINE[family], with_(BASELINE[family], path, value))]


def test_a_number_is_told_with_the_old_one() -> None:
    assert told("retention", "days.preference.inferred", 90) == [
        "Guesses about preferences are kept 90 days instead of 180."
    ]
    assert told("retention", "days.preference.stated", 365) == [
        "Preferences that were stated are kept 365 days instead of without a limit."
    ]


def test_a_rule_is_told_by_what_it_does_to_something() -> None:
    assert told("write", "rules.W-400.outcome", "accept") == [
        "What rule W-400 applies to is kept and in use at once; before, it waited for the person."
    ]
    assert told("access", "rules.A-020.match.kinds", ["event"]) == [
        "Rule A-020 applies to events instead of events or summaries. "
        "Some of what was closed to agents (rule A-020) may now be read by agents (rule A-100)."
    ]


def test_a_rule_that_goes_is_told_by_the_one_that_takes_over() -> None:
    rules = tuple(rule for rule in baseline.WRITE.rules if rule.id != "W-110")

    assert [change.sentence for change in changes("write", baseline.WRITE, write(*rules))] == [
        "Rule W-110 (“It was a guess about something sensitive, and such guesses are not kept”) is gone. "
        "Some of what was not kept (rule W-110) now waits for the person (rule W-120)."
    ]
