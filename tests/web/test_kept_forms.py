"""What somebody typed is not lost when they have to sign in before it counts."""

from datetime import timedelta
from html import unescape
from re import findall
from typing import Any

import pytest
import time_machine
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from accounts.models import User
from accounts.vocabulary import Role
from memory_admin.memories.models import Memory
from memory_admin.tenancy.scope import tenant_scope
from memory_admin.web import kept_forms
from tests.console.cast import House, house
from tests.web.cast import PASSWORD, Member
from tests.web.signing_in import let_in, sign_in

TYPED = {"statement": "Drinks  two cups of\ntea & honey <b>at noon</b>", "kind": "preference"}


def sent_on(client: Client, page: str) -> Any:
    """Press the button of the page that shows what was kept."""
    action = findall(r'<form method="post" action="(/[^"]*)">', page)[0]
    fields = findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', page)
    return client.post(
        unescape(action), {name: unescape(value) for name, value in fields if name != "csrfmiddlewaretoken"}
    )


def statements(member: Member) -> list[str]:
    with tenant_scope(member.tenant.id):
        return list(Memory.objects.values_list("statement", flat=True))


def test_a_form_sent_after_the_session_ended_is_there_after_the_sign_in(client: Client, mia: Member) -> None:
    sign_in(client)
    client.session.delete()

    turned_away = client.post("/add/", TYPED, headers={"Referer": "http://testserver/add/?from=list"})
    asked = client.get(turned_away["Location"]).content.decode()
    assert "What you sent is kept" in asked
    back = sign_in(client, next="/accounts/kept/")
    page = client.get(back["Location"]).content.decode()

    assert back["Location"] == "/accounts/kept/"
    assert "tea &amp; honey &lt;b&gt;at noon&lt;/b&gt;" in page
    assert '<a href="/add/?from=list">this page</a>' in page
    assert statements(mia) == []
    sent_on(client, page)
    assert [text.replace("\r\n", "\n") for text in statements(mia)] == [TYPED["statement"]]


def test_nobody_else_sees_it_who_signs_in_at_the_same_browser(client: Client, mia: Member) -> None:
    User.objects.create_user("kim@example.org", PASSWORD)
    sign_in(client)
    client.session.delete()
    client.post("/add/", TYPED)

    sign_in(client, email="kim@example.org")

    assert client.get("/accounts/kept/")["Location"] == "/"


def test_another_browser_of_the_same_person_cannot_open_it(client: Client, mia: Member) -> None:
    sign_in(client)
    client.session.delete()
    client.post("/add/", TYPED)
    other = Client()
    sign_in(other)

    assert other.get("/accounts/kept/")["Location"] == "/"


def test_nothing_is_kept_for_strangers_nor_in_the_clear(client: Client, mia: Member) -> None:
    stranger = Client().post("/add/", TYPED)
    sign_in(client)
    client.session.delete()
    client.post("/add/", TYPED)

    assert stranger["Location"] == "/accounts/login/?next=%2Fadd%2F"
    assert kept_forms.KEY not in stranger.cookies
    assert b"honey" not in cache.get(kept_forms._name(str(mia.user.id)))


def test_what_is_left_is_gone(client: Client, mia: Member) -> None:
    sign_in(client)
    client.session.delete()
    client.post("/add/", TYPED, HTTP_REFERER="http://testserver/add/?from=list")
    sign_in(client)

    left = client.post("/accounts/kept/")

    assert left["Location"] == "/add/?from=list"
    assert client.get("/accounts/kept/").status_code == 302
    assert cache.get(kept_forms._name(str(mia.user.id))) is None


@pytest.mark.parametrize(
    ("came_from", "leads_to"),
    [
        ("http://testserver//evil.example/", "/"),
        ("http://testserver/\\evil.example/", "/"),
        ("http://testserver.evil.example/add/", "/"),
        ("http://[", "/"),
        ("https://testserver/add/", "/"),
    ],
)
def test_leaving_it_leads_to_no_other_host(client: Client, mia: Member, came_from: str, leads_to: str) -> None:
    sign_in(client)
    client.session.delete()
    client.post("/add/", TYPED, HTTP_REFERER=came_from)
    sign_in(client)

    assert client.post("/accounts/kept/")["Location"] == leads_to


def test_a_password_is_not_kept(mia: Member) -> None:
    browser = Client(enforce_csrf_checks=True)
    let_in(browser, mia.user)
    form = {"oldpassword": PASSWORD, "password1": "four words of mine", "csrfmiddlewaretoken": "x" * 64}

    answer = browser.post("/accounts/password/change/", form, HTTP_ORIGIN="http://testserver")

    assert answer.status_code == 403
    assert cache.get(kept_forms._name(str(mia.user.id))) is None


def test_a_part_of_a_page_leads_the_whole_page_to_the_sign_in(client: Client, mia: Member) -> None:
    answer = client.get("/", HTTP_HX_REQUEST="true", HTTP_HX_CURRENT_URL="http://testserver/not-saved/?page=2")

    assert answer["HX-Redirect"] == "/accounts/login/?next=%2Fnot-saved%2F%3Fpage%3D2"


@pytest.mark.parametrize(
    ("origin", "status"), [("http://testserver", 302), ("https://evil.example", 403), ("null", 403)]
)
def test_a_page_from_before_the_sign_in_is_asked_about_and_a_forged_one_refused(
    mia: Member, origin: str, status: int
) -> None:
    browser = Client(enforce_csrf_checks=True)
    let_in(browser, mia.user)

    answer = browser.post("/add/", {**TYPED, "csrfmiddlewaretoken": "x" * 64}, HTTP_ORIGIN=origin)

    assert answer.status_code == status
    assert (browser.get("/accounts/kept/").status_code == 200) is (status == 302)
    assert statements(mia) == []


@pytest.fixture
def larkfield(db: None) -> House:
    return house("larkfield")


def test_a_key_is_issued_shortly_after_one_proved_who_one_is(larkfield: House) -> None:
    with time_machine.travel(timezone.now(), tick=False) as clock:
        sofia = larkfield.hire(Role.ADMIN)
        sofia.user.set_password(PASSWORD)
        sofia.user.save()
        let_in(sofia.browser, sofia.user)
        page = f"agents/{larkfield.agent.id}/keys/new/"
        form = {
            "channel": "agent",
            "scopes": ["memories:read", "memories:write"],
            "key_id": "018f0000-0000-7000-8000-00000000000a",
        }
        before = len(larkfield.issued_keys())
        clock.shift(timedelta(minutes=16))

        assert sofia.get(page)["Location"].startswith("/accounts/reauthenticate/?next=%2Fconsole%2Fagents")
        asked = sofia.post(page, form)
        assert len(larkfield.issued_keys()) == before
        back = sofia.browser.post(asked["Location"], {"password": PASSWORD, "next": "/accounts/kept/"})
        kept = sofia.browser.get(back["Location"]).content.decode()
        assert 'value="memories:read"' in kept
        assert 'value="memories:write"' in kept
        sofia.post(page, form)

    assert len(larkfield.issued_keys()) == before + 1
