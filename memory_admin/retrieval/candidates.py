"""The memories of one subject that may answer a question: nearest in meaning and richest in its words, exactly.

One statement, run as the app role, reads every entry of the subject from the covering index alone. No approximate
index: under the filters of a subject such an index loses most of the true neighbours.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

import numpy as np
from django.db import connection
from numpy.typing import NDArray
from pgvector import Bit, HalfVector, SparseVector

from memory_admin.indexing.embedding import model_name
from memory_admin.indexing.lexemes import SPACE, hashed, lexemes
from memory_admin.tenancy.scope import required_tenant

SIFTED = 50
"""One in so many memories of a subject is compared exactly, if that is more than the nearest asked for: the signs alone
find 0.999 of the true ten among 150 of 1,000, and need 400 of 20,000 for 0.995."""

WORDS = 48
"""Most words of a question that are looked for: two inner products of 24 exact bits each."""

_BITS = 24  # whole numbers below 2 to the 24th are exact in the single precision of a sparse vector


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked: the query's vector, None while the model cannot be reached, and its lexemes."""

    vector: NDArray[np.float32] | None
    words: tuple[str, ...]

    @classmethod
    def of(cls, text: str, vector: NDArray[np.float32] | None) -> Question:
        """Make the question of a query text and its vector."""
        return cls(vector=vector, words=lexemes(text)[:WORDS])


@dataclass(frozen=True, slots=True, kw_only=True)
class Filters:
    """What may be found. ``kinds`` None is every kind; ``excluded`` are memories closed one by one.

    ``allowed`` is SQL that selects the ids of the memories that may be found, with its parameters, for filters that the
    search table knows nothing of; None where there are none.
    """

    at: datetime
    kinds: Collection[str] | None = None
    excluded: Collection[UUID] = ()
    allowed: tuple[str, dict[str, Any]] | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """One candidate: its cosine with the question, and the share of the question's weight of words that it holds."""

    memory_id: UUID
    similarity: float
    keyword: float


def find(*, subject_id: UUID, question: Question, filters: Filters, nearest: int, richest: int) -> list[Found]:
    """Find candidates: the ``nearest`` by vector and the ``richest`` by words, united, in no order.

    The weight of a word is its inverse document frequency ``ln(1 + (n − df + ½) / (df + ½))``, as in BM25 (Robertson
    and Spärck Jones), counted among the memories of the subject that pass the filters.
    """
    sql, parameters = statement(
        subject_id=subject_id, question=question, filters=filters, nearest=nearest, richest=richest
    )
    with connection.cursor() as cursor:
        cursor.execute(sql, parameters)
        rows = cursor.fetchall()
    # By vector more were compared than were asked for.
    by_vector = sorted((row for row in rows if row[4]), key=lambda row: (-row[1], row[0]))[:nearest]
    kept = {row[0]: row for row in (*by_vector, *(row for row in rows if row[5]))}
    return [
        Found(memory_id, cosine, weight / total if total else 0.0)
        for memory_id, cosine, weight, total, *_ in kept.values()
    ]


def statement(
    *, subject_id: UUID, question: Question, filters: Filters, nearest: int, richest: int
) -> tuple[str, dict[str, Any]]:
    """Write the candidate query and its parameters; its rows are id, cosine, weights of words, and by which leg."""
    hashes = hashed(question.words, subject_id=subject_id)
    has_vector = question.vector is not None
    parameters: dict[str, Any] = {
        "tenant": required_tenant(),
        "subject": subject_id,
        "model": model_name(),
        "at": filters.at,
        "kinds": sorted(filters.kinds) if filters.kinds is not None else None,
        "excluded": list(filters.excluded),
        "first": _powers(hashes[:_BITS]),
        "second": _powers(hashes[_BITS:]),
        "words": len(hashes),
        "vector": HalfVector(question.vector).to_text() if question.vector is not None else None,
        "bits": Bit(question.vector > 0).to_text() if question.vector is not None else None,
        "nearest": nearest,
        "sifted": SIFTED,
        "richest": richest,
    }
    conditions = [
        "e.tenant_id = %(tenant)s",
        "e.subject_id = %(subject)s",
        "e.model = %(model)s",
        "e.valid_from <= %(at)s",
        "(e.valid_to IS NULL OR e.valid_to > %(at)s)",
        "(e.expires_at IS NULL OR e.expires_at > %(at)s)",
    ]
    if filters.kinds is not None:
        conditions.append("e.kind = ANY(%(kinds)s)")
    if filters.excluded:
        conditions.append("e.memory_id <> ALL(%(excluded)s)")
    if filters.allowed is not None:
        allowed, more = filters.allowed
        conditions.append(f"e.memory_id IN ({allowed})")
        parameters |= more
    mask = "(-(e.lexemes <#> %(first)s::sparsevec))::bigint"
    if len(hashes) > _BITS:
        mask += f" + ((-(e.lexemes <#> %(second)s::sparsevec))::bigint << {_BITS})"
    return (
        _SQL.format(
            scope=" AND ".join(conditions),
            mask=mask if hashes else "0::bigint",
            nearest="greatest(%(nearest)s, (SELECT sum(n) / %(sifted)s FROM masks))" if has_vector else "0",
            distance="e.embedding_bits <~> %(bits)s::bit(384)" if has_vector else "0::float8",
            cosine="coalesce(1 - (e.embedding <=> %(vector)s::halfvec), 0)" if has_vector else "0::float8",
        ),
        parameters,
    )


# A mask has one bit for each word of the question that the entry holds, so words are counted and weighed once for each
# combination that occurs and not once for each memory. The limit keeps the last join a look-up of each candidate's row:
# on a small table the planner would rather read all of it.
_SQL = """
WITH scoped AS MATERIALIZED (
    SELECT e.memory_id, {distance} AS distance, {mask} AS mask FROM indexing_entry e WHERE {scope}
), masks AS MATERIALIZED (
    SELECT mask, count(*) AS n FROM scoped GROUP BY mask
), near AS MATERIALIZED (
    SELECT memory_id, mask FROM scoped ORDER BY distance LIMIT {nearest}
), words AS MATERIALIZED (
    SELECT bit, ln(1 + (n - df + 0.5) / (df + 0.5)) AS weight
    FROM (
        SELECT 1::bigint << word AS bit, sum(n)::float8 AS n,
               coalesce(sum(n) FILTER (WHERE mask & (1::bigint << word) <> 0), 0)::float8 AS df
        FROM generate_series(0, %(words)s - 1) AS word CROSS JOIN masks GROUP BY word
    ) counted
), weights AS MATERIALIZED (
    SELECT mask, sum(weight) AS weight FROM masks JOIN words ON mask & bit <> 0 GROUP BY mask
), rich AS MATERIALIZED (
    SELECT memory_id, mask FROM scoped JOIN weights USING (mask) ORDER BY weight DESC, distance LIMIT %(richest)s
)
SELECT candidate.memory_id, {cosine}::float8, coalesce(w.weight, 0)::float8, (SELECT sum(weight) FROM words)::float8,
       candidate.is_near, candidate.is_rich
FROM (
    SELECT memory_id, mask, bool_or(is_near) AS is_near, bool_or(NOT is_near) AS is_rich
    FROM (SELECT *, true AS is_near FROM near UNION ALL SELECT *, false FROM rich) leg GROUP BY memory_id, mask
) candidate
CROSS JOIN LATERAL (
    SELECT e.embedding FROM indexing_entry e
    WHERE e.tenant_id = %(tenant)s AND e.memory_id = candidate.memory_id AND e.model = %(model)s LIMIT 1
) e
LEFT JOIN weights w ON w.mask = candidate.mask
"""


def _powers(hashes: list[int]) -> str:
    # Two words with one hash share their bit; the later one is never matched alone.
    return str(SparseVector({number: float(2**place) for place, number in enumerate(hashes)}, SPACE).to_text())
