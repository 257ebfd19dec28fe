"""Writing the search table. Called by the services that change memories, inside their transaction."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

import numpy as np
from django.db import connection
from numpy.typing import NDArray
from pgvector import Bit, HalfVector, SparseVector

from memory_admin.indexing.embedding import model_name
from memory_admin.indexing.lexemes import SPACE, hashed, lexemes
from memory_admin.indexing.models import Entry
from memory_admin.tenancy.arrays import any_id
from memory_admin.tenancy.scope import required_tenant


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexInput:
    """One retrievable memory as search shall find it.

    ``lexical_text`` is everything that may be asked for: the statement, names, key, aliases, the date in words.
    ``vector`` is the unit vector of the text to embed, or None while the model cannot be reached.
    """

    memory_id: UUID
    subject_id: UUID
    kind: str
    valid_from: datetime
    valid_to: datetime | None
    expires_at: datetime | None
    lexical_text: str
    vector: NDArray[np.float32] | None


def index(memories: Sequence[IndexInput]) -> None:
    """Make memories findable as they now are, replacing what search knew of them under the present model."""
    Entry.objects.bulk_create(
        [_entry(memory) for memory in memories],
        batch_size=500,
        update_conflicts=True,
        unique_fields=["tenant_id", "memory_id", "model"],
        update_fields=["subject_id", "kind", "valid_from", "valid_to", "expires_at", *_CONTENT],
    )


def retime(memory_id: UUID, *, valid_from: datetime, valid_to: datetime | None, expires_at: datetime | None) -> bool:
    """Bring the periods of a memory's entries in line with it; tell whether it has any."""
    entries = Entry.objects.filter(memory_id=memory_id)
    return entries.update(valid_from=valid_from, valid_to=valid_to, expires_at=expires_at) > 0


def expire(ends: Mapping[UUID, datetime | None]) -> None:
    """Bring the end of many memories' entries in line with them, in one statement; None is for ever."""
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE indexing_entry e SET expires_at = u.ends "
            "FROM unnest(%s::uuid[], %s::timestamptz[]) AS u (id, ends) WHERE e.tenant_id = %s AND e.memory_id = u.id",
            [list(ends), list(ends.values()), required_tenant()],
        )


def remove(memory_ids: Collection[UUID]) -> None:
    """Make memories unfindable, under every model."""
    Entry.objects.filter(memory_id__in=any_id(memory_ids)).delete()


def fill_vectors(vectors: Mapping[UUID, NDArray[np.float32]]) -> int:
    """Give entries that were stored without a vector theirs; tell how many. One that has a vector is left alone."""
    filled = 0
    for memory_id, vector in vectors.items():
        waiting = Entry.objects.filter(memory_id=memory_id, model=model_name(), embedding=None)
        filled += waiting.update(embedding=HalfVector(vector), embedding_bits=Bit(vector > 0).to_text())
    return filled


_CONTENT = ("embedding", "embedding_bits", "lexemes")


def _entry(memory: IndexInput) -> Entry:
    words = hashed(lexemes(memory.lexical_text), subject_id=memory.subject_id)
    return Entry(
        memory_id=memory.memory_id,
        subject_id=memory.subject_id,
        model=model_name(),
        kind=memory.kind,
        valid_from=memory.valid_from,
        valid_to=memory.valid_to,
        expires_at=memory.expires_at,
        embedding=None if memory.vector is None else HalfVector(memory.vector),
        embedding_bits=None if memory.vector is None else Bit(memory.vector > 0).to_text(),
        lexemes=SparseVector(dict.fromkeys(words, 1.0), SPACE),
    )
