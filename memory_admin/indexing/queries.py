"""Reading the search table for one subject."""

from __future__ import annotations

from uuid import UUID

import numpy as np
from django.db import connection
from numpy.typing import NDArray
from pgvector import HalfVector

from memory_admin.indexing.embedding import model_name
from memory_admin.tenancy.scope import required_tenant


def nearest(*, subject_id: UUID, vector: NDArray[np.float32], limit: int) -> list[tuple[UUID, float]]:
    """List the memories of a subject that are nearest in meaning, with their cosine, exactly, nearest first."""
    with connection.cursor() as cursor:
        cursor.execute(
            """
            SELECT memory_id, 1 - (embedding <=> %(vector)s::halfvec)
            FROM indexing_entry
            WHERE tenant_id = %(tenant)s AND subject_id = %(subject)s AND model = %(model)s AND embedding IS NOT NULL
            ORDER BY embedding <=> %(vector)s::halfvec, memory_id
            LIMIT %(limit)s
            """,
            {
                "vector": HalfVector(vector).to_text(),
                "tenant": required_tenant(),
                "subject": subject_id,
                "model": model_name(),
                "limit": limit,
            },
        )
        return [(memory_id, float(similarity)) for memory_id, similarity in cursor.fetchall()]
