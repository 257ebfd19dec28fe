"""Keeping out what was erased, turned down or corrected as wrong."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime
from types import MappingProxyType
from uuid import UUID

from django.db import connection

from memory_admin.indexing.embedding import model_name
from memory_admin.memories.likeness import ALIKE_WITHIN
from memory_admin.memories.models import Tombstone
from memory_admin.screening.canonical import CANONICAL_VERSION
from memory_admin.tenancy.scope import required_tenant

NO_LIKENESSES: Mapping[bytes, bytes] = MappingProxyType({})

# In the statements below: there is no cast from bytes to bits, but one from hexadecimal digits.


def entomb(
    *,
    subject_id: UUID,
    statements: Iterable[bytes] = (),
    sources: Iterable[bytes] = (),
    likenesses: Mapping[bytes, bytes] = NO_LIKENESSES,
    erasure_id: UUID | None = None,
    now: datetime,
) -> None:
    """Set a tombstone for each digest of a statement or a source; one that stands stays, and gets what it lacks.

    :param likenesses: the signatures of statements by their digest, so that paraphrases are recognised too
    :param erasure_id: the erasure that sets them, and takes them away again when it is taken back
    """
    with connection.cursor() as cursor:
        for of, given in (("statement", statements), ("source", sources)):
            digests = sorted(set(given))
            signed = [likenesses.get(digest) for digest in digests]
            cursor.execute(
                """
                INSERT INTO memories_tombstone (
                    tenant_id, id, subject_id, digest, "of", canonical_version, erasure_id, created_at, likeness, model
                )
                SELECT %s, gen_random_uuid(), %s, digest, %s, %s, %s, %s,
                    ('x' || encode(signed, 'hex'))::bit(2048), CASE WHEN signed IS NOT NULL THEN %s END
                FROM unnest(%s::bytea[], %s::bytea[]) AS given (digest, signed)
                ON CONFLICT (tenant_id, subject_id, digest) WHERE lifted_at IS NULL
                DO UPDATE SET likeness = EXCLUDED.likeness, model = EXCLUDED.model
                WHERE EXCLUDED.likeness IS NOT NULL AND memories_tombstone.model IS DISTINCT FROM EXCLUDED.model
                """,
                [
                    *(required_tenant(), subject_id, of, CANONICAL_VERSION, erasure_id, now),
                    *(model_name(), digests, signed),
                ],
            )


def disentomb(*, subject_id: UUID, erasure_id: UUID) -> int:
    """Take away the tombstones that an erasure has set and nobody has lifted; tell how many."""
    return Tombstone.objects.filter(subject_id=subject_id, erasure_id=erasure_id, lifted_at=None).delete()[0]


def is_entombed(*, subject_id: UUID, statement: bytes) -> bool:
    """Tell whether a statement with this digest is kept out."""
    return Tombstone.objects.filter(subject_id=subject_id, digest=statement, lifted_at=None).exists()


def like_what_is_entombed(signed: Collection[bytes], *, subject_id: UUID) -> set[bytes]:
    """Pick the signatures of statements that say in other words what is kept out; one statement, however many."""
    if not signed:
        return set()
    with connection.cursor() as cursor:
        cursor.execute(
            """
            SELECT signed FROM unnest(%s::bytea[]) AS given (signed) WHERE EXISTS (
                SELECT FROM memories_tombstone
                WHERE tenant_id = %s AND subject_id = %s AND model = %s
                AND lifted_at IS NULL AND likeness IS NOT NULL
                AND likeness <~> ('x' || encode(signed, 'hex'))::bit(2048) <= %s
            )
            """,
            [list(signed), required_tenant(), subject_id, model_name(), ALIKE_WITHIN],
        )
        return {bytes(one) for (one,) in cursor.fetchall()}
