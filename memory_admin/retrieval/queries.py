"""What a search reads besides the search table, each in one statement; and the log, as its readers may see it."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import connection
from django.db.models import QuerySet

from accounts.actors import Actor
from accounts.models import Subject
from accounts.queries import may_see_subject
from accounts.vocabulary import MemoryMode
from memory_admin.errors import NotFound
from memory_admin.indexing.embedding import model_name
from memory_admin.indexing.models import Entry
from memory_admin.retrieval import fence
from memory_admin.retrieval.models import Retrieval, RetrievalCandidate
from memory_admin.tenancy.scope import required_tenant


@dataclass(frozen=True, slots=True)
class Pause:
    """Something out of use: everything, an agent, a category or one memory."""

    target: str
    memory_id: UUID | None
    agent_id: UUID | None
    category: str | None


@dataclass(frozen=True, slots=True)
class Closed:
    """A memory with a category that some rule or pause closes; whether it is closed depends on its kind."""

    memory_id: UUID
    kind: str
    categories: frozenset[str]


@dataclass(frozen=True, slots=True)
class Scope:
    """One subject as a search finds it: whether it may be used at all, and what is kept out of any score.

    ``by_status`` counts the disputed, expired and superseded; ``expired`` and ``of_closed_kind`` count those in the
    search table that the time or their kind keeps out.
    """

    subject_id: UUID
    ref: str
    is_used: bool
    pauses: Sequence[Pause]
    by_status: Mapping[str, int]
    expired: int
    of_closed_kind: int
    closed: Sequence[Closed]


def scopes_of(
    refs: Sequence[str], *, by: Actor, now: datetime, categories: Collection[str], closed_kinds: Collection[str]
) -> list[Scope]:
    """Read the subjects asked for, in the order asked, with everything the hard filters need.

    :param categories: categories that a rule may close; those under a pause are added
    :param closed_kinds: kinds that no rule lets through, to be counted
    :raises NotFound: one does not exist, or lies outside what the actor may see
    """
    with connection.cursor() as cursor:
        cursor.execute(
            _SCOPES,
            {
                "tenant": required_tenant(),
                "refs": list(refs),
                "is_test": by.is_test,
                "now": now,
                "model": model_name(),
                "categories": sorted(categories),
                "closed_kinds": sorted(closed_kinds),
            },
        )
        rows = {row[1]: row for row in cursor.fetchall()}
    return [_scope(rows[ref], by=by, now=now) if ref in rows else _absent() for ref in dict.fromkeys(refs)]


_SCOPES = f"""
SELECT s.id, s.ref, s.memory_mode, s.paused_until, s.is_test, paused.list, status.counts, expired.n,
       CASE WHEN %(closed_kinds)s = '{{}}'::text[] THEN 0 ELSE (
           SELECT count(*) FROM indexing_entry e WHERE e.tenant_id = s.tenant_id AND e.subject_id = s.id
           AND e.model = %(model)s AND e.kind = ANY(%(closed_kinds)s)
       ) END,
       closed.list, {fence.BEGIN_ANSWER.format(tenant="s.tenant_id", subject="s.id")}
FROM accounts_subject s
CROSS JOIN LATERAL (
    SELECT coalesce(jsonb_agg(jsonb_build_array(p.target, p.memory_id, p.agent_id, p.category)), '[]') AS list,
           coalesce(array_agg(p.category) FILTER (WHERE p.category IS NOT NULL), '{{}}') AS categories
    FROM memories_memorypause p
    WHERE p.tenant_id = s.tenant_id AND p.subject_id = s.id AND p.resumed_at IS NULL
    AND (p.until IS NULL OR p.until > %(now)s) AND p.mode IN ('use', 'both')
) paused
CROSS JOIN LATERAL (
    SELECT coalesce(jsonb_object_agg(status, n), '{{}}') AS counts
    FROM (
        SELECT m.status, count(*) AS n FROM memories_memory m
        WHERE m.tenant_id = s.tenant_id AND m.subject_id = s.id
        AND m.status IN ('disputed', 'expired', 'superseded') GROUP BY m.status
    ) one
) status
CROSS JOIN LATERAL (
    SELECT count(*) AS n FROM indexing_entry e
    WHERE e.tenant_id = s.tenant_id AND e.subject_id = s.id AND e.model = %(model)s AND e.expires_at <= %(now)s
) expired
CROSS JOIN LATERAL (
    SELECT coalesce(jsonb_agg(jsonb_build_array(m.id, m.kind, m.categories)), '[]') AS list
    FROM memories_memory m
    WHERE m.tenant_id = s.tenant_id AND m.subject_id = s.id AND m.status = 'active' AND m.categories <> '{{}}'
    AND (m.categories && %(categories)s::text[] OR m.categories && paused.categories)
) closed
WHERE s.tenant_id = %(tenant)s AND s.ref = ANY(%(refs)s) AND s.is_test = %(is_test)s
"""  # noqa: S608  # our own words


def _scope(row: Sequence[Any], *, by: Actor, now: datetime) -> Scope:
    subject_id, ref, mode, until, is_test, pauses, counts, expired, of_closed_kind, closed, _ = row
    if not may_see_subject(Subject(id=subject_id, is_test=is_test), by=by):
        raise NotFound
    return Scope(
        subject_id=subject_id,
        ref=ref,
        is_used=MemoryMode(mode).uses or (until is not None and until <= now),
        pauses=[Pause(target, _uuid(memory), _uuid(agent), of) for target, memory, agent, of in json.loads(pauses)],
        by_status=json.loads(counts),
        expired=expired,
        of_closed_kind=of_closed_kind,
        closed=[Closed(UUID(memory), kind, frozenset(categories)) for memory, kind, categories in json.loads(closed)],
    )


def findable_in(subject_id: UUID) -> int:
    """Count the memories of a subject that a search could find if nothing were in its way."""
    return Entry.objects.filter(subject_id=subject_id, model=model_name()).count()


def _absent() -> Scope:
    raise NotFound


def _uuid(text: str | None) -> UUID | None:
    return None if text is None else UUID(text)


@dataclass(frozen=True, slots=True)
class Weighed:
    """What filters and scores read of one candidate; there are hundreds, so it holds no words."""

    memory_id: UUID
    subject_id: UUID
    kind: str
    origin: str
    channel: str
    categories: Sequence[str]
    scopes: Sequence[str]
    confidence: float
    importance: float
    is_confirmed: bool
    recorded_at: float
    last_used_at: float | None
    thread: str | None
    position: int | None


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known of one memory that may be handed out: its content and its provenance."""

    memory_id: UUID
    subject_id: UUID
    kind: str
    level: str | None
    key: str | None
    statement: str
    status: str
    origin: str
    channel: str
    asserted_by: str
    agent_name: str | None
    categories: Sequence[str]
    scopes: Sequence[str]
    confidence: float
    importance: float
    valid_from: datetime
    valid_to: datetime | None
    expires_at: datetime | None
    confirmed_at: datetime | None
    recorded_at: datetime
    last_used_at: datetime | None
    version: int
    policy_version: str
    trace_id: str | None
    message_id: str | None
    position: int | None
    uri: str | None
    occurred_at: datetime | None


def weighed(memory_ids: Collection[UUID]) -> dict[UUID, Weighed]:
    """Read what filters and scores need of candidates; times are seconds since 1970."""
    with connection.cursor() as cursor:
        cursor.execute(
            """
            SELECT m.id, m.subject_id, m.kind, m.origin, m.channel, m.categories, m.scopes, m.confidence, m.importance,
                   m.confirmed_at IS NOT NULL, extract(epoch FROM m.recorded_at)::float8,
                   extract(epoch FROM m.last_used_at)::float8, nullif(s.trace_id, ''), s.position
            FROM memories_memory m
            LEFT JOIN memories_source s ON s.tenant_id = m.tenant_id AND s.id = m.source_id
            WHERE m.tenant_id = %(tenant)s AND m.id = ANY(%(ids)s) AND m.status = 'active'
            """,
            {"tenant": required_tenant(), "ids": list(memory_ids)},
        )
        return {row[0]: Weighed(*row) for row in cursor.fetchall()}


def facts_of(memory_ids: Collection[UUID]) -> dict[UUID, Facts]:
    """Read what is known of memories."""
    return {facts.memory_id: facts for facts in _facts("m.id = ANY(%(ids)s)", {"ids": list(memory_ids)})}


def profile_of(subject_ids: Collection[UUID], *, at: datetime) -> list[Facts]:
    """Read the profile: what has a key or is pinned, and holds at a time; by subject, key and age."""
    return _facts(
        "m.subject_id = ANY(%(subjects)s) AND m.status = 'active' AND (m.key IS NOT NULL OR m.pinned) "
        "AND m.valid_from <= %(at)s AND (m.valid_to IS NULL OR m.valid_to > %(at)s) "
        "AND (m.expires_at IS NULL OR m.expires_at > %(at)s) ORDER BY m.subject_id, m.key NULLS LAST, m.id",
        {"subjects": list(subject_ids), "at": at},
    )


def gist_of(subject_ids: Collection[UUID], *, at: datetime) -> list[Facts]:
    """Read the newest gist summary of each subject."""
    return _facts(
        "m.id IN (SELECT DISTINCT ON (g.subject_id) g.id FROM memories_memory g WHERE g.tenant_id = %(tenant)s "
        "AND g.subject_id = ANY(%(subjects)s) AND g.status = 'active' AND g.kind = 'summary' AND g.level = 'gist' "
        "AND g.valid_from <= %(at)s AND (g.expires_at IS NULL OR g.expires_at > %(at)s) "
        "ORDER BY g.subject_id, g.recorded_at DESC)",
        {"subjects": list(subject_ids), "at": at},
    )


@dataclass(frozen=True, slots=True)
class Shown:
    """What may be handed out, with the pairs among it that are near-duplicates or linked as contradictions."""

    facts: Mapping[UUID, Facts]
    alike: Sequence[tuple[UUID, UUID]] = ()
    opposed: Sequence[tuple[UUID, UUID]] = ()


def shown_of(memory_ids: Collection[UUID], *, near_duplicate: float) -> Shown:
    """Read what is known of the best candidates, and compare them with each other."""
    with connection.cursor() as cursor:
        cursor.execute(
            "WITH shown AS MATERIALIZED (SELECT e.memory_id, e.subject_id, e.embedding FROM indexing_entry e "  # noqa: S608
            "WHERE e.tenant_id = %(tenant)s AND e.memory_id = ANY(%(ids)s) AND e.model = %(model)s) "
            f"SELECT {_COLUMNS}, ARRAY(SELECT other.memory_id FROM shown other "
            "WHERE other.subject_id = one.subject_id AND other.memory_id > one.memory_id "
            "AND 1 - (one.embedding <=> other.embedding) >= %(near)s), "
            "ARRAY(SELECT l.to_id FROM memories_link l WHERE l.tenant_id = m.tenant_id AND l.from_id = m.id "
            "AND l.to_id = ANY(%(ids)s) AND l.relation = 'contradicts') "
            f"FROM {_TABLES} LEFT JOIN shown one ON one.memory_id = m.id "
            "WHERE m.tenant_id = %(tenant)s AND m.id = ANY(%(ids)s)",
            {"tenant": required_tenant(), "ids": list(memory_ids), "model": model_name(), "near": near_duplicate},
        )
        rows = cursor.fetchall()
    return Shown(
        facts={row[0]: Facts(*row[:-2]) for row in rows},
        alike=[(row[0], other) for row in rows for other in row[-2]],
        opposed=[(row[0], other) for row in rows for other in row[-1]],
    )


_COLUMNS = (
    "m.id, m.subject_id, m.kind, m.level, m.key, m.statement, m.status, m.origin, m.channel, m.asserted_by, a.name, "
    "m.categories, m.scopes, m.confidence, m.importance, m.valid_from, m.valid_to, m.expires_at, m.confirmed_at, "
    "m.recorded_at, m.last_used_at, m.version, m.policy_version, "
    "s.trace_id, s.message_id, s.position, s.uri, s.occurred_at"
)
_TABLES = (
    "memories_memory m LEFT JOIN memories_source s ON s.tenant_id = m.tenant_id AND s.id = m.source_id "
    "LEFT JOIN accounts_agent a ON a.tenant_id = m.tenant_id AND a.id = m.agent_id"
)


def _facts(condition: str, parameters: dict[str, Any]) -> list[Facts]:
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT {_COLUMNS} FROM {_TABLES} WHERE m.tenant_id = %(tenant)s AND {condition}",  # noqa: S608  # one of those written above
            {"tenant": required_tenant(), **parameters},
        )
        return [Facts(*row) for row in cursor.fetchall()]


def retrievals(*, by: Actor) -> QuerySet[Retrieval]:
    """Give the log as the actor may see it, the newest first: an agent its own questions about what it may name."""
    log = Retrieval.objects.order_by("-created_at", "-id")
    if by.kind != "agent":
        return log
    # One question is about test subjects or about real ones, never both: the first tells.
    log = log.filter(agent_id=by.agent_id, subject_ids__0__in=Subject.objects.filter(is_test=by.is_test).values("id"))
    return log if by.subject_id is None else log.filter(subject_ids__contained_by=[by.subject_id])


def one(retrieval_id: UUID, *, by: Actor) -> tuple[Retrieval, list[RetrievalCandidate]]:
    """Find one answered question with its candidates by rank.

    :raises NotFound: it does not exist for this actor
    """
    found = retrievals(by=by).filter(id=retrieval_id).first()
    if found is None:
        raise NotFound
    return found, list(RetrievalCandidate.objects.filter(retrieval_id=found.id).order_by("rank", "id"))


def uses_of(memory_id: UUID) -> QuerySet[RetrievalCandidate]:
    """Give every answer that handed out a memory, the newest first. Ask first whether the reader may see the memory."""
    return weighings_of(memory_id).filter(returned=True)


def weighings_of(memory_id: UUID) -> QuerySet[RetrievalCandidate]:
    """Give every answer that handed out a memory, or had it among the next best and did not, the newest first.

    Ask first whether the reader may see the memory.
    """
    weighings = RetrievalCandidate.objects.select_related("retrieval").filter(memory_id=memory_id)
    return weighings.order_by("-id")
