"""Whatever people type is text: stored as text, shown as text, never a failure."""

import json
from html import unescape
from pathlib import Path
from urllib.parse import urlencode

import pytest

from tests.portal.cast import Larkfield, Person

STRINGS = Path(__file__).parents[2] / "../shared/data/naughty-strings.json"
MARKUP = ("<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "{{ 7|add:7 }}{% now 'Y' %}", "&lt;b&gt;")


@pytest.fixture(scope="module")
def strings() -> list[str]:
    assert STRINGS.exists(), f"{STRINGS} is absent: the public test data is needed here"
    found: list[str] = json.loads(STRINGS.read_text())
    return found


@pytest.mark.parametrize("statement", MARKUP)
def test_markup_is_shown_as_text(larkfield: Larkfield, mia: Person, statement: str) -> None:
    memory = larkfield.said(mia, f"Writes {statement} by hand", quote=f"I write {statement}")

    for address in (
        "/",
        f"/memories/{memory.id}/",
        f"/memories/{memory.id}/correct/",
        f"/memories/{memory.id}/delete/",
    ):
        page = mia.get(address).content.decode()
        assert statement in unescape(page)
        assert f"Writes {statement} by hand" not in page


def test_no_string_breaks_the_search_or_the_filters(larkfield: Larkfield, mia: Person, strings: list[str]) -> None:
    larkfield.said(mia, "Prefers the window seat")

    for string in strings:
        query = urlencode({"q": string, "origin": string, "status": string, "kind": string, "page": string})
        assert mia.get(f"/?{query}").status_code in (200, 400), string


def test_no_string_breaks_adding(larkfield: Larkfield, mia: Person, strings: list[str]) -> None:
    for string in strings:
        assert mia.post("/add/", {"statement": string, "kind": "fact"}).status_code in (302, 422), string

    assert mia.get("/").status_code == mia.get("/not-saved/").status_code == 200


def test_no_string_breaks_correcting_or_disputing(larkfield: Larkfield, mia: Person, strings: list[str]) -> None:
    memory = larkfield.said(mia, "Prefers the window seat")

    for string in strings[::5]:
        form = {"reason": "needs_context", "statement": string, "version": larkfield.reread(memory).version}
        assert mia.post(f"/memories/{memory.id}/correct/", form).status_code in (302, 422), string
        odd = {"reason": string, "statement": "x", "version": string, "since": string, "words": string}
        assert mia.post(f"/memories/{memory.id}/correct/", odd).status_code == 422, string
        assert mia.post(f"/memories/{memory.id}/dispute/", odd).status_code == 422, string

    assert mia.get(f"/memories/{memory.id}/").status_code == 200
