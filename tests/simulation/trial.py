"""Drafting a version and simulating it, as the tests do."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from accounts import services as accounts
from accounts.actors import Actor
from accounts.models import User
from accounts.queries import memberships_of
from accounts.queries import staff as staff_actor
from accounts.vocabulary import Role
from memory_admin.simulation import services
from policies import services as policies
from policies.documents import Family, parse
from policies.models import PolicySimulation, PolicyVersion
from tests.factories import NOON, Person
from tests.policies.drafts import with_

LATER = NOON + timedelta(hours=1)


def hired(who: Person, name: str, *roles: Role) -> Actor:
    """Give somebody roles in a person's organisation, and make their actor."""
    user = User.objects.create_user(f"{name}@{who.house.tenant.slug}.example", None, name=name.title())
    accounts.grant_membership(user=user, roles=roles, by=who.house.by, now=NOON)
    return staff_actor(user.id, memberships_of(user.id)[0])


def draft(by: Actor, family: Family, changes: Mapping[str, Any] | None = None) -> PolicyVersion:
    """Draft a version that differs from what decides in the values at some dotted paths."""
    version = policies.begin(family=family, by=by, now=NOON)
    if not changes:
        return version
    document = parse(family, version.content)
    for path, value in changes.items():
        document = with_(document, path, value)
    return policies.save(
        version_id=version.id,
        read_sha256=version.content_sha256,
        content=document.model_dump(mode="json"),
        by=by,
        now=NOON,
    )


def asked(version: PolicyVersion, by: Actor, **terms: Any) -> PolicySimulation:
    """Ask for a simulation of the day around noon."""
    window = {"since": NOON - timedelta(hours=12), "until": LATER}
    return services.ask(version_id=version.id, by=by, now=LATER, **{**window, **terms})


def simulated(version: PolicyVersion, by: Actor, **terms: Any) -> PolicySimulation:
    """Simulate to the end."""
    simulation = asked(version, by, **terms)
    while simulation.state in services.UNFINISHED:
        found = services.run(simulation_id=simulation.id, now=LATER)
        assert found is not None
        simulation = found
    assert simulation.state == "succeeded", simulation.error
    return simulation
