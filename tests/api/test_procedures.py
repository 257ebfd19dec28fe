"""Procedures in force, as agents read them; nobody changes one by the API."""

import pytest

from accounts.vocabulary import Scope
from policies.digests import Terms
from policies.documents import Procedure, ProcedurePolicy
from tests.api.cast import Caller, Organisation, refund
from tests.in_force import put_in_force

GREETING = Procedure(
    name="greeting", title="How to greet", text="Say good day.", owner="front desk", agents=("Helper",)
)


def test_a_procedure_is_listed_and_read_with_its_version(north: Organisation, helper: Caller) -> None:
    policy = ProcedurePolicy(procedures=(*refund().procedures, GREETING))
    label = put_in_force(north.tenant.id, "procedure", policy)

    assert helper.get("/procedures").json()["items"] == [
        {"name": "greeting", "title": "How to greet", "policy_version": label},
        {"name": "refund", "title": "How refunds are paid", "policy_version": label},
    ]
    read = helper.get("/procedures/refund")
    assert read.json() == {
        "name": "refund",
        "title": "How refunds are paid",
        "text": "Ask for the receipt first.",
        "owner": "payments",
        "policy_version": label,
        "instruction": True,
    }
    put_in_force(north.tenant.id, "procedure", refund("Pay at once."))
    assert helper.get("/procedures/refund").json()["text"] == "Pay at once."
    assert helper.get("/procedures/refund")["ETag"] != read["ETag"]


def test_what_is_not_for_this_agent_is_the_same_404_as_what_does_not_exist(north: Organisation) -> None:
    put_in_force(north.tenant.id, "procedure", ProcedurePolicy(procedures=(GREETING,)))
    other = north.with_agent("Other").caller()

    assert other.get("/procedures").json()["items"] == []
    answered = other.get("/procedures/greeting")
    assert (answered.status_code, answered.content) == (404, other.get("/procedures/no_such").content)


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE"])
def test_no_agent_changes_one(north: Organisation, helper: Caller, method: str) -> None:
    put_in_force(north.tenant.id, "procedure", refund())

    for path in ("/procedures", "/procedures/refund"):
        answered = helper.call(method, path, {"text": "Pay everybody."})
        assert (answered.status_code, answered["Allow"]) == (405, "GET")
    assert helper.get("/procedures/refund").json()["text"] == "Ask for the receipt first."


def test_without_the_scope_there_is_no_list_and_no_procedure(north: Organisation) -> None:
    put_in_force(north.tenant.id, "procedure", refund())
    plain = north.caller(scopes=[Scope.MEMORIES_READ])

    assert plain.get("/procedures").status_code == 403
    assert plain.get("/procedures/refund").status_code == 404


def test_an_agent_and_a_region_of_their_own_have_procedures_of_their_own(north: Organisation, helper: Caller) -> None:
    other = north.with_agent("Other")
    put_in_force(north.tenant.id, "procedure", refund("Everywhere."))
    put_in_force(north.tenant.id, "procedure", refund("In the region."), terms=Terms(region="eu"))
    put_in_force(north.tenant.id, "procedure", refund("Elsewhere."), terms=Terms(region="us"))
    put_in_force(north.tenant.id, "procedure", refund("For the other."), terms=Terms(agent_id=other.agent.id))

    assert helper.get("/procedures/refund").json()["text"] == "In the region."
    assert other.caller().get("/procedures/refund").json()["text"] == "For the other."
