"""The page of notices, and what comes by e-mail."""

import pytest
from django.test import Client
from django.utils import timezone

from accounts import notices
from accounts.actors import system
from accounts.models import Notice
from accounts.services import create_tenant, grant_membership
from accounts.vocabulary import NoticeKind, Role
from memory_admin.tenancy.scope import tenant_scope
from tests.web.cast import Member


@pytest.fixture
def notice(mia: Member, client: Client) -> Notice:
    client.force_login(mia.user)
    with tenant_scope(mia.tenant.id):
        notices.tell(kind=NoticeKind.DISPUTE_ANSWERED, user_ids=[mia.user.id], path="/privacy/", now=timezone.now())
        return Notice.objects.get()


def address(notice: Notice) -> str:
    return f"/accounts/notices/{notice.tenant_id}/{notice.id}/"


def test_a_notice_is_counted_everywhere_until_it_was_followed(client: Client, notice: Notice) -> None:
    assert '1<span class="vh"> unread notice</span>' in client.get("/").content.decode()
    assert "Your dispute is answered" in client.get("/accounts/notices/").content.decode()

    assert client.get(address(notice))["Location"] == "/privacy/"

    assert "unread notice" not in client.get("/").content.decode()


def test_all_are_marked_as_read_at_once(client: Client, notice: Notice) -> None:
    client.post("/accounts/notices/", {"read": "all"})

    with tenant_scope(notice.tenant_id):
        assert Notice.objects.get().read_at is not None


def test_a_notice_of_another_organisation_goes_there(client: Client, mia: Member, notice: Notice) -> None:
    other = create_tenant(slug="aberdeen", name="Aberdeen", now=timezone.now())
    with tenant_scope(other.id):
        by = system("tests", tenant_id=other.id)
        grant_membership(user=mia.user, roles=[Role.PERSON], by=by, now=timezone.now())
    assert "Aberdeen" in client.get("/").content.decode()

    client.get(address(notice))

    assert client.session["tenant"] == str(notice.tenant_id)


def test_a_notice_of_somebody_else_is_not_there(client: Client, mia: Member, notice: Notice) -> None:
    other = create_tenant(slug="northwind", name="Northwind", now=timezone.now())
    foreign = client.get(f"/accounts/notices/{other.id}/{notice.id}/")
    missing = client.get(f"/accounts/notices/{notice.tenant_id}/{mia.user.id}/")

    assert foreign.status_code == missing.status_code == 404
    assert foreign.content == missing.content


def test_what_comes_by_mail_is_chosen_and_the_rest_stays(client: Client, mia: Member, notice: Notice) -> None:
    page = client.get("/accounts/notices/").content.decode()
    assert "review_waiting" not in page
    assert "your dispute is answered" in page
    assert "somebody was let in" not in page

    client.post("/accounts/notices/", {"kinds": ["nonsense", "roles_changed"]})

    mia.user.refresh_from_db()
    assert mia.user.unmailed == ["erasure_done"]
