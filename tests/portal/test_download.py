"""The list as a file: what matches, in its order, and no cell a formula."""

import csv
import json
import time
from io import StringIO
from typing import Any

import pytest

from tests.portal.cast import Larkfield, Person
from tests.web.signing_in import let_in


@pytest.fixture
def mia(larkfield: Larkfield) -> Person:
    mia = larkfield.join("Mia")
    let_in(mia.browser, mia.user)
    return mia


def table(answer: Any) -> list[dict[str, str]]:
    assert answer.status_code == 200
    return list(csv.DictReader(StringIO(answer.content.decode())))


def test_both_files_hold_what_the_list_shows(larkfield: Larkfield, mia: Person, jonas: Person) -> None:
    for number in range(25):
        larkfield.said(mia, f"Likes city number {number}", kind="event", quote=f"city {number}, please")
    larkfield.noted(mia, "Might like museums")
    larkfield.said(jonas, "Likes the mountains")

    rows = table(mia.get("/memories.csv?origin=stated&page=2"))
    entries = json.loads(mia.get("/memories.json?origin=stated").content)

    assert [row["statement"] for row in rows] == [f"Likes city number {number}" for number in reversed(range(25))]
    assert [entry["statement"] for entry in entries] == [row["statement"] for row in rows]
    assert (rows[0]["written_by"], rows[0]["quote"]) == ("Travel assistant", "city 24, please")
    assert len(table(mia.get("/memories.csv"))) == 26
    assert mia.get("/memories.csv")["Content-Disposition"] == 'attachment; filename="memories.csv"'
    assert "no-store" in mia.get("/memories.csv")["Cache-Control"]


@pytest.mark.parametrize(
    "statement",
    ['=HYPERLINK("http://x.example.net","open")', "+1+1", "-2+3", "@SUM(A1)", "\t=1+1", " =1+1", "＝1+1", 'a\n=1,"b"'],
)
def test_no_cell_is_a_formula_and_no_text_is_lost(larkfield: Larkfield, mia: Person, statement: str) -> None:
    memory = larkfield.said(mia, f"{statement} is what Mia typed", kind="event", quote=statement)

    row = table(mia.get("/memories.csv"))[0]

    for cell in row.values():
        assert not cell.lstrip().startswith(("=", "+", "-", "@", "＝"))
    assert row["statement"].removeprefix("'") == memory.statement
    assert json.loads(mia.get("/memories.json").content)[0]["statement"] == memory.statement


def test_nothing_remembered_is_an_empty_file(larkfield: Larkfield, mia: Person) -> None:
    assert table(mia.get("/memories.csv")) == []
    assert json.loads(mia.get("/memories.json?q=%22").content) == []


def test_who_signed_in_long_ago_is_asked_again(larkfield: Larkfield, jonas: Person) -> None:
    session = jonas.browser.session
    session["account_authentication_methods"] = [{"method": "password", "at": time.time() - 36_000}]
    session.save()

    for name in ("csv", "json"):
        answer = jonas.get(f"/memories.{name}?origin=stated")
        assert answer.status_code == 302
        assert answer["Location"].startswith("/accounts/reauthenticate/")
