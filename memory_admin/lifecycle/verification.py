"""Looking for what an erasure should have taken, once it has taken it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.db.models import Q, QuerySet

from memory_admin.indexing.models import Entry
from memory_admin.lifecycle.models import ErasureRequest
from memory_admin.memories.models import Evidence, Memory, MemoryRevision, Source, Tombstone, WriteDecision
from memory_admin.memories.vocabulary import Status
from memory_admin.retrieval.models import RetrievalCandidate
from memory_admin.tenancy.arrays import any_id

WAYS = ("texts", "wordings", "index", "sources", "uses")
"""Where it is looked for: by the memories themselves, by the digests of what they said, in the search index, among the
quoted words, in the log of uses."""


class LeftBehind(Exception):
    """Something of what was erased is still there.

    :ivar way: where it was found, one of :data:`WAYS`
    """

    def __init__(self, way: str) -> None:
        super().__init__(way)
        self.way = way


def look_for(erasure: ErasureRequest) -> None:
    """Look for what is left of an erasure, in every way there is.

    :raises LeftBehind: something is
    """
    for way, found in _looked_for(erasure):
        if found.exists():
            raise LeftBehind(way)


def _looked_for(erasure: ErasureRequest) -> Iterator[tuple[str, QuerySet[Any]]]:
    ids, subject_id, until = any_id(erasure.memory_ids), erasure.subject_id, erasure.requested_at
    stones = Tombstone.objects.filter(subject_id=subject_id, erasure_id=erasure.id)
    digests = stones.filter(of="statement").values("digest")
    sources = stones.filter(of="source").values("digest")
    yield "texts", Memory.objects.filter(~Q(status=Status.ERASED) | ~Q(statement=""), id__in=ids)
    yield "texts", MemoryRevision.objects.filter(memory_id__in=ids)
    if erasure.requested_by.startswith("key:"):
        said = MemoryRevision.objects.none()  # an agent's own copy went; the person's words in the same text stay
    else:
        said = MemoryRevision.objects.filter(subject_id=subject_id, digest__in=digests, recorded_from__lte=until)
        said = said.exclude(memory__status=Status.ERASING)  # of another erasure, on its way
    yield "wordings", said
    sealed = WriteDecision.objects.filter(subject_id=subject_id, sealed_digest__in=digests, decided_at__lte=until)
    yield "wordings", sealed
    yield "index", Entry.objects.filter(memory_id__in=ids)
    quoted = Source.objects.filter(subject_id=subject_id, digest__in=sources, created_at__lte=until)
    yield "sources", quoted.exclude(quote="")
    yield "sources", Evidence.objects.filter(memory_id__in=ids)
    yield "uses", RetrievalCandidate.objects.filter(memory_id__in=ids)
