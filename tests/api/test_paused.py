from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from accounts.actors import Actor
from accounts.models import Subject
from accounts.vocabulary import Channel, MemoryMode
from memory_admin.memories import services as memories
from memory_admin.memories.vocabulary import PauseMode, PauseTarget
from memory_admin.tenancy.scope import tenant_scope
from tests.api.cast import Caller, Organisation

QUESTION = {"subject": "user:alice", "query": "Which time zone?", "purpose": "assist"}


@pytest.fixture
def entry(helper: Caller, alice: Subject) -> dict[str, Any]:
    put = helper.put("/subjects/user:alice/profile/timezone", {"value": "Europe/Oslo"})
    told: dict[str, Any] = put.json()
    return told


def _handed_out(caller: Caller, entry: dict[str, Any]) -> list[bool]:
    """Tell by which of the four ways the entry still reaches the agent."""
    listed = caller.get("/memories?subject=user:alice").json()["items"]
    profile = caller.get("/subjects/user:alice/profile").json()["items"]
    found = caller.post("/memories/search", QUESTION).json()["items"]
    return [
        caller.get(f"/memories/{entry['id']}").status_code == 200,
        *(entry["id"] in {item["id"] for item in items} for items in (listed, profile, found)),
    ]


def test_what_is_not_paused_reaches_an_agent_by_every_way(helper: Caller, entry: dict[str, Any]) -> None:
    assert _handed_out(helper, entry) == [True] * 4


def test_what_is_paused_is_nothing_an_agent_can_read_about_or_change(
    north: Organisation, alice: Subject, helper: Caller, entry: dict[str, Any]
) -> None:
    with tenant_scope(north.tenant.id):
        memories.pause(target=PauseTarget.MEMORY, memory_id=entry["id"], by=_person(north, alice), now=timezone.now())

    at = f"/memories/{entry['id']}"
    newer = {"kind": "fact", "statement": "Lives in the time zone of Lima.", "origin": "stated"}
    answered = [
        *(helper.get(f"{at}/{about}") for about in ("history", "links", "uses")),
        helper.patch(at, {"statement": "Lives in the time zone of Lima."}, If_Match='"1"'),
        helper.post(f"{at}/confirm", {}),
        helper.post(f"{at}/dispute", {"reason": "wrong"}),
        helper.post(f"{at}/supersede", newer),
    ]

    assert [one.status_code for one in answered] == [404] * 7


@pytest.mark.parametrize("target", [PauseTarget.ALL, PauseTarget.AGENT, PauseTarget.MEMORY])
def test_what_a_person_paused_reaches_an_agent_by_no_way(
    north: Organisation, alice: Subject, helper: Caller, entry: dict[str, Any], target: PauseTarget
) -> None:
    names: dict[str, Any] = {
        PauseTarget.ALL: {},
        PauseTarget.AGENT: {"agent_id": north.agent.id},
        PauseTarget.MEMORY: {"memory_id": entry["id"]},
    }[target]

    with tenant_scope(north.tenant.id):
        memories.pause(target=target, by=_person(north, alice), now=timezone.now(), **names)

    assert _handed_out(helper, entry) == [False] * 4


def test_a_paused_category_reaches_no_agent(north: Organisation, alice: Subject, helper: Caller) -> None:
    about = {"subject": "user:alice", "kind": "preference", "origin": "stated"}
    hikes = helper.post("/memories", {**about, "statement": "Prefers long hikes.", "categories": ["hobbies"]}).json()
    seat = helper.post("/memories", {**about, "statement": "Prefers a window seat.", "categories": ["travel"]}).json()

    with tenant_scope(north.tenant.id):
        now = timezone.now()
        memories.pause(target=PauseTarget.CATEGORY, category="travel", by=_person(north, alice), now=now)

    assert [item["id"] for item in helper.get("/memories?subject=user:alice").json()["items"]] == [hikes["id"]]
    assert helper.get(f"/memories/{seat['id']}").status_code == 404


def test_a_pause_of_saving_or_one_that_is_over_keeps_nothing_from_agents(
    north: Organisation, alice: Subject, helper: Caller, entry: dict[str, Any]
) -> None:
    with tenant_scope(north.tenant.id):
        by, now = _person(north, alice), timezone.now()
        memories.pause(target=PauseTarget.ALL, mode=PauseMode.SAVE, by=by, now=now)
        over = memories.pause(
            target=PauseTarget.MEMORY, memory_id=entry["id"], until=now + timedelta(days=1), by=by, now=now
        )
        memories.resume(pause_id=over.id, by=by, now=now)

    assert _handed_out(helper, entry) == [True] * 4


@pytest.mark.parametrize("mode", [MemoryMode.PAUSED, MemoryMode.SAVE_ONLY])
def test_a_mode_without_use_keeps_everything_from_agents(
    north: Organisation, alice: Subject, helper: Caller, entry: dict[str, Any], mode: MemoryMode
) -> None:
    with tenant_scope(north.tenant.id):
        Subject.objects.filter(id=alice.id).update(memory_mode=mode)

    assert _handed_out(helper, entry) == [False] * 4


def _person(north: Organisation, subject: Subject) -> Actor:
    return Actor(kind="person", tenant_id=north.tenant.id, channel=Channel.PORTAL, subject_id=subject.id, name="alice")
