"""Erasing at once, in one transaction."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.db.models import Exists, F, OuterRef

from accounts import notices
from accounts.actors import Actor
from accounts.models import Subject
from accounts.queries import subject_for, who_sees
from accounts.vocabulary import NoticeKind
from memory_admin import audit, jobs
from memory_admin.audit.queries import payloads_on
from memory_admin.errors import Invalid, NotAllowed, NotFound
from memory_admin.lifecycle import extent
from memory_admin.lifecycle.models import UNFINISHED, ErasureRequest, State
from memory_admin.lifecycle.paraphrases import Vectors, embedded
from memory_admin.lifecycle.removal import NOTHING_DECIDED, empty_requests, remove, told_of
from memory_admin.lifecycle.services.carry_on import carry_on_to_the_end
from memory_admin.memories import changes, queries
from memory_admin.memories.digests import statement_digest
from memory_admin.memories.models import Evidence, Memory, Source, WriteDecision
from memory_admin.memories.requests import register
from memory_admin.memories.tombstones import entomb
from memory_admin.memories.vocabulary import GONE, Origin, RequestKind
from memory_admin.retrieval import forgetting as retrieval
from memory_admin.tenancy.arrays import any_id
from policies.models import PolicyChangeRequest
from policies.services import erase_action_decisions, erase_change_requests


class NotYoursToErase(NotAllowed):
    """An agent may not erase what the person said or confirmed, unless it relays the person's words."""

    code = "not_yours_to_erase"
    sentence = "Only the person can have this erased."


@transaction.atomic
def erase(
    *,
    memory_ids: Collection[UUID],
    by: Actor,
    now: datetime,
    version: int | None = None,
    subject_id: UUID | None = None,
) -> ErasureRequest:
    """Erase memories of one subject, everything else that says the same, and everything that was made from them.

    One transaction under the subject's lock: the epoch grows, tombstones are set, and words, vectors, lexemes,
    versions, quotes, derived memories, query texts and log rows go. When it commits, nothing serves them any more.

    :param version: what the caller read, for a single memory
    :param subject_id: whom the caller says they are about
    :raises NotFound: one of them does not exist for this actor
    :raises ChangedMeanwhile: it has another version by now
    :raises Invalid: none is named, or they are not of one subject
    :raises NotYoursToErase: an agent erases what the person stated or confirmed
    """
    vectors = embedded(queries.visible_to(by).filter(id__in=any_id(memory_ids)))
    subject, memories = named(memory_ids, by=by)
    if subject_id not in (None, subject.id):
        raise NotFound
    if version is not None and memories[0].version != version:
        raise changes.ChangedMeanwhile(details={"version": memories[0].version})
    # What an agent may not erase by name it may not erase by way of something else either.
    gone = extent.all_that_goes(subject, memories, also_the_same=speaks_for_the_person(by))
    if not may_erase(gone, by):
        raise NotYoursToErase
    return erase_now(subject, gone, scope="memories", by=by, now=now, vectors=vectors)


@transaction.atomic
def erase_subject(*, ref: str, by: Actor, now: datetime) -> ErasureRequest:
    """Erase everything about a subject that exists at this moment; deletions that wait are over with it.

    :raises NotYoursToErase: an agent that does not relay the person's words, whether or not there is such a subject
    :raises NotFound: the subject does not exist for this actor
    """
    if not speaks_for_the_person(by):
        raise NotYoursToErase
    subject = subject_for(ref, by=by)
    vectors = embedded(Memory.objects.filter(subject_id=subject.id).exclude(status__in=GONE))
    subject = changes.lock_subject(subject.id)
    for waiting in ErasureRequest.objects.filter(subject_id=subject.id, state__in=UNFINISHED).order_by("id"):
        carry_on_to_the_end(waiting, subject=subject, now=now)
    living = extent.read(Memory.objects.filter(subject_id=subject.id).exclude(status__in=GONE).order_by("id"))
    request = erase_now(subject, living, scope="subject", by=by, now=now, vectors=vectors)
    forget_subject(subject, erasure=request, by=by, now=now)
    return request


def forget_subject(subject: Subject, *, erasure: ErasureRequest, by: Actor, now: datetime) -> None:
    """Take away what is kept of a subject besides its memories, and the sources that no memory rests on any more."""
    rested_on = Evidence.objects.filter(source_id=OuterRef("id")), Memory.objects.filter(source_id=OuterRef("id"))
    Source.objects.exclude(Exists(rested_on[0])).exclude(Exists(rested_on[1])).filter(subject_id=subject.id).delete()
    decisions = WriteDecision.objects.filter(subject_id=subject.id)
    wishes = PolicyChangeRequest.objects.filter(subject_id=subject.id).values_list("id", flat=True)
    told = {*told_of([], list(decisions.values_list("id", flat=True))), *payloads_on(list(wishes))}
    if told:
        audit.erase_payloads(seqs=told, by=by, at=now, target=("erasure", erasure.id))
    decisions.update(**NOTHING_DECIDED)
    empty_requests([], decisions.values("id"), by=by, now=now)
    asked = erase_change_requests(subject_id=subject.id)
    erase_action_decisions(subject_id=subject.id)
    owner = {"tenant_id": subject.tenant_id, "subject_id": subject.id}
    entomb(subject_id=subject.id, statements=[statement_digest(words, **owner) for words in asked], now=now)
    # Of somebody who can sign in the name stays with the account; of anybody else it goes.
    Subject.objects.filter(id=subject.id, user=None).update(display_name="")
    retrieval.forget_subject(subject_id=subject.id)


def named(memory_ids: Collection[UUID], *, by: Actor) -> tuple[Subject, list[Memory]]:
    """Read memories of one subject that the actor may see, under the subject's lock.

    :raises NotFound: one of them does not exist for this actor
    :raises Invalid: none is named, or they are not of one subject
    """
    wanted = set(memory_ids)
    if not wanted:
        raise Invalid(fields={"memories": ["Name what is to be erased."]})
    seen = queries.visible_to(by).filter(id__in=any_id(wanted))
    subject_of = dict(seen.values_list("id", "subject_id"))
    if subject_of.keys() != wanted:
        raise NotFound
    if len(set(subject_of.values())) != 1:
        raise Invalid(fields={"memories": ["An erasure covers one subject."]})
    subject = changes.lock_subject(next(iter(subject_of.values())))
    memories = extent.read(queries.visible_to(by).select_related(None).filter(id__in=any_id(wanted)).order_by("id"))
    if len(memories) != len(wanted):
        raise NotFound  # erased while we waited for the lock
    return subject, memories


def speaks_for_the_person(by: Actor) -> bool:
    """Tell whether an actor may have erased what the person said: an agent only if it relays their words."""
    return by.kind != "agent" or by.channel.is_the_persons


def may_erase(memories: Sequence[Memory], by: Actor) -> bool:
    """Tell whether an actor may have these erased; an agent only what it wrote and nobody stated or confirmed."""
    return speaks_for_the_person(by) or all(
        memory.agent_id == by.agent_id and memory.origin != Origin.STATED and memory.confirmed_at is None
        for memory in memories
    )


def erase_now(
    subject: Subject,
    memories: Sequence[Memory],
    *,
    scope: str,
    by: Actor,
    now: datetime,
    vectors: Vectors,
    scope_digest: bytes | None = None,
) -> ErasureRequest:
    """Erase memories in the open transaction, under the subject's lock."""
    request = ErasureRequest(
        subject=subject,
        scope=scope,
        scope_digest=scope_digest,
        memory_ids=[memory.id for memory in memories],
        done=len(memories),
        state=State.ERASED,
        epoch=grown_epoch(subject),
        requested_by=by.ref,
        requested_at=now,
        erased_at=now,
    )
    others = [user_id for user_id in who_sees(subject) if user_id != by.user_id]
    notices.tell(kind=NoticeKind.ERASURE_DONE, user_ids=others, path="/receipts/", now=now)
    also_the_same = speaks_for_the_person(by)
    remove(request, memories, subject=subject, also_the_same=also_the_same, by=by, now=now, vectors=vectors)
    request.save(force_insert=True)
    jobs.after_commit(jobs.VERIFY_ERASURE, object_id=request.id)
    jobs.after_commit(jobs.CHECKPOINT, object_id=subject.tenant_id)
    register(RequestKind.ERASURE, subject_id=subject.id, object_id=request.id, at=now)
    return request


def grown_epoch(subject: Subject) -> int:
    """Let the epoch of a subject grow: what was queued or read before is not written any more."""
    Subject.objects.filter(id=subject.id).update(erasure_epoch=F("erasure_epoch") + 1)
    subject.refresh_from_db(fields=["erasure_epoch"])
    return subject.erasure_epoch
