"""Alice of Acme, agents about her, and somebody who drafts policies there."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from accounts.actors import Actor
from accounts.vocabulary import Channel, Role
from memory_admin.tenancy.scope import tenant_scope
from tests.api.cast import Organisation, organisation
from tests.factories import Person, agent, person
from tests.simulation.trial import hired


@pytest.fixture
def acme(db: None) -> Organisation:
    return organisation("acme")


@pytest.fixture
def alice(acme: Organisation) -> Iterator[Person]:
    alice = person(acme, "alice")
    with tenant_scope(acme.tenant.id):
        yield alice


@pytest.fixture
def helper(alice: Person) -> Actor:
    return agent(alice.house, Channel.AGENT)


@pytest.fixture
def eva(alice: Person) -> Actor:
    """A policy editor."""
    return hired(alice, "eva", Role.POLICY_EDITOR)
