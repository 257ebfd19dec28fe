"""Reading the search table for one subject."""

from __future__ import annotations

from collections.abc import Collection
from uuid import UUID

import numpy as np
from django.db import connection
from numpy.typing import NDArray
from pgvector import Bit, HalfVector

from memory_admin.indexing.embedding import model_name
from memory_admin.tenancy.scope import required_tenant

# How many more are compared by their signs than asked for, so that the nearest are among them.
_MARGIN = 40


def vectors_of(memory_ids: Collection[UUID]) -> dict[UUID, NDArray[np.float32]]:
    """Give the vectors of memories under the present model, by memory; those that have none are left out."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT memory_id, halfvec_send(embedding) FROM indexing_entry "
            "WHERE tenant_id = %s AND memory_id = ANY(%s) AND model = %s AND embedding IS NOT NULL",
            [required_tenant(), list(memory_ids), model_name()],
        )
        # After a header of four bytes, the numbers as they go over the wire.
        return {one: np.frombuffer(sent, ">f2", offset=4).astype(np.float32) for one, sent in cursor.fetchall()}


def nearest(
    *, subject_id: UUID, vector: NDArray[np.float32], limit: int, without: Collection[str] = ()
) -> list[tuple[UUID, float]]:
    """List the memories of a subject that are nearest in meaning, with their cosine, nearest first.

    :param without: kinds that are not looked at
    """
    with connection.cursor() as cursor:
        cursor.execute(
            """
            WITH near AS MATERIALIZED (
                SELECT memory_id FROM indexing_entry
                WHERE tenant_id = %(tenant)s AND subject_id = %(subject)s AND model = %(model)s
                AND embedding_bits IS NOT NULL AND kind <> ALL(%(without)s)
                ORDER BY embedding_bits <~> %(bits)s::bit(384) LIMIT %(limit)s + %(margin)s
            )
            SELECT memory_id, 1 - (embedding <=> %(vector)s::halfvec)
            FROM near JOIN indexing_entry USING (memory_id)
            WHERE tenant_id = %(tenant)s AND model = %(model)s
            ORDER BY 2 DESC, memory_id LIMIT %(limit)s
            """,
            {
                "vector": HalfVector(vector).to_text(),
                "bits": Bit(vector > 0).to_text(),
                "tenant": required_tenant(),
                "subject": subject_id,
                "model": model_name(),
                "limit": limit,
                "without": list(without),
                "margin": _MARGIN,
            },
        )
        return [(memory_id, float(similarity)) for memory_id, similarity in cursor.fetchall()]
