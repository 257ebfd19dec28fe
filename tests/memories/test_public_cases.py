"""The public screening cases, written through the whole write path."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from accounts.vocabulary import Channel
from memory_admin.lifecycle import services as lifecycle
from memory_admin.memories import services as memories
from memory_admin.memories.models import Memory, WriteDecision
from tests.factories import NOON, Person, agent, claim, remembered

CASES = Path(__file__).parents[3] / "shared" / "data" / "write-screening-cases.jsonl"
CHANNELS = {
    "user": (Channel.USER_MESSAGE, "stated"),
    "agent": (Channel.AGENT, "inferred"),
    "tool": (Channel.TOOL, "observed"),
    "peer": (Channel.PEER_AGENT, "observed"),
}


@cache
def _cases() -> list[dict[str, Any]]:
    cases = [json.loads(line) for line in CASES.read_text().splitlines()]
    return [{**case, "text": case.get("text") or "".join(case["text_parts"])} for case in cases]


def _expecting(*outcomes: str) -> list[dict[str, Any]]:
    found = [case for case in _cases() if case["expect"] in outcomes]
    assert found
    return found


def _write(alice: Person, case: dict[str, Any]) -> memories.Outcome:
    channel, origin = CHANNELS[case["channel"]]
    said = claim(alice.subject, case["text"], kind="fact", origin=origin)
    return memories.capture(claim=said, by=agent(alice.house, channel), now=NOON)


@pytest.fixture
def results(alice: Person) -> dict[str, tuple[dict[str, Any], memories.Outcome]]:
    """Write every case that does not need something erased before."""
    cases = [case for case in _cases() if case["expect"] != "reject_tombstoned"]
    return {case["id"]: (case, _write(alice, case)) for case in cases}


Results = dict[str, tuple[dict[str, Any], memories.Outcome]]


def _of(results: Results, *outcomes: str) -> list[tuple[dict[str, Any], memories.Outcome]]:
    found = [pair for pair in results.values() if pair[0]["expect"] in outcomes]
    assert found
    return found


def test_every_secret_is_refused_and_kept_nowhere(results: Results) -> None:
    for case, outcome in _of(results, "reject"):
        assert outcome.result == "refused", case["id"]
        assert WriteDecision.objects.get(id=outcome.decision_id).sealed_text is None
        assert not Memory.objects.filter(id=outcome.memory_id).exists()


def test_attacks_are_not_active_and_what_slips_through_has_no_authority(results: Results) -> None:
    attacks = _of(results, "quarantine")

    active = [case for case, outcome in attacks if outcome.result == "stored"]

    assert len(active) <= 0.15 * len(attacks), [case["id"] for case in active]
    assert all(case["channel"] == "user" for case in active)


def test_ordinary_statements_are_neither_refused_nor_held(results: Results) -> None:
    for case, outcome in _of(results, "allow", "allow_escaped"):
        expected = {"stored", "duplicate"} if case["channel"] == "user" else {"proposed"}
        assert outcome.result in expected, case["id"]
        assert outcome.memory is not None
        assert outcome.memory.statement == case["text"]


def test_something_sensitive_waits_for_the_person(results: Results) -> None:
    for case, outcome in _of(results, "confirm"):
        assert outcome.result == "proposed", case["id"]


def test_personal_data_is_stored_as_placeholders(results: Results) -> None:
    for case, outcome in _of(results, "redact"):
        assert outcome.memory is not None, case["id"]
        assert outcome.memory.statement != case["text"]
        assert "[" in outcome.memory.statement


def test_what_was_erased_is_blocked_in_every_spelling(alice: Person) -> None:
    erased = remembered(alice, "User is allergic to peanuts.", kind="fact")
    lifecycle.erase(memory_ids=[erased.id], by=alice.actor, now=NOON)

    for case in _expecting("reject_tombstoned"):
        assert _write(alice, case).result == "blocked", case["id"]
