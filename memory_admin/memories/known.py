"""What exists of one subject that its writes may run into, read once for a batch of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from accounts.models import Subject
from accounts.vocabulary import Channel
from memory_admin.memories.claims import Claim, Prepared
from memory_admin.memories.digests import source_digest, statement_digest, value_digest
from memory_admin.memories.likeness import likenesses
from memory_admin.memories.models import Memory, Source, Tombstone
from memory_admin.memories.tombstones import like_what_is_entombed
from memory_admin.memories.vocabulary import Status

# What a new statement is compared with.
COMPARED = (Status.ACTIVE, Status.PROPOSED, Status.QUARANTINED, Status.DISPUTED)


@dataclass(frozen=True)
class Marks:
    """The digests by which a claim is recognised; none of a source without a name or a key without a value."""

    statement: bytes
    source: bytes | None
    value: bytes | None = None


def marks_of(claim: Claim, *, subject: Subject) -> Marks:
    """Digest a claim about a subject."""
    owner = {"tenant_id": subject.tenant_id, "subject_id": subject.id}
    source = claim.source
    is_named = source is not None and source.is_named
    return Marks(
        statement=statement_digest(claim.statement, **owner),
        source=source_digest(trace_id=source.trace_id, message_id=source.message_id, uri=source.uri, **owner)
        if source is not None and is_named
        else None,
        value=value_digest(claim.key, claim.value, **owner) if claim.key and claim.value else None,
    )


@dataclass
class Known:
    """Tombstones, sources and equal statements of one subject, by digest; what is stored since is added to it."""

    tombstones: set[bytes | None]
    sources: dict[bytes, Source]
    same: dict[bytes, list[Memory]]
    said: dict[tuple[bytes, bytes], Memory]  # by source and statement
    alike: set[bytes]  # statements that say in other words what was erased

    def is_entombed(self, marks: Marks) -> bool:
        """Tell whether the statement, its value or its source was erased."""
        return not self.tombstones.isdisjoint({marks.statement, marks.source, marks.value})

    def is_like_what_is_entombed(self, marks: Marks) -> bool:
        """Tell whether the statement says in other words what was erased; of the person's own words nobody asks."""
        return marks.statement in self.alike

    def add(self, memory: Memory, marks: Marks) -> None:
        """Take note of a memory that is about to be stored."""
        self.same.setdefault(marks.statement, []).append(memory)
        if marks.source is not None:
            self.said.setdefault((marks.source, marks.statement), memory)


def look_up(subject: Subject, prepared: Sequence[Prepared]) -> Known:
    """Read what claims about a subject may run into: four statements, however many claims."""
    marks = [marks_of(one.claim, subject=subject) for one in prepared]
    # A claim may be stored with placeholders for personal data, and it may have been erased in that form.
    marks += [marks_of(one.screened.redacted, subject=subject) for one in prepared]
    statements = {mark.statement for mark in marks}
    references = {mark.source for mark in marks if mark.source is not None}
    values = {mark.value for mark in marks if mark.value is not None}
    tombstones = Tombstone.objects.filter(
        subject_id=subject.id, digest__in=statements | references | values, lifted_at=None
    ).values_list("digest", flat=True)
    sources = Source.objects.filter(subject_id=subject.id, digest__in=references)
    known = Known(
        tombstones={bytes(digest) for digest in tombstones},
        sources={bytes(one.digest): one for one in sources},
        same={},
        said={},
        alike=_alike(subject, prepared),
    )
    digest_of = {source.id: digest for digest, source in known.sources.items()}
    for memory in Memory.objects.filter(subject_id=subject.id, digest__in=statements, status__in=COMPARED):
        memory.subject = subject
        known.add(memory, Marks(bytes(memory.digest), digest_of.get(memory.source_id) if memory.source_id else None))
    return known


def _alike(subject: Subject, prepared: Sequence[Prepared]) -> set[bytes]:
    """Digest, as they came and with placeholders, the statements by agents that are like what was erased."""
    asked = [one for one in prepared if one.vector is not None and not Channel(str(one.claim.channel)).is_the_persons]
    vectors = [one.vector for one in asked if one.vector is not None]
    signed = likenesses(vectors, tenant_id=subject.tenant_id, subject_id=subject.id)
    found = like_what_is_entombed(set(signed), subject_id=subject.id)
    like = [one for one, likeness in zip(asked, signed, strict=True) if likeness in found]
    claims = [claim for one in like for claim in (one.claim, one.screened.redacted)]
    return {marks_of(claim, subject=subject).statement for claim in claims}
