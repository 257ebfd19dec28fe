"""By what a paraphrase of erased words is recognised: the signatures that their tombstones get.

What search knows has its vector there. Anything else (proposed, replaced, resting) is embedded first, before the
subject's lock is taken: others who write about the subject do not wait for a model.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType
from typing import TypeAlias
from uuid import UUID

import numpy as np
from django.db.models import QuerySet
from numpy.typing import NDArray

from accounts.models import Subject
from memory_admin.indexing.embedding import model_name
from memory_admin.indexing.models import Entry
from memory_admin.indexing.queries import vectors_of
from memory_admin.memories import changes
from memory_admin.memories.likeness import likenesses
from memory_admin.memories.models import Memory, Tombstone
from memory_admin.tenancy.arrays import any_id

Vectors: TypeAlias = Mapping[bytes, NDArray[np.float32]]
"""Unit vectors by the digest of the statement they are of."""

NONE: Vectors = MappingProxyType({})

AT_ONCE = 64
"""So many are embedded while a person waits; the job embeds the others before it erases them."""


def embedded(memories: QuerySet[Memory], *, limit: int | None = None) -> Vectors:
    """Embed what search has no vector of. Called without the subject's lock; what cannot be embedded is left out."""
    indexed = Entry.objects.filter(model=model_name(), embedding__isnull=False)
    unknown = memories.exclude(id__in=indexed.values("memory_id")).select_related("source").order_by("id")
    return _embed(list(unknown[:limit]))


def embedded_for_job(memory_ids: Collection[UUID]) -> Vectors:
    """Embed what is about to be erased and has a tombstone without a signature."""
    waiting = Memory.objects.filter(id__in=any_id(memory_ids)).exclude(digest=b"")
    unsigned = Tombstone.objects.filter(likeness=None, lifted_at=None).values("digest")
    return _embed(list(waiting.filter(digest__in=unsigned).select_related("source").order_by("id")))


def signatures(subject: Subject, memories: Sequence[Memory], vectors: Vectors = NONE) -> dict[bytes, bytes]:
    """Sign memories by the digest of what they say: those that search has a vector of, and those given here."""
    known = vectors_of([memory.id for memory in memories])
    found: dict[bytes, NDArray[np.float32]] = {}
    for memory in memories:
        digest = bytes(memory.digest)
        vector = known.get(memory.id, vectors.get(digest))
        if vector is not None:
            found[digest] = vector
    signed = likenesses(list(found.values()), tenant_id=subject.tenant_id, subject_id=subject.id)
    return dict(zip(found, signed, strict=True))


def _embed(memories: Sequence[Memory]) -> Vectors:
    vectors = changes.embed_or_none([changes.embedded_text(memory) for memory in memories])
    pairs = zip(memories, vectors, strict=True)
    return {bytes(memory.digest): vector for memory, vector in pairs if vector is not None}
