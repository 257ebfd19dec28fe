"""Who looked: each view that staff had, with its role and its reason, and the name only where the tenant shows it."""

import pytest
from django.utils import timezone

from accounts import linking, members
from accounts.models import Membership
from accounts.vocabulary import Role
from memory_admin.audit import queries as trail
from memory_admin.retrieval import services as retrieval
from memory_admin.retrieval.models import Retrieval
from memory_admin.tenancy.scope import tenant_scope
from tests.console.cast import Colleague, House
from tests.portal.cast import Larkfield, Person


@pytest.fixture
def house(larkfield: Larkfield) -> House:
    return House(larkfield)


@pytest.fixture
def looked(house: House, mia: Person) -> Colleague:
    """A privacy officer who read Mia's memories to check a complaint."""
    larkfield, officer = house.tenant_house, house.hire(Role.PRIVACY_OFFICER)
    larkfield.said(mia, "Prefers the window seat")
    asked = retrieval.Ask(subjects=["user:mia"], purpose="answer", query="which seat?")
    with tenant_scope(larkfield.tenant.id):
        retrieval.search(ask=asked, by=larkfield.relay, now=timezone.now())
        found = Retrieval.objects.get()
        retrieval.reveal(
            retrieval_id=found.id, reason=retrieval.ViewReason.COMPLAINT, by=officer.actor, now=timezone.now()
        )
    return officer


def page(who: Person) -> str:
    answer = who.get("/who-looked/")
    assert answer.status_code == 200
    return str(answer.content.decode())


def test_a_view_is_told_by_role_and_reason(mia: Person, looked: Colleague) -> None:
    told = page(mia)

    assert "Privacy officer" in told
    assert "To check a complaint" in told
    assert "1 memory" in told
    assert looked.user.name not in told
    assert looked.user.email not in told
    assert "window seat" not in told


def test_the_name_is_told_where_the_organisation_shows_it(house: House, mia: Person, looked: Colleague) -> None:
    admin = house.hire(Role.ADMIN)
    with tenant_scope(house.tenant.id):
        members.show_staff_names(shown=True, by=admin.actor, now=timezone.now())

    assert f"{looked.user.name}, privacy officer" in page(mia)


def test_views_of_somebody_else_are_not_listed(jonas: Person, looked: Colleague) -> None:
    assert "Nobody has looked" in page(jonas)


def test_a_view_stays_when_its_particulars_are_gone(house: House, mia: Person, looked: Colleague) -> None:
    from memory_admin import audit

    with tenant_scope(house.tenant.id):
        seqs = trail.payloads_on([mia.subject.id])
        audit.erase_payloads(seqs=seqs, by=house.by, at=timezone.now())

    told = page(mia)

    assert "The reason was removed" in told
    assert "Not told any more" in told


def test_who_was_let_in_is_told(house: House, mia: Person) -> None:
    admin = house.hire(Role.ADMIN)
    with tenant_scope(house.tenant.id):
        membership = Membership.objects.get(user=mia.user)
        linking.unlink(membership_id=membership.id, by=admin.actor, now=timezone.now())
        linking.link(membership_id=membership.id, ref="user:mia", by=admin.actor, now=timezone.now())

    told = page(mia)

    assert "An account was linked" in told
    assert "An account was unlinked" in told
    assert "Your account" in told
