"""Questions about the past: versions instead of memories, without the search table, which knows the present only."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from accounts.actors import Actor
from memory_admin.indexing.embedding import ModelUnavailable, embed
from memory_admin.indexing.lexemes import lexemes
from memory_admin.memories import changes
from memory_admin.memories import queries as memories
from memory_admin.memories.claims import spoken
from memory_admin.memories.models import MemoryRevision
from memory_admin.memories.vocabulary import HELD
from memory_admin.retrieval.candidates import Found, Question
from memory_admin.retrieval.queries import Facts, Weighed


def candidates(
    *,
    subject_ids: Sequence[UUID],
    question: Question,
    valid_at: datetime,
    recorded_at: datetime,
    by: Actor,
    now: datetime,
    limit: int,
) -> tuple[list[Found], dict[UUID, Weighed], dict[UUID, Facts]]:
    """Find what was held true then: the ``limit`` richest in the question's words for each subject, then the latest.

    What is disputed, withdrawn, expired or paused by now is not handed out again under an older date.
    """
    found: list[Found] = []
    weighed: dict[UUID, Weighed] = {}
    facts: dict[UUID, Facts] = {}
    for subject_id in subject_ids:
        seen = memories.in_use(by, now=now).filter(subject_id=subject_id, status__in=HELD)
        versions = list(memories.as_of(seen, valid_at=valid_at, recorded_at=recorded_at, by=by))
        ranked = _by_words(versions, question)[:limit]
        similarities = _similarities([version for version, _ in ranked], question.vector)
        found += [
            Found(version.memory_id, similarity, keyword)
            for (version, keyword), similarity in zip(ranked, similarities, strict=True)
        ]
        facts |= {version.memory_id: _facts(version) for version, _ in ranked}
        weighed |= {version.memory_id: _weighed(version) for version, _ in ranked}
    return found, weighed, facts


def _by_words(versions: Sequence[MemoryRevision], question: Question) -> list[tuple[MemoryRevision, float]]:
    held = [set(lexemes(_lexical_text(version))) for version in versions]
    counts = Counter(word for words in held for word in words if word in question.words)
    weights = {word: math.log(1 + (len(held) - counts[word] + 0.5) / (counts[word] + 0.5)) for word in question.words}
    total = sum(weights.values())
    scored = [
        (version, sum(weights[word] for word in question.words if word in words) / total if total else 0.0)
        for version, words in zip(versions, held, strict=True)
    ]
    return sorted(scored, key=lambda pair: -pair[1])


def _similarities(versions: Sequence[MemoryRevision], vector: NDArray[np.float32] | None) -> list[float]:
    if vector is None:
        return [0.0] * len(versions)
    try:
        vectors = embed([_embedded_text(version) for version in versions])
    except ModelUnavailable:
        return [0.0] * len(versions)
    return [float(cosine) for cosine in vectors @ vector]


def _embedded_text(version: MemoryRevision) -> str:
    source = version.memory.source
    return spoken(version.statement, kind=version.kind, speaker=source.speaker if source else "")


def _lexical_text(version: MemoryRevision) -> str:
    memory = version.memory
    memory.statement, memory.key, memory.valid_from = version.statement, version.key, version.valid_from
    return changes.lexical_text(memory)


def _weighed(version: MemoryRevision) -> Weighed:
    memory = version.memory
    return Weighed(
        memory_id=memory.id,
        subject_id=memory.subject_id,
        kind=version.kind,
        origin=version.origin,
        channel=memory.channel,
        categories=version.categories,
        scopes=memory.scopes,
        confidence=version.confidence,
        importance=memory.importance,
        is_confirmed=memory.confirmed_at is not None,
        recorded_at=version.recorded_from.timestamp(),
        last_used_at=None,
        thread=(memory.source.trace_id or None) if memory.source else None,
        position=memory.source.position if memory.source else None,
    )


def _facts(version: MemoryRevision) -> Facts:
    memory = version.memory
    source = memory.source
    return Facts(
        memory_id=memory.id,
        subject_id=memory.subject_id,
        kind=version.kind,
        level=memory.level,
        key=version.key,
        statement=version.statement,
        status=version.status,
        origin=version.origin,
        channel=memory.channel,
        asserted_by=memory.asserted_by,
        agent_name=memory.agent.name if memory.agent else None,
        categories=version.categories,
        scopes=memory.scopes,
        confidence=version.confidence,
        importance=memory.importance,
        valid_from=version.valid_from,
        valid_to=version.valid_to,
        expires_at=memory.expires_at,
        confirmed_at=memory.confirmed_at,
        recorded_at=version.recorded_from,
        last_used_at=None,
        version=version.version,
        policy_version=version.policy_version,
        trace_id=source.trace_id if source else None,
        message_id=source.message_id if source else None,
        position=source.position if source else None,
        uri=source.uri if source else None,
        occurred_at=source.occurred_at if source else None,
    )
