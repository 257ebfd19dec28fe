"""The retrieval log: a list, and where each candidate of one question ended."""

from typing import Any
from uuid import UUID

import pytest
from django.utils import timezone

from accounts.vocabulary import Role
from memory_admin.audit import Action
from memory_admin.audit.queries import events_of, payload_of
from memory_admin.errors import NotAllowed
from memory_admin.retrieval import services as retrieval
from memory_admin.retrieval.services import Ask, ViewReason, reveal
from memory_admin.tenancy.scope import tenant_scope
from tests.console.cast import Colleague, House, close_texts, house
from tests.portal.cast import Person

SAID = "Prefers the window seat on trains"


@pytest.fixture
def amara(larkfield: House) -> Colleague:
    return larkfield.hire(Role.PRIVACY_OFFICER)


@pytest.fixture
def asked(larkfield: House, mia: Person) -> UUID:
    for statement in (SAID, "Has a sister in Tromsø", "Drinks tea without sugar"):
        larkfield.tenant_house.said(mia, statement, kind="fact")
    with tenant_scope(larkfield.tenant.id):
        ask = Ask(subjects=["user:mia"], query="which seat on the train?", purpose="answer")
        answer = retrieval.search(ask=ask, by=larkfield.tenant_house.relay, now=timezone.now())
    return answer.retrieval_id


def test_the_list_names_who_asked_about_whom(larkfield: House, asked: UUID) -> None:
    page = larkfield.hire(Role.DEVELOPER).reads("retrievals/")

    assert "Travel assistant, about" in page
    assert "<code>user:mia</code>" in page
    assert "which seat" not in page


@pytest.mark.parametrize(
    ("query", "is_shown"),
    [("subject=user:mia", True), ("subject=user:nobody", False), ("agent={agent}", True), ("agent=x", True)],
)
def test_the_list_is_narrowed(larkfield: House, asked: UUID, query: str, is_shown: bool) -> None:
    page = larkfield.hire(Role.ADMIN).reads(f"retrievals/?{query.format(agent=larkfield.agent.id)}")

    assert (str(asked) in page) == is_shown
    assert ("The list is not narrowed by it" in page) == (query == "agent=x")


@pytest.mark.parametrize("role", [Role.DEVELOPER, Role.AUDITOR, Role.ADMIN, Role.PRIVACY_OFFICER])
def test_every_text_is_masked(larkfield: House, asked: UUID, role: Role) -> None:
    page = larkfield.hire(role).reads(f"retrievals/{asked}/")

    assert "Returned: 1" in page
    assert "below the threshold" in page
    assert "Computed again: the same" in page
    assert "it differs" not in page
    assert SAID not in page
    assert "which seat" not in page


def test_a_privacy_officer_sees_the_texts_and_is_seen(
    larkfield: House, mia: Person, asked: UUID, amara: Colleague
) -> None:
    page = amara.post(f"retrievals/{asked}/texts/", {"reason": "complaint"}).content.decode()

    assert SAID in page
    assert "“which seat on the train?”" in page
    with tenant_scope(larkfield.tenant.id):
        (event,) = events_of(mia.subject.id).filter(action=Action.CONTENT_VIEWED)
        assert event.actor == f"user:{amara.user.id}"
        seen = payload_of(event.seq)
    assert seen is not None
    assert seen["reason"] == "complaint"
    assert seen["retrieval"] == str(asked)
    assert seen["role"] == "privacy_officer"


@pytest.mark.parametrize("form", [{}, {"reason": ""}, {"reason": "curiosity"}])
def test_without_a_reason_nothing_is_shown(
    larkfield: House, mia: Person, asked: UUID, amara: Colleague, form: Any
) -> None:
    answer = amara.post(f"retrievals/{asked}/texts/", form)

    assert answer.status_code == 422
    assert SAID not in answer.content.decode()
    with tenant_scope(larkfield.tenant.id):
        assert not events_of(mia.subject.id).filter(action=Action.CONTENT_VIEWED).exists()


def test_the_access_policy_closes_the_texts_to_privacy_officers_too(
    larkfield: House, mia: Person, asked: UUID, amara: Colleague
) -> None:
    with tenant_scope(larkfield.tenant.id):
        close_texts("privacy_officer")

    answer = amara.post(f"retrievals/{asked}/texts/", {"reason": "complaint"})

    assert answer.status_code == 403
    assert "access policy closes them to your role" in amara.reads(f"retrievals/{asked}/")
    with tenant_scope(larkfield.tenant.id):
        assert not events_of(mia.subject.id).filter(action=Action.CONTENT_VIEWED).exists()


def test_what_was_erased_is_not_shown(larkfield: House, mia: Person, asked: UUID, amara: Colleague) -> None:
    memory = larkfield.tenant_house.said(mia, "Has a cat")
    with tenant_scope(larkfield.tenant.id):
        ask = Ask(subjects=["user:mia"], query="has she a cat?", purpose="answer")
        answer = retrieval.search(ask=ask, by=larkfield.tenant_house.relay, now=timezone.now())
    mia.post(f"/memories/{memory.id}/delete/")

    page = amara.post(f"retrievals/{answer.retrieval_id}/texts/", {"reason": "request"}).content.decode()

    assert "Has a cat" not in page


def test_the_service_itself_refuses_other_roles(larkfield: House, asked: UUID) -> None:
    developer = larkfield.hire(Role.DEVELOPER).actor

    with tenant_scope(larkfield.tenant.id), pytest.raises(NotAllowed):
        reveal(retrieval_id=asked, reason=ViewReason.FAULT, by=developer, now=timezone.now())


def test_the_log_of_another_tenant_is_not_there(larkfield: House, asked: UUID) -> None:
    eve = house("northwind").hire(Role.PRIVACY_OFFICER)

    assert eve.get(f"retrievals/{asked}/").status_code == 404
    assert eve.post(f"retrievals/{asked}/texts/", {"reason": "request"}).status_code == 404
    assert str(asked) not in eve.reads("retrievals/")


def test_an_empty_log_says_so(larkfield: House) -> None:
    assert "No agent has asked anything yet" in larkfield.hire(Role.ADMIN).reads("retrievals/")
