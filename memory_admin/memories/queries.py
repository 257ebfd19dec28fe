"""What a reader may see of memories; outside it a row does not exist."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import cast
from uuid import UUID

from django.db import connection
from django.db.models import BooleanField, Exists, ExpressionWrapper, F, Func, OuterRef, Q, QuerySet

from accounts.actors import Actor
from accounts.vocabulary import Channel, MemoryMode, Role, Scope
from memory_admin.errors import NotFound
from memory_admin.memories.models import Memory, MemoryPause, MemoryQuerySet, MemoryRevision, WriteDecision
from memory_admin.memories.vocabulary import HELD, PauseMode, PauseTarget, Status
from memory_admin.tenancy.scope import required_tenant
from policies.queries import PoliciesInForce, in_force

# Kept from agents: what waits for a person, what was turned down, what is gone.
HIDDEN_FROM_AGENTS = (Status.PROPOSED, Status.QUARANTINED, Status.REJECTED, Status.ERASED)


def visible_to(by: Actor) -> MemoryQuerySet:
    """Give every memory the actor may see, with its subject.

    A person sees all of their own. An agent sees what it could be given: never what waits for a person, never a
    sensitive category without the scope, a bound key only its own subject, a test key only test subjects.
    """
    seen = cast(MemoryQuerySet, Memory.objects.select_related("subject")).living()
    if by.is_person:
        return seen.filter(subject_id=by.subject_id) if by.subject_id else seen.none()
    if by.kind == "agent":
        seen = seen.exclude(status__in=HIDDEN_FROM_AGENTS).filter(subject__is_test=by.is_test)
        if by.subject_id is not None:
            seen = seen.filter(subject_id=by.subject_id)
        if not by.has(Scope.MEMORIES_SENSITIVE):
            seen = seen.exclude(categories__overlap=sorted(sensitive_categories()))
        return seen
    if by.kind == "staff" and Role.PRIVACY_OFFICER not in by.roles:
        return seen.none()
    return seen


def sensitive_categories(policies: PoliciesInForce | None = None) -> frozenset[str]:
    """Name the categories that the access policy in force keeps closed by default."""
    from django.utils import timezone

    policies = policies or in_force(timezone.now())
    return frozenset(policies.access.document.sensitive_categories)


def one(memory_id: UUID, *, by: Actor) -> Memory:
    """Find one memory that the actor may see, with its agent and source.

    :raises NotFound: it does not exist for this actor
    """
    found = visible_to(by).select_related("agent", "source").filter(id=memory_id).first()
    if found is None:
        raise NotFound
    return found


def versions_open_to(by: Actor) -> QuerySet[MemoryRevision]:
    """Give the versions whose own words the actor may read: what a version is about may differ from its memory by now.

    To be narrowed to memories that the actor may see.
    """
    versions = MemoryRevision.objects.all()
    if by.kind == "agent" and not by.has(Scope.MEMORIES_SENSITIVE):
        versions = versions.exclude(categories__overlap=sorted(sensitive_categories()))
    return versions


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
    """Give what is visible to the actor and, for an agent, not paused by its subject: wholly, for it, or in part."""
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
    return visible_to(by).exclude(is_closed).exclude(Exists(pauses))


def profile(subject_id: UUID, *, by: Actor, now: datetime) -> list[Memory]:
    """List the current keyed facts of a subject, by key; for an agent, what is not paused."""
    keyed = in_use(by, now=now).current(now).filter(subject_id=subject_id, key__isnull=False)
    return list(keyed.select_related("agent", "source").order_by("key", "id"))


def linked(memory_id: UUID, *, depth: int, by: Actor) -> list[dict[str, object]]:
    """Walk the graph around a memory, up to five steps, through memories that the actor may see.

    :return: edges as ``{from, to, relation, depth}``, the nearest first
    :raises NotFound: the memory does not exist for this actor
    """
    start = one(memory_id, by=by)
    with connection.cursor() as cursor:
        cursor.execute(
            """
            WITH RECURSIVE walk(id, depth) AS (
                SELECT %(start)s::uuid, 0
                UNION
                SELECT step.other, walk.depth + 1
                FROM walk
                CROSS JOIN LATERAL (
                    SELECT l.to_id AS other FROM memories_link l
                    WHERE l.tenant_id = %(tenant)s AND l.from_id = walk.id
                    UNION
                    SELECT l.from_id FROM memories_link l
                    WHERE l.tenant_id = %(tenant)s AND l.to_id = walk.id
                ) step
                WHERE walk.depth < %(depth)s
            ), reached AS (SELECT id, min(depth) AS depth FROM walk GROUP BY id)
            SELECT l.from_id, l.to_id, l.relation, greatest(a.depth, b.depth)
            FROM memories_link l
            JOIN reached a ON a.id = l.from_id
            JOIN reached b ON b.id = l.to_id
            WHERE l.tenant_id = %(tenant)s
            ORDER BY 4, l.created_at, l.id
            """,
            {"tenant": required_tenant(), "start": start.id, "depth": max(1, min(depth, 5))},
        )
        edges = cursor.fetchall()
    ends = {end for edge in edges for end in edge[:2]}
    seen = set(visible_to(by).filter(id__in=ends, subject_id=start.subject_id).values_list("id", flat=True))
    return [
        {"from": source, "to": target, "relation": relation, "depth": steps}
        for source, target, relation, steps in edges
        if source in seen and target in seen
    ]


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


def not_saved(*, by: Actor, now: datetime) -> list[WriteDecision]:
    """List what was refused about a person and can still be shown to them, the newest first."""
    if by.subject_id is None:
        return []
    return list(
        WriteDecision.objects.filter(
            subject_id=by.subject_id, sealed_until__gt=now, sealed_text__isnull=False
        ).order_by("-decided_at", "-id")[:200]
    )


def open_pauses(subject_ids: Sequence[UUID], *, now: datetime) -> list[MemoryPause]:
    """List what is paused for these subjects at this moment."""
    return list(
        MemoryPause.objects.filter(Q(until=None) | Q(until__gt=now), subject_id__in=subject_ids, resumed_at=None)
    )


def is_own(memory: Memory, by: Actor) -> bool:
    """Tell whether the actor wrote the memory, or speaks for the person it is about."""
    return by.channel in (Channel.PORTAL, Channel.USER_MESSAGE) or memory.agent_id == by.agent_id
