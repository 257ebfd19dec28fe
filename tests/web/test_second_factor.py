"""Set up, ask for, demand and remove a second factor."""

import re
from io import StringIO

import pytest
from allauth.mfa.models import Authenticator
from django.core import mail
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone
from pytest_django.fixtures import Settings

from accounts.actors import system
from accounts.security import events_of
from accounts.services import grant_membership
from accounts.vocabulary import STAFF, Role
from memory_admin.tenancy.scope import tenant_scope
from tests.web.cast import Member
from tests.web.signing_in import code_of, set_up_app, sign_in, stored_secret

# What is noted and told waits for the end of the transaction.
pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def amara(mia: Member, settings: Settings) -> Member:
    """The same person, who is a privacy officer now, where a second factor is demanded."""
    settings.DEMAND_SECOND_FACTOR = True
    give(mia, Role.PRIVACY_OFFICER)
    return mia


def give(member: Member, *roles: Role) -> None:
    with tenant_scope(member.tenant.id):
        by = system("tests", tenant_id=member.tenant.id)
        grant_membership(user=member.user, roles=[Role.PERSON, *roles], by=by, now=timezone.now())


def kinds(member: Member) -> list[str]:
    return [event.kind for event in events_of(member.user.id, limit=20)]


def test_whoever_has_an_app_is_asked_for_a_code(client: Client, mia: Member) -> None:
    sign_in(client)
    secret = set_up_app(client)
    other = Client()

    assert sign_in(other)["Location"] == "/accounts/2fa/authenticate/"
    assert other.get("/")["Location"].startswith("/accounts/login/")
    answer = other.post("/accounts/2fa/authenticate/", {"code": code_of(secret, 1)})

    assert answer["Location"] == "/"
    assert other.get("/").status_code == 200


def test_a_wrong_code_lets_nobody_in_and_is_noted(client: Client, mia: Member) -> None:
    sign_in(client)
    set_up_app(client)
    other = Client()
    sign_in(other)

    page = other.post("/accounts/2fa/authenticate/", {"code": "000000"}).content.decode()

    assert "This code is not right" in page
    assert other.get("/").status_code == 302
    assert kinds(mia)[0] == "wrong_code"


def test_codes_cannot_be_guessed_on(client: Client, mia: Member) -> None:
    sign_in(client)
    secret = set_up_app(client)
    other = Client()
    sign_in(other)
    for _ in range(5):
        other.post("/accounts/2fa/authenticate/", {"code": "000000"})

    page = other.post("/accounts/2fa/authenticate/", {"code": code_of(secret, 1)}).content.decode()

    assert "Too many tries" in page


def test_a_code_works_once(client: Client, mia: Member) -> None:
    sign_in(client)
    secret = set_up_app(client)
    code = code_of(secret, 1)
    first, second = Client(), Client()
    sign_in(first)
    sign_in(second)

    assert first.post("/accounts/2fa/authenticate/", {"code": code}).status_code == 302
    assert second.post("/accounts/2fa/authenticate/", {"code": code}).status_code == 200


def test_the_code_that_set_an_app_up_has_worked_once(client: Client, mia: Member) -> None:
    sign_in(client)
    (secret,) = re.findall(r"<code>(\w+)</code>", client.get("/accounts/2fa/app/activate/").content.decode())
    code = code_of(secret)
    client.post("/accounts/2fa/app/activate/", {"code": code})
    other = Client()
    sign_in(other)

    assert other.post("/accounts/2fa/authenticate/", {"code": code}).status_code == 200
    assert other.get("/").status_code == 302


def test_a_recovery_code_opens_once_and_is_noted(client: Client, mia: Member) -> None:
    sign_in(client)
    set_up_app(client)
    page = client.get("/accounts/2fa/codes/").content.decode()
    codes = re.findall(r"<code>(\d{8})</code>", page)
    first, second = Client(), Client()
    sign_in(first)
    sign_in(second)

    assert len(codes) == 10
    assert first.post("/accounts/2fa/authenticate/", {"code": codes[0]}).status_code == 302
    assert second.post("/accounts/2fa/authenticate/", {"code": codes[0]}).status_code == 200
    assert "recovery_code_used" in kinds(mia)


def test_recovery_codes_are_downloaded_as_text(client: Client, mia: Member) -> None:
    sign_in(client)
    set_up_app(client)

    file = client.get("/accounts/2fa/codes/download/")

    assert "attachment" in file["Content-Disposition"]
    assert len(re.findall(r"^\d{8}$", file.content.decode(), re.MULTILINE)) == 10


def test_new_recovery_codes_end_the_old_ones(client: Client, mia: Member) -> None:
    sign_in(client)
    set_up_app(client)
    before = re.findall(r"<code>(\d{8})</code>", client.get("/accounts/2fa/codes/").content.decode())

    client.post("/accounts/2fa/codes/generate/")

    after = re.findall(r"<code>(\d{8})</code>", client.get("/accounts/2fa/codes/").content.decode())
    assert set(before).isdisjoint(after)
    assert "recovery_codes_generated" in kinds(mia)


def test_a_secret_is_stored_sealed(client: Client, mia: Member) -> None:
    sign_in(client)
    secret = set_up_app(client)

    assert secret not in stored_secret(mia.user)


def test_a_secret_sealed_with_another_key_lets_nobody_in(
    client: Client, mia: Member, monkeypatch: pytest.MonkeyPatch
) -> None:
    sign_in(client)
    secret = set_up_app(client)
    other = Client()
    sign_in(other)
    monkeypatch.setenv("FACTOR_KEY", "another key of thirty-two characters")

    assert other.post("/accounts/2fa/authenticate/", {"code": code_of(secret, 1)}).status_code == 200


def test_setting_up_is_noted_and_told_by_e_mail(client: Client, mia: Member) -> None:
    sign_in(client)

    set_up_app(client)
    client.post("/accounts/2fa/app/deactivate/")

    assert kinds(mia) == ["totp_deactivated", "totp_activated", "signed_in"]
    assert [message.subject for message in mail.outbox] == [
        "An authenticator app was set up: your account at memory_admin",
        "The authenticator app was removed: your account at memory_admin",
    ]
    assert not Authenticator.objects.exists()


def test_changing_a_second_factor_takes_a_recent_sign_in(client: Client, mia: Member) -> None:
    client.force_login(mia.user)

    asked = client.get("/accounts/2fa/app/activate/")

    assert asked["Location"].startswith("/accounts/reauthenticate/?next=")
    assert client.post("/accounts/2fa/app/activate/", {"code": "1"}).status_code == 302
    assert not Authenticator.objects.exists()


@pytest.mark.parametrize("role", sorted(STAFF))
def test_staff_set_one_up_at_the_first_sign_in(client: Client, mia: Member, settings: Settings, role: Role) -> None:
    settings.DEMAND_SECOND_FACTOR = True
    give(mia, role)
    sign_in(client)

    asked = client.get("/", follow=True)
    assert asked.redirect_chain[-1][0] == "/accounts/2fa/?next=%2F"
    assert "Your role needs a second factor before you go on" in asked.content.decode()
    set_up_app(client)

    assert client.get("/").status_code == 200


def test_a_person_and_a_developer_need_none(client: Client, mia: Member, settings: Settings) -> None:
    settings.DEMAND_SECOND_FACTOR = True
    give(mia, Role.DEVELOPER)
    sign_in(client)

    assert client.get("/").status_code == 200


def test_a_session_from_before_the_second_factor_is_asked_for_it(client: Client, amara: Member) -> None:
    before = Client()
    sign_in(before)
    sign_in(client)
    secret = set_up_app(client)

    asked = before.get("/not-saved/")
    assert asked["Location"] == "/accounts/2fa/reauthenticate/?next=%2Fnot-saved%2F"
    answer = before.post(asked["Location"], {"code": code_of(secret, 1), "next": "/not-saved/"})

    assert answer["Location"] == "/not-saved/"
    assert before.get("/not-saved/").status_code == 200


def test_staff_keep_their_last_one(client: Client, amara: Member) -> None:
    sign_in(client)
    set_up_app(client)

    page = client.get("/accounts/2fa/app/deactivate/").content.decode()
    client.post("/accounts/2fa/app/deactivate/")

    assert "Your role needs a second factor" in page
    assert Authenticator.objects.filter(type="totp").exists()


def test_an_operator_lets_somebody_in_again_who_lost_it(client: Client, mia: Member) -> None:
    sign_in(client)
    set_up_app(client)

    call_command("remove_second_factor", "Mia@larkfield.example", stdout=StringIO())

    assert client.get("/").status_code == 302
    assert sign_in(Client())["Location"] == "/"
    assert "factors_removed" in kinds(mia)
    assert mail.outbox[-1].subject.startswith("Your second factor was removed by whoever runs this service")


@pytest.mark.parametrize("email", ["nobody@larkfield.example", "mia@larkfield.example"])
def test_an_operator_is_told_that_there_is_nothing_to_remove(mia: Member, email: str) -> None:
    with pytest.raises(CommandError, match=email):
        call_command("remove_second_factor", email)
