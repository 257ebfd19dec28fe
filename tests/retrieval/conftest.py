"""Alice of Acme, agents about her, and a way to ask."""

from collections.abc import Iterator

import pytest

from accounts.actors import Actor
from accounts.vocabulary import Channel, Scope
from memory_admin.tenancy.scope import tenant_scope
from tests.api.cast import Organisation, organisation
from tests.factories import Person, agent, person


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
    """An agent without the right to sensitive memories."""
    return agent(alice.house, Channel.AGENT, scopes=[Scope.MEMORIES_READ])


@pytest.fixture
def trusted(alice: Person) -> Actor:
    """An agent with the right to sensitive memories."""
    return agent(alice.house, Channel.USER_MESSAGE)


@pytest.fixture
def importer(alice: Person) -> Actor:
    """What brings conversations in."""
    return agent(alice.house, Channel.IMPORT)
