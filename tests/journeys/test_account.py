"""A person protects their sign-in and uses the keyboard."""

import re
from typing import Any

import pytest
from django.contrib.sessions.models import Session
from django.test import override_settings

from accounts.actors import system
from accounts.models import User
from accounts.services import grant_membership
from accounts.vocabulary import Role
from memory_admin.tenancy.scope import tenant_scope
from tests.journeys.conftest import PASSWORD, Cast, Open, Watched
from tests.web.identity_provider import CLIENT_ID, SECRET, identity_provider
from tests.web.signing_in import code_of


def with_passkeys(watched: Watched) -> None:
    """Give the browser a key that always says yes."""
    session = watched.page.context.new_cdp_session(watched.page)
    session.send("WebAuthn.enable")
    options: dict[str, Any] = {"protocol": "ctap2", "transport": "internal", "automaticPresenceSimulation": True}
    options |= {"hasResidentKey": True, "hasUserVerification": True, "isUserVerified": True}
    session.send("WebAuthn.addVirtualAuthenticator", {"options": options})


def test_a_passkey_is_added_and_signs_in_alone(open_page: Open, larkfield: Cast) -> None:
    watched = open_page()
    # A passkey belongs to a name, not to a number.
    watched.address = watched.address.replace("127.0.0.1", "localhost")
    with_passkeys(watched)
    page = watched.page
    watched.sign_in()

    watched.go("/accounts/2fa/passkeys/add/")
    page.get_by_label("Name").fill("My laptop")
    page.get_by_role("button", name="Add the passkey").click()
    page.get_by_role("heading", level=1, name="Recovery codes").wait_for()
    watched.go("/accounts/logout/")
    page.get_by_role("button", name="Sign out").last.click()
    page.get_by_role("button", name="Sign in with a passkey").click()

    page.get_by_role("heading", level=1, name="What agents remember about me").wait_for()
    watched.go("/accounts/2fa/passkeys/")
    assert "My laptop" in page.inner_text("main")
    watched.go("/accounts/logout/")
    page.get_by_role("button", name="Sign out").last.click()
    passkey = page.get_by_role("button", name="Sign in with a passkey").bounding_box()
    password = page.get_by_label("Password").bounding_box()
    assert passkey is not None
    assert password is not None
    assert passkey["y"] < password["y"]


def test_a_password_can_be_read_while_it_is_typed(open_page: Open, larkfield: Cast) -> None:
    watched = open_page()
    page = watched.page
    watched.go("/accounts/login/")
    page.get_by_label("E-mail").fill("mia@larkfield.example")
    page.get_by_label("Password").fill(PASSWORD)

    page.get_by_label("Show what I type").check()
    assert page.get_by_label("Password").get_attribute("type") == "text"
    page.get_by_role("button", name="Sign in", exact=True).click()

    page.get_by_role("heading", level=1, name="What agents remember about me").wait_for()


@pytest.mark.parametrize("javascript", [True, False])
def test_staff_set_a_second_factor_up_at_the_first_sign_in(open_page: Open, larkfield: Cast, javascript: bool) -> None:
    user = User.objects.get(email="mia@larkfield.example")
    with tenant_scope(larkfield.tenant.id):
        by = system("tests", tenant_id=larkfield.tenant.id)
        grant_membership(user=user, roles=[Role.PERSON, Role.ADMIN], by=by, now=user.created_at)
    watched = open_page(java_script_enabled=javascript)
    page = watched.page

    with override_settings(DEMAND_SECOND_FACTOR=True):
        watched.go("/")
        page.get_by_label("E-mail").fill("mia@larkfield.example")
        page.get_by_label("Password").fill(PASSWORD)
        page.get_by_role("button", name="Sign in", exact=True).click()
        page.get_by_role("link", name="Set up an app").click()
        page.get_by_text("I cannot scan it").click()
        secret = re.search(r"\b[A-Z2-7]{32}\b", page.content())
        assert secret is not None
        page.get_by_label("Code from the app").fill(code_of(secret[0]))
        page.get_by_role("button", name="Switch it on").click()
        page.get_by_role("heading", level=1, name="Recovery codes").wait_for()
        page.get_by_role("link", name="Go on").click()

        page.get_by_role("heading", level=1, name="What agents remember about me").wait_for()


def test_somebody_signs_in_by_the_provider_of_their_organisation(open_page: Open, larkfield: Cast) -> None:
    watched = open_page()
    with identity_provider() as provider:
        provider.person = {"sub": "mia-1", "email": "mia@larkfield.example", "email_verified": True}
        trusted = {"issuer": provider.address, "client_id": CLIENT_ID, "secret": SECRET}
        with override_settings(SINGLE_SIGN_ON={**trusted, "name": "Larkfield ID", "tenant_slug": "larkfield"}):
            watched.go("/not-saved/")
            watched.page.get_by_role("link", name="Sign in with Larkfield ID").click()
            watched.page.get_by_role("heading", level=1, name="Not saved").wait_for()

            assert watched.page.url == f"{watched.address}/not-saved/"
        # The way there and back is the only thing that was asked of another host.
        strayed = [line for line in watched.strayed if not line.startswith(f"request: {provider.address}/authorise?")]
        watched.strayed[:] = strayed


def test_what_was_typed_is_there_after_the_session_ended(open_page: Open, larkfield: Cast) -> None:
    larkfield.said("Prefers the aisle seat on short flights.")
    watched = open_page()
    page = watched.page
    watched.sign_in()
    watched.go("/add/")
    page.locator("textarea").fill("Drinks tea without sugar.")
    Session.objects.all().delete()

    page.get_by_role("button", name="Add this memory").click()
    page.get_by_text("What you sent is kept").wait_for()
    page.get_by_label("E-mail").fill("mia@larkfield.example")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()
    assert page.get_by_text("Drinks tea without sugar.").is_visible()
    page.get_by_role("button", name="Send it now").click()

    page.wait_for_url("**/memories/*/")
    assert page.get_by_text("Drinks tea without sugar.").first.is_visible()


def test_single_keys_lead_through_the_list_and_are_silent_in_a_field(open_page: Open, larkfield: Cast) -> None:
    larkfield.said("Prefers the aisle seat on short flights.")
    larkfield.said("Drinks tea without sugar.", kind="fact")
    watched = open_page()
    page = watched.page
    watched.sign_in()

    page.keyboard.press("j")
    page.keyboard.press("j")
    page.keyboard.press("k")
    assert page.evaluate("document.activeElement.closest('.mem') !== null")
    page.keyboard.press("?")
    assert page.get_by_role("dialog", name="Keyboard shortcuts").is_visible()
    page.keyboard.press("Escape")
    assert not page.get_by_role("dialog", name="Keyboard shortcuts").is_visible()
    page.keyboard.press("/")
    page.keyboard.type("jk?g")
    assert page.evaluate("document.activeElement.value") == "jk?g"
    assert not page.get_by_role("dialog", name="Keyboard shortcuts").is_visible()

    watched.go("/accounts/appearance/")
    page.get_by_label("Off").check()
    page.get_by_role("button", name="Save").click()
    page.get_by_text("Saved for this browser.").wait_for()
    page.keyboard.press("?")
    assert not page.get_by_role("dialog", name="Keyboard shortcuts").is_visible()


def test_a_letter_after_g_goes_to_a_page(open_page: Open, larkfield: Cast) -> None:
    watched = open_page()
    watched.sign_in()

    watched.page.keyboard.press("g")
    watched.page.keyboard.press("y")

    watched.page.get_by_role("heading", level=1, name="Your account").wait_for()


def test_the_theme_is_chosen_in_the_menu_without_javascript(open_page: Open, larkfield: Cast) -> None:
    watched = open_page(java_script_enabled=False)
    page = watched.page
    watched.sign_in()

    page.locator("details.menu > summary").first.click()
    page.get_by_role("button", name="Dark").click()

    assert page.locator("html").get_attribute("data-theme") == "dark"
    assert page.url.rstrip("/") == watched.address
