import pytest

from accounts.models import Subject
from accounts.vocabulary import Scope
from tests.api.cast import Caller, Organisation, anonymous, organisation
from tests.api.operations import Operation, no_rows, operations, rows

ALL = list(operations())
ABOUT_ROWS = [operation for operation in ALL if operation.names_a_row]
READING = [operation for operation in ABOUT_ROWS if operation.method == "GET"]


@pytest.fixture
def known(helper: Caller, alice: Subject) -> dict[str, str]:
    """Rows of alice, one for each part of an address."""
    return rows(helper, alice)


@pytest.mark.parametrize("operation", READING, ids=str)
def test_the_rows_are_there_for_the_key_they_belong_to(
    helper: Caller, known: dict[str, str], operation: Operation
) -> None:
    assert operation.call(helper, known).status_code == 200


def test_a_stranger_gets_the_same_404_as_for_what_does_not_exist(
    north: Organisation, helper: Caller, known: dict[str, str]
) -> None:
    south = organisation("south")
    bob = north.subject("user:bob")
    strangers = {
        "of another tenant": south.caller(),
        "bound to another subject": north.caller(subject=bob),
        "for tests": north.caller(is_test=True),
        "without the scope": north.caller(scopes=[Scope.CONTEXT_READ]),
    }
    nothing = helper.get(f"/memories/{no_rows()['<uuid:memory_id>']}")

    answers = {
        f"{operation} by a key {who}": operation.call(stranger, known)
        for operation in ABOUT_ROWS
        for who, stranger in strangers.items()
    }

    told = {
        name: (answered.status_code, answered.content)
        for name, answered in answers.items()
        # A procedure is about no subject: any key of its agent reads it.
        if not (
            name.startswith("GET /procedures/<str:name>") and name.endswith((" bound to another subject", " for tests"))
        )
        # A key of another organisation or for tests may put and erase a profile entry: of a subject of its own with the
        # same name.
        and not (
            name.startswith(("PUT /subjects/<str:ref>/profile/", "DELETE /subjects/<str:ref>/profile/"))
            and name.endswith((" of another tenant", " for tests"))
        )
    }
    assert {name for name, answer in told.items() if answer != (404, nothing.content)} == set()


@pytest.mark.parametrize("operation", [one for one in ABOUT_ROWS if one.method != "PUT"], ids=str)
def test_what_does_not_exist_is_the_same_404_everywhere(helper: Caller, operation: Operation) -> None:
    answered = operation.call(helper, no_rows())

    assert answered.status_code == 404
    assert answered.content == helper.get("/nothing-of-this-name").content


@pytest.mark.parametrize("operation", [one for one in ALL if one.needs_key], ids=str)
def test_without_a_key_nothing_is_answered(db: None, operation: Operation) -> None:
    path = operation.path
    for name, value in no_rows().items():
        path = path.replace(name, value)

    answered = anonymous(operation.method, f"/api/v1{path}", b"{}")

    assert answered.status_code == 401


@pytest.mark.parametrize("operation", [one for one in ALL if one.needs_key and not one.names_a_row], ids=str)
def test_a_key_without_the_scope_is_told_which_one(north: Organisation, operation: Operation) -> None:
    scope = operation.view.scope  # type: ignore[attr-defined]
    others = [held for held in Scope if held != scope]

    answered = operation.call(north.caller(scopes=others), {})

    if scope is None:
        assert answered.status_code == 200
    else:
        assert (answered.status_code, answered.json()["code"]) == (403, "scope_missing")


def test_lists_show_no_row_of_a_stranger(north: Organisation, helper: Caller, known: dict[str, str]) -> None:
    south = organisation("south")
    bob = north.subject("user:bob")
    strangers = [south.caller(), north.caller(subject=bob), north.caller(is_test=True)]

    for stranger in strangers:
        assert stranger.get("/memories").json()["items"] == []
        assert stranger.get("/retrievals").json()["items"] == []
        assert stranger.get("/memories?subject=user:alice").status_code == 404


def test_a_test_takes_no_name_from_the_living_and_the_living_none_from_a_test(
    north: Organisation, helper: Caller
) -> None:
    trial = north.caller(is_test=True)
    seat = {"kind": "preference", "origin": "stated", "statement": "Prefers the aisle seat."}
    asked = {"query": "Which seat?", "purpose": "chat"}

    for first, second, ref in ((trial, helper, "user:new-1"), (helper, trial, "user:new-2")):
        stored = [by.post("/memories", {**seat, "subject": ref}) for by in (first, second)]
        lists = [by.get(f"/memories?subject={ref}").json()["items"] for by in (first, second)]
        found = [by.post("/memories/search", {**asked, "subject": ref}).json()["items"] for by in (first, second)]

        assert [answered.status_code for answered in stored] == [201, 201]
        for items in (lists, found):
            assert [[item["id"] for item in of] for of in items] == [[one.json()["id"]] for one in stored]


def test_identical_texts_of_two_tenants_stay_apart(north: Organisation, helper: Caller, alice: Subject) -> None:
    south = organisation("south")
    other = south.caller()
    here = rows(helper, alice)
    there = rows(other, south.subject("user:alice"))

    for caller, own in ((helper, here), (other, there)):
        listed = caller.get("/memories?subject=user:alice&kind=preference").json()["items"]
        assert [item["id"] for item in listed] == [own["<uuid:memory_id>"]]


@pytest.mark.parametrize("operation", ALL, ids=str)
def test_a_method_that_an_address_does_not_take_is_refused(helper: Caller, operation: Operation) -> None:
    path = operation.path
    for name, value in no_rows().items():
        path = path.replace(name, value)

    answered = helper.call("TRACE", path)

    assert answered.status_code == 405
    assert operation.method in answered["Allow"]
    assert answered["Content-Type"] == "application/problem+json"
