"""Sorting and narrowing the list, and doing something about many memories at once."""

import re
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.utils import timezone

from memory_admin.memories.models import Memory, MemoryPause
from memory_admin.memories.vocabulary import GONE, Status
from memory_admin.tenancy.scope import tenant_scope
from tests.portal.cast import Larkfield, Person, found, text_of


def listed(answer: Any) -> list[str]:
    return re.findall(r'<label class="vh" for="pick-[^"]+">Select: ([^<]+)</label>', answer.content.decode())


def used(larkfield: Larkfield, memory: Memory, count: int, days_ago: int) -> None:
    with tenant_scope(larkfield.tenant.id):
        at = timezone.now() - timedelta(days=days_ago)
        Memory.objects.filter(id=memory.id).update(use_count=count, last_used_at=at)


def seen(question: Any) -> str:
    (value,) = re.findall(r'name="seen" value="([0-9a-f]{64})"', question.content.decode())
    return str(value)


def answer(who: Person, address: str, **form: Any) -> Any:
    """Open a question and answer it."""
    return who.post(address, {"seen": seen(who.get(address)), **form})


def ids(*memories: Memory) -> str:
    return "&".join(f"id={memory.id}" for memory in memories)


def living(larkfield: Larkfield, who: Person) -> set[str]:
    with tenant_scope(larkfield.tenant.id):
        found = Memory.objects.filter(subject_id=who.subject.id).exclude(status__in=GONE)
        return set(found.values_list("statement", flat=True))


# the list


def test_the_list_is_sorted_as_asked(larkfield: Larkfield, mia: Person) -> None:
    soon = timezone.now() + timedelta(days=3)
    often = larkfield.said(mia, "Likes strong coffee")
    once = larkfield.said(mia, "Prefers the window seat")
    larkfield.said(mia, "Plays chess on Mondays", expires_at=soon)
    used(larkfield, often, 5, days_ago=9)
    used(larkfield, once, 1, days_ago=2)

    chess, window, coffee = "Plays chess on Mondays", "Prefers the window seat", "Likes strong coffee"
    assert listed(mia.get("/")) == [chess, window, coffee]
    assert listed(mia.get("/?sort=used")) == [coffee, window, chess]
    assert listed(mia.get("/?sort=unused")) == [chess, window, coffee]
    assert listed(mia.get("/?sort=expiring"))[0] == chess
    assert listed(mia.get("/?sort='")) == [chess, window, coffee]


def test_the_list_is_narrowed_by_category_agent_and_use(larkfield: Larkfield, mia: Person) -> None:
    trip = larkfield.said(mia, "Prefers the window seat", categories=("travel",))
    mia.post("/add/", {"statement": "Likes strong coffee", "kind": "preference"})
    used(larkfield, trip, 1, days_ago=9)

    only_trip, only_coffee = ["Prefers the window seat"], ["Likes strong coffee"]
    assert listed(mia.get("/?category=travel")) == only_trip
    assert listed(mia.get(f"/?agent={larkfield.agent.id}")) == only_trip
    assert listed(mia.get("/?used=month")) == only_trip
    assert listed(mia.get("/?used=never")) == only_coffee
    assert listed(mia.get("/?used=week")) == []
    assert len(listed(mia.get(f"/?category=made_up&agent={uuid4()}&used=x"))) == 2


def test_what_is_paused_can_be_listed(larkfield: Larkfield, mia: Person) -> None:
    memory = larkfield.said(mia, "Prefers the window seat")
    larkfield.said(mia, "Plays chess", categories=("games",))
    larkfield.said(mia, "Likes strong coffee")
    mia.post(f"/memories/{memory.id}/pause/")
    mia.post("/privacy/categories/", {"categories-was": ["games"]})

    assert listed(mia.get("/?status=paused")) == ["Plays chess", "Prefers the window seat"]
    assert 'Paused <span class="num">2</span>' in text_of(mia.get("/"))


def test_the_other_stranger_is_not_offered_as_a_filter(larkfield: Larkfield, mia: Person, jonas: Person) -> None:
    larkfield.said(mia, "Prefers the window seat", categories=("travel",))
    larkfield.said(jonas, "Likes the mountains", categories=("secret_hobby",))

    assert "Secret hobby" not in text_of(mia.get("/"))


# deleting many


def test_a_question_names_what_goes_and_changes_nothing(larkfield: Larkfield, mia: Person) -> None:
    first = larkfield.said(mia, "Prefers the window seat")
    made = larkfield.noted(mia, "Likes to look out", derived_from=(first.id,))
    second = larkfield.said(mia, "Likes strong coffee")

    page = text_of(mia.get(f"/selected/delete/?{ids(first, second)}"))

    assert "Delete 2 memories?" in page
    assert "Prefers the window seat" in page
    assert "1 more memory made from them" in page
    assert living(larkfield, mia) == {first.statement, second.statement, made.statement}


def test_the_ticked_ones_go_and_the_others_stay(larkfield: Larkfield, mia: Person) -> None:
    first, second, _ = (larkfield.said(mia, f"Likes city number {number}") for number in range(3))

    done = answer(mia, f"/selected/delete/?{ids(first, second)}")

    assert "2 memories are being deleted" in text_of(mia.get(done["Location"]))
    assert "2 memories are deleted" in text_of(mia.get(larkfield.finish(done["Location"])))
    assert living(larkfield, mia) == {"Likes city number 2"}


def test_all_that_match_go_when_their_number_is_typed(larkfield: Larkfield, mia: Person) -> None:
    for number in range(26):
        larkfield.said(mia, f"Likes city number {number}", kind="event")
    larkfield.said(mia, "Prefers the window seat")
    address = "/selected/delete/?all=yes&kind=event"

    untyped, mistyped = answer(mia, address), answer(mia, address, typed="27")
    stayed = len(living(larkfield, mia))
    done = answer(mia, address, typed=" 26 ")

    assert (untyped.status_code, mistyped.status_code, stayed) == (422, 422, 27)
    assert "26 memories are being deleted" in text_of(mia.get(done["Location"]))
    assert living(larkfield, mia) == {"Prefers the window seat"}


def test_what_came_meanwhile_is_asked_about_anew(larkfield: Larkfield, mia: Person) -> None:
    larkfield.said(mia, "Likes strong coffee")
    address = "/selected/delete/?all=yes"
    before = seen(mia.get(address))
    larkfield.said(mia, "Prefers the window seat")

    answered = mia.post(address, {"seen": before})

    assert answered.status_code == 409
    assert "The list has changed" in text_of(answered)
    assert "Delete 2 memories?" in text_of(answered)
    assert len(living(larkfield, mia)) == 2
    assert mia.post(address, {"seen": seen(answered)}).status_code == 302
    assert living(larkfield, mia) == set()


@pytest.mark.parametrize("do", ["delete", "pause", "resume"])
@pytest.mark.parametrize("query", ["", "id=", "id=x", f"id={UUID(int=7)}", "all=yes&q=nothing", "id=" + "9" * 4000])
def test_a_selection_of_nothing_changes_nothing(larkfield: Larkfield, mia: Person, do: str, query: str) -> None:
    larkfield.said(mia, "Prefers the window seat")

    for answered in (mia.get(f"/selected/{do}/?{query}"), mia.post(f"/selected/{do}/?{query}", {"seen": "x"})):
        assert answered.status_code == 302
        assert answered["Location"] == "/"

    assert "none of your memories was selected" in text_of(mia.get("/"))
    assert living(larkfield, mia) == {"Prefers the window seat"}


@pytest.mark.parametrize("do", ["delete", "pause"])
def test_what_is_somebody_elses_is_in_no_selection(larkfield: Larkfield, mia: Person, jonas: Person, do: str) -> None:
    hers, his = larkfield.said(mia, "Prefers the window seat"), larkfield.said(jonas, "Likes the mountains")
    eve = found("northwind").join("Eve")

    assert mia.get(f"/selected/{do}/?{ids(his)}")["Location"] == "/"
    assert eve.get(f"/selected/{do}/?{ids(his, hers)}")["Location"] == "/"
    answer(mia, f"/selected/{do}/?{ids(hers, his)}")

    assert larkfield.reread(his).status == Status.ACTIVE
    with tenant_scope(larkfield.tenant.id):
        assert not MemoryPause.objects.filter(memory_id=his.id).exists()


# pausing many


def test_the_ticked_ones_are_paused_and_resumed(larkfield: Larkfield, mia: Person) -> None:
    first, second = (larkfield.said(mia, f"Likes city number {number}") for number in range(2))
    waiting = larkfield.noted(mia, "Might like museums")
    until = (timezone.localdate() + timedelta(days=4)).isoformat()

    question = text_of(mia.get(f"/selected/pause/?{ids(first, second, waiting)}"))
    answer(mia, f"/selected/pause/?{ids(first, second, waiting)}", until=until)

    assert "Pause 2 memories" in question
    assert len(listed(mia.get("/?status=paused"))) == 2
    answer(mia, f"/selected/resume/?{ids(first)}")
    assert listed(mia.get("/?status=paused")) == ["Likes city number 1"]


def test_a_day_that_has_passed_is_refused(larkfield: Larkfield, mia: Person) -> None:
    memory = larkfield.said(mia, "Prefers the window seat")

    refused = answer(mia, f"/selected/pause/?{ids(memory)}", until="2020-01-01")

    assert refused.status_code == 422
    assert "Choose a day that is still to come" in text_of(refused)
