"""What an erasure takes along, and by which digests it is recognised afterwards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Q, QuerySet

from accounts.models import Subject
from memory_admin.memories.digests import value_digest
from memory_admin.memories.models import Evidence, Link, Memory, MemoryRevision, Source
from memory_admin.memories.vocabulary import GONE, Relation
from memory_admin.tenancy.arrays import any_digest, any_id

# Words are neither needed to find what goes, nor to remove them.
READ = (
    "tenant_id",
    "id",
    "subject_id",
    "kind",
    "key",
    "value",
    "status",
    "origin",
    "agent_id",
    "source_id",
    "digest",
    "confirmed_at",
    "version",
)


def read(memories: QuerySet[Memory]) -> list[Memory]:
    """Read what an erasure needs to know of memories, which is not what they say."""
    return list(memories.only(*READ))


def all_that_goes(subject: Subject, memories: Sequence[Memory], *, also_the_same: bool) -> list[Memory]:
    """Add every memory that was made from one of these or says the same, directly or through others.

    One that was made from other sources as well goes too: it holds words of what is erased. What is left may be
    learned from anew.
    """
    found = {memory.id: memory for memory in memories}
    step = list(memories)
    while step:
        made = Link.objects.filter(to_id__in=any_id(memory.id for memory in step), relation=Relation.DERIVED_FROM)
        goes = [Q(id__in=any_id(set(made.values_list("from_id", flat=True)) - found.keys()))]
        if also_the_same:
            goes.append(Q(digest__in=any_digest(wordings(step))))
        living = Memory.objects.filter(subject_id=subject.id).exclude(status__in=GONE).order_by("id")
        # One after the other: each by its own index.
        others = {memory.id: memory for one in goes for memory in read(living.filter(one))}
        step = [memory for memory_id, memory in others.items() if memory_id not in found]
        found |= {memory.id: memory for memory in step}
    return list(found.values())


def wordings(memories: Sequence[Memory]) -> set[bytes]:
    """Give the digest of every wording that memories have or had."""
    had = MemoryRevision.objects.filter(memory_id__in=any_id(memory.id for memory in memories))
    digests = {bytes(memory.digest) for memory in memories}
    return (digests | {bytes(digest) for digest in had.values_list("digest", flat=True)}) - {b""}


@dataclass(frozen=True, slots=True)
class Traces:
    """What memories are recognised by: the digests of every wording, value and source; and their sources."""

    wordings: set[bytes]
    statements: set[bytes]
    sources: set[bytes]
    source_ids: set[UUID]


def traces_of(subject: Subject, memories: Sequence[Memory]) -> Traces:
    """Gather what memories of one subject are recognised by."""
    owner = {"tenant_id": subject.tenant_id, "subject_id": subject.id}
    said = wordings(memories)
    # A value may come back under another sentence.
    values = {value_digest(memory.key, memory.value, **owner) for memory in memories if memory.key and memory.value}
    evidence = Evidence.objects.filter(memory_id__in=any_id(memory.id for memory in memories))
    source_ids = set(evidence.values_list("source_id", flat=True))
    source_ids |= {memory.source_id for memory in memories if memory.source_id}
    references = Source.objects.filter(id__in=any_id(source_ids)).values_list("digest", flat=True)
    return Traces(said, said | values, {bytes(digest) for digest in references}, source_ids)
