"""A policy from draft to effect in a browser: edited, counted, tested, simulated, approved with a code, proven."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.utils import timezone
from playwright.sync_api import Page

from accounts.actors import system
from accounts.models import User
from accounts.queries import memberships_of, staff
from accounts.services import grant_membership
from accounts.vocabulary import Role
from memory_admin.audit import checking
from memory_admin.audit.models import Check
from memory_admin.memories import services as memories
from memory_admin.memories.models import Memory
from memory_admin.simulation import services as simulation
from memory_admin.tenancy.scope import tenant_scope
from policies.models import PolicySimulation, ReviewDecision
from tests.journeys.conftest import PASSWORD, Cast, Open
from tests.policies import council
from tests.web.signing_in import code_of


@pytest.fixture
def secret(larkfield: Cast) -> str:
    """Hire an editor, an approver with an authenticator app, and an auditor; give the secret of the app."""
    roles = {"ines": Role.POLICY_EDITOR, "amara": Role.POLICY_APPROVER, "elias": Role.AUDITOR}
    with tenant_scope(larkfield.tenant.id):
        by = system("tests", tenant_id=larkfield.tenant.id)
        for name, role in roles.items():
            user = User.objects.create_user(f"{name}@larkfield.example", PASSWORD, name=name.title())
            grant_membership(user=user, roles=[role], by=by, now=timezone.now())
    found = str(generate_totp_secret())
    TOTP.activate(User.objects.get(email="amara@larkfield.example"), found)
    return found


def comes(open_page: Open, name: str, secret: str = "", **context: Any) -> Any:
    watched = open_page(**context)
    watched.go("/")
    page = watched.page
    page.get_by_label("E-mail").fill(f"{name}@larkfield.example")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()
    if secret:
        page.get_by_label("Code").fill(code_of(secret))
        page.get_by_role("button", name="Sign in", exact=True).click()
    page.get_by_role("heading", level=1, name="Overview").wait_for()
    return watched


def old_note(larkfield: Cast, statement: str) -> None:
    """Let the agent have noted something a day ago."""
    claim = memories.Claim(
        subject_ref="user:mia", statement=statement, kind="preference", origin="inferred", channel="agent"
    )
    with tenant_scope(larkfield.tenant.id):
        memories.capture(claim=claim, by=larkfield.relay, now=timezone.now() - timedelta(days=1))


def run_simulation(larkfield: Cast) -> None:
    with tenant_scope(larkfield.tenant.id):
        asked = PolicySimulation.objects.get()
        while asked.state in simulation.UNFINISHED:
            simulation.run(simulation_id=asked.id, now=timezone.now())
            asked.refresh_from_db()
        assert asked.state == "succeeded", asked.error


@pytest.mark.parametrize("with_javascript", [True, False])
def test_from_a_draft_to_the_next_decision(
    larkfield: Cast, secret: str, open_page: Open, with_javascript: bool
) -> None:
    old_note(larkfield, "Prefers an aisle seat on short flights")
    page: Page = comes(open_page, "ines", java_script_enabled=with_javascript).page

    page.get_by_role("link", name="Policies").first.click()
    page.get_by_role("link", name="New version").click()
    page.get_by_label("Which policy?").select_option("retention")
    page.get_by_label("What changes, in one line?").fill("Guesses live a day")
    page.get_by_label("Why?").fill("Most of them are wrong by then.")
    page.get_by_role("button", name="Begin the draft").click()
    page.get_by_label("Preference, Inferred").fill("1")
    if not with_javascript:
        page.get_by_role("button", name="Check it").click()
    page.get_by_text("1 memory would be deleted at once.").wait_for()
    page.get_by_role("button", name="Save the draft").last.click()
    page.get_by_text("Saved.").wait_for()
    page.get_by_role("link", name="How long it is kept, version 2").click()
    address = page.url

    page.get_by_role("link", name="Add a test").click()
    page.get_by_label("What does it hold?").fill("Guesses live a day")
    page.get_by_label("Expected, as JSON").fill('{"days": 1}')
    page.get_by_role("button", name="Add the test").click()
    retire_what_fails(page, address)
    page.get_by_role("link", name="Simulate it…").click()
    page.get_by_role("button", name="Simulate it").click()
    page.get_by_text("Waiting to run").wait_for()
    run_simulation(larkfield)
    page.goto(address)
    page.get_by_role("link", name="Send for review…").click()
    page.get_by_role("button", name="Send for review").click()
    page.get_by_text("In review, round 1").wait_for()

    approver: Page = comes(open_page, "amara", secret, java_script_enabled=with_javascript).page
    approver.goto(address)
    approver.get_by_text("Guesses about preferences are kept 1 day instead of").first.wait_for()
    approver.get_by_role("heading", name="Guards: 3 of 4 met").wait_for()
    approver.get_by_role("link", name="Approve…").click()
    approver.get_by_text("You approve digest").wait_for()
    approver.get_by_text("1 memory would be deleted at once.").first.wait_for()
    approver.get_by_role("button", name="Approve 1 change").click()
    approver.get_by_text("Approved.", exact=True).wait_for()

    page.goto(address)
    page.get_by_role("link", name="Put in force now…").click()
    page.get_by_role("button", name="Put it in force").click()
    page.get_by_text("In force from now on.").wait_for()
    larkfield.noted("Prefers green tea in the morning")
    with tenant_scope(larkfield.tenant.id):
        ends = Memory.objects.get(statement__startswith="Prefers green tea").expires_at
    assert ends is not None
    assert ends - timezone.now() < timedelta(days=1)

    auditor: Page = comes(open_page, "elias", java_script_enabled=with_javascript).page
    auditor.goto(address)
    assert auditor.get_by_role("link", name="Edit").count() == 0
    auditor.get_by_role("link", name="Approval sheet").click()
    auditor.get_by_role("heading", name="Proof in the audit trail").wait_for()
    auditor.emulate_media(media="print")
    assert auditor.get_by_text("Amara approved it").is_visible()
    assert not auditor.get_by_role("navigation", name="Admin", exact=True).is_visible()
    auditor.emulate_media(media="screen")
    auditor.get_by_role("button", name="Verify the whole trail now").click()
    auditor.get_by_text("Being checked").wait_for()
    with tenant_scope(larkfield.tenant.id):
        checking.run(check_id=Check.objects.get().id, now=timezone.now())
    auditor.goto(auditor.url)
    auditor.get_by_role("heading", name="The trail holds").wait_for()


def retire_what_fails(page: Page, address: str) -> None:
    """Take out the test that expects what was so before, once the run has named it."""
    page.goto(address)
    page.get_by_role("button", name="Run the tests").click()
    page.get_by_text("1 failed").first.wait_for()
    failing = page.locator(".found li", has_text="Failed").locator("b").inner_text().rstrip(".")
    page.locator("summary", has_text="tests").first.click()
    page.get_by_role("button", name=f"Retire {failing}").click()
    page.get_by_text("Taken out of this version.").wait_for()


def test_the_keys_of_the_editor_work_within_its_fields(larkfield: Cast, secret: str, open_page: Open) -> None:
    watched = comes(open_page, "ines")
    page: Page = watched.page
    watched.go("/console/policies/")
    page.keyboard.press("n")
    page.get_by_label("Which policy?").select_option("retention")
    page.get_by_label("What changes, in one line?").fill("Guesses live a day")
    page.get_by_label("Why?").fill("Most of them are wrong by then.")
    page.get_by_role("button", name="Begin the draft").press("Enter")

    page.get_by_label("Preference, Inferred").fill("1")
    page.locator("#check .found li", has_text="kept 1 day").wait_for()
    page.keyboard.press("F6")
    assert focused(page) == "What the checks say"
    page.keyboard.press("Alt+ArrowDown")
    assert "kept 1 day instead of" in focused(page)
    page.keyboard.press("F6")
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "Preference, Inferred"
    page.keyboard.press("Control+s")
    page.get_by_text("Saved.").wait_for()

    page.get_by_role("button", name="Edit it as JSON").press("Enter")
    text = page.get_by_role("textbox", name="Text as JSON")
    text.evaluate("(field) => { field.value += ' '.repeat(300000); field.focus(); }")
    page.keyboard.press("Control+s")
    page.get_by_role("alert").get_by_text("at most 256 KB are taken").wait_for()
    assert len(text.input_value()) > 300_000


def test_the_keys_of_a_review_ask_and_decide_nothing(larkfield: Cast, secret: str, open_page: Open) -> None:
    with tenant_scope(larkfield.tenant.id):
        ines = User.objects.get(email="ines@larkfield.example")
        editor = council.Member(ines, staff(ines.id, memberships_of(ines.id)[0]))
        review = council.in_review(editor, now=timezone.now())
    watched = comes(open_page, "amara", secret)
    page: Page = watched.page
    watched.go(f"/console/policies/versions/{review.version_id}/")
    page.wait_for_load_state("load")

    page.keyboard.press("a")
    page.get_by_role("dialog", name="Approve version 2?").wait_for()
    page.keyboard.press("Escape")
    page.keyboard.press("r")
    asked = page.get_by_role("dialog", name="Ask for changes to version 2?")
    asked.get_by_label("What is to change, and why?").press_sequentially("Too short.")
    page.keyboard.press("Escape")
    asked.get_by_text("What you typed is not saved.").wait_for()
    page.keyboard.press("Escape")

    asked.wait_for(state="hidden")
    with tenant_scope(larkfield.tenant.id):
        assert not ReviewDecision.objects.exists()


def focused(page: Page) -> str:
    return str(page.evaluate("document.activeElement.innerText")).replace("\n", " ")
