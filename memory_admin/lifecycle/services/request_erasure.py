"""Taking memories out of every use at once, to be erased a little later."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from uuid import UUID

from django.db import transaction
from django.db.models import Max

from accounts.actors import Actor
from accounts.models import Subject
from memory_admin import audit, jobs
from memory_admin.audit import Action
from memory_admin.errors import NotFound
from memory_admin.indexing import services as indexing
from memory_admin.lifecycle import copies, extent, paraphrases, queries
from memory_admin.lifecycle.models import ErasureRequest, State
from memory_admin.lifecycle.paraphrases import Vectors, signatures
from memory_admin.lifecycle.services.erase import NotYoursToErase, grown_epoch, named
from memory_admin.memories.models import Memory, MemoryRevision
from memory_admin.memories.queries import visible_to
from memory_admin.memories.requests import register
from memory_admin.memories.tombstones import entomb
from memory_admin.memories.vocabulary import RequestKind, Status
from memory_admin.retrieval import fence
from memory_admin.tenancy.arrays import any_id
from policies.queries import in_force

GRACE = timedelta(seconds=30)
"""How long a person can take back the deletion of a single memory."""


@transaction.atomic
def request_erasure(
    *,
    memory_ids: Collection[UUID],
    by: Actor,
    now: datetime,
    grace: timedelta = timedelta(0),
    keeps_out: bool = True,
) -> ErasureRequest:
    """Take memories of a person out of every use, with all that says the same or was made from them, to be erased.

    When it commits, no search, list or page serves any of it, and the same words are not learned again. The words
    themselves are erased by a job when ``grace`` has passed, by the clock of the database; until then
    :func:`take_back` undoes all of it. Asked again meanwhile, it answers with the erasure that runs.

    :param keeps_out: also once they are erased, neither the same words nor the same sources are learned again
    :raises NotFound: one of them does not exist for this actor
    :raises Invalid: none is named
    :raises NotYoursToErase: the actor is not a person about themselves
    """
    if not by.is_person or by.subject_id is None:
        raise NotYoursToErase
    wanted = visible_to(by).filter(id__in=any_id(memory_ids))
    vectors = paraphrases.embedded(wanted, limit=paraphrases.AT_ONCE)
    try:
        subject, memories = named(memory_ids, by=by)
    except NotFound:
        if running := queries.unfinished(memory_ids, by=by):
            return running
        raise
    gone = extent.all_that_goes(subject, memories, also_the_same=True)
    return withdraw(subject, gone, by=by, now=now, grace=grace, keeps_out=keeps_out, vectors=vectors)


def withdraw(
    subject: Subject,
    memories: Sequence[Memory],
    *,
    by: Actor,
    now: datetime,
    vectors: Vectors,
    grace: timedelta = timedelta(0),
    keeps_out: bool = True,
    scope: str = "memories",
    scope_digest: bytes | None = None,
) -> ErasureRequest:
    """Take memories out of every use, under the subject's lock, and queue the job that erases them."""
    fence.begin_erasure(subject.id)
    copies.withdraw(subject.id)
    ids = sorted(memory.id for memory in memories)
    erasure = ErasureRequest.objects.create(
        subject=subject,
        scope=scope,
        scope_digest=scope_digest,
        memory_ids=ids,
        state=State.WAITING if grace else State.ERASING,
        keeps_out=keeps_out,
        epoch=grown_epoch(subject),
        requested_by=by.ref,
        requested_at=_latest(subject, now),
        due_at=queries.clock() + grace,
    )
    register(RequestKind.ERASURE, subject_id=subject.id, object_id=erasure.id, at=now)
    traces = extent.traces_of(subject, memories)
    entomb(
        subject_id=subject.id,
        statements=traces.statements,
        sources=traces.sources,
        likenesses=signatures(subject, memories, vectors),
        erasure_id=erasure.id,
        now=erasure.requested_at,
    )
    Memory.objects.filter(id__in=any_id(ids)).update(status=Status.ERASING)
    # Another value of the same key may take its place in the record from now on.
    MemoryRevision.objects.filter(memory_id__in=any_id(ids), recorded_to=None).update(recorded_to=erasure.requested_at)
    indexing.remove(ids)
    jobs.after_commit(jobs.ERASE, object_id=erasure.id, at=erasure.due_at if grace else None)
    erasure.audit_seq = audit.record(
        action=Action.ERASURE_REQUESTED,
        by=by,
        target=("erasure", erasure.id),
        at=now,
        policy_version=in_force(now).retention.version_label,
        payload={
            "scope": scope,
            "memories": len(ids),
            "keeps_out": keeps_out,
            "grace_seconds": int(grace.total_seconds()),
        },
    )
    erasure.save(update_fields=["audit_seq"])
    return queries.with_time_left().get(id=erasure.id)


def _latest(subject: Subject, now: datetime) -> datetime:
    """Give the time of the request: not before anything that it covers, though the clocks of two machines differ."""
    recorded = MemoryRevision.objects.filter(subject_id=subject.id).aggregate(latest=Max("recorded_from"))["latest"]
    return max(now, recorded or now)
