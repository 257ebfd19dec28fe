"""Deleting a memory: the question, the deed, what is shown of it."""

from memory_admin.memories.models import Memory
from memory_admin.memories.vocabulary import Status
from memory_admin.tenancy.scope import tenant_scope
from tests.portal.cast import Larkfield, Person


def test_the_question_changes_nothing(larkfield: Larkfield, mia: Person) -> None:
    memory = larkfield.said(mia, "Prefers the window seat")

    page = mia.get(f"/memories/{memory.id}/delete/").content.decode()

    assert "What goes" in page
    assert larkfield.reread(memory).status == "active"


def test_a_deleted_memory_is_gone_from_every_page(larkfield: Larkfield, mia: Person) -> None:
    memory = larkfield.said(mia, "Prefers the window seat", quote="a window seat please")

    done = mia.post(f"/memories/{memory.id}/delete/")

    for address in ("/", "/not-saved/", done["Location"]):
        assert "window seat" not in mia.get(address).content.decode()
    assert mia.get(f"/memories/{memory.id}/").status_code == 404
    assert mia.post(f"/memories/{memory.id}/delete/").status_code == 404
    assert "No agent remembers anything about you yet" in mia.get("/").content.decode()


def test_the_page_of_a_deletion_tells_what_was_done_without_an_id(larkfield: Larkfield, mia: Person) -> None:
    memory = larkfield.said(mia, "Prefers the window seat")

    done = mia.post(f"/memories/{memory.id}/delete/")

    page = mia.get(done["Location"]).content.decode()
    assert "The memory is deleted" in page
    assert "1 memory, 1 version" in page
    assert str(memory.id) not in page


def test_what_was_made_from_it_goes_too(larkfield: Larkfield, mia: Person) -> None:
    memory = larkfield.said(mia, "Prefers the window seat")
    made = larkfield.noted(mia, "Likes to look out", derived_from=(memory.id,))
    mia.post(f"/memories/{made.id}/confirm/")
    larkfield.noted(mia, "Might like panorama trains", derived_from=(made.id,))

    question = mia.get(f"/memories/{memory.id}/delete/").content.decode()
    done = mia.post(f"/memories/{memory.id}/delete/")

    assert "2 memories made from it" in question
    assert "3 memories are deleted" in mia.get(done["Location"]).content.decode()
    with tenant_scope(larkfield.tenant.id):
        assert not Memory.objects.filter(subject_id=mia.subject.id).exclude(status=Status.ERASED).exists()
