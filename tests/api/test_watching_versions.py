"""A version that only watches is noted, or told as well: it changes nothing, and tells nothing of what is stored."""

from typing import Any

import pytest

from accounts.models import Subject
from accounts.vocabulary import Channel
from policies.baseline import WRITE
from policies.digests import Terms
from policies.documents import WriteMatch, WritePolicy, WriteRule
from tests.api.cast import Caller, Organisation
from tests.in_force import put_in_force

SEAT = {"subject": "user:alice", "kind": "preference", "origin": "stated", "statement": "Prefers a window seat."}
REASON = "No preferences from next month on."


def no_preferences() -> WritePolicy:
    rule = WriteRule(
        id="W-001",
        title="No preference is kept",
        match=WriteMatch(kinds=("preference",)),
        outcome="refuse",
        reason=REASON,
    )
    return WRITE.model_copy(update={"rules": (rule, *WRITE.rules)})


def watch(north: Organisation, mode: str) -> dict[str, Any]:
    """Let a version watch that refuses preferences; give what it says of one."""
    label = put_in_force(north.tenant.id, "write", no_preferences(), terms=Terms(lane="shadow", mode=mode))
    return {"policy_version": label, "outcome": "refuse", "rule_ids": ["W-001"], "reason": REASON}


@pytest.fixture
def tool(north: Organisation, alice: Subject) -> Caller:
    """A key of the same agent that does not relay the person's words."""
    return north.caller(channel=Channel.AGENT)


def test_a_shadow_is_noted_and_no_answer_changes(north: Organisation, helper: Caller, alice: Subject) -> None:
    before = helper.post("/memories", SEAT)
    said = watch(north, "shadow")

    after = helper.post("/memories", {**SEAT, "statement": "Prefers an aisle table."})

    assert (after.status_code, after.json().keys()) == (201, before.json().keys())
    assert after.json()["policy_version"] == "write/1"
    read = helper.get(f"/decisions/{after.json()['decision_id']}").json()
    assert (read["result"], read["watched"]) == ("stored", [{**said, "mode": "shadow"}])
    assert helper.get(f"/decisions/{before.json()['decision_id']}").json()["watched"] == []


def test_a_warning_is_told_beside_every_answer_and_once_more_on_a_replay(
    north: Organisation, helper: Caller, tool: Caller, alice: Subject
) -> None:
    said = watch(north, "warn")
    secret = {**SEAT, "statement": "Prefers that the password is Tr0ub4dor&3xyz!"}

    answers = {
        201: helper.post("/memories", SEAT, Idempotency_Key="once"),
        200: helper.post("/memories", SEAT),
        202: tool.post("/memories", {**SEAT, "statement": "Prefers small hotels."}),
    }

    for status, answered in answers.items():
        assert (answered.status_code, answered.json()["warnings"]) == (status, [said])
        read = helper.get(f"/decisions/{answered.json()['decision_id']}").json()
        assert read["watched"] == [{**said, "mode": "warn"}]
    assert helper.post("/memories", SEAT, Idempotency_Key="once").json()["warnings"] == [said]
    batch = helper.post("/memories/batch", {"items": [SEAT, {**SEAT, "kind": "fact", "statement": "Lives in Oslo."}]})
    assert [item.get("warnings") for item in batch.json()["items"]] == [[said], None]
    assert helper.post("/memories/check", SEAT).json()["warnings"] == [said]
    refused = helper.post("/memories", secret)
    # What both refuse is no news.
    assert (refused.status_code, "warnings" in refused.json()) == (422, False)


@pytest.mark.parametrize("mode", ["shadow", "warn"])
def test_whatever_is_remembered_waits_or_was_erased_the_answer_and_the_decision_look_the_same(
    north: Organisation, helper: Caller, tool: Caller, alice: Subject, mode: str
) -> None:
    stored = helper.post("/memories", {**SEAT, "statement": "Prefers the night train."}).json()
    gone = helper.post("/memories", {**SEAT, "statement": "Prefers the upper berth."}).json()
    helper.delete(f"/memories/{gone['id']}")
    other = north.with_agent("Other").caller(channel=Channel.AGENT)
    watch(north, mode)

    told = []
    for statement in ("Prefers the night train.", "Prefers the upper berth.", "Prefers the front coach."):
        answered = other.post("/memories", {**SEAT, "statement": statement})
        read = other.get(f"/decisions/{answered.json()['decision_id']}")
        told.append([answered.status_code, _shape(answered.json()), _shape(read.json())])

    assert told[0] == told[1] == told[2]
    assert stored["id"] not in str(told)


def test_with_a_memory_goes_what_was_noted_of_its_write(north: Organisation, helper: Caller, alice: Subject) -> None:
    watch(north, "warn")
    stored = helper.post("/memories", SEAT).json()

    helper.delete(f"/memories/{stored['id']}")

    read = helper.get(f"/decisions/{stored['decision_id']}").json()
    assert (read["watched"], read["rule_ids"]) == ([], [])


def test_one_that_watches_another_agent_notes_nothing(north: Organisation, helper: Caller, alice: Subject) -> None:
    terms = Terms(agent_id=north.with_agent("Other").agent.id, lane="shadow", mode="warn")
    put_in_force(north.tenant.id, "write", no_preferences(), terms=terms)

    answered = helper.post("/memories", SEAT).json()

    assert "warnings" not in answered
    assert helper.get(f"/decisions/{answered['decision_id']}").json()["watched"] == []


def _shape(told: dict[str, Any]) -> dict[str, Any]:
    """Leave out what differs between any two writes: the ids and the time."""
    return {name: None if name in ("id", "decision_id", "memory_id", "decided_at") else told[name] for name in told}
