"""Memories to search: 50 subjects of 1,000 and one of 20,000, and the same vectors in a bare table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import islice

import numpy as np
from django.db import connection
from django.utils import timezone
from numpy.typing import NDArray

from accounts.actors import Actor, system
from accounts.models import Agent, Subject, Tenant
from accounts.services import create_agent, create_tenant, ensure_subject, issue_key
from accounts.vocabulary import Channel, Scope
from memory_admin.indexing.embedding import embed
from memory_admin.indexing.services import IndexInput, index
from memory_admin.memories.models import Memory
from memory_admin.tenancy.roles import as_owner
from memory_admin.tenancy.scope import tenant_scope, uuid7
from policies.services import install_baseline

SMALL, LARGE = 1_000, 20_000
SUBJECTS = 50
KINDS = ("preference", "fact", "relationship", "event", "outcome")
TOPICS = 1_200

WHO = ["Mia", "Ben", "Ana", "Tom", "Eve", "Max", "Zoe", "Leo", "Ida", "Kai"]
DID = ["likes", "avoids", "visited", "booked", "asked about", "repaired", "sold", "planned", "forgot", "praised"]
WHAT = [
    "window seats", "late trains", "the cello", "green tea", "old maps", "a red bicycle", "the garden", "night shifts",
    "rye bread", "long walks", "the harbour", "board games", "wool coats", "the invoice", "a tent", "spicy soup",
    "chess", "the library", "a kayak", "the dentist", "folk songs", "city tours", "a printer", "the choir",
]  # fmt: skip
WHEN = ["in spring", "on Sundays", "last winter", "before work", "with friends", "at the lake", "in Oslo", "since May"]


@dataclass(frozen=True)
class World:
    """What is there to be searched."""

    tenant: Tenant
    by: Actor
    agent: Agent
    key: str
    small: Sequence[Subject]
    large: Subject
    sentences: Sequence[str]


def world() -> World:
    """Make the tenant, its subjects and their memories, and bring the statistics up to date."""
    now = timezone.now()
    tenant = create_tenant(slug="bench", name="Bench", now=now)
    by = system("benchmarks", tenant_id=tenant.id)
    install_baseline(tenant_id=tenant.id, by=by, now=now)
    draw = np.random.default_rng(7)
    sentences = list(_sentences(draw))
    topics = embed(sentences)
    _make_bare_tables()
    with tenant_scope(tenant.id):
        agent = create_agent(name="Bench", by=by, now=now)
        issued = issue_key(agent=agent, scopes=tuple(Scope), channel=Channel.USER_MESSAGE, by=by, now=now)
        small = [ensure_subject(ref=f"user:small-{number}", by=by, now=now) for number in range(SUBJECTS)]
        large = ensure_subject(ref="user:large", by=by, now=now)
    # The large subject among the others, as rows arrive in life.
    order = [subject for subject in small for _ in range(SMALL)] + [large] * LARGE
    draw.shuffle(order)
    rest: Iterator[Subject] = iter(order)
    while batch := list(islice(rest, 2_000)):
        with tenant_scope(tenant.id):
            _store(batch, sentences, topics, draw, now=now)
    _tidy()
    return World(tenant, by, agent, issued.text, small, large, sentences)


def _sentences(draw: np.random.Generator) -> Iterator[str]:
    for number in range(TOPICS):
        who, did, what, when = (str(draw.choice(words)) for words in (WHO, DID, WHAT, WHEN))
        yield f"{who} {did} {what} {when}, note {number} about {draw.choice(WHAT)}"


def _store(
    subjects: Sequence[Subject],
    sentences: Sequence[str],
    topics: NDArray[np.float32],
    draw: np.random.Generator,
    *,
    now: datetime,
) -> None:
    chosen = draw.integers(len(sentences), size=len(subjects))
    noise = draw.normal(size=(len(subjects), topics.shape[1])).astype(np.float32)
    vectors = topics[chosen] + 0.7 * noise / np.linalg.norm(noise, axis=1, keepdims=True)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    memories = [
        _memory(subject, str(sentences[at]), kind=KINDS[place % len(KINDS)], now=now)
        for place, (subject, at) in enumerate(zip(subjects, chosen, strict=True))
    ]
    Memory.objects.bulk_create(memories)
    index(
        [
            IndexInput(
                memory_id=memory.id,
                subject_id=memory.subject_id,
                kind=memory.kind,
                valid_from=memory.valid_from,
                valid_to=None,
                expires_at=memory.expires_at,
                lexical_text=memory.statement,
                vector=vector,
            )
            for memory, vector in zip(memories, vectors, strict=True)
        ]
    )
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO bare_vector SELECT memory_id, tenant_id, subject_id, embedding FROM indexing_entry "
            "WHERE tenant_id = %s AND memory_id = ANY(%s)",
            [memories[0].tenant_id, [memory.id for memory in memories]],
        )


def _memory(subject: Subject, sentence: str, *, kind: str, now: datetime) -> Memory:
    return Memory(
        subject=subject,
        kind=kind,
        status="active",
        origin="stated",
        channel="user_message",
        asserted_by="system:benchmarks",
        confidence=0.9,
        importance=0.6,
        statement=sentence,
        digest=b"\0" * 32,
        valid_from=now - timedelta(days=1),
        expires_at=now + timedelta(days=365),
        recorded_at=now,
        kept_from=now,
        changed_at=now,
        decision_id=uuid7(),
        policy_version="write/1",
    )


def _make_bare_tables() -> None:
    with as_owner(), connection.cursor() as cursor:
        cursor.execute(
            """
            CREATE TABLE bare_vector (id uuid PRIMARY KEY, tenant uuid, subject_id uuid, embedding halfvec(384));
            ALTER TABLE bare_vector ALTER COLUMN embedding SET STORAGE PLAIN;
            CREATE INDEX ON bare_vector (tenant, subject_id);
            CREATE TABLE bare_row (id uuid PRIMARY KEY, tenant uuid, said text, embedding halfvec(384));
            GRANT SELECT, INSERT ON bare_vector, bare_row TO memory_app;
            """
        )


def _tidy() -> None:
    with as_owner(), connection.cursor() as cursor:
        for table in ("indexing_entry", "memories_memory", "bare_vector", "accounts_subject"):
            cursor.execute(f"VACUUM ANALYZE {table}")
