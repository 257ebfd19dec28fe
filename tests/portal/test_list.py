"""What agents remember about me: the whole list."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from memory_admin.memories.models import Memory
from memory_admin.tenancy.scope import tenant_scope
from tests.portal.cast import Larkfield, Person, text_of


def test_a_person_without_memories_is_told_what_will_appear(mia: Person) -> None:
    page = text_of(mia.get("/"))

    assert "No agent remembers anything about you yet" in page


def test_a_memory_shows_who_wrote_it_and_which_rule_let_it_in(larkfield: Larkfield, mia: Person) -> None:
    larkfield.said(mia, "Prefers the window seat", quote="a window seat please")

    page = text_of(mia.get("/"))

    assert "Prefers the window seat" in page
    assert "to Travel assistant" in page
    assert "“a window seat please”" in page
    assert "You said it yourself. Rule W-310 of write policy version 1." in page
    assert "Not used yet" in page


def test_the_counts_equal_the_database_and_the_filtered_lists(larkfield: Larkfield, mia: Person, jonas: Person) -> None:
    for number in range(3):
        larkfield.said(mia, f"Likes city number {number}", kind="event")
    for number in range(22):
        larkfield.noted(mia, f"Wants to see museum number {number}", kind="event")
    larkfield.said(jonas, "Likes the mountains")

    page = text_of(mia.get("/"))

    with tenant_scope(larkfield.tenant.id):
        stored = Memory.objects.filter(subject_id=mia.subject.id).count()
    assert f"<b>{stored} memories.</b>" in page
    assert "<b>3</b> you stated" in page
    assert "<b>22</b> inferred" in page
    assert "Showing 1 to 3 of 3" in text_of(mia.get("/?origin=stated"))
    assert "Showing 21 to 22 of 22" in text_of(mia.get("/?status=proposed&page=2"))
    assert "Likes the mountains" not in page


def test_what_is_no_longer_used_stays_on_the_list(larkfield: Larkfield, mia: Person) -> None:
    larkfield.said(mia, "Lives in Bergen", kind="fact", key="home", value="Bergen")
    larkfield.said(mia, "Lives in Lisbon", kind="fact", key="home", value="Lisbon")

    page = text_of(mia.get("/"))

    assert "Lives in Bergen" in page
    assert "Replaced" in page


def test_a_search_finds_words_and_treats_wildcards_as_letters(larkfield: Larkfield, mia: Person) -> None:
    larkfield.said(mia, "Prefers the window seat")

    assert "Showing 1 to 1 of 1" in text_of(mia.get("/?q=WINDOW"))
    assert "Your one memory does not match" in text_of(mia.get("/?q=%25"))


@pytest.mark.parametrize(
    "query", ["origin=made_up", "status='", "kind=%F0%9F%98%80", "page=-1", "page=" + "9" * 5000, "x=y"]
)
def test_a_filter_that_is_unknown_narrows_nothing(larkfield: Larkfield, mia: Person, query: str) -> None:
    larkfield.said(mia, "Prefers the window seat")

    assert "Prefers the window seat" in text_of(mia.get(f"/?{query}"))


def test_the_page_asks_the_database_as_often_for_one_memory_as_for_twenty(larkfield: Larkfield, mia: Person) -> None:
    larkfield.said(mia, "Likes city number one", kind="event")
    larkfield.noted(mia, "Might like museums", kind="event")
    mia.get("/")
    with CaptureQueriesContext(connection) as for_two:
        mia.get("/")
    for number in range(18):
        larkfield.said(mia, f"Likes city number {number}", kind="event", quote=f"city {number}")

    with CaptureQueriesContext(connection) as for_twenty:
        mia.get("/")

    assert len(for_twenty) == len(for_two) <= 19


def test_what_waits_is_asked_first_the_oldest_of_all(larkfield: Larkfield, mia: Person) -> None:
    larkfield.noted(mia, "Might like aisle seats", now=timezone.now() - timedelta(days=2))
    larkfield.noted(mia, "Might work from home on Fridays")

    page = text_of(mia.get("/"))

    asked = page[page.index("Is this right?") : page.index("Yes, remember it")]
    assert "Might like aisle seats" in asked
    assert "All 2 that wait for you" in asked


def test_staff_without_a_subject_are_told_so(larkfield: Larkfield, client: Any) -> None:
    from accounts.actors import system
    from accounts.models import User
    from accounts.services import grant_membership
    from accounts.vocabulary import Role

    admin = User.objects.create_user("ada@larkfield.example", None)
    with tenant_scope(larkfield.tenant.id):
        by = system("tests", tenant_id=larkfield.tenant.id)
        grant_membership(user=admin, roles=[Role.ADMIN], by=by, now=timezone.now())
    client.force_login(admin)

    assert client.get("/")["Location"] == "/console/"
    assert "not linked to a person" in text_of(client.get("/add/"))
    assert "Nothing was refused" in text_of(client.get("/not-saved/"))
