"""The account's own pages: devices, what happened, appearance."""

from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from allauth.usersessions.models import UserSession
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory
from django.utils import timezone

from accounts.models import SecurityEvent, User
from accounts.security import KEPT, events_of, note_event
from accounts.vocabulary import SecurityEventKind
from memory_admin.web.access import recently_signed_in
from memory_admin.web.accounts_devices import device
from tests.web.cast import PASSWORD, Member
from tests.web.signing_in import PHONE, sign_in

PAGES = ["", "sessions/", "activity/", "appearance/", "shortcuts/", "2fa/", "2fa/app/activate/", "2fa/passkeys/",
         "2fa/passkeys/add/", "password/change/", "reauthenticate/"]  # fmt: skip


@pytest.mark.parametrize("page", PAGES)
def test_a_page_has_one_heading_and_no_inline_style_or_script(client: Client, mia: Member, page: str) -> None:
    sign_in(client)

    answer = client.get(f"/accounts/{page}")

    html = answer.content.decode()
    assert answer.status_code == 200
    assert html.count("<h1") == 1
    assert "style=" not in html
    assert "<script>" not in html


def test_the_account_says_how_one_signs_in(client: Client, mia: Member) -> None:
    sign_in(client)

    page = client.get("/accounts/").content.decode()

    assert "mia@larkfield.example" in page
    assert "You signed in" in page
    assert "On this device only" in page


def test_another_device_is_signed_out_alone(client: Client, mia: Member) -> None:
    phone, tablet = Client(), Client()
    for one in (client, phone, tablet):
        sign_in(one, HTTP_USER_AGENT=PHONE if one is phone else "Mozilla/5.0 (Windows NT) Firefox/140.0")
    page = client.get("/accounts/sessions/").content.decode()
    session = UserSession.objects.get(session_key=phone.session.session_key)

    answer = client.post("/accounts/sessions/", {"session": str(session.pk)}, follow=True)

    assert "Safari on an iPhone" in page
    assert "One device is signed out." in answer.content.decode()
    assert phone.get("/").status_code == 302
    assert tablet.get("/").status_code == 200
    assert client.get("/").status_code == 200
    assert events_of(mia.user.id, limit=1)[0].kind == "session_ended"


def test_all_others_are_signed_out_and_this_one_stays(client: Client, mia: Member) -> None:
    others = [Client(), Client()]
    for one in (client, *others):
        sign_in(one)

    answer = client.post("/accounts/sessions/", {"session": "others"}, follow=True)

    assert "2 devices are signed out." in answer.content.decode()
    assert [one.get("/").status_code for one in others] == [302, 302]
    assert client.get("/").status_code == 200


@pytest.mark.parametrize("session", ["", "0", "x", "\0", "9" * 400])
def test_a_device_that_is_not_there_is_signed_out_already(client: Client, mia: Member, session: str) -> None:
    sign_in(client)

    answer = client.post("/accounts/sessions/", {"session": session}, follow=True)

    assert "signed out already" in answer.content.decode()


def test_a_device_of_somebody_else_stays_signed_in(client: Client, mia: Member) -> None:
    User.objects.create_user("kim@example.org", PASSWORD)
    kim = Client()
    sign_in(kim, email="kim@example.org")
    sign_in(client)
    session = UserSession.objects.get(session_key=kim.session.session_key)

    client.post("/accounts/sessions/", {"session": str(session.pk)})

    assert kim.get("/accounts/").status_code == 200
    assert "kim@example.org" not in client.get("/accounts/activity/").content.decode()


def test_a_changed_password_signs_other_devices_out_and_is_noted(client: Client, mia: Member) -> None:
    other = Client()
    sign_in(client)
    sign_in(other)
    new = "a new long sentence"

    client.post("/accounts/password/change/", {"oldpassword": PASSWORD, "password1": new, "password2": new})

    assert client.get("/").status_code == 200
    assert other.get("/").status_code == 302
    assert "The password was changed" in client.get("/accounts/activity/").content.decode()


def test_events_are_forgotten_after_half_a_year(mia: Member) -> None:
    now = timezone.now()
    note = {"user_id": mia.user.id, "address": "192.0.2.1", "device": "x" * 300}
    note_event(kind=SecurityEventKind.SIGNED_IN, now=now - KEPT - timedelta(seconds=1), **note)  # type: ignore[arg-type]

    note_event(kind=SecurityEventKind.PASSWORD_CHANGED, now=now, **note)  # type: ignore[arg-type]

    assert [event.kind for event in SecurityEvent.objects.all()] == ["password_changed"]
    assert len(events_of(mia.user.id, limit=1)[0].device) == 80


def test_a_theme_is_kept_by_the_browser_and_shown_on_every_page(client: Client, mia: Member) -> None:
    sign_in(client)

    answer = client.post("/accounts/appearance/", {"theme": "dark", "next": "/not-saved/", "quiet": "yes"})
    client.logout()
    client.cookies["theme"] = answer.cookies["theme"].value

    assert answer["Location"] == "/not-saved/"
    assert answer.cookies["theme"]["httponly"]
    assert 'data-theme="dark"' in client.get("/accounts/login/").content.decode()


@pytest.mark.parametrize("theme", ["", "x", '"><script>', "\0"])
def test_nonsense_for_a_theme_changes_nothing(client: Client, mia: Member, theme: str) -> None:
    sign_in(client)

    answer = client.post("/accounts/appearance/", {"theme": theme})
    client.cookies["theme"] = '"><b>'

    assert "theme" not in answer.cookies
    assert "data-theme" not in client.get("/accounts/").content.decode()


@pytest.mark.parametrize("page", ["https://evil.example/", "//evil.example", "javascript:alert(1)", "\0"])
def test_choosing_a_theme_leads_to_no_other_site(client: Client, mia: Member, page: str) -> None:
    sign_in(client)

    assert client.post("/accounts/appearance/", {"theme": "dark", "next": page})["Location"] == "/accounts/appearance/"


def test_single_keys_are_switched_off(client: Client, mia: Member) -> None:
    sign_in(client)
    assert "data-off" not in client.get("/").content.decode()

    client.post("/accounts/appearance/", {"shortcuts": "off"})

    assert "data-off" in client.get("/").content.decode()


@recently_signed_in
def _sensitive(request: HttpRequest) -> HttpResponse:
    return HttpResponse("done")


def test_what_is_sensitive_takes_a_recent_sign_in(client: Client, mia: Member, rf: RequestFactory) -> None:
    with time_machine.travel(datetime(2026, 11, 30, 12, tzinfo=UTC), tick=False) as clock:
        sign_in(client)
        request = rf.get("/erase-all/?a=1")
        request.user = mia.user
        request.session = client.session

        assert _sensitive(request).content == b"done"
        clock.shift(timedelta(minutes=16))
        asked = _sensitive(request)

    assert asked["Location"] == "/accounts/reauthenticate/?next=%2Ferase-all%2F%3Fa%3D1"


def test_after_the_password_is_given_again_one_goes_on(client: Client, mia: Member) -> None:
    client.force_login(mia.user)
    page = "/accounts/reauthenticate/?next=/not-saved/"

    wrong = client.post(page, {"password": "wrong", "next": "/not-saved/"}).content.decode()
    right = client.post(page, {"password": PASSWORD, "next": "/not-saved/"})

    assert "This is not your password" in wrong
    assert right["Location"] == "/not-saved/"
    assert client.get("/accounts/2fa/app/activate/").status_code == 200


@pytest.mark.parametrize(
    ("said", "named"),
    [
        (PHONE, "Safari on an iPhone"),
        ("Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36", "Chrome on Linux"),
        ("Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140.0", "Edge on Windows"),
        ("Mozilla/5.0 (Android 15; Mobile) Gecko/140.0 Firefox/140.0", "Firefox on Android"),
        ("curl/8.0", "An unknown device"),
        ("", "An unknown device"),
    ],
)
def test_a_browser_is_named_in_words(said: str, named: str) -> None:
    assert device(said) == named
