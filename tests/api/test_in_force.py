"""A version for one agent or region decides for that agent and region alone, at every operation that asks a policy."""

from collections.abc import Callable
from typing import Any

import pytest

from accounts.models import Subject
from policies.baseline import ACCESS, RETRIEVAL, WRITE
from policies.digests import Terms
from policies.documents import (
    AccessMatch,
    AccessPolicy,
    AccessRule,
    Family,
    PolicyDocument,
    Purpose,
    RetrievalPolicy,
    WritePolicy,
    WriteRule,
)
from tests.api.cast import Caller, Organisation
from tests.in_force import put_in_force

SEAT = {"subject": "user:alice", "kind": "preference", "origin": "stated", "statement": "Prefers a window seat."}
QUESTION = {"subject": "user:alice", "query": "Which seat?", "purpose": "answer"}


def nothing_written() -> WritePolicy:
    refuses = WriteRule(id="W-001", title="Nothing is kept for now", outcome="refuse", reason="Not for now.")
    return WRITE.model_copy(update={"rules": (refuses,)})


def nothing_trusted() -> RetrievalPolicy:
    nobody = Purpose(name="other", origins=(), channels=(), minimum_confidence=0.0, confirmed_suffices=False)
    return RETRIEVAL.model_copy(update={"other_purposes": nobody})


def closed(**match: Any) -> AccessPolicy:
    rule = AccessRule(id="A-001", title="It is closed for now", match=AccessMatch(**match), decision="deny")
    return ACCESS.model_copy(update={"rules": (rule, *ACCESS.rules), "actions": ()})


def writes(caller: Caller) -> bool:
    return bool(caller.post("/memories", SEAT).status_code == 201)


def corrects(caller: Caller) -> bool:
    (memory,) = caller.get("/memories?subject=user:alice").json()["items"]
    answered = caller.patch(f"/memories/{memory['id']}", {"statement": "Prefers an aisle seat."}, If_Match="*")
    return bool(answered.status_code == 200)


def checks(caller: Caller) -> bool:
    said = caller.post("/memories/check", SEAT).json()
    return bool(said["outcome"] == "accept")


def finds(caller: Caller) -> bool:
    return bool(caller.post("/memories/search", QUESTION).json()["items"])


def lists(caller: Caller) -> bool:
    return bool(caller.get("/memories?subject=user:alice").json()["items"])


def may(caller: Caller) -> bool:
    asked = {"action": "answer_from_memory", "purpose": "answer"}
    return bool(caller.post("/decisions", asked).json()["decision"] == "allow")


EVERYWHERE: list[tuple[Family, Callable[[], PolicyDocument], Callable[[Caller], bool]]] = [
    ("write", nothing_written, writes),
    ("write", nothing_written, corrects),
    ("write", nothing_written, checks),
    ("retrieval", nothing_trusted, finds),
    ("access", closed, finds),
    ("access", closed, lists),
    ("access", closed, may),
]


@pytest.mark.parametrize(("family", "document", "works"), EVERYWHERE)
@pytest.mark.parametrize("whose", ["another agent", "another region", "this agent", "this region"])
def test_a_narrower_version_decides_in_its_scope_alone(
    north: Organisation,
    helper: Caller,
    alice: Subject,
    family: Family,
    document: Callable[[], PolicyDocument],
    works: Callable[[Caller], bool],
    whose: str,
) -> None:
    if works is not writes:
        helper.post("/memories", SEAT)
    scopes = {
        "another agent": Terms(agent_id=north.with_agent("Other").agent.id),
        "another region": Terms(region="us"),
        "this agent": Terms(agent_id=north.agent.id),
        "this region": Terms(region="eu"),
    }

    label = put_in_force(north.tenant.id, family, document(), terms=scopes[whose])

    is_decisive = whose.startswith("this")
    assert works(helper) == (not is_decisive)
    told = helper.get("/whoami").json()["policy_versions"][family]
    assert told == (label if is_decisive else f"{family}/1")


def test_what_the_access_policy_closes_is_in_no_list_at_no_address_and_in_no_profile(
    north: Organisation, helper: Caller, alice: Subject
) -> None:
    seat = helper.post("/memories", SEAT).json()
    fact = helper.post("/memories", {**SEAT, "kind": "fact", "statement": "Lives in Oslo."}).json()
    helper.put("/subjects/user:alice/profile/home", {"value": "Oslo", "kind": "preference"})

    put_in_force(north.tenant.id, "access", closed(agents=("Helper",), kinds=("preference",)))

    listed = helper.get("/memories?subject=user:alice").json()["items"]
    assert [one["id"] for one in listed] == [fact["id"]]
    nothing = helper.get("/nothing-of-this-name").content
    for path in ("", "/history", "/links"):
        assert helper.get(f"/memories/{seat['id']}{path}").content == nothing
        assert helper.get(f"/memories/{fact['id']}{path}").status_code == 200
    assert helper.get("/subjects/user:alice/profile").json()["items"] == []
    assert helper.get("/subjects/user:alice").json()["memories"] == 1
    assert len(north.with_agent("Other").caller().get("/memories?subject=user:alice").json()["items"]) == 3


def test_what_only_an_open_category_opens_is_read_and_nothing_else(
    north: Organisation, helper: Caller, alice: Subject
) -> None:
    statements = {"plain": [], "travel": ["travel"], "both": ["travel", "work"]}
    ids = {
        name: helper.post("/memories", {**SEAT, "statement": f"Statement {name}.", "categories": categories}).json()[
            "id"
        ]
        for name, categories in statements.items()
    }
    opens = AccessRule(id="A-001", title="Travel is open", match=AccessMatch(categories=("travel",)), decision="allow")

    put_in_force(north.tenant.id, "access", ACCESS.model_copy(update={"rules": (opens,)}))

    listed = helper.get("/memories?subject=user:alice").json()["items"]
    assert [one["id"] for one in listed] == [ids["travel"]]
    found = helper.post("/memories/search", {**QUESTION, "query": "Statement travel both plain"}).json()["items"]
    assert [one["id"] for one in found] == [ids["travel"]]
