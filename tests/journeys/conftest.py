"""A real browser that watches itself: nothing from another host, nothing against the content policy."""

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request, sync_playwright

from accounts.actors import Actor, system
from accounts.models import Tenant, User
from accounts.services import create_agent, create_tenant, ensure_subject, grant_membership, issue_key
from accounts.vocabulary import Channel, Role, Scope
from memory_admin.memories import services as memories
from memory_admin.memories.services import Claim, SourceIn
from memory_admin.tenancy.scope import tenant_scope
from policies.services import install_baseline
from tests.machine import CHROMIUM, QUIETLY

PASSWORD = "four plain words here"

# The browser's driver runs an event loop in this thread, which Django would otherwise take for async code.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Start Chromium once; without one the journeys are skipped, loudly, and fail where everything must run."""
    if not CHROMIUM.exists():
        if os.environ.get("CI"):
            pytest.fail(f"There is no browser at {CHROMIUM}: install Debian's chromium or set CHROMIUM.")
        pytest.skip(f"NO BROWSER at {CHROMIUM}: the journeys are not tested. Install chromium or set CHROMIUM.")
    with sync_playwright() as driver:
        chromium = driver.chromium.launch(executable_path=CHROMIUM, args=QUIETLY)
        yield chromium
        chromium.close()


@dataclass
class Watched:
    """A page of the browser, and what it did that no page may do."""

    page: Page
    address: str
    strayed: list[str] = field(default_factory=list)

    def go(self, path: str) -> None:
        self.page.goto(f"{self.address}{path}")

    def sign_in(self, email: str = "mia@larkfield.example") -> None:
        self.go("/")
        self.page.get_by_label("E-mail").fill(email)
        self.page.get_by_label("Password").fill(PASSWORD)
        self.page.get_by_role("button", name="Sign in", exact=True).click()
        self.page.get_by_role("heading", level=1, name="What agents remember about me").wait_for()
        self.page.wait_for_load_state("load")  # the keys listen from then on

    def note_message(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning") or "Content Security Policy" in message.text:
            self.strayed.append(f"console: {message.text}")

    def note_request(self, request: Request) -> None:
        if not request.url.startswith((self.address, "data:")):
            self.strayed.append(f"request: {request.url}")


Open = Callable[..., Watched]


@pytest.fixture
def open_page(browser: Browser, live_server: Any) -> Iterator[Open]:
    """Open pages that are watched; at the end none may have strayed."""
    opened: list[tuple[BrowserContext, Watched]] = []

    def open_one(**context: Any) -> Watched:
        made = browser.new_context(**context)
        watched = Watched(made.new_page(), live_server.url)
        watched.page.set_default_timeout(10_000)
        watched.page.on("console", watched.note_message)
        watched.page.on("pageerror", lambda error: watched.strayed.append(f"error: {error}"))
        watched.page.on("request", watched.note_request)
        opened.append((made, watched))
        return watched

    yield open_one
    strayed = [line for _, watched in opened for line in watched.strayed]
    for context, _ in opened:
        context.close()
    assert strayed == []


@dataclass(frozen=True)
class Cast:
    """Mia of Larkfield and the agent that writes about her."""

    tenant: Tenant
    relay: Actor

    def said(self, statement: str, **claim: Any) -> None:
        self._write(statement, {"origin": "stated", **claim})

    def noted(self, statement: str, **claim: Any) -> None:
        self._write(statement, {"origin": "inferred", "channel": "agent", **claim})

    def _write(self, statement: str, claim: dict[str, Any]) -> None:
        quote = claim.pop("quote", "")
        source = SourceIn(message_id=f"m-{statement[:40]}", quote=quote) if quote else None
        asked = Claim(subject_ref="user:mia", statement=statement, source=source, **{"kind": "preference", **claim})
        with tenant_scope(self.tenant.id):
            assert memories.capture(claim=asked, by=self.relay, now=timezone.now()).memory


@pytest.fixture
def larkfield(transactional_db: None) -> Cast:
    now = timezone.now() - timedelta(days=1)
    tenant = create_tenant(slug="larkfield", name="Larkfield", now=now)
    by = system("tests", tenant_id=tenant.id)
    install_baseline(tenant_id=tenant.id, by=by, now=now)
    user = User.objects.create_user("mia@larkfield.example", PASSWORD, name="Mia")
    with tenant_scope(tenant.id):
        grant_membership(user=user, roles=[Role.PERSON], by=by, now=now)
        ensure_subject(ref="user:mia", by=by, now=now, display_name="Mia", user=user)
        agent = create_agent(name="Travel assistant", by=by, now=now)
        key = issue_key(agent=agent, scopes=tuple(Scope), channel=Channel.USER_MESSAGE, by=by, now=now).key
    relay = Actor(
        kind="agent",
        tenant_id=tenant.id,
        channel=Channel.USER_MESSAGE,
        agent_id=agent.id,
        agent_name=agent.name,
        key_id=key.id,
        scopes=frozenset(Scope),
    )
    return Cast(tenant, relay)
