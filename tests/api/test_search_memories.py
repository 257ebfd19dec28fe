import re
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import Subject
from accounts.vocabulary import Channel, Scope
from memory_admin.retrieval.models import Retrieval
from memory_admin.tenancy.scope import tenant_scope
from tests.api.cast import Caller, Organisation

QUESTION = {"subject": "user:alice", "query": "Which seat on the plane?", "purpose": "assist"}


@pytest.fixture
def seat(helper: Caller, alice: Subject) -> str:
    """The memory that answers the question, among others."""
    about = {"subject": "user:alice", "kind": "preference", "origin": "stated"}
    for statement in ("Likes strong coffee in the morning.", "Is allergic to wool jumpers."):
        helper.post("/memories", {**about, "statement": statement})
    stored = helper.post("/memories", {**about, "statement": "Prefers a window seat on every plane."})
    return str(stored.json()["id"])


def test_the_answer_names_what_matters_and_why(helper: Caller, seat: str) -> None:
    answered = helper.post("/memories/search", QUESTION)

    assert answered.status_code == 200
    told = answered.json()
    best = told["items"][0]
    assert best["id"] == seat
    assert best["statement"] == "Prefers a window seat on every plane."
    assert set(best["parts"]) == {"similarity", "keyword", "recency", "importance", "confidence", "confirmed"}
    assert best["reason"].endswith(".")
    assert best["provenance"]["agent"] == "Helper"
    assert best["provenance"]["channel"] == "user_message"
    assert best["access"] == {"rule": best["access"]["rule"], "decision": "allow"}
    assert best["instruction"] is False
    assert told["policy_version"] == "retrieval/1"
    assert told["tokens"] > 0
    assert told["nonce"] != helper.post("/memories/search", QUESTION).json()["nonce"]


def test_scores_leave_with_two_digits_and_are_logged_with_six(helper: Caller, seat: str) -> None:
    told = helper.post("/memories/search", {**QUESTION, "explain": True}).json()

    logged = helper.get(f"/retrievals/{told['retrieval_id']}").json()

    numbers = [told["items"][0]["score"], *told["items"][0]["parts"].values()]
    assert all(number == round(number, 2) for number in numbers)
    entry = logged["candidates"][0]
    assert entry["memory_id"] == seat
    assert entry["returned"] is True
    assert any(number != round(number, 2) for number in entry["parts"].values())
    assert logged["subjects"] == ["user:alice"]
    assert "query" not in str(logged)


def test_who_used_a_memory_is_told(helper: Caller, seat: str) -> None:
    told = helper.post("/memories/search", QUESTION).json()

    uses = helper.get(f"/memories/{seat}/uses").json()

    assert [use["retrieval_id"] for use in uses["items"]] == [told["retrieval_id"]]
    assert uses["items"][0]["purpose"] == "assist"
    assert uses["count"] == 1


def test_a_disputed_memory_is_left_out_and_counted(helper: Caller, seat: str) -> None:
    helper.post(f"/memories/{seat}/dispute", {"reason": "wrong"})

    told = helper.post("/memories/search", QUESTION).json()

    assert seat not in {item["id"] for item in told["items"]}
    assert told["left_out"]["disputed"] == 1


def test_a_question_sent_again_is_told_from_its_log(helper: Caller, north: Organisation, seat: str) -> None:
    first = helper.post("/memories/search", QUESTION, Idempotency_Key="ask-1").json()

    again = helper.post("/memories/search", QUESTION, Idempotency_Key="ask-1")

    assert again["Idempotency-Replayed"] == "true"
    told = again.json()
    assert told["retrieval_id"] == first["retrieval_id"]
    assert [_but_reason(item) for item in told["items"]] == [_but_reason(item) for item in first["items"]]
    with tenant_scope(north.tenant.id):
        assert Retrieval.objects.count() == 1


def test_what_was_erased_since_is_not_told_again(helper: Caller, seat: str) -> None:
    helper.post("/memories/search", QUESTION, Idempotency_Key="ask-1")
    helper.delete(f"/memories/{seat}")

    again = helper.post("/memories/search", QUESTION, Idempotency_Key="ask-1")

    assert again.status_code == 200
    assert "window" not in again.content.decode()


@pytest.mark.parametrize(
    ("changed", "field"),
    [
        ({"subject": None}, "subject"),
        ({"subjects": ["user:alice"]}, "subject"),
        ({"query": ""}, "query"),
        ({"query": "\u200b"}, "query"),
        ({"query": "x" * 4001}, "query"),
        ({"purpose": None}, "purpose"),
        ({"purpose": "To help!"}, "purpose"),
        ({"k": 0}, "k"),
        ({"k": 51}, "k"),
        ({"k": "5"}, "k"),
        ({"k": True}, "k"),
        ({"kinds": ["belief"]}, "kinds[0]"),
        ({"min_score": -1}, "min_score"),
        ({"token_budget": 0}, "token_budget"),
        ({"valid_at": "2026-05-08"}, "valid_at"),
        ({"explain": "yes"}, "explain"),
        ({"user": "alice"}, "user"),
    ],
)
def test_a_question_that_is_not_well_formed_is_refused(
    helper: Caller, alice: Subject, changed: dict[str, Any], field: str
) -> None:
    answered = helper.post("/memories/search", {**QUESTION, **changed})

    assert answered.status_code == 400
    assert [error["field"] for error in answered.json()["errors"]] == [field]


@pytest.mark.parametrize("score", ["0.5", True, None])
def test_a_score_that_is_no_number_is_refused(helper: Caller, seat: str, score: object) -> None:
    answered = helper.post("/memories/search", {**QUESTION, "min_score": score})

    assert answered.status_code == 400
    assert [error["field"] for error in answered.json()["errors"]] == ["min_score"]


def test_a_missing_subject_is_never_all(helper: Caller, seat: str) -> None:
    answered = helper.post("/memories/search", {"query": "Which seat?", "purpose": "assist"})

    assert answered.status_code == 400


def test_a_subject_of_nobodys_is_the_same_404(north: Organisation, helper: Caller, seat: str) -> None:
    bound = north.caller(subject=north.subject("user:bob"))
    nobody = helper.post("/memories/search", {**QUESTION, "subject": "user:nobody"})

    foreign = bound.post("/memories/search", QUESTION)

    assert (nobody.status_code, foreign.status_code) == (404, 404)
    assert nobody.content == foreign.content


def test_low_trust_is_not_handed_out_for_an_action(north: Organisation, helper: Caller, seat: str) -> None:
    body = {"subject": "user:alice", "kind": "event", "origin": "observed", "channel": "tool"}
    helper.post("/memories", {**body, "statement": "Asked for an aisle seat on the plane to Oslo."})

    for_an_action = helper.post("/memories/search", {**QUESTION, "purpose": "action"}).json()

    assert {item["provenance"]["channel"] for item in for_an_action["items"]} <= {"user_message", "portal"}


def test_a_search_takes_at_most_twelve_statements(north: Organisation, helper: Caller, seat: str) -> None:
    caller = north.caller(channel=Channel.AGENT, scopes=[Scope.MEMORIES_READ])
    caller.post("/memories/search", QUESTION)  # reads the policies, and notes that the key is used

    with CaptureQueriesContext(connection) as captured:
        assert caller.post("/memories/search", QUESTION).status_code == 200

    # Tests run inside a transaction: the scope is a savepoint there, and its setting is taken back by a statement.
    inside = re.compile(r"(RELEASE )?SAVEPOINT|SET LOCAL app.tenant = ''")
    statements = [query["sql"] for query in captured if not inside.match(query["sql"])]
    assert len(statements) <= 12, statements


def _but_reason(item: dict[str, Any]) -> dict[str, Any]:
    """An item without its reason: the log keeps none of the words that it mentions."""
    return {name: value for name, value in item.items() if name != "reason"}
