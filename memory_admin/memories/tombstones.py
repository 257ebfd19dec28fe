"""Keeping out what was erased, turned down or corrected as wrong."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from uuid import UUID

from django.db import connection

from memory_admin.memories.models import Tombstone
from memory_admin.screening.canonical import CANONICAL_VERSION
from memory_admin.tenancy.scope import required_tenant


def entomb(
    *,
    subject_id: UUID,
    statements: Iterable[bytes] = (),
    sources: Iterable[bytes] = (),
    erasure_id: UUID | None = None,
    now: datetime,
) -> None:
    """Set a tombstone for each digest of a statement or a source; one that stands already stays as it is.

    :param erasure_id: the erasure that sets them, and takes them away again when it is taken back
    """
    with connection.cursor() as cursor:
        for of, digests in (("statement", statements), ("source", sources)):
            cursor.execute(
                """
                INSERT INTO memories_tombstone
                    (tenant_id, id, subject_id, digest, "of", canonical_version, erasure_id, created_at)
                SELECT %s, gen_random_uuid(), %s, digest, %s, %s, %s, %s FROM unnest(%s::bytea[]) AS digest
                ON CONFLICT DO NOTHING
                """,
                [required_tenant(), subject_id, of, CANONICAL_VERSION, erasure_id, now, sorted(set(digests))],
            )


def disentomb(*, subject_id: UUID, erasure_id: UUID) -> int:
    """Take away the tombstones that an erasure has set and nobody has lifted; tell how many."""
    return Tombstone.objects.filter(subject_id=subject_id, erasure_id=erasure_id, lifted_at=None).delete()[0]


def is_entombed(*, subject_id: UUID, statement: bytes) -> bool:
    """Tell whether a statement with this digest is kept out."""
    return Tombstone.objects.filter(subject_id=subject_id, digest=statement, lifted_at=None).exists()
