"""What is not to be remembered, the receipts, and allowing again."""

import re
from uuid import uuid4

import pytest

from memory_admin.memories.models import Tombstone
from memory_admin.memories.vocabulary import WriteResult
from memory_admin.tenancy.scope import tenant_scope
from tests.portal.cast import Larkfield, Person, found, text_of


def delete(larkfield: Larkfield, who: Person, statement: str) -> str:
    memory = larkfield.said(who, statement, quote=f"I said: {statement}")
    done = who.post(f"/memories/{memory.id}/delete/", {"keeps_out": "on"})
    return larkfield.finish(done["Location"])


def one_kept_out(larkfield: Larkfield, who: Person) -> Tombstone:
    with tenant_scope(larkfield.tenant.id):
        return Tombstone.objects.filter(subject_id=who.subject.id).order_by("id").first()  # type: ignore[return-value]


def test_a_deletion_is_listed_as_one_without_its_words(larkfield: Larkfield, mia: Person) -> None:
    receipt = delete(larkfield, mia, "Prefers the window seat")

    page = text_of(mia.get("/kept-out/"))

    assert "1 wording and 1 source" in page
    assert receipt in page
    assert page.count("Allow again") == 1
    assert "window seat" not in page


def test_what_is_allowed_again_leaves_the_list_and_can_be_learned(larkfield: Larkfield, mia: Person) -> None:
    receipt = delete(larkfield, mia, "Prefers the window seat")
    before = larkfield.wrote(larkfield.relay, mia, "Prefers the window seat", origin="stated").result
    kept_out = one_kept_out(larkfield, mia)

    done = mia.post(f"/kept-out/{kept_out.id}/allow/")

    assert before == WriteResult.BLOCKED
    assert "Nothing is kept out" in text_of(mia.get(done["Location"]))
    after = larkfield.wrote(larkfield.relay, mia, "Prefers the window seat", origin="stated").result
    assert after == WriteResult.STORED
    assert mia.post(f"/kept-out/{kept_out.id}/allow/").status_code == 404
    page = text_of(mia.get(receipt))
    assert "You let agents learn it again." in page
    assert "so that no agent learns it again" not in page
    assert mia.get(f"{receipt}receipt.json").json()["kept_from_coming_back"] is False


def test_nobody_allows_what_somebody_else_removed(larkfield: Larkfield, mia: Person, jonas: Person) -> None:
    delete(larkfield, mia, "Prefers the window seat")
    kept_out = one_kept_out(larkfield, mia)
    eve = found("northwind").join("Eve")

    for stranger in (jonas, eve):
        assert "Nothing is kept out" in text_of(stranger.get("/kept-out/"))
        foreign = stranger.post(f"/kept-out/{kept_out.id}/allow/")
        missing = stranger.post(f"/kept-out/{uuid4()}/allow/")
        assert foreign.status_code == missing.status_code == 404
        assert foreign.content == missing.content
    assert one_kept_out(larkfield, mia).lifted_at is None


def test_a_deletion_that_is_not_done_cannot_be_allowed_again(larkfield: Larkfield, mia: Person) -> None:
    memory = larkfield.said(mia, "Prefers the window seat")

    mia.post(f"/memories/{memory.id}/delete/", {"keeps_out": "on"})

    assert "Nothing is kept out" in text_of(mia.get("/kept-out/"))


def test_the_receipts_have_numbers_and_lead_to_their_pages(larkfield: Larkfield, mia: Person, jonas: Person) -> None:
    first = delete(larkfield, mia, "Prefers the window seat")
    second = delete(larkfield, mia, "Likes strong coffee")

    page = text_of(mia.get("/receipts/"))

    number = "[0-9]{3}-[0-9]{3}-[0-9]{3}"
    numbers = re.search(rf'href="{second}">({number})</a>.*href="{first}">({number})</a>', page)
    assert numbers is not None
    assert len(set(numbers.groups())) == 2
    assert numbers[1] in text_of(mia.get(second))
    assert "You have deleted nothing yet" in text_of(jonas.get("/receipts/"))


@pytest.mark.parametrize("page", ["-1", "x", "9" * 4000])
def test_a_page_that_does_not_exist_shows_the_nearest(larkfield: Larkfield, mia: Person, page: str) -> None:
    delete(larkfield, mia, "Prefers the window seat")

    for address in ("/kept-out/", "/receipts/"):
        assert "Showing 1 to 1 of 1" in text_of(mia.get(f"{address}?page={page}"))
