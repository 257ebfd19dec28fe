"""People of a tenant, each with a browser, and the agent that writes about them."""

import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.test import Client
from django.utils import timezone

from accounts.actors import Actor, system
from accounts.models import Agent, Subject, Tenant, User
from accounts.queries import memberships_of, person
from accounts.services import create_agent, create_tenant, ensure_subject, grant_membership, issue_key
from accounts.vocabulary import Channel, Role, Scope
from memory_admin.memories import services as memories
from memory_admin.memories.models import Memory
from memory_admin.memories.services import Claim, Outcome, SourceIn
from memory_admin.tenancy.scope import tenant_scope
from policies.services import install_baseline
from tests.lifecycle.erasing import let_its_time_come, run_jobs
from tests.web.signing_in import let_in


@dataclass(frozen=True)
class Person:
    """Somebody with a subject, and their browser."""

    user: User
    subject: Subject
    actor: Actor
    browser: Client

    def get(self, address: str) -> Any:
        return self.browser.get(address)

    def post(self, address: str, form: dict[str, Any] | None = None) -> Any:
        return self.browser.post(address, form or {})


@dataclass(frozen=True)
class Larkfield:
    """A tenant with its baseline in force and one agent with two keys."""

    tenant: Tenant
    agent: Agent
    relay: Actor
    own: Actor

    def join(self, name: str) -> Person:
        """Let somebody join, with a subject of their own."""
        now = timezone.now()
        user = User.objects.create_user(f"{name.lower()}@{self.tenant.slug}.example", None, name=name)
        by = system("tests", tenant_id=self.tenant.id)
        with tenant_scope(self.tenant.id):
            grant_membership(user=user, roles=[Role.PERSON], by=by, now=now)
            subject = ensure_subject(ref=f"user:{name.lower()}", by=by, now=now, display_name=name, user=user)
        browser = Client()
        let_in(browser, user)
        return Person(user, subject, person(user.id, memberships_of(user.id)[0]), browser)

    def said(self, who: Person, statement: str, **claim: Any) -> Memory:
        """Let a person say something to the agent that relays their words."""
        return self._stored(self.relay, who, statement, **{"origin": "stated", **claim})

    def noted(self, who: Person, statement: str, **claim: Any) -> Memory:
        """Let the agent note a conclusion of its own, which waits for the person."""
        return self._stored(self.own, who, statement, **{"origin": "inferred", **claim})

    def wrote(self, by: Actor, who: Person, statement: str, now: datetime | None = None, **claim: Any) -> Outcome:
        """Write by the real way in, whatever comes of it."""
        quote = claim.pop("quote", "")
        source = SourceIn(message_id=f"m-{statement[:20]}", quote=quote) if quote else None
        asked = Claim(
            subject_ref=who.subject.ref, statement=statement, source=source, **{"kind": "preference", **claim}
        )
        with tenant_scope(self.tenant.id):
            return memories.capture(claim=asked, by=by, now=now or timezone.now())

    def finish(self, receipt: str) -> str:
        """Let the time of a deletion come and its job run; give the address of its receipt."""
        erasure_id = UUID(receipt.strip("/").split("/")[1])
        with tenant_scope(self.tenant.id):
            let_its_time_come(erasure_id)
            run_jobs(erasure_id)
        return receipt

    def reread(self, memory: Memory) -> Memory:
        with tenant_scope(self.tenant.id):
            return Memory.objects.get(id=memory.id)

    def _stored(self, by: Actor, who: Person, statement: str, **claim: Any) -> Memory:
        outcome = self.wrote(by, who, statement, **claim)
        assert outcome.memory is not None, outcome.reason
        return outcome.memory


def found(slug: str) -> Larkfield:
    """Make a tenant that is ready for work."""
    now = timezone.now() - timedelta(days=400)
    tenant = create_tenant(slug=slug, name=slug.title(), now=now)
    by = system("tests", tenant_id=tenant.id)
    install_baseline(tenant_id=tenant.id, by=by, now=now)
    with tenant_scope(tenant.id):
        agent = create_agent(name="Travel assistant", by=by, now=now)
        keys = {
            channel: issue_key(agent=agent, scopes=tuple(Scope), channel=channel, by=by, now=now).key
            for channel in (Channel.USER_MESSAGE, Channel.AGENT)
        }
    actors = {
        channel: Actor(
            kind="agent",
            tenant_id=tenant.id,
            channel=channel,
            agent_id=agent.id,
            agent_name=agent.name,
            key_id=key.id,
            scopes=frozenset(Scope),
        )
        for channel, key in keys.items()
    }
    return Larkfield(tenant, agent, actors[Channel.USER_MESSAGE], actors[Channel.AGENT])


def text_of(answer: Any) -> str:
    """Give what a page says, with single spaces."""
    return re.sub(r"\s+", " ", answer.content.decode())
