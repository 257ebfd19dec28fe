"""Sign in, stay out, ask for a new password."""

import re

import pytest
from django.core import mail
from django.test import Client
from django.utils import timezone
from pytest_django.fixtures import Settings

from accounts.models import User
from accounts.services import create_tenant
from tests.web.cast import PASSWORD, Member
from tests.web.signing_in import sign_in


def test_a_page_sends_strangers_to_the_sign_in_and_back(client: Client, mia: Member) -> None:
    turned_away = client.get("/not-saved/?page=2")

    assert turned_away.status_code == 302
    signed_in = client.post(
        turned_away["Location"], {"login": "mia@larkfield.example", "password": PASSWORD, "next": "/not-saved/?page=2"}
    )
    assert signed_in["Location"] == "/not-saved/?page=2"


def test_the_address_may_be_written_in_capitals(client: Client, mia: Member) -> None:
    answer = client.post("/accounts/login/", {"login": " Mia@Larkfield.example", "password": PASSWORD})

    assert answer.status_code == 302


def test_a_wrong_password_and_an_unknown_address_read_the_same(client: Client, mia: Member) -> None:
    wrong = client.post("/accounts/login/", {"login": "mia@larkfield.example", "password": "another one"})
    unknown = client.post("/accounts/login/", {"login": "mio@larkfield.example", "password": "another one"})

    assert _heading(wrong) == _heading(unknown) == "The e-mail or password is not right"


def test_the_fields_name_themselves_to_a_password_manager(client: Client, db: None) -> None:
    page = client.get("/accounts/login/").content.decode()

    assert 'autocomplete="username"' in page
    assert 'autocomplete="current-password"' in page


def test_an_empty_form_links_each_error_to_its_field(client: Client, db: None) -> None:
    page = client.post("/accounts/login/", {}).content.decode()

    assert 'href="#id_login"' in page
    assert 'href="#id_password"' in page


def test_nobody_makes_an_account_by_themselves(client: Client, db: None) -> None:
    client.post("/accounts/signup/", {"email": "eve@example.org", "password1": PASSWORD, "password2": PASSWORD})

    assert "by invitation" in client.get("/accounts/signup/").content.decode()
    assert not User.objects.exists()


def test_a_forgotten_password_is_set_anew_by_a_link_that_works_once(client: Client, mia: Member) -> None:
    client.post("/accounts/password/reset/", {"email": "mia@larkfield.example"})
    link = re.search(r"http://testserver(\S+)", str(mail.outbox[0].body))
    assert link is not None

    form = client.get(link[1], follow=True)
    client.post(form.redirect_chain[-1][0], {"password1": "a new long sentence", "password2": "a new long sentence"})

    assert client.login(email="mia@larkfield.example", password="a new long sentence")
    assert "does not work any more" in Client().get(link[1]).content.decode()


def test_asking_for_a_new_password_does_not_tell_who_has_an_account(client: Client, mia: Member) -> None:
    known = client.post("/accounts/password/reset/", {"email": "mia@larkfield.example"}, follow=True)
    unknown = client.post("/accounts/password/reset/", {"email": "mio@larkfield.example"}, follow=True)

    assert known.content == unknown.content


def test_a_mail_server_that_is_down_fails_nothing_and_tells_nobody(
    client: Client, mia: Member, settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    settings.EMAIL_BACKEND, settings.EMAIL_PORT = "django.core.mail.backends.smtp.EmailBackend", 9

    known, unknown = (
        client.post("/accounts/password/reset/", {"email": f"{name}@larkfield.example"}, follow=True)
        for name in ("mia", "mio")
    )
    client.force_login(mia.user)
    form = {"oldpassword": PASSWORD, "password1": "a new long sentence", "password2": "a new long sentence"}
    changed = client.post("/accounts/password/change/", form, follow=True)

    assert (known.status_code, known.content) == (200, unknown.content)
    assert "Your password is changed." in changed.content.decode()
    assert [record.message for record in caplog.records] == ["An e-mail about a sign-in was not sent."] * 3


def test_a_changed_password_is_asked_for_from_then_on(client: Client, mia: Member) -> None:
    client.force_login(mia.user)
    form = {"oldpassword": PASSWORD, "password1": "a new long sentence", "password2": "a new long sentence"}

    account = client.post("/accounts/password/change/", form, follow=True)

    assert "Your password is changed." in account.content.decode()
    assert not Client().login(email="mia@larkfield.example", password=PASSWORD)
    assert Client().login(email="mia@larkfield.example", password="a new long sentence")


def test_a_password_is_not_changed_by_somebody_who_does_not_know_it(client: Client, mia: Member) -> None:
    client.force_login(mia.user)
    form = {"oldpassword": "a guess", "password1": "a new long sentence", "password2": "a new long sentence"}

    answer = client.post("/accounts/password/change/", form)

    assert 'href="#id_oldpassword"' in answer.content.decode()
    assert Client().login(email="mia@larkfield.example", password=PASSWORD)


@pytest.mark.parametrize(
    "page",
    ["email", "reauthenticate/code", "confirm-email", "password/reset/confirm", "2fa/passkeys/signup", "2fa/trust"],
)
def test_no_page_of_another_look_is_reachable(client: Client, mia: Member, page: str) -> None:
    client.force_login(mia.user)

    assert client.get(f"/accounts/{page}/").status_code == 404


def test_a_new_secret_key_leaves_sessions_alive_while_the_old_one_counts(
    client: Client, mia: Member, settings: Settings
) -> None:
    absent = Client()
    sign_in(client)
    sign_in(absent)
    settings.SECRET_KEY_FALLBACKS, settings.SECRET_KEY = [settings.SECRET_KEY], "another key of thirty-two characters"

    assert client.get("/").status_code == 200
    settings.SECRET_KEY_FALLBACKS = []
    assert client.get("/").status_code == 200
    assert absent.get("/").status_code == 302


def test_signing_out_takes_a_press_of_a_button(client: Client, mia: Member) -> None:
    client.login(email="mia@larkfield.example", password=PASSWORD)

    assert "Sign out?" in client.get("/accounts/logout/").content.decode()
    client.post("/accounts/logout/")
    assert client.get("/").status_code == 302


def test_an_account_without_an_organisation_is_told_so(client: Client, db: None) -> None:
    client.force_login(User.objects.create_user("kim@example.org", PASSWORD))

    answer = client.get("/")

    assert answer.status_code == 403
    assert "belongs to no organisation" in answer.content.decode()


def test_choosing_a_tenant_of_somebody_else_changes_nothing(client: Client, mia: Member) -> None:
    foreign = create_tenant(slug="northwind", name="Northwind", now=timezone.now())
    client.login(email="mia@larkfield.example", password=PASSWORD)

    client.post("/tenant/", {"tenant": str(foreign.id)})

    page = client.get("/").content.decode()
    assert "Larkfield" in page
    assert "Northwind" not in page


@pytest.mark.parametrize("tenant", ["", "x", "\0", "1" * 5000])
def test_choosing_nonsense_for_a_tenant_changes_nothing(client: Client, mia: Member, tenant: str) -> None:
    client.login(email="mia@larkfield.example", password=PASSWORD)

    assert client.post("/tenant/", {"tenant": tenant}).status_code == 302


def _heading(answer: object) -> str:
    found = re.search(r'id="errors-h">\s*(.*?)\s*</h2>', answer.content.decode())  # type: ignore[attr-defined]
    assert found is not None
    return found[1]
