"""Who can use the person's memory: each agent, what its keys allow, and what it read lately."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.db.models import Count, Max, Q

from accounts.actors import Actor
from accounts.models import Agent, ApiKey
from accounts.vocabulary import Scope
from memory_admin.memories import queries
from memory_admin.memories.models import MemoryPause
from memory_admin.portal.pauses import Pauses
from memory_admin.retrieval.models import RetrievalCandidate

READ_WITHIN = timedelta(days=30)

#: The scopes that let an agent read what is known about a person, and those that let it add to that.
READS = {Scope.MEMORIES_READ, Scope.PROFILE_READ, Scope.CONTEXT_READ, Scope.THREADS_READ, Scope.PROCEDURES_READ}
SAVES = {Scope.MEMORIES_WRITE, Scope.PROFILE_WRITE, Scope.THREADS_WRITE, Scope.EPISODES_WRITE, Scope.TRACES_WRITE}


@dataclass(frozen=True, slots=True)
class AgentLine:
    """One agent that may know the person."""

    id: UUID
    name: str
    purpose: str
    allowed: str
    read_count: int
    answer_count: int
    last_read_at: datetime | None
    pause: MemoryPause | None


def keys_behind(refs: set[str]) -> dict[str, ApiKey]:
    """Find the keys, with their agents, among whoever is behind some references: one statement."""
    ids = [ref.removeprefix("key:") for ref in refs if ref.startswith("key:")]
    return {f"key:{key.id}": key for key in ApiKey.objects.filter(id__in=ids).select_related("agent")}


def agents_of(by: Actor, *, pauses: Pauses, now: datetime) -> list[AgentLine]:
    """List the agents of the tenant that are not retired, by name: three queries, however many there are."""
    agents = list(Agent.objects.exclude(status="retired").order_by("name", "id"))
    scopes = scopes_of(by, now=now)
    reads = _reads(by, now=now)
    return [
        AgentLine(
            id=agent.id,
            name=agent.name,
            purpose=agent.purpose,
            allowed=_allowed(scopes.get(agent.id, set())),
            read_count=reads.get(agent.id, _NOTHING)[0],
            answer_count=reads.get(agent.id, _NOTHING)[1],
            last_read_at=reads.get(agent.id, _NOTHING)[2],
            pause=pauses.agents.get(agent.id),
        )
        for agent in agents
    ]


_NOTHING: tuple[int, int, datetime | None] = (0, 0, None)


def scopes_of(by: Actor, *, now: datetime) -> dict[UUID, set[str]]:
    """Gather what the living keys of each agent allow about this person."""
    keys = ApiKey.objects.filter(
        Q(expires_at=None) | Q(expires_at__gt=now),
        Q(subject_id=None) | Q(subject_id=by.subject_id),
        revoked_at=None,
        is_test=False,
    )
    found: dict[UUID, set[str]] = {}
    for agent_id, scopes in keys.values_list("agent_id", "scopes"):
        found.setdefault(agent_id, set()).update(scopes)
    return found


def _reads(by: Actor, *, now: datetime) -> dict[UUID, tuple[int, int, datetime | None]]:
    """Count for each agent the person's memories it was given lately, in how many answers, and when last."""
    given = (
        RetrievalCandidate.objects.filter(
            memory_id__in=queries.visible_to(by).order_by().values("id"),
            returned=True,
            retrieval__created_at__gt=now - READ_WITHIN,
        )
        .values_list("retrieval__agent_id")
        .annotate(
            read=Count("memory_id", distinct=True),
            answers=Count("retrieval_id", distinct=True),
            last=Max("retrieval__created_at"),
        )
        .order_by("retrieval__agent_id")
    )
    return {agent_id: (read, answers, last) for agent_id, read, answers, last in given if agent_id}


def _allowed(scopes: set[str]) -> str:
    """Say in one sentence what some scopes allow."""
    if not scopes:
        return "Has no key at the moment, so it reads and saves nothing."
    verbs = [verb for verb, of in (("read", READS), ("save", SAVES)) if scopes & of]
    parts = [f"{' and '.join(verbs)} memories about you"] if verbs else []
    parts += ["have them erased when you ask it to"] if Scope.ERASURES_WRITE in scopes else []
    may = f"May {', and '.join(parts)}." if parts else "May neither read nor save memories about you."
    return f"{may} Sensitive ones too." if Scope.MEMORIES_SENSITIVE in scopes and verbs else may
