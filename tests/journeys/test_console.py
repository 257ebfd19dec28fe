"""Staff: issue a key, find its question in the log, read why, and check the trail; with and without JavaScript."""

import json
import re
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts.actors import system
from accounts.models import User
from accounts.services import grant_membership
from accounts.vocabulary import Role
from memory_admin.audit import checking
from memory_admin.audit.models import Check
from memory_admin.tenancy.scope import tenant_scope
from tests.journeys.conftest import PASSWORD, Cast, Open, Watched

KEY = re.compile(r"mk_[0-9a-z]{12}_[A-Za-z0-9_-]{43}")
SAID = "Prefers the window seat on trains"


@pytest.fixture
def staff(larkfield: Cast) -> None:
    user = User.objects.create_user("sofia@larkfield.example", PASSWORD, name="Sofia")
    with tenant_scope(larkfield.tenant.id):
        by = system("tests", tenant_id=larkfield.tenant.id)
        grant_membership(user=user, roles=[Role.ADMIN, Role.PRIVACY_OFFICER], by=by, now=timezone.now())


def come_in(watched: Watched) -> Any:
    page = watched.page
    watched.go("/")
    page.get_by_label("E-mail").fill("sofia@larkfield.example")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()
    page.get_by_role("heading", level=1, name="Overview").wait_for()
    return page


def ask(key: str) -> None:
    answer = Client().post(
        "/api/v1/memories/search",
        json.dumps({"subject": "user:mia", "purpose": "answer", "query": "which seat on the train?"}),
        content_type="application/json",
        headers={"Authorization": f"Bearer {key}"},
    )
    assert answer.status_code == 200, answer.content


@pytest.mark.parametrize("with_javascript", [True, False])
def test_from_a_key_to_the_reason_of_an_answer(
    larkfield: Cast, staff: None, open_page: Open, with_javascript: bool
) -> None:
    larkfield.said(SAID)
    larkfield.said("Drinks tea without sugar")
    page = come_in(open_page(java_script_enabled=with_javascript))

    page.get_by_role("link", name="Agents and keys").first.click()
    page.get_by_role("link", name="Travel assistant").click()
    page.get_by_role("link", name="Issue a key").click()
    page.get_by_role("button", name="Issue the key").click()
    found = KEY.search(page.content())
    assert found
    ask(found.group())
    page.get_by_role("link", name="I saved it").click()
    assert not KEY.search(page.content())

    page.get_by_role("link", name="Retrieval log").first.click()
    page.locator("tbody th a").first.click()
    page.get_by_text("Returned: 1").wait_for()
    page.get_by_text("Add it up").first.click()
    page.get_by_text("Computed again: the same").first.wait_for()
    assert SAID not in page.content()
    page.get_by_label("Why do you need the texts?").select_option("complaint")
    page.get_by_role("button", name="Show the texts").click()
    page.get_by_text(SAID).wait_for()

    page.get_by_role("link", name="Audit").first.click()
    page.get_by_role("button", name="Verify now").click()
    page.get_by_text("Being checked").wait_for()
    with tenant_scope(larkfield.tenant.id):
        checking.run(check_id=Check.objects.get().id, now=timezone.now())
    page.goto(page.url)
    page.get_by_role("heading", name="The trail holds").wait_for()
    assert page.get_by_role("link", name="Sofia looked at a person’s memories").count() == 1


@pytest.mark.parametrize("width", [320, 1280])
def test_no_page_is_wider_than_the_window(larkfield: Cast, staff: None, open_page: Open, width: int) -> None:
    watched = open_page(viewport={"width": width, "height": 800})
    page = come_in(watched)

    for path in (
        "",
        "agents/",
        "retrievals/",
        "policies/",
        "policies/write/",
        "policy-requests/",
        "subjects/",
        "audit/",
    ):
        watched.go(f"/console/{path}")
        assert page.evaluate("document.documentElement.scrollWidth") <= width, path
