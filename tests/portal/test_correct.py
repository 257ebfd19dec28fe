"""Correcting a memory on its page."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from memory_admin.memories.models import Memory, MemoryRevision
from memory_admin.memories.vocabulary import Status
from memory_admin.tenancy.scope import tenant_scope
from tests.portal.cast import Larkfield, Person


def form(memory: Memory, **changed: Any) -> dict[str, Any]:
    return {"reason": "wrong", "statement": "Prefers the aisle seat", "version": memory.version, "since": "", **changed}


def test_a_correction_is_used_from_now_on_and_the_old_words_are_history(larkfield: Larkfield, mia: Person) -> None:
    memory = larkfield.noted(mia, "Prefers the window seat")

    answer = mia.post(f"/memories/{memory.id}/correct/", form(memory))

    assert answer["Location"] == f"/memories/{memory.id}/"
    now = larkfield.reread(memory)
    assert (now.statement, now.origin, now.status) == ("Prefers the aisle seat", "stated", Status.ACTIVE)
    page = mia.get(f"/memories/{memory.id}/").content.decode()
    assert "<del>Prefers the window seat</del>" in page
    assert "You corrected it" in page


def test_a_change_keeps_the_old_memory_for_its_time(larkfield: Larkfield, mia: Person) -> None:
    memory = larkfield.said(mia, "Lives in Bergen", kind="fact", now=timezone.now() - timedelta(days=100))
    since = (timezone.now() - timedelta(days=10)).date()

    answer = mia.post(
        f"/memories/{memory.id}/correct/",
        form(memory, reason="changed", statement="Lives in Trondheim", since=since.isoformat()),
    )

    old = larkfield.reread(memory)
    assert answer["Location"] != f"/memories/{memory.id}/"
    assert old.status == Status.SUPERSEDED
    assert old.valid_to is not None
    assert old.valid_to.date() == since
    assert "Lives in Trondheim" in mia.get(answer["Location"]).content.decode()


def test_a_change_that_is_still_to_come_is_told_with_its_date(larkfield: Larkfield, mia: Person) -> None:
    memory = larkfield.said(mia, "Lives in Bergen", kind="fact", now=timezone.now() - timedelta(days=100))
    moves = (timezone.now() + timedelta(days=30)).date()

    answer = mia.post(
        f"/memories/{memory.id}/correct/",
        form(memory, reason="changed", statement="Lives in Trondheim", since=moves.isoformat()),
    )

    page = mia.get(answer["Location"]).content.decode()
    assert f"Agents use the old text until {moves:%-d %B %Y}" in page
    assert "No agent uses the old text any more" not in page
    assert larkfield.reread(memory).status == Status.ACTIVE


@pytest.mark.parametrize(
    ("since", "said"), [("9999-12-31", "more than a year from now"), ("0001-01-01", "the year 1000 or later")]
)
def test_a_change_in_no_likely_year_is_taken_for_a_mistake(
    larkfield: Larkfield, mia: Person, since: str, said: str
) -> None:
    memory = larkfield.said(mia, "Lives in Bergen", kind="fact", now=timezone.now() - timedelta(days=100))

    answer = mia.post(
        f"/memories/{memory.id}/correct/",
        form(memory, reason="changed", statement="Lives in Trondheim", since=since),
    )

    assert answer.status_code == 422
    assert said in answer.content.decode()
    assert larkfield.reread(memory).valid_to is None


def test_the_same_words_change_nothing(larkfield: Larkfield, mia: Person) -> None:
    memory = larkfield.said(mia, "Prefers the window seat")

    answer = mia.post(f"/memories/{memory.id}/correct/", form(memory, statement="Prefers the window seat"))

    assert answer.status_code == 422
    assert "Nothing changed" in answer.content.decode()
    with tenant_scope(larkfield.tenant.id):
        assert MemoryRevision.objects.filter(memory_id=memory.id).count() == 1


def test_the_same_words_in_the_lines_of_a_browser_change_nothing(larkfield: Larkfield, mia: Person) -> None:
    memory = larkfield.said(mia, "Prefers the window seat\nby day ")

    answer = mia.post(f"/memories/{memory.id}/correct/", form(memory, statement="Prefers the window seat\r\nby day"))

    assert answer.status_code == 422
    assert larkfield.reread(memory).version == 1


def test_what_is_too_long_is_told_and_stays_as_typed(larkfield: Larkfield, mia: Person) -> None:
    memory = larkfield.said(mia, "Prefers the window seat")
    typed = "abcdefghi " * 1000

    answer = mia.post(f"/memories/{memory.id}/correct/", form(memory, statement=typed))

    page = answer.content.decode()
    assert answer.status_code == 422
    assert "Keep it to 4000 characters: these are 9999." in page
    assert typed in page
    assert "maxlength" not in page


def test_the_reader_begins_at_what_is_wrong_or_at_the_preview(larkfield: Larkfield, mia: Person) -> None:
    memory = larkfield.said(mia, "Prefers the window seat")
    address = f"/memories/{memory.id}/correct/"

    answers = [mia.get(address), mia.post(address, {}), mia.post(address, form(memory, preview="yes"))]

    pages = [answer.content.decode().split("</main>")[0] for answer in answers]
    begins = [re.findall(r"<(\w+)(?=[^<>]*\sautofocus)[^<>]*>", page) for page in pages]
    assert begins == [["h1"], ["div"], ["h2"]]


def test_what_cannot_be_corrected_is_not_asked_how_it_should_read(larkfield: Larkfield, mia: Person) -> None:
    memory = larkfield.said(mia, "Went to the opera", kind="event", now=timezone.now() - timedelta(days=100))

    assert f"/memories/{memory.id}/correct/" not in mia.get("/").content.decode()
    assert mia.get(f"/memories/{memory.id}/correct/").status_code == 409


def test_a_correction_of_what_has_changed_meanwhile_keeps_both_texts(larkfield: Larkfield, mia: Person) -> None:
    memory = larkfield.said(mia, "Prefers the window seat")
    mia.post(f"/memories/{memory.id}/correct/", form(memory, statement="Prefers the seat at the door"))

    answer = mia.post(f"/memories/{memory.id}/correct/", form(memory, statement="Prefers the aisle seat"))

    page = answer.content.decode()
    assert answer.status_code == 422
    assert "It was changed since you opened it" in page
    assert "Prefers the seat at the door" in page
    assert "Prefers the aisle seat" in page
    assert 'name="version" value="2"' in page


def test_a_secret_is_refused_with_its_rule(larkfield: Larkfield, mia: Person) -> None:
    memory = larkfield.said(mia, "Prefers the window seat")

    answer = mia.post(
        f"/memories/{memory.id}/correct/", form(memory, statement="My password is correct-horse-7-battery")
    )

    assert answer.status_code == 422
    assert "Rule W-010" in answer.content.decode()
    assert larkfield.reread(memory).statement == "Prefers the window seat"


def test_a_date_before_the_memory_began_is_said_beside_its_field(larkfield: Larkfield, mia: Person) -> None:
    memory = larkfield.said(mia, "Lives in Bergen", kind="fact")

    answer = mia.post(
        f"/memories/{memory.id}/correct/", form(memory, reason="changed", statement="Lives in Oslo", since="1999-01-01")
    )

    assert answer.status_code == 422
    assert 'href="#id_since"' in answer.content.decode()


def test_an_empty_form_names_what_is_missing(larkfield: Larkfield, mia: Person) -> None:
    memory = larkfield.said(mia, "Prefers the window seat")

    answer = mia.post(f"/memories/{memory.id}/correct/", {})

    page = answer.content.decode()
    assert answer.status_code == 422
    assert 'href="#id_statement"' in page
    assert "Choose what is not right." in page


def test_a_preview_shows_what_agents_will_read_and_saves_nothing(larkfield: Larkfield, mia: Person) -> None:
    memory = larkfield.said(mia, "Prefers the window seat")

    answer = mia.post(
        f"/memories/{memory.id}/correct/",
        form(memory, statement="Prefers\nthe aisle seat, write to mia@example.org", preview="yes"),
    )

    page = answer.content.decode()
    assert answer.status_code == 200
    assert "What agents will see" in page
    assert "Prefers the aisle seat, write to" in page
    assert "Nothing is saved yet" in page
    assert larkfield.reread(memory).version == 1


def test_a_preview_of_what_is_refused_says_which_rule(larkfield: Larkfield, mia: Person) -> None:
    memory = larkfield.said(mia, "Prefers the window seat")

    answer = mia.post(
        f"/memories/{memory.id}/correct/",
        form(memory, statement="My password is correct-horse-7-battery", preview="yes"),
    )

    assert answer.status_code == 422
    assert "Rule W-010" in answer.content.decode()


def test_a_correction_that_becomes_sensitive_is_kept_only_with_the_persons_word(
    larkfield: Larkfield, mia: Person
) -> None:
    memory = larkfield.said(mia, "Prefers the window seat")
    sensitive = form(memory, statement="Has type 1 diabetes, so prefers the aisle seat")

    asked = mia.post(f"/memories/{memory.id}/correct/", sensitive)

    page = asked.content.decode()
    assert asked.status_code == 422
    assert "This is about health" in page
    assert "Has type 1 diabetes" in page
    assert larkfield.reread(memory).version == 1
    said = mia.post(f"/memories/{memory.id}/correct/", {**sensitive, "consent": "yes"})
    assert said.status_code == 302
    now = larkfield.reread(memory)
    assert (now.categories, now.status) == (["health"], Status.ACTIVE)
    again = form(now, statement="Has type 1 diabetes, and prefers the aisle seat")
    assert mia.post(f"/memories/{memory.id}/correct/", again).status_code == 302


def test_what_was_made_from_it_is_said_to_stay(larkfield: Larkfield, mia: Person) -> None:
    memory = larkfield.said(mia, "Prefers the window seat")
    larkfield.said(mia, "Books window seats early", derived_from=(memory.id,))

    page = mia.get(f"/memories/{memory.id}/correct/").content.decode()

    assert "1 memory made from this one stays as it is" in " ".join(page.split())
