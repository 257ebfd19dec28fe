"""Subjects in counts, and the counts of the first page."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from accounts.models import Subject
from accounts.vocabulary import MemoryMode, Role
from memory_admin.memories.models import Memory
from memory_admin.tenancy.scope import tenant_scope
from tests.console.cast import House, house
from tests.portal.cast import Person


def figures(page: str, name: str) -> list[int]:
    """Read the numbers of one row of a table."""
    row = page[page.index(name) :].partition("</tr>")[0]
    return [int(number) for number in re.findall(r">\s*(\d+)\s*<", row)]


def test_counts_are_those_of_the_database_and_no_words_are_shown(larkfield: House, mia: Person) -> None:
    larkfield.tenant_house.said(mia, "Prefers the window seat")
    larkfield.tenant_house.said(mia, "Drinks tea")
    memory = larkfield.tenant_house.noted(mia, "Might like boats")
    mia.post(f"/memories/{memory.id}/reject/")
    larkfield.tenant_house.noted(mia, "Might like ships")

    page = larkfield.hire(Role.ADMIN).reads("subjects/")

    assert figures(page, "user:mia") == [2, 1, 1, 4]
    with tenant_scope(larkfield.tenant.id):
        assert Memory.objects.count() == 4
    assert "window seat" not in page
    assert mia.user.email not in page


def test_what_is_erased_is_not_counted(larkfield: House, mia: Person) -> None:
    memory = larkfield.tenant_house.said(mia, "Prefers the window seat")
    mia.post(f"/memories/{memory.id}/delete/")

    assert figures(larkfield.hire(Role.ADMIN).reads("subjects/"), "user:mia") == [0, 0, 0, 0]


@pytest.mark.parametrize(
    ("query", "is_shown"),
    [("q=mi", True), ("q=jo", False), ("mode=on", True), ("mode=paused", False), ("mode=odd", True), ("q=%25", False)],
)
def test_the_list_is_narrowed(larkfield: House, mia: Person, query: str, is_shown: bool) -> None:
    page = larkfield.hire(Role.REVIEWER).reads(f"subjects/?{query}")

    assert ("<code>user:mia</code>" in page) == is_shown


def test_a_paused_memory_is_told(larkfield: House, mia: Person) -> None:
    with tenant_scope(larkfield.tenant.id):
        Subject.objects.filter(id=mia.subject.id).update(memory_mode=MemoryMode.PAUSED)

    assert "Paused</span>" in larkfield.hire(Role.ADMIN).reads("subjects/")


def test_a_pause_that_is_over_is_told_and_narrowed_as_on(larkfield: House, mia: Person) -> None:
    with tenant_scope(larkfield.tenant.id):
        ended = timezone.now() - timedelta(minutes=1)
        Subject.objects.filter(id=mia.subject.id).update(memory_mode=MemoryMode.PAUSED, paused_until=ended)
    admin = larkfield.hire(Role.ADMIN)

    assert "user:mia" in admin.reads("subjects/?mode=on")
    assert "user:mia" not in admin.reads("subjects/?mode=paused")


def test_subjects_of_another_tenant_are_not_there(larkfield: House, mia: Person) -> None:
    assert "user:mia" not in house("northwind").hire(Role.ADMIN).reads("subjects/")


def test_many_subjects_take_no_more_queries(larkfield: House, django_assert_max_num_queries: Any) -> None:
    admin = larkfield.hire(Role.ADMIN)
    with tenant_scope(larkfield.tenant.id):
        Subject.objects.bulk_create([Subject(ref=f"user:u{number}") for number in range(60)])

    with django_assert_max_num_queries(22):
        admin.reads("subjects/")


def test_the_first_page_counts_what_the_role_may_look_into(larkfield: House, mia: Person) -> None:
    larkfield.tenant_house.said(mia, "Prefers the window seat")

    admin = larkfield.hire(Role.ADMIN).reads("")
    editor = larkfield.hire(Role.POLICY_EDITOR).reads("")

    assert figures(admin, "All</th>") == [1]
    assert "Recorded events" in admin
    assert "Recorded events" not in editor
    assert "Change requests" in editor
    assert "window seat" not in admin
