"""What a reader may see of memories; outside it a row does not exist."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import reduce
from operator import or_
from typing import cast
from uuid import UUID

from django.db.models import BooleanField, Exists, ExpressionWrapper, F, Func, OuterRef, Q, QuerySet

from accounts.actors import Actor
from accounts.vocabulary import Channel, MemoryMode
from memory_admin.errors import Conflict, DomainError, NotFound
from memory_admin.memories.models import Link, Memory, MemoryPause, MemoryQuerySet, MemoryRevision, WriteDecision
from memory_admin.memories.vocabulary import GONE, HELD, Kind, PauseMode, PauseTarget, Status, WriteResult
from policies.engine import Openness, access_matrix
from policies.queries import PoliciesInForce, in_force

READING = "read"
"""The purpose that the access policy is asked for where an agent lists or reads memories and names none."""

# Kept from agents: what waits for a person, what was turned down, what is gone.
HIDDEN_FROM_AGENTS = (Status.PROPOSED, Status.QUARANTINED, Status.REJECTED, *GONE)


class BeingErased(Conflict):
    """A person asks for a memory that they have had deleted and whose words are not gone yet."""

    code = "being_erased"
    sentence = "You have deleted this memory. While its receipt says so, you can take that back there."


# What may wait for a reviewer.
FOR_REVIEWERS = (Status.QUARANTINED, Status.DISPUTED)


def visible_to(by: Actor) -> MemoryQuerySet:
    """Give every memory the actor may see, with its subject.

    A person sees all of their own. An agent sees what it could be given: never what waits for a person, only what the
    access policy in force for it opens, a bound key only its own subject, a test key only test subjects. Staff see what
    the policy shows to their roles: everything, or only what waits for a reviewer, and nothing about themselves.
    """
    seen = cast(MemoryQuerySet, Memory.objects.select_related("subject")).living()
    if by.is_person:
        return seen.filter(subject_id=by.subject_id) if by.subject_id else seen.none()
    if by.kind == "agent":
        seen = seen.exclude(status__in=HIDDEN_FROM_AGENTS).filter(subject__is_test=by.is_test)
        if by.subject_id is not None:
            seen = seen.filter(subject_id=by.subject_id)
        return seen.filter(_open_to(by))
    if by.kind == "staff":
        sights = _sights_of(by)
        if "content" in sights:
            return seen
        if "queue" not in sights:
            return seen.none()
        return seen.filter(status__in=FOR_REVIEWERS).exclude(subject__user=by.user_id)
    return seen


def _sights_of(by: Actor) -> set[str]:
    """Name what the access policy in force shows to the roles that somebody holds."""
    from django.utils import timezone

    staff = in_force(timezone.now()).access.document.staff
    return {getattr(staff, role, "nothing") for role in by.roles}


def _open_to(by: Actor) -> Q:
    """Write as a condition what the access policy in force lets an agent read, whatever for."""
    from django.utils import timezone

    matrix = access_matrix(
        in_force(timezone.now(), agent_id=by.agent_id).access.document,
        agent=by.agent_name or None,
        purpose=READING,
        scopes=frozenset(str(scope) for scope in by.scopes),
    )
    alike: dict[Openness, list[str]] = {}
    for kind in Kind.values:
        alike.setdefault(matrix.openness(kind), []).append(kind)
    conditions = [
        _as_open_as(openness) & (Q() if len(alike) == 1 else Q(kind__in=kinds))
        for openness, kinds in alike.items()
        if openness.is_open or openness.open
    ]
    return reduce(or_, conditions) if conditions else Q(id__in=[])


def _as_open_as(openness: Openness) -> Q:
    if not openness.is_open:
        # It must have categories, and each of them must be open.
        return Q(categories__contained_by=sorted(openness.open), categories__len__gt=0)
    return ~Q(categories__overlap=sorted(openness.closed)) if openness.closed else Q()


def sensitive_categories(policies: PoliciesInForce | None = None) -> frozenset[str]:
    """Name the categories that the access policy in force keeps closed by default."""
    from django.utils import timezone

    policies = policies or in_force(timezone.now())
    return frozenset(policies.access.document.sensitive_categories)


def one(memory_id: UUID, *, by: Actor) -> Memory:
    """Find one memory that the actor may see, with its agent and source.

    :raises NotFound: it does not exist for this actor
    :raises BeingErased: it is theirs, and they have had it deleted
    """
    found = visible_to(by).select_related("agent", "source").filter(id=memory_id).first()
    if found is None:
        raise absence(memory_id, by=by)
    return found


def absence(memory_id: UUID, *, by: Actor) -> DomainError:
    """Say why an actor finds no such memory: to its own person, that it is being erased; to all others, nothing."""
    erasing = Memory.objects.filter(id=memory_id, status=Status.ERASING)
    if by.is_person and by.subject_id and erasing.filter(subject_id=by.subject_id).exists():
        return BeingErased()
    return NotFound()


def versions_open_to(by: Actor) -> QuerySet[MemoryRevision]:
    """Give the versions whose own words the actor may read: what a version is about may differ from its memory by now.

    To be narrowed to memories that the actor may see.
    """
    versions = MemoryRevision.objects.all()
    if by.kind != "agent":
        return versions
    return versions.exclude(status__in=HIDDEN_FROM_AGENTS).filter(_open_to(by))


def as_of(
    memories: MemoryQuerySet, *, valid_at: datetime, recorded_at: datetime, by: Actor
) -> QuerySet[MemoryRevision]:
    """Answer about the past: what we held true at ``valid_at``, as far as we knew it at ``recorded_at``.

    Starts from the memories a reader may see; what has been erased since is not in the answer.
    """
    return (
        versions_open_to(by)
        .select_related("memory__subject", "memory__agent", "memory__source")
        .filter(
            Q(recorded_to=None) | Q(recorded_to__gt=recorded_at),
            Q(valid_to=None) | Q(valid_to__gt=valid_at),
            memory_id__in=memories.values("id"),
            recorded_from__lte=recorded_at,
            valid_from__lte=valid_at,
            status__in=HELD,
        )
        .order_by("-valid_from", "-id")
    )


def history(memory_id: UUID, *, by: Actor) -> list[MemoryRevision]:
    """List the versions of a memory that the actor may read, the oldest first.

    :raises NotFound: it does not exist for this actor
    """
    one(memory_id, by=by)
    return list(versions_open_to(by).filter(memory_id=memory_id).order_by("version"))


def in_use(by: Actor, *, now: datetime) -> MemoryQuerySet:
    """Give what is visible to the actor and, for an agent, in use: neither expired nor paused by its subject.

    A subject may pause everything, one agent, a category or one memory.
    """
    if by.kind != "agent":
        return visible_to(by)
    is_within = Func(F("category"), OuterRef("categories"), template="(%(expressions)s))", arg_joiner=" = ANY(")
    pauses = MemoryPause.objects.filter(
        Q(until=None) | Q(until__gt=now),
        Q(target=PauseTarget.ALL)
        | Q(target=PauseTarget.AGENT, agent_id=by.agent_id)
        | Q(target=PauseTarget.MEMORY, memory_id=OuterRef("id"))
        | Q(ExpressionWrapper(is_within, BooleanField()), target=PauseTarget.CATEGORY),
        subject_id=OuterRef("subject_id"),
        mode__in=[PauseMode.USE, PauseMode.BOTH],
        resumed_at=None,
    )
    closed = [mode for mode in MemoryMode if not mode.uses]
    is_closed = Q(subject__memory_mode__in=closed) & (Q(subject__paused_until=None) | Q(subject__paused_until__gt=now))
    unexpired = visible_to(by).filter(Q(expires_at=None) | Q(expires_at__gt=now))
    return unexpired.exclude(is_closed).exclude(Exists(pauses))


def one_in_use(memory_id: UUID, *, by: Actor, now: datetime) -> Memory:
    """Find one memory that is in use for the actor, with its agent and source; see :func:`in_use`.

    :raises NotFound: it does not exist for this actor, or is out of use
    """
    found = in_use(by, now=now).select_related("agent", "source").filter(id=memory_id).first()
    if found is None:
        raise NotFound
    return found


def profile(subject_id: UUID, *, by: Actor, now: datetime) -> MemoryQuerySet:
    """Give the current keyed facts of a subject, by key; for an agent, what is not paused."""
    keyed = in_use(by, now=now).current(now).filter(subject_id=subject_id, key__isnull=False)
    return keyed.select_related("agent", "source").order_by("key", "id")


def linked(memory_id: UUID, *, depth: int, by: Actor, now: datetime) -> list[dict[str, object]]:
    """Walk the graph around a memory, up to five steps, through memories that the actor may use and no others.

    :return: edges as ``{from, to, relation, depth}``, the nearest first
    :raises NotFound: the memory does not exist for this actor, or is out of its use
    """
    start = one_in_use(memory_id, by=by, now=now)
    seen = in_use(by, now=now).filter(subject_id=start.subject_id)
    depths, edge = {start.id: 0}, {start.id}
    for step in range(1, max(1, min(depth, 5)) + 1):
        ties = Link.objects.filter(Q(from_id__in=edge) | Q(to_id__in=edge)).values_list("from_id", "to_id")
        beyond = {end for tie in ties for end in tie} - depths.keys()
        edge = set(seen.filter(id__in=beyond).values_list("id", flat=True))
        depths |= dict.fromkeys(edge, step)
        if not edge:
            break
    links = Link.objects.filter(from_id__in=depths, to_id__in=depths).order_by("created_at", "id")
    found: list[dict[str, object]] = [
        {
            "from": link.from_id,
            "to": link.to_id,
            "relation": link.relation,
            "depth": max(depths[link.from_id], depths[link.to_id]),
        }
        for link in links
    ]
    return sorted(found, key=lambda link: cast(int, link["depth"]))


def decision(decision_id: UUID, *, by: Actor) -> WriteDecision:
    """Find one write decision that the actor may see: an agent its own, a person those about themselves.

    :raises NotFound: it does not exist for this actor
    """
    decisions = WriteDecision.objects.select_related("subject").filter(id=decision_id)
    if by.kind == "agent":
        decisions = decisions.filter(agent_id=by.agent_id, subject__is_test=by.is_test)
        if by.subject_id is not None:
            decisions = decisions.filter(subject_id=by.subject_id)
    elif by.is_person:
        decisions = decisions.filter(subject_id=by.subject_id) if by.subject_id else decisions.none()
    found = decisions.first()
    if found is None:
        raise NotFound
    return found


def may_be_reviewed(decision: WriteDecision, *, now: datetime) -> bool:
    """Tell whether somebody can look at a refusal again: its words are there, sealed."""
    is_sealed = decision.sealed_until is not None and decision.sealed_until > now
    return decision.result == WriteResult.REFUSED and is_sealed and bool(decision.sealed_text)


def open_pauses(subject_ids: Sequence[UUID], *, now: datetime) -> list[MemoryPause]:
    """List what is paused for these subjects at this moment."""
    return list(
        MemoryPause.objects.filter(Q(until=None) | Q(until__gt=now), subject_id__in=subject_ids, resumed_at=None)
    )


def is_own(memory: Memory, by: Actor) -> bool:
    """Tell whether the actor wrote the memory, or speaks for the person it is about."""
    return by.channel in (Channel.PORTAL, Channel.USER_MESSAGE) or memory.agent_id == by.agent_id
