"""Keeping out what was erased, turned down or corrected as wrong."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from uuid import UUID

from memory_admin.memories.models import Tombstone
from memory_admin.screening.canonical import CANONICAL_VERSION


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
    Tombstone.objects.bulk_create(
        [
            Tombstone(
                subject_id=subject_id,
                of=of,
                digest=digest,
                canonical_version=CANONICAL_VERSION,
                erasure_id=erasure_id,
                created_at=now,
            )
            for of, digests in (("statement", statements), ("source", sources))
            for digest in sorted(set(digests))
        ],
        ignore_conflicts=True,
        batch_size=5000,
    )


def disentomb(*, subject_id: UUID, erasure_id: UUID) -> int:
    """Take away the tombstones that an erasure has set and nobody has lifted; tell how many."""
    return Tombstone.objects.filter(subject_id=subject_id, erasure_id=erasure_id, lifted_at=None).delete()[0]


def is_entombed(*, subject_id: UUID, statement: bytes) -> bool:
    """Tell whether a statement with this digest is kept out."""
    return Tombstone.objects.filter(subject_id=subject_id, digest=statement, lifted_at=None).exists()
