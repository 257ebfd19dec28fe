"""Confirming, rejecting and disputing."""

import pytest

from memory_admin.memories.models import Dispute
from memory_admin.memories.vocabulary import DisputeReason, Status
from memory_admin.tenancy.scope import tenant_scope
from tests.portal.cast import Larkfield, Person


def test_a_confirmed_memory_can_be_used(larkfield: Larkfield, mia: Person) -> None:
    memory = larkfield.noted(mia, "Prefers the window seat")

    mia.post(f"/memories/{memory.id}/confirm/")

    assert larkfield.reread(memory).status == Status.ACTIVE
    assert "Active, confirmed by you" in mia.get(f"/memories/{memory.id}/").content.decode()


def test_a_rejected_memory_stays_visible_as_not_kept(larkfield: Larkfield, mia: Person) -> None:
    memory = larkfield.noted(mia, "Prefers the window seat")

    mia.post(f"/memories/{memory.id}/reject/")

    assert larkfield.reread(memory).status == Status.REJECTED
    assert "Not kept" in mia.get("/").content.decode()


def test_a_disputed_memory_is_out_of_use_until_it_is_checked(larkfield: Larkfield, mia: Person) -> None:
    memory = larkfield.said(mia, "Prefers the window seat")

    mia.post(f"/memories/{memory.id}/dispute/", {"reason": "someone_else", "words": "That is Jonas."})

    assert larkfield.reread(memory).status == Status.DISPUTED
    with tenant_scope(larkfield.tenant.id):
        opened = Dispute.objects.get(memory_id=memory.id)
    assert (opened.reason, opened.words) == (DisputeReason.SOMEONE_ELSE, "That is Jonas.")
    assert "You said that it is wrong" in mia.get(f"/memories/{memory.id}/").content.decode()


def test_a_dispute_needs_a_reason(larkfield: Larkfield, mia: Person) -> None:
    memory = larkfield.said(mia, "Prefers the window seat")

    answer = mia.post(f"/memories/{memory.id}/dispute/", {"words": "no"})

    assert answer.status_code == 422
    assert "Choose a reason." in answer.content.decode()
    assert larkfield.reread(memory).status == Status.ACTIVE


@pytest.mark.parametrize("what", ["reject", "restore"])
def test_an_answer_that_does_not_fit_has_a_page_of_its_own(larkfield: Larkfield, mia: Person, what: str) -> None:
    memory = larkfield.said(mia, "Prefers the window seat")

    answer = mia.post(f"/memories/{memory.id}/{what}/")

    assert answer.status_code == 409
    assert "cannot be done" in answer.content.decode()


@pytest.mark.parametrize("what", ["confirm", "reject", "restore"])
def test_an_answer_is_never_given_by_a_link(larkfield: Larkfield, mia: Person, what: str) -> None:
    memory = larkfield.noted(mia, "Prefers the window seat")

    assert mia.get(f"/memories/{memory.id}/{what}/").status_code == 405
