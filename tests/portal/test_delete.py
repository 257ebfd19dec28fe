"""Deleting a memory: the question, the deed, taking it back in time, and the receipt."""

import json
import re
from uuid import UUID, uuid4

from django.utils import timezone

from memory_admin.lifecycle import services as lifecycle
from memory_admin.lifecycle.models import ErasureRequest, State
from memory_admin.memories.models import Memory
from memory_admin.memories.vocabulary import Status
from memory_admin.tenancy.scope import tenant_scope
from tests.lifecycle.erasing import let_its_time_come, run_jobs
from tests.portal.cast import Larkfield, Person, found, text_of

KEPT_OUT = {"keeps_out": "on"}


def delete(who: Person, memory: Memory) -> str:
    return str(who.post(f"/memories/{memory.id}/delete/", KEPT_OUT)["Location"])


def end_the_time_of(larkfield: Larkfield, receipt: str) -> None:
    with tenant_scope(larkfield.tenant.id):
        let_its_time_come(UUID(receipt.split("/")[2]))


def test_the_question_changes_nothing(larkfield: Larkfield, mia: Person) -> None:
    memory = larkfield.said(mia, "Prefers the window seat")

    page = mia.get(f"/memories/{memory.id}/delete/").content.decode()

    assert "What goes" in page
    assert re.search(r'href="/"\s+aria-current="true"', page), "it belongs to My memories"
    assert 'name="keeps_out" id="id_keeps_out" checked' in re.sub(r' aria-describedby="[^"]*"', "", page)
    assert larkfield.reread(memory).status == "active"


def test_a_deleted_memory_is_on_no_page_from_the_first_moment(larkfield: Larkfield, mia: Person) -> None:
    memory = larkfield.said(mia, "Prefers the window seat", quote="a window seat please")

    receipt = delete(mia, memory)

    for _ in range(2):
        for address in ("/", "/not-saved/", "/kept-out/", "/receipts/", receipt, f"{receipt}progress/"):
            assert "window seat" not in mia.get(address).content.decode()
        larkfield.finish(receipt)
    assert mia.get(f"/memories/{memory.id}/").status_code == 404
    assert mia.post(f"/memories/{memory.id}/delete/").status_code == 404
    assert "No agent remembers anything about you yet" in mia.get("/").content.decode()


def test_while_it_waits_its_address_leads_to_the_receipt_and_nothing_else_is_done(
    larkfield: Larkfield, mia: Person
) -> None:
    memory = larkfield.said(mia, "Prefers the window seat")
    receipt = delete(mia, memory)

    for answer in (
        mia.get(f"/memories/{memory.id}/"),
        mia.get(f"/memories/{memory.id}/delete/"),
        mia.post(f"/memories/{memory.id}/delete/"),
    ):
        assert answer["Location"] == receipt
    confirmed = mia.post(f"/memories/{memory.id}/confirm/")
    assert confirmed.status_code == 409
    assert "You have deleted this memory" in text_of(confirmed)
    assert receipt in text_of(mia.get("/"))


def test_a_deletion_is_undone_in_time_and_not_later(larkfield: Larkfield, mia: Person) -> None:
    memory = larkfield.said(mia, "Prefers the window seat")
    receipt = delete(mia, memory)
    assert re.search(r"You can take this back for (29|30) seconds more", text_of(mia.get(receipt)))

    undone = mia.post(f"{receipt}take-back/")
    assert "The memory is back" in text_of(mia.get(undone["Location"]))
    assert larkfield.reread(memory).status == Status.ACTIVE
    again = delete(mia, memory)
    end_the_time_of(larkfield, again)
    late = text_of(mia.get(mia.post(f"{again}take-back/")["Location"]))

    assert "It is too late to take this back" in late
    assert "The memory is being deleted" in late
    assert 'id="undo"' not in late
    assert "The memory is deleted" in text_of(mia.get(larkfield.finish(again)))
    assert (
        mia.browser.post(f"{again}take-back/", headers={"HX-Request": "true", "HX-Target": "toast-1"}).status_code
        == 409
    )


def test_within_the_list_a_deletion_is_told_beside_it(larkfield: Larkfield, mia: Person) -> None:
    memory = larkfield.said(mia, "Prefers the window seat")
    address, within = f"/memories/{memory.id}/delete/", {"HX-Request": "true", "HX-Target": "toasts"}

    listed = {"HX-Request": "true", "HX-Target": "dialog", "HX-Current-URL": "http://testserver/?q=seat"}
    asked = mia.browser.get(address, headers=listed)
    done = mia.browser.post(address, KEPT_OUT, headers=within)
    with tenant_scope(larkfield.tenant.id):
        erasure_id = ErasureRequest.objects.get().id
    undone = mia.browser.post(f"/deleted/{erasure_id}/take-back/", headers=within)

    assert "<main" not in asked.content.decode()
    assert 'hx-target="#toasts"' in asked.content.decode()
    assert 'hx-target="#toasts"' not in mia.get(address).content.decode()
    assert (done["HX-Trigger"], undone["HX-Trigger"]) == ("memories-changed", "memories-changed")
    assert "Undo" in text_of(done)
    assert "The memory is back" in text_of(undone)


def test_the_receipt_tells_what_was_done_without_an_id(larkfield: Larkfield, mia: Person) -> None:
    memory = larkfield.said(mia, "Prefers the window seat")
    receipt = delete(mia, memory)
    waiting = text_of(mia.get(f"{receipt}progress/"))

    page = text_of(mia.get(larkfield.finish(receipt)))

    assert "load delay:3s" in waiting
    assert "load delay:3s" not in page
    assert "1 memory, 1 version" in page
    assert str(memory.id) not in page
    kept = mia.get(f"{receipt}receipt.json")
    told = json.loads(kept.content)
    assert (told["state"], told["memories"], told["kept_from_coming_back"]) == (State.ERASED, 1, True)
    assert f'filename="receipt-{told["receipt"]}.json"' in kept["Content-Disposition"]
    assert "window seat" not in kept.content.decode()


def test_what_may_be_learned_again_is_said_so(larkfield: Larkfield, mia: Person) -> None:
    memory = larkfield.said(mia, "Prefers the window seat")

    receipt = larkfield.finish(mia.post(f"/memories/{memory.id}/delete/")["Location"])

    assert "You chose that agents may learn it again" in text_of(mia.get(receipt))
    assert "fingerprint" not in text_of(mia.get(receipt))
    assert larkfield.wrote(larkfield.relay, mia, "Prefers the window seat", origin="stated").result == "stored"


def test_one_that_takes_too_long_says_so_and_is_tried_again(larkfield: Larkfield, mia: Person) -> None:
    receipt = delete(mia, larkfield.said(mia, "Prefers the window seat"))
    with tenant_scope(larkfield.tenant.id):
        ErasureRequest.objects.update(due_at="2026-01-01T00:00Z")

    page = text_of(mia.get(receipt))
    assert "This takes longer than it should" in page
    assert "shows it any more" in page
    assert mia.post(f"{receipt}try-again/")["Location"] == receipt


def test_what_was_made_from_it_and_says_the_same_goes_too(larkfield: Larkfield, mia: Person) -> None:
    memory = larkfield.said(mia, "Prefers the window seat")
    larkfield.said(mia, "prefers the window seat", kind="event")
    made = larkfield.noted(mia, "Likes to look out", derived_from=(memory.id,))
    mia.post(f"/memories/{made.id}/confirm/")
    larkfield.noted(mia, "Might like panorama trains", derived_from=(made.id,))

    question = text_of(mia.get(f"/memories/{memory.id}/delete/"))
    receipt = larkfield.finish(delete(mia, memory))

    assert "2 memories made from it" in question
    assert "1 more that says the same" in question
    assert "5 versions in all" in question
    assert "4 memories are deleted" in text_of(mia.get(receipt))
    with tenant_scope(larkfield.tenant.id):
        assert not Memory.objects.filter(subject_id=mia.subject.id).exclude(status=Status.ERASED).exists()


def test_the_receipts_of_others_do_not_exist(larkfield: Larkfield, mia: Person, jonas: Person) -> None:
    receipt = delete(mia, larkfield.said(mia, "Prefers the window seat"))
    missing = f"/deleted/{uuid4()}/"

    for stranger in (jonas, found("northwind").join("Eve")):
        for part in ("", "progress/", "receipt.json"):
            assert stranger.get(f"{receipt}{part}").status_code == 404
            assert stranger.get(f"{receipt}{part}").content == stranger.get(f"{missing}{part}").content
        for part in ("take-back/", "try-again/"):
            assert stranger.post(f"{receipt}{part}").status_code == 404


def test_everything_is_erased_after_a_typed_word(larkfield: Larkfield, mia: Person, jonas: Person) -> None:
    mine = [larkfield.said(mia, words) for words in ("Prefers the window seat", "Likes tea")]
    theirs = larkfield.said(jonas, "Prefers the window seat")
    assert "Erase everything" in text_of(mia.get("/privacy/"))
    page = mia.get("/privacy/erase-everything/")
    assert "All 2 memories about you" in text_of(page)

    for typed in ("", "yes"):
        refused = mia.post("/privacy/erase-everything/", {"typed": typed})
        assert (refused.status_code, "Type erase, or keep everything." in text_of(refused)) == (422, True)
    assert {larkfield.reread(memory).status for memory in mine} == {"active"}

    receipt = mia.post("/privacy/erase-everything/", {"typed": " Erase "})["Location"]
    assert mia.post("/privacy/erase-everything/", {"typed": "erase"})["Location"] == receipt, "the one that runs"

    assert {larkfield.reread(memory).status for memory in mine} == {"erasing"}
    assert larkfield.reread(theirs).status == "active"
    assert "Everything is being deleted" in text_of(mia.get(receipt))


def test_a_step_that_failed_is_named_and_can_be_retried(larkfield: Larkfield, mia: Person) -> None:
    receipt = delete(mia, larkfield.said(mia, "Prefers the window seat"))
    end_the_time_of(larkfield, receipt)
    erasure_id = UUID(receipt.split("/")[2])
    with tenant_scope(larkfield.tenant.id):
        run_jobs(erasure_id)
        ErasureRequest.objects.update(trouble="found_in_index", looks=1, next_look_at=timezone.now())

    page = text_of(mia.get(receipt))

    assert "partly done" in page
    assert "Something is still in the search index, out of use." in page
    assert "Retry now" in page
    mia.post(f"{receipt}try-again/", {})
    with tenant_scope(larkfield.tenant.id):
        lifecycle.verify(erasure_id=erasure_id, now=timezone.now())
    assert "In 5 ways: nothing found." in text_of(mia.get(receipt))
