"""Following an invitation in a browser."""

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django.fixtures import Settings

from accounts import invitations
from accounts.actors import system
from accounts.models import Invitation, Membership, User
from accounts.queries import memberships_of, staff
from accounts.services import grant_membership
from accounts.vocabulary import Role
from memory_admin.tenancy.scope import tenant_scope
from tests.web.cast import PASSWORD, Member

FORM = {"name": "Nora", "password1": "quiet river stone", "password2": "quiet river stone"}


@pytest.fixture
def door(mia: Member) -> str:
    """The address in Nora's e-mail; Mia is the administrator who invited her."""
    with tenant_scope(mia.tenant.id):
        by = system("tests", tenant_id=mia.tenant.id)
        grant_membership(user=mia.user, roles=[Role.ADMIN], by=by, now=timezone.now())
        actor = staff(mia.user.id, memberships_of(mia.user.id)[0])
        invited = invitations.invite(
            email="nora@elsewhere.example",
            roles=[Role.PERSON],
            subject_ref="user:nora",
            by=actor,
            now=timezone.now(),
        )
        return f"/accounts/invitations/{invitations.link_of(invited)}/"


def test_the_invited_signs_up_and_is_inside(client: Client, mia: Member, door: str) -> None:
    assert "nora@elsewhere.example" in client.get(door).content.decode()

    answer = client.post(door, FORM, follow=True)

    assert answer.status_code == 200
    assert "You belong to Larkfield now" in answer.content.decode()
    assert answer.redirect_chain[-1][0] == "/"
    nora = User.objects.get(email="nora@elsewhere.example")
    assert [one.tenant_name for one in memberships_of(nora.id)] == ["Larkfield"]
    assert Client().get(door).status_code == 404


@pytest.mark.parametrize(
    ("spoiled", "says"),
    [
        ({"password1": "short", "password2": "short"}, "too short"),
        ({"password2": "something else entirely"}, "not the same"),
        ({"password1": "nora@elsewhere.example", "password2": "nora@elsewhere.example"}, "too similar"),
        ({"name": " "}, "Write the name"),
        ({"name": "x\0"}, "Null characters"),
        ({"name": "x" * 101}, "at most 100"),
    ],
)
def test_what_cannot_be_taken_is_said_and_nothing_happens(
    client: Client, mia: Member, door: str, spoiled: dict[str, str], says: str
) -> None:
    answer = client.post(door, {**FORM, **spoiled})

    assert answer.status_code == 422
    assert says in answer.content.decode()
    assert not User.objects.filter(email="nora@elsewhere.example").exists()


def test_who_has_an_account_signs_in_first_and_comes_back(client: Client, mia: Member, door: str) -> None:
    nora = User.objects.create_user("nora@elsewhere.example", PASSWORD, name="Nora")
    page = client.get(door).content.decode()
    assert "/accounts/login/?next=" in page
    assert client.post(door, FORM).status_code == 200
    nora.refresh_from_db()
    assert nora.check_password(PASSWORD)

    client.force_login(nora)
    assert "Join Larkfield" in client.get(door).content.decode()
    assert memberships_of(nora.id) == []  # reading the page joined nobody

    assert client.post(door)["Location"] == "/"
    assert len(memberships_of(nora.id)) == 1


def test_another_account_is_told_whose_it_is_not(client: Client, mia: Member, door: str) -> None:
    eve = User.objects.create_user("eve@elsewhere.example", PASSWORD)
    client.force_login(eve)

    for answer in (client.get(door), client.post(door)):
        assert answer.status_code == 403
        assert "nora@" not in answer.content.decode()
    assert memberships_of(eve.id) == []


def test_every_link_that_does_not_work_reads_the_same(client: Client, mia: Member, door: str) -> None:
    with tenant_scope(mia.tenant.id):
        Invitation.objects.update(expires_at=timezone.now())

    answers = [client.get(address) for address in (door, door.replace(":", "x"), "/accounts/invitations/x/")]

    assert {answer.status_code for answer in answers} == {404}
    assert len({answer.content for answer in answers}) == 1
    with tenant_scope(mia.tenant.id):
        assert Membership.objects.count() == 1


def test_who_comes_by_the_organisations_provider_chooses_no_password(
    client: Client, mia: Member, door: str, settings: Settings
) -> None:
    settings.SINGLE_SIGN_ON = {**settings.SINGLE_SIGN_ON, "issuer": "https://id.example", "tenant_slug": "larkfield"}
    settings.SINGLE_SIGN_ON_ALONE = True
    assert "password1" not in client.get(door).content.decode()

    assert client.post(door, {"name": "Nora"})["Location"] == "/accounts/sso/"

    assert not User.objects.get(email="nora@elsewhere.example").has_usable_password()
