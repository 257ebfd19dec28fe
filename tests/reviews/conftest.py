"""The cast of the memories, and those who answer what people ask."""

import pytest

from accounts.actors import Actor
from accounts.models import User
from accounts.queries import memberships_of
from accounts.queries import staff as staff_actor
from accounts.services import grant_membership
from accounts.vocabulary import Role
from tests.factories import NOON, Person
from tests.memories.conftest import acme, alice, helper, relay

__all__ = ["acme", "alice", "helper", "relay"]


def hired(alice: Person, name: str, *roles: Role) -> Actor:
    """Let somebody work for the tenant of Alice."""
    user = User.objects.create_user(f"{name}@acme.example", None, name=name.title())
    grant_membership(user=user, roles=roles, by=alice.house.by, now=NOON)
    return staff_actor(user.id, memberships_of(user.id)[0])


@pytest.fixture
def rosa(alice: Person) -> Actor:
    """A reviewer."""
    return hired(alice, "rosa", Role.REVIEWER)
