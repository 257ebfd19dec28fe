"""Nobody sees or touches what is somebody else's."""

from uuid import UUID, uuid4

import pytest
from django.test import Client

from memory_admin.memories.vocabulary import Status
from tests.portal.cast import Larkfield, Person, found

READ = ("", "correct/", "dispute/", "pause/", "delete/")
DO = ("confirm/", "reject/", "restore/", "correct/", "dispute/", "pause/", "delete/")
FORM = {"reason": "wrong", "statement": "Mine now", "version": 1}


@pytest.mark.parametrize("page", READ)
def test_the_memory_of_another_person_reads_like_one_that_never_was(
    larkfield: Larkfield, mia: Person, jonas: Person, page: str
) -> None:
    memory = larkfield.said(mia, "Prefers the window seat")

    foreign = jonas.get(f"/memories/{memory.id}/{page}")
    missing = jonas.get(f"/memories/{uuid4()}/{page}")

    assert foreign.status_code == missing.status_code == 404
    assert foreign.content == missing.content


@pytest.mark.parametrize("page", DO)
def test_another_person_changes_nothing(larkfield: Larkfield, mia: Person, jonas: Person, page: str) -> None:
    memory = larkfield.noted(mia, "Prefers the window seat")

    assert jonas.post(f"/memories/{memory.id}/{page}", FORM).status_code == 404

    assert larkfield.reread(memory).status == Status.PROPOSED


@pytest.mark.parametrize("page", [*READ, "confirm/"])
def test_another_tenant_finds_nothing(larkfield: Larkfield, mia: Person, page: str) -> None:
    memory = larkfield.said(mia, "Prefers the window seat")
    eve = found("northwind").join("Eve")

    assert (eve.post if page == "confirm/" else eve.get)(f"/memories/{memory.id}/{page}").status_code == 404


def test_what_came_of_a_deletion_is_shown_to_its_person_alone(larkfield: Larkfield, mia: Person, jonas: Person) -> None:
    memory = larkfield.said(mia, "Prefers the window seat")
    done = mia.post(f"/memories/{memory.id}/delete/")["Location"]

    assert jonas.get(done).status_code == 404


@pytest.mark.parametrize(
    "address",
    [
        "/",
        "/add/",
        "/not-saved/",
        "/privacy/",
        "/kept-out/",
        "/receipts/",
        *(f"/memories/{UUID(int=7)}/{page}" for page in READ),
    ],
)
def test_who_is_not_signed_in_is_sent_to_the_door(larkfield: Larkfield, client: Client, address: str) -> None:
    answer = client.get(address)

    assert answer.status_code == 302
    assert answer["Location"].startswith("/accounts/login/?next=")
