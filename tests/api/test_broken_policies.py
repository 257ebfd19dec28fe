"""A policy that cannot be read lets nothing in and hands nothing out."""

from typing import Any

import pytest

from accounts.models import Subject
from memory_admin.memories.models import Memory, WriteDecision
from memory_admin.tenancy.scope import tenant_scope
from policies.baseline import BASELINE
from policies.documents import FAMILIES, Family
from policies.models import ActionDecision
from tests.api.cast import Caller, Organisation
from tests.in_force import put_in_force

SEAT = {"subject": "user:alice", "kind": "preference", "origin": "stated", "statement": "Prefers a window seat."}
BROKEN: dict[Family, dict[str, Any]] = {
    "write": {"rules": [{"id": "W-001", "outcome": "perhaps"}]},
    "retention": {"days": {}},
    "retrieval": {"weights": "heavy"},
    "access": {"default": None},
    "procedure": {"procedures": "none"},
}


def answers(caller: Caller) -> dict[str, Any]:
    """Ask for everything that a policy decides."""
    return {
        "write": caller.post("/memories", SEAT),
        "check": caller.post("/memories/check", SEAT),
        "search": caller.post("/memories/search", {"subject": "user:alice", "query": "seat", "purpose": "answer"}),
        "list": caller.get("/memories"),
        "decide": caller.post("/decisions", {"action": "answer_from_memory", "purpose": "answer"}),
        "procedures": caller.get("/procedures"),
        "procedure": caller.get("/procedures/refund"),
    }


@pytest.mark.parametrize("family", FAMILIES)
def test_what_cannot_be_read_allows_nothing(
    north: Organisation, helper: Caller, alice: Subject, family: Family
) -> None:
    helper.post("/memories", SEAT)
    put_in_force(north.tenant.id, family, {**BASELINE[family].model_dump(mode="json"), **BROKEN[family]})

    told = {name: (answered.status_code, answered.json()["code"]) for name, answered in answers(helper).items()}

    assert set(told.values()) == {(422, "refused_by_policy")}
    with tenant_scope(north.tenant.id):
        assert Memory.objects.count() == WriteDecision.objects.count() == 1
        assert not ActionDecision.objects.exists()
