"""Confirming, rejecting and disputing."""

import re
from dataclasses import replace
from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.vocabulary import Channel
from memory_admin.memories import services as memories
from memory_admin.memories.models import Dispute
from memory_admin.memories.vocabulary import DisputeReason, PauseTarget, Status
from memory_admin.tenancy.scope import tenant_scope
from tests.portal.cast import Larkfield, Person, text_of


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


def test_nothing_is_confirmed_but_what_the_person_had_before_them(larkfield: Larkfield, mia: Person) -> None:
    importer = replace(larkfield.own, channel=Channel.IMPORT)
    memory = larkfield.wrote(importer, mia, "Holds a silver card", origin="imported", kind="fact").memory
    assert memory is not None
    address = f"/memories/{memory.id}/"
    sent = re.findall(r'/confirm/".*?name="version" value="(\d+)"', text_of(mia.get(address)))
    with tenant_scope(larkfield.tenant.id):
        memories.correct(memory_id=memory.id, statement="Holds a gold card", by=importer, now=timezone.now())

    answers = [mia.post(f"{address}confirm/", {"version": version}).status_code for version in (*sent, "x", "0")]

    assert answers == [409, 400, 400]
    assert larkfield.reread(memory).confirmed_at is None


@pytest.mark.parametrize(
    ("target", "why"),
    [
        (None, "Agents can use it from now on."),
        ("memory", "No agent uses it: you paused it."),
        ("all", "No agent uses it: you paused memory for all of them."),
    ],
)
def test_a_confirmation_promises_no_use_that_a_pause_prevents(
    larkfield: Larkfield, mia: Person, target: str | None, why: str
) -> None:
    memory = larkfield.noted(mia, "Prefers the window seat")
    with tenant_scope(larkfield.tenant.id):
        if target:
            memory_id = memory.id if target == "memory" else None
            memories.pause(target=PauseTarget(target), memory_id=memory_id, by=mia.actor, now=timezone.now())

    done = mia.post(f"/memories/{memory.id}/confirm/")

    assert f"Confirmed. {why}" in mia.get(done["Location"]).content.decode()


def test_a_memory_offers_on_its_page_what_its_row_does_and_all_of_it_can_be_had(
    larkfield: Larkfield, mia: Person
) -> None:
    importer = replace(larkfield.own, channel=Channel.IMPORT)
    imported = larkfield.wrote(importer, mia, "Holds a silver card", origin="imported", kind="fact").memory
    assert imported is not None
    asked = larkfield.noted(mia, "Might like museums")
    resting, disputed = larkfield.said(mia, "Lives by the river"), larkfield.said(mia, "Plays the cello")
    over = larkfield.said(mia, "Went to the opera", kind="event", now=timezone.now() - timedelta(days=100))
    with tenant_scope(larkfield.tenant.id):
        memories.archive(memory_id=resting.id, by=larkfield.relay, now=timezone.now())
        memories.dispute(memory_id=disputed.id, by=mia.actor, reason=DisputeReason.WRONG, now=timezone.now())
    list_page = mia.get("/").content.decode()

    for memory in (imported, asked, resting, disputed, over):
        own_page = mia.get(f"/memories/{memory.id}/").content.decode()
        verbs = rf"/memories/{memory.id}/(confirm|correct|dispute|pause|restore|delete)/"
        in_row, on_page = set(re.findall(verbs, list_page)), set(re.findall(verbs, own_page))
        assert in_row == on_page
        for verb in ("correct", "dispute", "delete"):
            status = mia.get(f"/memories/{memory.id}/{verb}/").status_code
            assert status == (200 if verb in on_page else 409), (memory.statement, verb)


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
