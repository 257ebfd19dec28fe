from typing import Any

import pytest
from django.utils import timezone

from accounts.models import Subject
from accounts.vocabulary import Channel, Scope
from memory_admin.api.writing import told
from memory_admin.memories.models import Memory, WriteDecision
from memory_admin.memories.services import Claim, capture
from memory_admin.tenancy.scope import tenant_scope
from tests.api.cast import Caller, Organisation
from tests.factories import agent

SEAT = {"subject": "user:alice", "kind": "preference", "statement": "Prefers a window seat.", "origin": "stated"}


def test_what_the_person_said_is_stored_and_shown_with_its_provenance(helper: Caller) -> None:
    source = {
        "trace_id": "chat-1",
        "message_id": "m-2",
        "quote": "window, please",
        "occurred_at": "2026-01-02T03:04:05Z",
    }

    answered = helper.post("/memories", {**SEAT, "source": source})

    assert answered.status_code == 201
    told = answered.json()
    assert told["status"] == "active"
    assert told["statement"] == "Prefers a window seat."
    assert told["provenance"]["agent"] == "Helper"
    assert told["provenance"]["source"]["quote"] == "window, please"
    assert told["policy_version"] == "write/1"
    assert told["rule_ids"] != []
    assert told["instruction"] is False
    assert answered["ETag"] == '"1"'
    assert helper.get(f"/memories/{told['id']}").json() == told


def test_the_same_again_is_answered_with_the_memory_that_exists(helper: Caller) -> None:
    first = helper.post("/memories", SEAT).json()

    again = helper.post("/memories", SEAT)

    assert again.status_code == 200
    assert again.json()["id"] == first["id"]


def test_a_secret_is_refused_by_its_rules_and_its_text_repeated_nowhere(helper: Caller, north: Organisation) -> None:
    secret = "".join(["sk", "_live_", "4eC39HqLyjWDarjtT1zdp7dc"])

    answered = helper.post("/memories", {**SEAT, "kind": "fact", "statement": f"The key is {secret}"})

    assert answered.status_code == 422
    assert answered["Content-Type"] == "application/problem+json"
    problem = answered.json()
    assert problem["code"] == "refused_by_policy"
    assert problem["rule_ids"] != []
    assert problem["policy_version"] == "write/1"
    assert secret not in answered.content.decode()
    with tenant_scope(north.tenant.id):
        assert WriteDecision.objects.filter(id=problem["decision_id"], result="refused").exists()
        assert not Memory.objects.exists()


def test_an_agents_own_word_is_taken_and_nothing_is_told(north: Organisation, alice: Subject) -> None:
    agent = north.caller(channel=Channel.AGENT)

    answered = agent.post("/memories", {**SEAT, "origin": "inferred"})

    assert answered.status_code == 202
    assert set(answered.json()) == {"decision_id", "memory_id", "policy_version"}
    assert agent.get(f"/memories/{answered.json()['memory_id']}").status_code == 404


def test_what_exists_or_was_erased_cannot_be_found_out_by_writing(north: Organisation, helper: Caller) -> None:
    stored = helper.post("/memories", SEAT).json()
    erased = helper.post("/memories", {**SEAT, "statement": "Has a cat named Miso.", "kind": "fact"}).json()
    assert helper.delete(f"/memories/{erased['id']}").status_code == 202
    agent = north.with_agent("Other").caller(channel=Channel.TOOL)

    answers = [
        agent.post("/memories", {**SEAT, "kind": kind, "statement": statement, "origin": "inferred"})
        for kind, statement in [
            ("preference", "Prefers a window seat."),
            ("fact", "Has a cat named Miso."),
            ("fact", "Works from an office by the sea."),
        ]
    ]

    assert [answered.status_code for answered in answers] == [202, 202, 202]
    assert {frozenset(answered.json()) for answered in answers} == {
        frozenset({"decision_id", "memory_id", "policy_version"})
    }
    assert stored["id"] not in {answered.json()["memory_id"] for answered in answers}
    assert {agent.get(f"/memories/{answered.json()['memory_id']}").status_code for answered in answers} == {404}
    decisions = [agent.get(f"/decisions/{answered.json()['decision_id']}").json() for answered in answers]
    assert {(told["result"], told["memory_id"], tuple(told["rule_ids"])) for told in decisions} == {("taken", None, ())}


def test_an_agent_is_told_of_its_own_words_that_were_confirmed(north: Organisation, helper: Caller) -> None:
    stored = helper.post("/memories", SEAT).json()

    again = north.caller(channel=Channel.TOOL).post("/memories", {**SEAT, "origin": "inferred"})

    assert (again.status_code, again.json()["id"]) == (200, stored["id"])


def test_a_key_cannot_claim_a_more_trusted_channel_than_its_own(north: Organisation, alice: Subject) -> None:
    agent = north.caller(channel=Channel.AGENT)

    answered = agent.post("/memories", {**SEAT, "channel": "user_message"})

    assert answered.status_code == 422
    assert answered.json()["code"] == "channel_too_high"


def test_a_trusted_key_may_claim_less_trust(helper: Caller) -> None:
    assert helper.post("/memories", {**SEAT, "channel": "tool"}).status_code == 202


@pytest.mark.parametrize(
    ("changed", "field"),
    [
        ({"statement": ""}, "statement"),
        ({"statement": "\u200b\u200b\u2060"}, "statement"),
        ({"statement": " \n\t "}, "statement"),
        ({"statement": "x" * 4001}, "statement"),
        ({"statement": 7}, "statement"),
        ({"statement": None}, "statement"),
        ({"kind": "belief"}, "kind"),
        ({"origin": "hearsay"}, "origin"),
        ({"subject": "alice"}, "subject"),
        ({"subject": "user:../../x"}, "subject"),
        ({"confidence": 1.5}, "confidence"),
        ({"confidence": "0.5"}, "confidence"),
        ({"confidence": True}, "confidence"),
        ({"valid_from": "2026-01-01T00:00:00"}, "valid_from"),
        ({"valid_from": "2026-01-01"}, "valid_from"),
        ({"valid_from": 1767225600}, "valid_from"),
        ({"expires_at": "9999-12-31T23:59:59-23:59"}, "expires_at"),
        ({"expires_at": "0001-01-01T00:00:00+23:59"}, "expires_at"),
        ({"expires_at": "2020-01-01T00:00:00Z"}, "expires_at"),
        ({"valid_from": "2026-02-01T00:00:00Z", "valid_to": "2026-01-01T00:00:00Z"}, "valid_to"),
        ({"key": "Time Zone"}, "key"),
        ({"value": "x" * 4000}, "value"),
        ({"categories": ["Health!"]}, "categories[0]"),
        ({"source": {"trace": "chat-1"}}, "source.trace"),
        ({"source": {"occurred_at": "yesterday"}}, "source.occurred_at"),
        ({"supersedes": "7"}, "supersedes"),
        ({"tenant": "other"}, "tenant"),
        ({"channel_trust": 1}, "channel_trust"),
    ],
)
def test_a_field_that_is_not_acceptable_is_named(helper: Caller, changed: dict[str, Any], field: str) -> None:
    answered = helper.post("/memories", {**SEAT, **changed})

    assert answered.status_code == 400
    assert [error["field"] for error in answered.json()["errors"]] == [field]


def test_names_that_the_caller_made_up_are_not_repeated(helper: Caller) -> None:
    answered = helper.post("/memories", {**SEAT, "<script>alert(1)</script>": 1})

    assert answered.status_code == 400
    assert "script" not in answered.content.decode()


def test_a_batch_is_decided_one_by_one(helper: Caller) -> None:
    secret = "".join(["sk", "_live_", "4eC39HqLyjWDarjtT1zdp7dc"])
    statements = ["Prefers a window seat.", f"The key is {secret}", "Prefers a window seat."]

    answered = helper.post("/memories/batch", {"items": [{**SEAT, "statement": statement} for statement in statements]})

    assert answered.status_code == 200
    items = answered.json()["items"]
    assert [item["status"] for item in items] == [201, 422, 200]
    assert items[0]["memory_id"] == items[2]["memory_id"]
    assert items[1]["rule_ids"] != []


def test_a_batch_that_is_not_well_formed_stores_nothing(helper: Caller) -> None:
    answered = helper.post("/memories/batch", {"items": [SEAT, {**SEAT, "kind": "belief"}]})

    assert answered.status_code == 400
    assert [error["field"] for error in answered.json()["errors"]] == ["items[1].kind"]
    assert helper.get("/memories?subject=user:alice").json()["items"] == []


def test_a_batch_holds_at_most_five_hundred(helper: Caller) -> None:
    answered = helper.post("/memories/batch", {"items": [SEAT] * 501})

    assert answered.status_code == 400


def test_a_check_tells_the_decision_and_stores_nothing(helper: Caller, north: Organisation) -> None:
    answered = helper.post("/memories/check", SEAT)

    assert answered.status_code == 200
    told = answered.json()
    assert (told["outcome"], told["policy_version"], told["decision_id"]) == ("accept", "write/1", None)
    assert told["rule_ids"] != []
    with tenant_scope(north.tenant.id):
        assert not Memory.objects.exists()
        assert not WriteDecision.objects.exists()


def test_without_the_scope_nothing_is_written(north: Organisation, alice: Subject) -> None:
    reader = north.caller(scopes=[Scope.MEMORIES_READ])

    answered = reader.post("/memories", SEAT)

    assert answered.status_code == 403
    assert answered.json()["code"] == "scope_missing"


def test_the_id_of_a_repeated_memory_was_made_with_the_decision(north: Organisation, helper: Caller) -> None:
    helper.post("/memories", SEAT)
    other = agent(north.with_agent("Other"), Channel.TOOL)
    said = Claim(subject_ref="user:alice", kind="preference", statement=SEAT["statement"], origin="inferred")

    with tenant_scope(north.tenant.id):
        outcome = capture(claim=said, by=other, now=timezone.now())

    done = told(outcome, channel="tool")
    assert outcome.memory is not None
    assert done.results["memory_id"] == str(outcome.reserved_id) != str(outcome.memory.id)
