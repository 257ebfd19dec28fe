"""What Baseline 1 says, case by case."""

from __future__ import annotations

from typing import Any

import pytest

from policies.baseline import ACCESS, BASELINE, RETENTION, RETRIEVAL, SENSITIVE_CATEGORIES, WRITE
from policies.digests import sha256_of
from policies.documents import CHANNELS, FAMILIES, KINDS, ORIGINS, parse
from policies.engine import ReadFacts, WriteFacts, WriteVerdict, allowed_to_read, decide_write, is_trusted_for

UNTRUSTED = ("agent", "tool", "document", "peer_agent")
OWN = ("portal", "user_message")


def decided(**facts: Any) -> WriteVerdict:
    given: dict[str, Any] = {
        "kind": "fact",
        "origin": "stated",
        "channel": "user_message",
        "length": 40,
        "confidence": 0.7,
        "importance": 0.5,
    }
    for name in ("categories", "findings"):
        facts[name] = frozenset(facts.get(name, ()))
    return decide_write(WRITE, WriteFacts(**(given | facts)))


@pytest.mark.parametrize("channel", CHANNELS)
def test_a_secret_is_refused_on_every_channel_and_kept_nowhere(channel: str) -> None:
    verdict = decided(
        channel=channel, findings=["secret", "attack", "control", "personal"], kind="event", origin="observed"
    )

    assert (verdict.outcome, verdict.rule_ids[-1], verdict.keep_text_days) == ("refuse", "W-010", 0)


@pytest.mark.parametrize("channel", OWN)
def test_what_the_person_says_themself_is_accepted(channel: str) -> None:
    verdict = decided(channel=channel)

    assert verdict.outcome == "accept"
    assert "yourself" in verdict.title


@pytest.mark.parametrize("channel", UNTRUSTED)
@pytest.mark.parametrize("origin", ORIGINS)
@pytest.mark.parametrize("kind", KINDS)
def test_what_others_say_waits_for_the_person(channel: str, origin: str, kind: str) -> None:
    verdict = decided(channel=channel, origin=origin, kind=kind)

    assert (verdict.outcome, verdict.needs) == ("propose", "person")


@pytest.mark.parametrize("channel", OWN)
def test_a_waived_control_goes_to_the_policy_queue(channel: str) -> None:
    verdict = decided(channel=channel, findings=["control"])

    assert (verdict.outcome, verdict.needs) == ("policy_change", "policy_editor")


@pytest.mark.parametrize("channel", CHANNELS)
def test_a_planted_order_is_quarantined(channel: str) -> None:
    verdict = decided(channel=channel, findings=["attack"], kind="event", origin="observed")

    assert (verdict.outcome, verdict.needs) == ("quarantine", "reviewer")


def test_a_planted_order_does_not_reach_the_policy_queue() -> None:
    assert decided(channel="tool", findings=["attack", "control"]).outcome == "quarantine"


def test_hidden_characters_typed_by_the_person_wait_for_them() -> None:
    assert decided(channel="portal", findings=["hidden"]).outcome == "propose"
    assert decided(channel="user_message", findings=["hidden"]).outcome == "quarantine"


@pytest.mark.parametrize("category", SENSITIVE_CATEGORIES)
def test_a_sensitive_guess_is_refused_and_kept_nowhere(category: str) -> None:
    for channel in CHANNELS:
        verdict = decided(channel=channel, origin="inferred", categories=[category])

        assert (verdict.outcome, verdict.keep_text_days) == ("refuse", 0)


@pytest.mark.parametrize("category", SENSITIVE_CATEGORIES)
@pytest.mark.parametrize("channel", [*OWN, "agent"])
def test_a_sensitive_statement_waits_for_the_person(channel: str, category: str) -> None:
    assert decided(channel=channel, categories=[category]).outcome == "propose"


def test_a_sensitive_report_of_somebody_else_is_refused() -> None:
    assert decided(channel="agent", origin="observed", categories=["health"]).outcome == "refuse"


def test_a_guess_in_the_words_of_a_statement_is_still_a_guess() -> None:
    for channel in UNTRUSTED:
        verdict = decided(channel=channel, categories=["health"], findings=["sensitive", "trait_inferred"])

        assert (verdict.outcome, verdict.keep_text_days) == ("refuse", 0)


def test_a_turn_of_an_imported_conversation_is_accepted_even_when_sensitive() -> None:
    verdict = decided(channel="import", kind="event", origin="observed", categories=["health"])

    assert (verdict.outcome, verdict.rule_ids) == ("accept", ("W-100",))


def test_other_sensitive_imports_wait_for_the_person() -> None:
    assert decided(channel="import", origin="imported", categories=["health"]).outcome == "propose"


def test_an_import_brings_records_and_events_only() -> None:
    outcomes = {origin: decided(channel="import", origin=origin).outcome for origin in ORIGINS}

    assert {origin for origin, outcome in outcomes.items() if outcome == "accept"} == {"imported", "observed"}
    assert set(outcomes.values()) == {"accept", "propose"}


def test_a_consolidation_may_sum_up_and_only_propose_the_rest() -> None:
    assert decided(channel="consolidation", kind="summary", origin="inferred").outcome == "accept"
    assert decided(channel="consolidation", kind="fact", origin="inferred").outcome == "propose"


@pytest.mark.parametrize("channel", CHANNELS)
def test_personal_data_is_redacted_and_the_rest_decided_as_ever(channel: str) -> None:
    with_card = decided(channel=channel, findings=["personal", "personal.card"])

    assert with_card.redact == {"personal"}
    assert with_card.outcome == decided(channel=channel).outcome


def test_a_request_to_change_policy_is_redacted_too() -> None:
    verdict = decided(findings=["control", "personal"])

    assert verdict.outcome == "policy_change"
    assert verdict.redact == {"personal"}


@pytest.mark.parametrize("channel", UNTRUSTED)
def test_what_is_about_the_present_task_is_sent_to_the_thread(channel: str) -> None:
    verdict = decided(channel=channel, findings=["task"])

    assert verdict.outcome == "refuse"
    assert verdict.hint == "Keep it in the state of the thread."


def test_a_person_may_say_what_sounds_like_a_task() -> None:
    assert decided(channel="user_message", findings=["task"]).outcome == "accept"


def test_a_blank_statement_is_refused() -> None:
    assert decided(findings=["blank"]).outcome == "refuse"
    assert decided(length=1).outcome == "refuse"


def test_what_would_change_nothing_is_refused_from_agents_alone() -> None:
    assert decided(channel="agent", importance=0.01).outcome == "refuse"
    assert decided(channel="agent", confidence=0.1).outcome == "refuse"
    assert decided(channel="portal", importance=0.01, confidence=0.1).outcome == "accept"


def test_a_conclusion_from_the_persons_words_waits_for_them() -> None:
    assert decided(origin="inferred").outcome == "propose"


def test_every_origin_and_kind_of_a_trusted_channel_is_decided_by_a_rule() -> None:
    for channel in CHANNELS:
        for kind in KINDS:
            for origin in ORIGINS:
                assert decided(channel=channel, kind=kind, origin=origin).rule_ids != ("W-999",)


def test_sensitive_memories_are_closed_without_the_scope() -> None:
    facts = ReadFacts(kind="fact", purpose="answer", categories=frozenset({"health", "food"}))

    closed = allowed_to_read(ACCESS, facts)
    opened = allowed_to_read(
        ACCESS,
        ReadFacts(kind="fact", purpose="answer", categories=facts.categories, scopes=frozenset({"memories:sensitive"})),
    )

    assert (closed.allowed, closed.rule_id) == (False, "A-010")
    assert (opened.allowed, opened.rule_id) == (True, "A-100")


def test_an_action_is_not_grounded_on_events() -> None:
    assert not allowed_to_read(ACCESS, ReadFacts(kind="event", purpose="action")).allowed
    assert allowed_to_read(ACCESS, ReadFacts(kind="event", purpose="answer")).allowed


@pytest.mark.parametrize(
    ("origin", "channel", "is_confirmed", "expected"),
    [
        ("stated", "portal", False, True),
        ("stated", "user_message", False, True),
        ("stated", "agent", False, False),
        ("inferred", "user_message", False, False),
        ("inferred", "tool", True, True),
        ("imported", "import", False, False),
    ],
)
def test_an_action_needs_trust(origin: str, channel: str, is_confirmed: bool, expected: bool) -> None:
    purpose = RETRIEVAL.purpose("action")

    assert (
        is_trusted_for(purpose, origin=origin, channel=channel, confidence=0.9, is_confirmed=is_confirmed) is expected
    )


def test_another_purpose_needs_no_more_than_access() -> None:
    purpose = RETRIEVAL.purpose("answer")

    assert all(
        is_trusted_for(purpose, origin=origin, channel=channel, confidence=0.1, is_confirmed=False)
        for origin in ORIGINS
        for channel in CHANNELS
    )


def test_no_staff_role_but_the_privacy_officer_reads_content() -> None:
    seen = {role for role, sight in dict(ACCESS.staff).items() if sight == "content"}

    assert seen == {"privacy_officer"}


def test_write_and_access_agree_on_what_is_sensitive() -> None:
    assert WRITE.sensitive_categories == ACCESS.sensitive_categories == SENSITIVE_CATEGORIES


def test_inferred_memories_never_outlive_stated_ones() -> None:
    for kind in KINDS:
        days = getattr(RETENTION.days, kind)

        assert days.stated is None or days.inferred <= days.stated


@pytest.mark.parametrize("family", FAMILIES)
def test_a_document_survives_storage_unchanged(family: Any) -> None:
    document = BASELINE[family]
    content = document.model_dump(mode="json")

    assert parse(family, content) == document
    assert sha256_of(parse(family, content).model_dump(mode="json")) == sha256_of(dict(reversed(content.items())))
