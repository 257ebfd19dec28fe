"""A tenant with a person and an agent, and Baseline 1 in force."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

import pytest

from accounts import services as accounts
from accounts.actors import Actor, system
from accounts.models import Agent, Subject, Tenant
from accounts.vocabulary import Role
from memory_admin.tenancy.scope import tenant_scope
from policies import services
from tests.policies.council import Council, Member, found

NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)


@dataclass(frozen=True)
class Cast:
    tenant: Tenant
    by: Actor
    person: Subject
    agent: Agent


@pytest.fixture
def north(db: None) -> Iterator[Cast]:
    """Open the scope of a tenant that has no policy yet."""
    tenant = accounts.create_tenant(slug="north", name="North", now=NOON)
    by = system("test", tenant_id=tenant.id)
    with tenant_scope(tenant.id):
        person = accounts.ensure_subject(ref="user:alice", by=by, now=NOON)
        agent = accounts.create_agent(name="helper", by=by, now=NOON)
        yield Cast(tenant, by, person, agent)


@pytest.fixture
def governed(north: Cast) -> Cast:
    """The same with Baseline 1 in force since noon."""
    services.install_baseline(tenant_id=north.tenant.id, by=north.by, now=NOON)
    return north


@pytest.fixture
def council(db: None) -> Iterator[Council]:
    yield from found("larkfield")


@pytest.fixture
def eva(council: Council) -> Member:
    return council.hire("eva", Role.POLICY_EDITOR)


@pytest.fixture
def anton(council: Council) -> Member:
    return council.hire("anton", Role.POLICY_APPROVER)


@pytest.fixture
def petra(council: Council) -> Member:
    return council.hire("petra", Role.PRIVACY_OFFICER)
