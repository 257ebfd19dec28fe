"""An agent asks whether it may do something: policy alone answers, and what was said can be read again."""

from typing import Any

import pytest
from django.utils import timezone

from accounts.models import Subject
from accounts.vocabulary import Channel, Scope
from memory_admin.lifecycle.services import erase_subject
from memory_admin.memories.models import Memory
from memory_admin.tenancy.scope import tenant_scope
from policies.baseline import ACCESS
from policies.digests import Terms
from policies.models import ActionDecision
from tests.api.cast import Caller, Organisation
from tests.api.operations import NO_ID
from tests.in_force import put_in_force

SHARE = {"action": "share_outside", "purpose": "planning_a_trip", "subject": "user:alice", "kinds": ["preference"]}


def test_the_answer_names_the_rule_the_version_and_a_decision_that_can_be_read_again(
    helper: Caller, alice: Subject
) -> None:
    said = helper.post("/decisions", SHARE).json()

    assert said["decision"] == "ask_person"
    assert said["rule_ids"] == ["D-220"]
    assert said["policy_version"] == "access/1"
    read = helper.get(f"/decisions/{said['decision_id']}").json()
    assert {name: read[name] for name in SHARE} == SHARE
    assert {name: read[name] for name in ("decision", "rule_ids", "reason", "policy_version")} == {
        name: said[name] for name in ("decision", "rule_ids", "reason", "policy_version")
    }
    assert read["about"] == "action"


@pytest.mark.parametrize(
    ("asked", "decision", "rule"),
    [
        ({"action": "train_model"}, "deny", "D-310"),
        ({"action": "sell_the_house"}, "deny", "X-001"),
        ({"action": "act_on_memory"}, "deny", "D-110"),
        ({"action": "act_on_memory", "kinds": ["fact"]}, "allow", "D-140"),
        ({"action": "act_on_memory", "kinds": ["fact"], "categories": ["health"]}, "ask_person", "D-130"),
        ({"action": "share_outside", "categories": ["health"]}, "deny", "D-210"),
    ],
)
def test_the_vocabulary_of_the_policy_decides(helper: Caller, asked: dict[str, Any], decision: str, rule: str) -> None:
    said = helper.post("/decisions", {"purpose": "answer", **asked})

    assert (said.status_code, said.json()["decision"], said.json()["rule_ids"]) == (200, decision, [rule])


def test_what_is_remembered_changes_no_answer(helper: Caller, alice: Subject) -> None:
    before = helper.post("/decisions", SHARE).json()
    for statement in ("Sharing my seat with anybody is fine, never ask me", "Prefers a window seat"):
        helper.post(
            "/memories", {"subject": alice.ref, "kind": "preference", "origin": "stated", "statement": statement}
        )
    with tenant_scope(alice.tenant_id):
        assert Memory.objects.exists()

    after = helper.post("/decisions", SHARE).json()

    assert {**after, "decision_id": ""} == {**before, "decision_id": ""}


def test_a_key_without_the_right_to_read_what_is_sensitive_may_not_act_on_it(
    north: Organisation, alice: Subject
) -> None:
    asked = {"action": "answer_from_memory", "purpose": "answer", "categories": ["health"]}
    plain = north.caller(scopes=[Scope.DECISIONS_READ])

    assert plain.post("/decisions", asked).json()["rule_ids"] == ["D-010"]
    assert north.caller().post("/decisions", asked).json()["decision"] == "allow"


def test_a_foreign_subject_is_404_and_leaves_no_record(north: Organisation, helper: Caller, alice: Subject) -> None:
    north.subject("user:trial", is_test=True)
    bound = north.caller(subject=north.subject("user:bob"))
    answers = [
        bound.post("/decisions", SHARE),
        helper.post("/decisions", {**SHARE, "subject": "user:trial"}),
        helper.post("/decisions", {**SHARE, "subject": "user:nobody"}),
    ]

    assert {answered.status_code for answered in answers} == {404}
    assert len({answered.content for answered in answers}) == 1
    with tenant_scope(north.tenant.id):
        assert not ActionDecision.objects.exists()


@pytest.mark.parametrize(
    "wrong",
    [
        {"action": 7},
        {"action": None},
        {"action": "DROP TABLE"},
        {"action": "a" * 65},
        {"purpose": ["answer"]},
        {"subject": 12},
        {"kinds": "preference"},
        {"kinds": ["dream"]},
        {"kinds": [["fact"]]},
        {"categories": [1]},
        {"categories": ["food"] * 33},
        {"reason": "because"},
    ],
    ids=str,
)
def test_what_is_not_well_formed_is_400(helper: Caller, alice: Subject, wrong: dict[str, Any]) -> None:
    answered = helper.post("/decisions", {**SHARE, **wrong})

    assert (answered.status_code, answered.json()["code"]) == (400, "invalid_request")


@pytest.mark.parametrize("missing", ["action", "purpose"])
def test_action_and_purpose_must_be_named(helper: Caller, alice: Subject, missing: str) -> None:
    asked = {name: value for name, value in SHARE.items() if name != missing}

    assert helper.post("/decisions", asked).status_code == 400


def test_asked_again_with_the_same_mark_it_is_one_decision(north: Organisation, helper: Caller, alice: Subject) -> None:
    first = helper.post("/decisions", SHARE, Idempotency_Key="once")
    put_in_force(north.tenant.id, "access", ACCESS.model_copy(update={"actions": ()}))
    again = helper.post("/decisions", SHARE, Idempotency_Key="once")

    assert again.json() == first.json()
    assert again["Idempotency-Replayed"] == "true"
    assert helper.post("/decisions", {**SHARE, "purpose": "other"}, Idempotency_Key="once").status_code == 422
    with tenant_scope(north.tenant.id):
        assert ActionDecision.objects.count() == 1


def test_only_the_agent_that_asked_reads_a_decision(north: Organisation, helper: Caller, alice: Subject) -> None:
    decision_id = helper.post("/decisions", SHARE).json()["decision_id"]
    bound, other, trial = (
        north.caller(subject=north.subject("user:bob")),
        north.with_agent("Other").caller(),
        north.caller(is_test=True),
    )

    assert north.caller(channel=Channel.TOOL).get(f"/decisions/{decision_id}").status_code == 200
    for stranger in (bound, other, trial):
        answered = stranger.get(f"/decisions/{decision_id}")
        assert (answered.status_code, answered.content) == (404, stranger.get(f"/decisions/{NO_ID}").content)


def test_a_bound_key_asks_about_its_subject_and_reads_what_it_was_told(north: Organisation, alice: Subject) -> None:
    bound = north.caller(subject=alice)

    said = bound.post("/decisions", {"action": "advertise", "purpose": "sales"}).json()

    assert bound.get(f"/decisions/{said['decision_id']}").json()["subject"] == alice.ref


def test_with_the_erasure_of_a_subject_go_the_decisions_about_it(
    north: Organisation, helper: Caller, alice: Subject
) -> None:
    decision_id = helper.post("/decisions", SHARE, Idempotency_Key="once").json()["decision_id"]
    other = helper.post("/decisions", {"action": "advertise", "purpose": "sales"}).json()["decision_id"]

    with tenant_scope(north.tenant.id):
        erase_subject(ref=alice.ref, by=north.by, now=timezone.now())

    assert helper.get(f"/decisions/{decision_id}").status_code == 404
    assert helper.post("/decisions", SHARE, Idempotency_Key="once").status_code == 404
    assert helper.get(f"/decisions/{other}").status_code == 200


def test_a_version_for_one_agent_decides_for_that_agent_alone(
    north: Organisation, helper: Caller, alice: Subject
) -> None:
    other = north.with_agent("Other")
    label = put_in_force(
        north.tenant.id, "access", ACCESS.model_copy(update={"actions": ()}), terms=Terms(agent_id=other.agent.id)
    )

    assert other.caller().post("/decisions", SHARE).json()["policy_version"] == label
    assert other.caller().post("/decisions", SHARE).json()["decision"] == "deny"
    assert helper.post("/decisions", SHARE).json()["policy_version"] == "access/1"


def test_a_policy_that_cannot_be_read_allows_nothing(north: Organisation, helper: Caller, alice: Subject) -> None:
    put_in_force(north.tenant.id, "access", {**ACCESS.model_dump(mode="json"), "actions": "all"})

    answered = helper.post("/decisions", SHARE)

    assert (answered.status_code, answered.json()["code"]) == (422, "refused_by_policy")
    assert "decision" not in answered.json()
    with tenant_scope(north.tenant.id):
        assert not ActionDecision.objects.exists()
