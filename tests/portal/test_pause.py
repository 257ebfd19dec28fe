"""Pausing and resuming: one memory, an agent, a category, everything."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.utils import timezone

from accounts.actors import system
from accounts.services import create_agent
from memory_admin.memories import queries
from memory_admin.memories import services as memories
from memory_admin.memories.models import Memory, MemoryPause
from memory_admin.memories.vocabulary import PauseMode, PauseTarget, WriteResult
from memory_admin.tenancy.scope import tenant_scope
from tests.portal.cast import Larkfield, Person, found, text_of


def reaches_its_agent(larkfield: Larkfield, memory: Memory) -> bool:
    with tenant_scope(larkfield.tenant.id):
        return queries.in_use(larkfield.relay, now=timezone.now()).filter(id=memory.id).exists()


def open_pauses(larkfield: Larkfield, who: Person) -> list[MemoryPause]:
    with tenant_scope(larkfield.tenant.id):
        return queries.open_pauses([who.subject.id], now=timezone.now())


def a_day(days: int) -> str:
    return (timezone.localdate() + timedelta(days=days)).isoformat()


# one memory


def test_a_paused_memory_reaches_no_agent_and_stays_on_the_list(larkfield: Larkfield, mia: Person) -> None:
    memory = larkfield.said(mia, "Prefers the window seat")

    done = mia.post(f"/memories/{memory.id}/pause/", {"until": a_day(3)})

    assert not reaches_its_agent(larkfield, memory)
    assert "No agent uses it until" in text_of(mia.get(done["Location"]))
    page = text_of(mia.get("/"))
    assert "Prefers the window seat" in page
    assert "Paused until" in page


def test_a_memory_is_resumed_and_a_second_time_nothing_happens(larkfield: Larkfield, mia: Person) -> None:
    memory = larkfield.said(mia, "Prefers the window seat")
    mia.post(f"/memories/{memory.id}/pause/")
    (pause,) = open_pauses(larkfield, mia)

    first = mia.post(f"/pauses/{pause.id}/resume/")
    second = mia.post(f"/pauses/{pause.id}/resume/")

    assert first["Location"] == second["Location"] == f"/memories/{memory.id}/"
    assert reaches_its_agent(larkfield, memory)


def test_pausing_twice_is_one_pause_with_the_later_end(larkfield: Larkfield, mia: Person) -> None:
    memory = larkfield.said(mia, "Prefers the window seat")

    mia.post(f"/memories/{memory.id}/pause/", {"until": a_day(3)})
    mia.post(f"/memories/{memory.id}/pause/")

    assert [pause.until for pause in open_pauses(larkfield, mia)] == [None]


@pytest.mark.parametrize(
    "until", ["yesterday", "2026-02-30", a_day(0), a_day(-1), a_day(5000), "9999-12-31", "0001-01-01", "9" * 5000]
)
def test_a_day_that_cannot_be_is_refused_beside_the_field(larkfield: Larkfield, mia: Person, until: str) -> None:
    memory = larkfield.said(mia, "Prefers the window seat")

    answers = [
        mia.post(f"/memories/{memory.id}/pause/", {"until": until}),
        mia.post("/privacy/memory/", {"mode": "both", "until": until}),
        mia.post("/privacy/agents/", {"agents-was": str(larkfield.agent.id), "agents-until": until}),
    ]

    assert [answer.status_code for answer in answers] == [422] * 3
    assert all('class="error"' in answer.content.decode() for answer in answers)
    assert open_pauses(larkfield, mia) == []


def test_nobody_pauses_or_resumes_what_is_somebody_elses(larkfield: Larkfield, mia: Person, jonas: Person) -> None:
    memory = larkfield.said(mia, "Prefers the window seat")
    mia.post(f"/memories/{memory.id}/pause/")
    (pause,) = open_pauses(larkfield, mia)
    eve = found("northwind").join("Eve")

    for stranger in (jonas, eve):
        assert stranger.get(f"/memories/{memory.id}/pause/").status_code == 404
        assert stranger.post(f"/memories/{memory.id}/pause/").status_code == 404
        foreign = stranger.post(f"/pauses/{pause.id}/resume/")
        missing = stranger.post(f"/pauses/{uuid4()}/resume/")
        assert foreign.status_code == missing.status_code == 404
        assert foreign.content == missing.content
    assert len(open_pauses(larkfield, mia)) == 1


# everything


@pytest.mark.parametrize(
    ("mode", "uses", "saves", "said"),
    [
        (PauseMode.BOTH, False, False, "Memory is paused."),
        (PauseMode.USE, False, True, "Memory is not used."),
        (PauseMode.SAVE, True, False, "Nothing new is saved."),
    ],
)
def test_what_is_paused_for_all_agents_is_told_on_every_page(
    larkfield: Larkfield, mia: Person, mode: PauseMode, uses: bool, saves: bool, said: str
) -> None:
    memory = larkfield.said(mia, "Prefers the window seat")

    mia.post("/privacy/memory/", {"mode": mode})

    assert reaches_its_agent(larkfield, memory) is uses
    written = larkfield.wrote(larkfield.relay, mia, "Likes strong coffee", origin="stated").result
    assert (written == WriteResult.STORED) is saves
    for address in ("/", "/add/", "/not-saved/", "/privacy/", f"/memories/{memory.id}/"):
        assert said in text_of(mia.get(address))


def test_the_strip_turns_it_on_again(larkfield: Larkfield, mia: Person) -> None:
    memory = larkfield.said(mia, "Prefers the window seat")
    mia.post("/privacy/memory/", {"mode": "both", "until": a_day(2)})
    (pause,) = open_pauses(larkfield, mia)

    mia.post(f"/pauses/{pause.id}/resume/")

    assert reaches_its_agent(larkfield, memory)
    assert "Memory is paused" not in text_of(mia.get("/"))


def test_on_ends_what_was_paused_and_on_again_changes_nothing(larkfield: Larkfield, mia: Person) -> None:
    mia.post("/privacy/memory/", {"mode": "both"})

    for _ in range(2):
        assert mia.post("/privacy/memory/", {"mode": "on"}).status_code == 302

    assert open_pauses(larkfield, mia) == []


def test_a_pause_that_has_ended_is_told_no_more(larkfield: Larkfield, mia: Person) -> None:
    earlier = timezone.now() - timedelta(days=2)
    with tenant_scope(larkfield.tenant.id):
        memories.pause(target=PauseTarget.ALL, by=mia.actor, now=earlier, until=earlier + timedelta(days=1))

    assert "Memory is paused" not in text_of(mia.get("/"))
    mia.post("/privacy/memory/", {"mode": "both"})
    assert len(open_pauses(larkfield, mia)) == 1


@pytest.mark.parametrize("mode", ["", "off", "use'", "\N{GRINNING FACE}" * 1000])
def test_a_mode_that_does_not_exist_changes_nothing(larkfield: Larkfield, mia: Person, mode: str) -> None:
    assert mia.post("/privacy/memory/", {"mode": mode}).status_code == 422

    assert open_pauses(larkfield, mia) == []


# agents and categories


def test_an_agent_that_is_switched_off_reads_nothing_until_it_is_on(larkfield: Larkfield, mia: Person) -> None:
    memory = larkfield.said(mia, "Prefers the window seat")
    agent = str(larkfield.agent.id)

    mia.post("/privacy/agents/", {"agents-was": agent, "agents-until": a_day(9)})
    was_off = not reaches_its_agent(larkfield, memory)
    page = text_of(mia.get("/privacy/"))
    mia.post("/privacy/agents/", {"agents-on": agent})

    assert was_off
    assert "Paused by you until" in page
    assert reaches_its_agent(larkfield, memory)


def test_a_switch_that_was_not_touched_stays_as_another_page_has_set_it(larkfield: Larkfield, mia: Person) -> None:
    with tenant_scope(larkfield.tenant.id):
        by = system("tests", tenant_id=larkfield.tenant.id)
        other = create_agent(name="Support agent", by=by, now=timezone.now())
    first, second = str(larkfield.agent.id), str(other.id)
    mia.post("/privacy/agents/", {"agents-was": [first, second], "agents-on": [second]})

    # A page that was opened before still shows both switches on; only the second is touched.
    mia.post("/privacy/agents/", {"agents-was": [first, second], "agents-on": [first]})

    assert {pause.agent_id for pause in open_pauses(larkfield, mia)} == {larkfield.agent.id, other.id}


def test_an_agent_of_another_tenant_cannot_be_named(larkfield: Larkfield, mia: Person) -> None:
    foreign = found("northwind").agent

    answer = mia.post("/privacy/agents/", {"agents-was": str(foreign.id)})

    assert answer.status_code == 422
    assert open_pauses(larkfield, mia) == []


def test_a_paused_category_takes_its_memories_out_of_use(larkfield: Larkfield, mia: Person) -> None:
    trip = larkfield.said(mia, "Prefers the window seat", categories=("travel",))
    food = larkfield.said(mia, "Likes strong coffee", categories=("food",))

    mia.post("/privacy/categories/", {"categories-was": ["food", "travel"], "categories-on": ["food"]})

    assert not reaches_its_agent(larkfield, trip)
    assert reaches_its_agent(larkfield, food)
    assert "Paused with its category" in text_of(mia.get(f"/memories/{trip.id}/"))
    assert mia.post("/privacy/categories/", {"categories-was": ["made_up"]}).status_code == 422


def test_the_privacy_page_says_what_an_agent_may_do(larkfield: Larkfield, mia: Person) -> None:
    page = text_of(mia.get("/privacy/"))

    assert "Travel assistant" in page
    assert "May read and save memories about you, and have them erased when you ask it to. Sensitive ones too." in page
    assert "Read nothing." in page
