"""The steps that every service of a memory shares: the subject's lock, a new revision, the search entry."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from types import MappingProxyType
from typing import Any
from uuid import UUID

import numpy as np
from django.db import connection
from django.db.models import Case, DateTimeField, F, Max, Q, Value, When
from numpy.typing import NDArray

from accounts.actors import Actor
from accounts.models import Subject
from memory_admin import jobs
from memory_admin.errors import Conflict, NotFound
from memory_admin.indexing import embedding
from memory_admin.indexing.lexemes import date_in_words
from memory_admin.indexing.services import IndexInput, index, remove, retime
from memory_admin.memories.claims import spoken
from memory_admin.memories.models import Memory, MemoryRevision
from memory_admin.memories.vocabulary import Status
from memory_admin.tenancy.scope import required_tenant

# Of a key, these hold one after the other and never at once.
IN_HISTORY = (Status.ACTIVE, Status.SUPERSEDED)
# What search reads of a memory.
WORDS = frozenset({"statement", "key", "aliases"})

NO_VECTORS: Mapping[str, NDArray[np.float32] | None] = MappingProxyType({})


class ChangedMeanwhile(Conflict):
    """Somebody else changed the memory since the caller read it."""

    code = "changed_meanwhile"
    sentence = "This memory was changed since you read it."


class WrongState(Conflict):
    """The memory is in a status that does not allow this."""

    code = "wrong_state"
    sentence = "This cannot be done with the memory as it now is."


def lock_subject(subject_id: UUID) -> Subject:
    """Take the lock of a subject until the transaction ends, and read the subject as it is under it.

    Every write, import, erasure and job about a subject takes this lock, so that none slips past another.

    :raises NotFound: there is no such subject
    """
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_advisory_xact_lock(hashtextextended(%s, 7203))", [f"{required_tenant()}/{subject_id}"]
        )
    found = Subject.objects.filter(id=subject_id).first()
    if found is None:
        raise NotFound
    return found


def locked(memory_id: UUID, *, by: Actor, version: int | None = None) -> Memory:
    """Lock a memory that the actor may see, its subject first.

    :param version: what the caller read; None when the caller takes it as it is
    :raises NotFound: it does not exist for this actor
    :raises BeingErased: it is theirs, and they have had it deleted
    :raises ChangedMeanwhile: it has another version by now
    """
    from memory_admin.memories import queries

    seen = queries.visible_to(by).filter(id=memory_id).values_list("subject_id", flat=True).first()
    if seen is None:
        raise queries.absence(memory_id, by=by)
    lock_subject(seen)
    memory = queries.visible_to(by).select_for_update(of=("self",)).filter(id=memory_id).first()
    if memory is None:
        raise queries.absence(memory_id, by=by)
    if version is not None and memory.version != version:
        raise ChangedMeanwhile(details={"version": memory.version})
    return memory


def is_latest(memory: Memory, reason: str, *, by: Actor) -> bool:
    """Tell whether the actor made the latest change of a memory, and for this reason."""
    return memory.revisions.filter(version=memory.version, reason=reason, changed_by=by.ref).exists()


def revise(
    memory: Memory,
    *,
    by: Actor,
    now: datetime,
    reason: str = "",
    vectors: Mapping[str, NDArray[np.float32] | None] = NO_VECTORS,
    **changed: Any,
) -> None:
    """Change a memory: close its open revision, write the new one, and bring the search entry in line.

    :param vectors: unit vectors already computed, by the text they are of
    """
    now = recordable_from(memory, now)
    MemoryRevision.objects.filter(memory_id=memory.id, recorded_to=None).update(recorded_to=now)
    for name, value in changed.items():
        setattr(memory, name, value)
    memory.version += 1
    memory.changed_at = now
    memory.save(update_fields=[*changed, "version", "changed_at"])
    MemoryRevision.objects.bulk_create([revision_of(memory, by=by, reason=reason)])
    if memory.status == Status.ACTIVE:
        # The words are read again only when they changed: a model that is down must not cost a vector.
        if WORDS & set(changed) or not retime(
            memory.id, valid_from=memory.valid_from, valid_to=memory.valid_to, expires_at=memory.expires_at
        ):
            text = embedded_text(memory)
            make_findable([memory], [vectors[text]] if text in vectors else None)
    else:
        remove([memory.id])


def withdraw_many(memories: Sequence[Memory], *, by: Actor, now: datetime, reason: str, **changed: Any) -> None:
    """Take many memories out of use, each in a new revision: as many statements for one as for hundreds.

    Their new status is neither in use nor part of the history of a key.
    """
    for memory in memories:
        for name, value in changed.items():
            setattr(memory, name, value)
        memory.changed_at = max(now, memory.changed_at)
        memory.version += 1
    ids = [memory.id for memory in memories]
    ends = [When(memory_id=memory.id, then=Value(memory.changed_at)) for memory in memories]
    MemoryRevision.objects.filter(memory_id__in=ids, recorded_to=None).update(
        recorded_to=Case(*ends, output_field=DateTimeField())
    )
    Memory.objects.bulk_update(memories, [*changed, "changed_at", "version"])
    MemoryRevision.objects.bulk_create([revision_of(memory, by=by, reason=reason) for memory in memories])
    remove(ids)


def end_of(memory: Memory, *, at: datetime, now: datetime) -> tuple[datetime, bool]:
    """Tell when the validity of a memory ends if another holds from some time on, and whether it is over then."""
    ends = max(at if memory.valid_to is None else min(memory.valid_to, at), memory.valid_from)
    return ends, ends <= max(now, memory.valid_from)


def close(memory: Memory, *, at: datetime, by: Actor, now: datetime) -> None:
    """End the validity of a memory that a newer statement replaces. Until a time that is still to come it holds on."""
    ends, is_over = end_of(memory, at=at, now=now)
    status = Status.SUPERSEDED if is_over else Status(memory.status)
    revise(memory, by=by, now=now, reason="replaced by a newer statement", status=status, valid_to=ends)


def retire(memory: Memory, *, by: Actor, now: datetime) -> None:
    """Take a memory that waited for an answer out of the queue: it was never in force, so it holds at no time."""
    revise(
        memory,
        by=by,
        now=now,
        reason="answered by a newer statement",
        status=Status.SUPERSEDED,
        valid_to=memory.valid_from,
    )


def values_of(subject_id: UUID, key: str, *, valid_from: datetime, valid_to: datetime | None) -> list[Memory]:
    """List the values of a key, past or present, that hold at some time of a period, the earliest first."""
    values = Memory.objects.select_related("subject").filter(
        Q(valid_to=None) | Q(valid_to__gt=valid_from), subject_id=subject_id, key=key, status__in=IN_HISTORY
    )
    if valid_to is not None:
        values = values.filter(valid_from__lt=valid_to)
    return list(values.exclude(valid_to=F("valid_from")).order_by("valid_from", "id"))


def rivals(memory: Memory) -> list[Memory]:
    """List the other values of a memory's key that hold when it does."""
    if memory.key is None:
        return []
    values = values_of(memory.subject_id, memory.key, valid_from=memory.valid_from, valid_to=memory.valid_to)
    return [value for value in values if value.id != memory.id]


def recordable_from(memory: Memory, now: datetime) -> datetime:
    """Give the time from which a change can be recorded: not before the last one of the memory or of its key.

    The clocks of two machines differ, and what was recorded must run forward.
    """
    times = [now, memory.changed_at]
    if memory.key is not None:
        of_key = MemoryRevision.objects.filter(subject_id=memory.subject_id, key=memory.key)
        latest = of_key.aggregate(began=Max("recorded_from"), ended=Max("recorded_to"))
        times += [at for at in latest.values() if at is not None]
    return max(times)


def revision_of(memory: Memory, *, by: Actor, reason: str = "") -> MemoryRevision:
    """Make the open revision of a memory as it now is."""
    return MemoryRevision(
        memory_id=memory.id,
        subject_id=memory.subject_id,
        version=memory.version,
        kind=memory.kind,
        key=memory.key,
        status=memory.status,
        origin=memory.origin,
        confidence=memory.confidence,
        categories=list(memory.categories),
        statement=memory.statement,
        value=memory.value,
        digest=memory.digest,
        valid_from=memory.valid_from,
        valid_to=memory.valid_to,
        recorded_from=memory.changed_at,
        changed_by=by.ref,
        reason=reason,
        policy_version=memory.policy_version,
    )


def make_findable(memories: Sequence[Memory], vectors: Sequence[NDArray[np.float32] | None] | None = None) -> None:
    """Write the search entries of active memories; without a vector a memory is found by its words until a job adds it.

    :param vectors: unit vectors already computed, one for each memory
    """
    if not memories:
        return
    texts = [embedded_text(memory) for memory in memories]
    if vectors is None:
        vectors = embed_or_none(texts)
    index(
        [
            IndexInput(
                memory_id=memory.id,
                subject_id=memory.subject_id,
                kind=memory.kind,
                valid_from=memory.valid_from,
                valid_to=memory.valid_to,
                expires_at=memory.expires_at,
                lexical_text=lexical_text(memory),
                vector=vector,
            )
            for memory, vector in zip(memories, vectors, strict=True)
        ]
    )
    for memory, vector in zip(memories, vectors, strict=True):
        if vector is None:
            jobs.after_commit(jobs.EMBED_MEMORY, object_id=memory.id, epoch=memory.subject.erasure_epoch)


def embed_or_none(texts: Sequence[str]) -> list[NDArray[np.float32] | None]:
    """Embed texts, or give None for each while the model cannot be reached: a write never waits for a model."""
    try:
        return list(embedding.embed(texts))
    except embedding.ModelUnavailable:
        return [None] * len(texts)


def embedded_text(memory: Memory) -> str:
    """Give the text a memory is embedded by: a turn with its speaker (+11 points of recall), anything else as it is."""
    return spoken(memory.statement, kind=memory.kind, speaker=_speaker(memory))


def lexical_text(memory: Memory) -> str:
    """Give the text a memory is found by word for word: statement, speaker, key, other names, and its date in words."""
    parts: Iterable[str] = (
        _speaker(memory),
        memory.statement,
        (memory.key or "").replace("_", " "),
        *memory.aliases,
        date_in_words(memory.valid_from.date()),
    )
    return " ".join(part for part in parts if part)


def _speaker(memory: Memory) -> str:
    return memory.source.speaker if memory.source_id and memory.source else ""
