"""The cast: an organisation, people in it, and the agents that remember things about them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from django.utils import timezone

from accounts.actors import Actor
from accounts.models import Subject, User
from accounts.queries import memberships_of
from accounts.queries import person as person_actor
from accounts.services import authenticate_key, ensure_subject, grant_membership
from accounts.vocabulary import Channel, Role, Scope
from memory_admin.audit.models import Event
from memory_admin.memories import services as memories
from memory_admin.memories.models import Memory
from memory_admin.tenancy.scope import tenant_scope
from tests.api.cast import Organisation

NOON = datetime(2026, 5, 8, 12, tzinfo=UTC)


@dataclass(frozen=True)
class Person:
    """Somebody who signs in, the subject memories are about, and how services are told of them."""

    house: Organisation
    user: User
    subject: Subject
    actor: Actor


def person(house: Organisation, name: str, *, roles: tuple[Role, ...] = (Role.PERSON,)) -> Person:
    """Make a person of a tenant, linked to their subject."""
    now = timezone.now()
    user = User.objects.create_user(f"{name}@{house.tenant.slug}.example", "correct horse battery")
    with tenant_scope(house.tenant.id):
        grant_membership(user=user, roles=roles, by=house.by, now=now)
        subject = ensure_subject(ref=f"user:{name}", by=house.by, now=now, display_name=name.title(), user=user)
    return Person(house, user, subject, person_actor(user.id, memberships_of(user.id)[0]))


def agent(house: Organisation, channel: Channel = Channel.AGENT, **terms: Any) -> Actor:
    """Make an agent's actor, from a real key of that channel."""
    actor = authenticate_key(house.caller(channel=channel, **terms).key, now=timezone.now())
    assert actor is not None
    return actor


def claim(subject: Subject, statement: str, **fields: Any) -> memories.Claim:
    """Make a claim about a subject: a preference they stated, unless said otherwise."""
    return memories.Claim(
        subject_ref=subject.ref,
        statement=statement,
        **{"kind": "preference", "origin": "stated", **fields},
    )


def remembered(who: Person, statement: str, *, by: Actor | None = None, now: datetime = NOON, **fields: Any) -> Memory:
    """Store a memory about a person, typed by themselves unless another actor is given."""
    outcome = memories.capture(claim=claim(who.subject, statement, **fields), by=by or who.actor, now=now)
    assert outcome.memory is not None, outcome
    return outcome.memory


def audited(memory: Memory) -> list[str]:
    """List what the audit trail says of a memory, in order."""
    return list(Event.objects.filter(target_id=str(memory.id)).order_by("seq").values_list("action", flat=True))


EVERY_SCOPE = tuple(Scope)
