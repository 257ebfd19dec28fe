"""Staff of a tenant, each with a browser."""

from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from django.test import Client
from django.utils import timezone

from accounts.actors import Actor, system
from accounts.models import Agent, ApiKey, Tenant, User
from accounts.queries import memberships_of
from accounts.queries import staff as staff_actor
from accounts.services import grant_membership
from accounts.vocabulary import Role
from memory_admin.tenancy.scope import tenant_scope
from policies.baseline import ACCESS
from policies.digests import sha256_of
from policies.models import EffectiveWindow, PolicyActivation, PolicyFamily, PolicyVersion, scope_name
from tests.portal.cast import Larkfield, found
from tests.web.signing_in import let_in


@dataclass(frozen=True)
class Colleague:
    """Somebody who works for the tenant, and their browser."""

    user: User
    actor: Actor
    browser: Client

    def get(self, address: str) -> Any:
        return self.browser.get(f"/console/{address}")

    def post(self, address: str, form: dict[str, Any] | None = None) -> Any:
        return self.browser.post(f"/console/{address}", form or {})

    def reads(self, address: str) -> str:
        """Read a page that must be there."""
        answer = self.get(address)
        assert answer.status_code == 200, answer.status_code
        return str(answer.content.decode())


@dataclass(frozen=True)
class House:
    """A tenant with its agent, and the people who work there."""

    tenant_house: Larkfield
    hired: dict[str, Colleague] = field(default_factory=dict)

    @property
    def tenant(self) -> Tenant:
        return self.tenant_house.tenant

    @property
    def agent(self) -> Agent:
        return self.tenant_house.agent

    @property
    def by(self) -> Actor:
        return system("tests", tenant_id=self.tenant.id)

    def hire(self, *roles: Role) -> Colleague:
        """Give somebody these roles; without any they are a plain person."""
        name = "-".join(roles) or "nobody"
        if name not in self.hired:
            user = User.objects.create_user(f"{name}@{self.tenant.slug}.example", None, name=name.title())
            with tenant_scope(self.tenant.id):
                grant_membership(user=user, roles=roles or [Role.PERSON], by=self.by, now=timezone.now())
            browser = Client()
            let_in(browser, user)
            self.hired[name] = Colleague(user, staff_actor(user.id, memberships_of(user.id)[0]), browser)
        return self.hired[name]

    def issued_keys(self) -> list[ApiKey]:
        """List the keys of the agent, the newest first."""
        with tenant_scope(self.tenant.id):
            return list(ApiKey.objects.filter(agent_id=self.agent.id).order_by("-created_at", "-id"))

    def reread(self) -> Agent:
        with tenant_scope(self.tenant.id):
            return Agent.objects.get(id=self.agent.id)


def close_texts(role: str) -> None:
    """Put an access policy in force, in the open tenant, that keeps texts from a role."""
    now = timezone.now() - timedelta(seconds=1)
    family = PolicyFamily.objects.get(key="access")
    content = ACCESS.model_copy(update={"staff": ACCESS.staff.model_copy(update={role: "masked"})})
    plain = content.model_dump(mode="json")
    version = PolicyVersion.objects.create(
        family=family, number=2, content=plain, content_sha256=sha256_of(plain), state="approved",
        created_by="user:1", created_at=now, approved_by="user:2", approved_at=now,
    )  # fmt: skip
    activation = PolicyActivation.objects.create(
        version=version, lane="enforce", mode="enforce", effective_from=now, state="effective",
        activation_sha256="0" * 64,
    )  # fmt: skip
    EffectiveWindow.objects.filter(family=family).delete()
    EffectiveWindow.objects.create(
        family=family, activation=activation, scope=scope_name(), lane="enforce", effective=(now, None)
    )


def house(slug: str) -> House:
    """Make a tenant that is ready for work."""
    return House(found(slug))
