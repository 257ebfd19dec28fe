"""The pages of copies: asked for, fetched, brought in again; each only by its own person."""

import json
from io import BytesIO
from zipfile import ZipFile

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from memory_admin.lifecycle import services as lifecycle
from memory_admin.lifecycle.models import Export
from memory_admin.memories.models import Memory
from memory_admin.tenancy.scope import tenant_scope
from tests.portal.cast import Larkfield, Person, text_of
from tests.web.signing_in import let_in


@pytest.fixture
def mia(larkfield: Larkfield) -> Person:
    mia = larkfield.join("Mia")
    let_in(mia.browser, mia.user)
    return mia


def made(larkfield: Larkfield) -> Export:
    with tenant_scope(larkfield.tenant.id):
        asked = Export.objects.get(state="pending")
        lifecycle.make_export(export_id=asked.id, now=timezone.now())
        return Export.objects.get(id=asked.id)


def test_a_copy_is_asked_for_fetched_and_brought_in_by_somebody_else(
    larkfield: Larkfield, mia: Person, jonas: Person
) -> None:
    larkfield.said(mia, "Prefers the window seat")
    assert mia.post("/privacy/exports/", {"scope": "all"}).status_code == 302
    assert "Being made" in text_of(mia.get("/privacy/exports/"))
    export = made(larkfield)
    page = text_of(mia.get("/privacy/exports/"))
    assert "Ready" in page
    assert "1 memory" in page

    answer = mia.get(f"/privacy/exports/{export.id}/memories.zip")

    assert answer["Content-Disposition"] == 'attachment; filename="memories.zip"'
    (entry,) = json.loads(ZipFile(BytesIO(answer.content)).read("memories.json"))
    assert entry["statement"] == "Prefers the window seat"
    assert "You asked for a copy of your memories" in text_of(mia.get("/requests/"))
    let_in(jonas.browser, jonas.user)
    assert jonas.get(f"/privacy/exports/{export.id}/memories.zip").status_code == 404
    sent = SimpleUploadedFile("memories.zip", answer.content)
    done = jonas.browser.post("/privacy/exports/bring-in/", {"file": sent})
    assert "Brought in: 1 memory is there now." in text_of(jonas.get(done["Location"]))
    with tenant_scope(larkfield.tenant.id):
        assert Memory.objects.filter(subject_id=jonas.subject.id, statement="Prefers the window seat").count() == 1


def test_what_was_deleted_since_is_not_fetched(larkfield: Larkfield, mia: Person) -> None:
    memory = larkfield.said(mia, "Prefers the window seat")
    mia.post("/privacy/exports/", {"scope": "all"})
    export = made(larkfield)
    mia.post(f"/memories/{memory.id}/delete/", {"keeps_out": "on"})

    assert mia.get(f"/privacy/exports/{export.id}/memories.zip").status_code == 409
    assert "Removed, for something of it was deleted since" in text_of(mia.get("/privacy/exports/"))


@pytest.mark.parametrize("form", [{}, {"scope": "much"}, {"scope": "category"}, {"scope": "category", "category": "x"}])
def test_a_wish_that_makes_no_sense_is_answered_beside_the_field(mia: Person, form: dict[str, str]) -> None:
    assert mia.post("/privacy/exports/", form).status_code == 422


def test_a_file_that_is_none_is_answered_beside_the_field(mia: Person) -> None:
    for sent in ({}, {"file": SimpleUploadedFile("a.zip", b"")}, {"file": SimpleUploadedFile("a.zip", b"no zip")}):
        assert mia.browser.post("/privacy/exports/bring-in/", sent).status_code == 422
