"""Who acted and on what, in the words of the audit trail: names of staff and agents, references of people."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from uuid import UUID

from accounts.models import Agent, ApiKey, Invitation, Membership, Subject, User
from accounts.vocabulary import Role
from memory_admin.audit import queries as trail
from memory_admin.console.keys import mark_of
from memory_admin.console.labels import OBJECTS, SYSTEM


@dataclass(frozen=True, slots=True)
class Thing:
    """What an event is about; `agent_id` where there is a page for it."""

    kind: str
    name: str
    agent_id: UUID | None = None


def colleagues(among: Collection[UUID] | None = None) -> dict[UUID, str]:
    """Name everybody who works for the tenant, or those of some users who do, by user."""
    found = Membership.objects.filter(roles__overlap=[role for role in Role if role != Role.PERSON])
    if among is not None:
        found = found.filter(user_id__in=among)
    users = User.objects.filter(id__in=list(found.values_list("user_id", flat=True)))
    return {user.id: user.name or user.email for user in users}


def actors(refs: Collection[str]) -> dict[str, str]:
    """Say who each reference is: staff by name, an agent by name, a person by their reference alone."""
    users, key_ids = _ids(refs, "user"), _ids(refs, "key")
    staff = colleagues(among=set(users.values())) if users else {}
    people = dict(Subject.objects.filter(user_id__in=list(users.values())).values_list("user_id", "ref"))
    agents = dict(ApiKey.objects.filter(id__in=list(key_ids.values())).values_list("id", "agent__name"))
    said = {ref: staff.get(user) or people.get(user) or "Somebody who left" for ref, user in users.items()}
    said |= {ref: agents.get(key, "An agent") for ref, key in key_ids.items()}
    said |= {ref: system_actor(ref.removeprefix("system:")) for ref in refs if ref.startswith("system:")}
    return said


def system_actor(name: str) -> str:
    """Name a job, a command or what came with the product, as a sentence begins with it."""
    return SYSTEM.get(name, f"The system ({name.replace('_', ' ')})" if name else "The system")


def within(name: str) -> str:
    """Write the name of an actor as it stands within a sentence: “by the operator”."""
    return f"t{name[1:]}" if name in SYSTEM.values() or name.startswith("The system") else name


def groups_of(refs: Collection[str]) -> dict[str, tuple[str, str]]:
    """Put each reference into what the trail can be narrowed to: the value of the filter, and its name."""
    users, key_ids = _ids(refs, "user"), _ids(refs, "key")
    staff = colleagues(among=set(users.values())) if users else {}
    agents = {
        key: (f"agent:{agent}", name)
        for key, agent, name in ApiKey.objects.filter(id__in=list(key_ids.values())).values_list(
            "id", "agent_id", "agent__name"
        )
    }
    people = ("people:", "People about themselves")
    groups = {ref: (f"user:{user}", staff[user]) if user in staff else people for ref, user in users.items()}
    groups |= {ref: agents[key] for ref, key in key_ids.items() if key in agents}
    return groups | {ref: ("system:", "The system") for ref in refs if ref.startswith("system:")}


def things(targets: Iterable[tuple[str, str]]) -> dict[str, Thing]:
    """Name what events are about, by id: each kind in one statement."""
    by_kind: dict[str, set[UUID]] = {}
    for kind, target in targets:
        by_kind.setdefault(kind, set()).add(UUID(target))
    named: dict[UUID, tuple[str, UUID | None]] = {}
    if ids := by_kind.get("agent"):
        named |= {at: (name, at) for at, name in Agent.objects.filter(id__in=ids).values_list("id", "name")}
    if ids := by_kind.get("key"):
        named |= {key.id: (mark_of(key), key.agent_id) for key in ApiKey.objects.filter(id__in=ids)}
    if ids := by_kind.get("subject"):
        named |= {at: (ref, None) for at, ref in Subject.objects.filter(id__in=ids).values_list("id", "ref")}
    if ids := by_kind.get("membership"):
        members = Membership.objects.filter(id__in=ids).select_related("user")
        named |= {one.id: (one.user.name or one.user.email, None) for one in members}
    if ids := by_kind.get("invitation"):
        named |= {at: (email, None) for at, email in Invitation.objects.filter(id__in=ids).values_list("id", "email")}
    return {
        str(target): Thing(OBJECTS.get(kind, kind.replace("_", " ")), *named.get(target, (str(target), None)))
        for kind, ids in by_kind.items()
        for target in ids
    }


def _ids(refs: Iterable[str], kind: str) -> dict[str, UUID]:
    return {ref: found for ref in refs if (found := trail.id_in(ref, kind=kind))}
