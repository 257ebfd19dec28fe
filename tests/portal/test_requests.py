"""My requests: the number, how it stands, the answer, and what the person can do about it."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django.utils import timezone

from accounts.actors import system
from accounts.models import User
from accounts.queries import memberships_of
from accounts.queries import staff as staff_actor
from accounts.services import grant_membership
from accounts.vocabulary import Role
from memory_admin.memories.models import DataRequest, Dispute, Memory, RefusalReview
from memory_admin.memories.vocabulary import Remedy
from memory_admin.reviews import services
from memory_admin.tenancy.scope import tenant_scope
from tests.portal.cast import Larkfield, Person, found

SAID = "Prefers the window seat"


def disputed(larkfield: Larkfield, mia: Person, statement: str = SAID) -> tuple[Memory, str]:
    """Let Mia dispute a memory on its page, and give the address of her request."""
    memory = larkfield.said(mia, statement)
    sent = mia.post(f"/memories/{memory.id}/dispute/", {"reason": "wrong", "words": "Never said so."})
    return memory, str(sent["Location"])


def answered(larkfield: Larkfield, memory: Memory, *, remedy: Remedy | None = None, answer: str = "") -> None:
    now = timezone.now()
    with tenant_scope(larkfield.tenant.id):
        by = system("tests", tenant_id=larkfield.tenant.id)
        user = User.objects.create_user("rosa@larkfield.example", None, name="Rosa")
        grant_membership(user=user, roles=[Role.REVIEWER, Role.PRIVACY_OFFICER], by=by, now=now)
        rosa = staff_actor(user.id, memberships_of(user.id)[0])
        dispute = Dispute.objects.get(memory_id=memory.id)
        terms: dict[str, Any] = {"dispute_id": dispute.id, "version": 2, "answer": answer, "by": rosa, "now": now}
        services.uphold(remedy=remedy, **terms) if remedy else services.turn_down(**terms)


def test_a_dispute_leads_to_its_request_with_number_and_date(larkfield: Larkfield, mia: Person) -> None:
    memory, address = disputed(larkfield, mia)

    page = mia.get(address).content.decode()

    with tenant_scope(larkfield.tenant.id):
        request = DataRequest.objects.get()
    assert address == f"/requests/{request.id}/"
    assert all(words in page for words in (request.spoken, SAID, "Never said so.", "Being checked", "answer by"))
    assert request.spoken in mia.get("/requests/").content.decode()
    assert address in mia.get(f"/memories/{memory.id}/").content.decode()


def test_a_dispute_is_taken_back(larkfield: Larkfield, mia: Person) -> None:
    memory, address = disputed(larkfield, mia)
    assert "It is right after all" in mia.get(address).content.decode()

    mia.post(f"/memories/{memory.id}/confirm/")

    assert larkfield.reread(memory).status == "active"
    assert "Taken back" in mia.get(address).content.decode()


def test_not_upheld_says_why_until_when_and_what_can_be_done(larkfield: Larkfield, mia: Person) -> None:
    memory, address = disputed(larkfield, mia)
    answered(larkfield, memory, answer="You wrote it in May.")

    page = mia.get(address).content.decode()
    assert all(
        words in page
        for words in ("It stays as it is", "You wrote it in May.", "they use it again", "rosa@larkfield.example")
    )
    secret = mia.post(f"{address}statement/", {"statement": "My password is hunter2zebra"})
    assert (secret.status_code, "password, key or code" in secret.content.decode()) == (422, True)
    mia.post(f"{address}statement/", {"statement": "I never sit there."})

    assert "I never sit there." in mia.get(f"/memories/{memory.id}/").content.decode()
    with tenant_scope(larkfield.tenant.id):
        dispute = Dispute.objects.get()
        services.lift_restriction(dispute_id=dispute.id, now=timezone.now() + timedelta(days=8))
    assert larkfield.reread(memory).status == "active"
    assert "they use it again" not in mia.get(address).content.decode()


def test_upheld_says_what_was_done_and_an_erased_text_is_nowhere(larkfield: Larkfield, mia: Person) -> None:
    memory, address = disputed(larkfield, mia)
    answered(larkfield, memory, remedy=Remedy.ERASED)

    page = mia.get(address).content.decode()
    listed = mia.get("/requests/").content.decode()

    assert "You were right: it is erased" in page
    assert SAID not in page + listed
    assert "Deletion of 1 memory" in listed
    assert mia.post(f"{address}statement/", {"statement": "x"}).status_code == 409


def test_what_the_person_deletes_is_a_request_too_and_closes_the_dispute(larkfield: Larkfield, mia: Person) -> None:
    memory, address = disputed(larkfield, mia)

    deleted = mia.post(f"/memories/{memory.id}/delete/")
    before, listed = mia.get(address).content.decode(), mia.get("/requests/").content.decode()
    larkfield.finish(deleted["Location"])

    assert all("The memory was deleted" in page for page in (before, listed, mia.get(address).content.decode()))
    assert SAID not in before + listed
    with tenant_scope(larkfield.tenant.id):
        erasure = DataRequest.objects.get(kind="erasure")
    assert mia.get(f"/requests/{erasure.id}/")["Location"] == deleted["Location"]


def test_a_review_is_asked_for_once_and_answered(larkfield: Larkfield, mia: Person) -> None:
    refused = larkfield.wrote(
        larkfield.own, mia, "For this letter use the blue template", kind="instruction", origin="inferred"
    )
    asking = f"/not-saved/{refused.decision_id}/review/"
    assert asking in mia.get("/not-saved/").content.decode()
    assert "blue template" in mia.get(asking).content.decode()

    secret = mia.post(asking, {"words": "The password is hunter2zebra"})
    sent = mia.post(asking, {"words": "I always want it."})
    again = mia.post(asking, {"words": "Really."})

    assert secret.status_code == 422
    assert again["Location"] == sent["Location"]
    with tenant_scope(larkfield.tenant.id):
        assert RefusalReview.objects.get().words == "I always want it."
    assert "You asked for a review" in mia.get("/not-saved/").content.decode()
    assert "Being checked" in mia.get(sent["Location"]).content.decode()


def test_what_was_not_kept_cannot_be_looked_at_again(larkfield: Larkfield, mia: Person) -> None:
    refused = larkfield.wrote(larkfield.own, mia, "My password is hunter2zebra", origin="inferred")
    asking = f"/not-saved/{refused.decision_id}/review/"

    assert asking not in mia.get("/not-saved/").content.decode()
    assert mia.get(asking).status_code == mia.post(asking, {"words": ""}).status_code == 409


def test_requests_are_ones_own(larkfield: Larkfield, mia: Person, jonas: Person) -> None:
    _, address = disputed(larkfield, mia)
    refused = larkfield.wrote(
        larkfield.own, mia, "For this letter use the blue template", kind="instruction", origin="inferred"
    )

    for stranger in (jonas, found("northwind").join("Mallory")):
        assert stranger.get(address).status_code == 404
        assert stranger.post(f"{address}statement/", {"statement": "x"}).status_code == 404
        assert stranger.get(f"/not-saved/{refused.decision_id}/review/").status_code == 404
        assert stranger.post(f"/not-saved/{refused.decision_id}/review/").status_code == 404
        assert "You have asked for nothing yet" in stranger.get("/requests/").content.decode()


def test_many_requests_take_no_more_queries(
    larkfield: Larkfield, mia: Person, django_assert_max_num_queries: Callable[..., Any]
) -> None:
    for number in range(5):
        disputed(larkfield, mia, f"Has been to place number {number}")

    with django_assert_max_num_queries(24):
        mia.get("/requests/")
