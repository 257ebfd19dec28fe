"""The engine on write policies, apart from what Baseline 1 says."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from policies import baseline
from policies.documents import CHANNELS, KINDS, ORIGINS, Range, WriteMatch, WritePolicy, WriteRule
from policies.engine import FAILED_RULE, WriteFacts, confidence_cap, decide_write, exceeded_rate, origin_ranks

FACTS = WriteFacts(
    kind="preference", origin="stated", channel="user_message", length=30, confidence=0.9, importance=0.5
)


def policy(*rules: WriteRule) -> WritePolicy:
    return baseline.WRITE.model_copy(update={"rules": rules})


def rule(rule_id: str, outcome: Any, keeps_text: bool = True, **match: Any) -> WriteRule:
    return WriteRule(
        id=rule_id,
        title=f"Rule {rule_id}",
        match=WriteMatch(**match),
        outcome=outcome,
        reason="Because of the test.",
        keeps_text=keeps_text,
    )


def test_the_first_rule_that_matches_decides() -> None:
    document = policy(
        rule("W-001", "refuse", kinds=("fact",)),
        rule("W-002", "propose", kinds=("preference",)),
        rule("W-003", "accept"),
    )

    verdict = decide_write(document, FACTS)

    assert (verdict.outcome, verdict.rule_ids, verdict.needs) == ("propose", ("W-002",), "person")


def test_the_default_decides_where_no_rule_matches() -> None:
    verdict = decide_write(policy(), FACTS)

    assert (verdict.outcome, verdict.rule_ids) == ("refuse", ("W-999",))


def test_a_redacting_rule_marks_and_lets_the_next_one_decide() -> None:
    document = policy(
        rule("W-001", "redact", findings=("personal",)),
        rule("W-002", "redact", findings=("x.name",)),
        rule("W-003", "accept"),
    )

    verdict = decide_write(document, replace(FACTS, findings=frozenset({"personal", "personal.card", "x.name"})))

    assert verdict.outcome == "accept"
    assert verdict.rule_ids == ("W-001", "W-002", "W-003")
    assert verdict.redact == {"personal", "x.name"}


@pytest.mark.parametrize(
    ("match", "changed"),
    [
        ({"kinds": ("fact", "event")}, {"kind": "event"}),
        ({"origins": ("inferred",)}, {"origin": "inferred"}),
        ({"channels": ("tool",)}, {"channel": "tool"}),
        ({"categories": ("food", "travel")}, {"categories": frozenset({"travel", "work"})}),
        ({"sensitive": True}, {"categories": frozenset({"health"})}),
        ({"findings": ("attack",)}, {"findings": frozenset({"attack", "attack.override"})}),
        ({"findings": ("attack.override",)}, {"findings": frozenset({"attack", "attack.override"})}),
        ({"agents": ("travel",)}, {"agent": "travel"}),
        ({"subject_kinds": ("team",)}, {"subject_kind": "team"}),
        ({"confidence": Range(below=0.5)}, {"confidence": 0.49}),
        ({"importance": Range(at_least=0.8)}, {"importance": 0.8}),
        ({"length": Range(at_least=100, below=200)}, {"length": 199}),
        ({"is_test": True}, {"is_test": True}),
    ],
)
def test_a_rule_matches_only_what_it_names(match: dict[str, Any], changed: dict[str, Any]) -> None:
    document = policy(rule("W-001", "quarantine", **match))

    assert decide_write(document, replace(FACTS, **changed)).outcome == "quarantine"
    assert decide_write(document, FACTS).outcome == "refuse"


def test_every_field_of_a_match_must_hold() -> None:
    document = policy(rule("W-001", "accept", kinds=("preference",), channels=("portal",)))

    assert decide_write(document, FACTS).rule_ids == ("W-999",)
    assert decide_write(document, replace(FACTS, channel="portal")).rule_ids == ("W-001",)


def test_a_range_excludes_its_upper_end() -> None:
    document = policy(rule("W-001", "quarantine", confidence=Range(below=0.5)))

    assert decide_write(document, replace(FACTS, confidence=0.5)).outcome == "refuse"


def test_a_refused_text_is_kept_for_as_long_as_the_policy_says() -> None:
    document = policy(rule("W-001", "refuse"))

    assert decide_write(document, FACTS).keep_text_days == 30


def test_a_refused_text_is_kept_nowhere_when_its_rule_says_so() -> None:
    document = policy(rule("W-001", "refuse", keeps_text=False))

    assert decide_write(document, FACTS).keep_text_days == 0


def test_a_secret_is_kept_nowhere_even_when_a_rule_would_keep_it() -> None:
    document = policy(rule("W-001", "refuse"))

    assert decide_write(document, replace(FACTS, findings=frozenset({"secret"}))).keep_text_days == 0


def test_an_engine_error_refuses(caplog: pytest.LogCaptureFixture) -> None:
    broken = policy(rule("W-001", "accept").model_copy(update={"match": None}))

    verdict = decide_write(broken, FACTS)

    assert (verdict.outcome, verdict.rule_ids, verdict.keep_text_days) == ("refuse", (FAILED_RULE,), 0)
    assert "write_policy_failed" in caplog.text


@given(
    kind=st.sampled_from(KINDS),
    origin=st.sampled_from(ORIGINS),
    channel=st.sampled_from(CHANNELS),
    categories=st.frozensets(st.sampled_from(["health", "food", "minors"])),
    findings=st.frozensets(st.sampled_from(["secret", "control", "attack", "hidden", "personal", "task", "blank"])),
    length=st.integers(0, 4_000),
    confidence=st.floats(0, 1),
    importance=st.floats(0, 1),
)
def test_no_fact_makes_an_untrusted_channel_active(**facts: Any) -> None:
    verdict = decide_write(baseline.WRITE, WriteFacts(**facts))

    if facts["channel"] in ("agent", "tool", "document", "peer_agent"):
        assert verdict.outcome != "accept"
    if "secret" in facts["findings"]:
        assert (verdict.outcome, verdict.keep_text_days) == ("refuse", 0)
    if not facts["findings"].isdisjoint({"control", "attack"}):
        assert verdict.outcome not in ("accept", "propose")
    if facts["origin"] == "inferred" and not facts["categories"].isdisjoint({"health", "minors"}):
        assert verdict.outcome not in ("accept", "propose")
    assert verdict == decide_write(baseline.WRITE, WriteFacts(**facts))


def test_confidence_is_capped_by_origin() -> None:
    assert [confidence_cap(baseline.WRITE, origin) for origin in ("stated", "inferred", "unheard_of")] == [
        1.0,
        0.7,
        0.0,
    ]


def test_stated_outranks_every_other_origin() -> None:
    ranks = origin_ranks(baseline.WRITE)

    assert max(ranks, key=ranks.__getitem__) == "stated"
    assert min(ranks, key=ranks.__getitem__) == "inferred"


def test_a_rate_is_exceeded_by_the_write_after_the_last_allowed_one() -> None:
    rates = baseline.WRITE.rates

    assert exceeded_rate(baseline.WRITE, channel="agent", by_subject=rates.per_subject - 1, by_agent=0) is None
    assert exceeded_rate(baseline.WRITE, channel="agent", by_subject=rates.per_subject, by_agent=0) == "subject"
    assert exceeded_rate(baseline.WRITE, channel="agent", by_subject=0, by_agent=rates.per_agent) == "agent"
    assert exceeded_rate(baseline.WRITE, channel="import", by_subject=10**9, by_agent=10**9) is None
