"""Alice of Acme and the agents about her, inside Acme's scope."""

from collections.abc import Iterator

import pytest

from accounts.actors import Actor
from accounts.vocabulary import Channel
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
def relay(alice: Person) -> Actor:
    """An agent trusted to relay what people say."""
    return agent(alice.house, Channel.USER_MESSAGE)


@pytest.fixture
def helper(alice: Person) -> Actor:
    """An agent that speaks for itself."""
    return agent(alice.house, Channel.AGENT)
