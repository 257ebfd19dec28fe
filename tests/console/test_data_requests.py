"""The register of what people asked for, as privacy officers and auditors read it: no words, numbers and due dates."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.vocabulary import Role
from memory_admin.memories.models import DataRequest
from memory_admin.tenancy.scope import tenant_scope
from tests.console.cast import House
from tests.portal.cast import Person


@pytest.fixture
def asking(larkfield: House, mia: Person) -> Person:
    """Mia, who has disputed one memory, deleted another, and objects to conclusions."""
    doubted, gone = (larkfield.tenant_house.said(mia, text) for text in ("Prefers the window seat", "Drinks tea"))
    mia.post(f"/memories/{doubted.id}/dispute/", {"reason": "wrong", "words": "Never said that"})
    mia.post(f"/memories/{gone.id}/delete/")
    mia.post("/privacy/conclusions/", {"conclusions": "none"})
    return mia


def test_every_request_stands_there_and_no_words(larkfield: House, asking: Person) -> None:
    page = larkfield.hire(Role.PRIVACY_OFFICER).reads("data-requests/")

    with tenant_scope(larkfield.tenant.id):
        numbers = [one.spoken for one in DataRequest.objects.all()]
    assert len(numbers) == 3
    assert all(number in page for number in numbers)
    for told in ("Dispute of a memory", "Objection to conclusions", "Can be taken back", "1 memory", "answer by"):
        assert told in page
    for words in ("window seat", "tea", "Never said that", asking.user.email):
        assert words not in page


@pytest.mark.parametrize(
    ("query", "shown"),
    [
        ("", 3),
        ("kind=dispute", 1),
        ("kind=odd", 3),
        ("standing=open", 2),
        ("standing=done", 1),
        ("kind=export", 0),
        ("number=abc", 3),
    ],
)
def test_the_list_is_narrowed(larkfield: House, asking: Person, query: str, shown: int) -> None:
    page = larkfield.hire(Role.AUDITOR).reads(f"data-requests/?{query}")

    assert page.count("<code>user:mia</code>") == shown


def test_it_is_found_by_the_number_as_it_is_read_out(larkfield: House, asking: Person) -> None:
    with tenant_scope(larkfield.tenant.id):
        spoken = DataRequest.objects.filter(kind="dispute").get().spoken
    page = larkfield.hire(Role.PRIVACY_OFFICER).reads(f"data-requests/?number={spoken}")

    assert "Dispute of a memory" in page
    assert page.count("<code>user:mia</code>") == 1


def test_it_takes_as_many_statements_for_many_as_for_few(larkfield: House, asking: Person) -> None:
    officer = larkfield.hire(Role.PRIVACY_OFFICER)
    officer.reads("data-requests/")

    def statements() -> int:
        with CaptureQueriesContext(connection) as captured:
            officer.reads("data-requests/")
        return len(captured)

    few = statements()
    for number in range(8):
        memory = larkfield.tenant_house.said(asking, f"Likes city number {number}", kind="event")
        asking.post(f"/memories/{memory.id}/dispute/", {"reason": "wrong", "words": ""})
    assert statements() == few


def test_it_is_closed_to_others(larkfield: House) -> None:
    assert larkfield.hire(Role.DEVELOPER).get("data-requests/").status_code == 403
