"""Erasing: the only way content leaves, and it leaves everywhere at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import F, Q

from accounts.actors import Actor
from accounts.models import Subject
from accounts.queries import may_see_subject
from memory_admin import audit
from memory_admin.audit import Action
from memory_admin.audit.queries import payloads_on
from memory_admin.errors import Invalid, NotAllowed, NotFound
from memory_admin.indexing import services as indexing
from memory_admin.lifecycle.models import ErasureRequest
from memory_admin.memories import changes, queries
from memory_admin.memories.digests import statement_digest, value_digest
from memory_admin.memories.models import (
    Dispute,
    Evidence,
    Link,
    Memory,
    MemoryPause,
    MemoryRevision,
    RefusalReview,
    Source,
    WriteDecision,
)
from memory_admin.memories.requests import register
from memory_admin.memories.tombstones import entomb
from memory_admin.memories.vocabulary import DisputeResult, Origin, Relation, RequestKind, ReviewResult, Status
from memory_admin.retrieval import fence
from memory_admin.retrieval import forgetting as retrieval
from policies.queries import in_force
from policies.services import erase_change_requests

# What is left of a decision about words that are gone: that there was one.
NOTHING_DECIDED: dict[str, Any] = {
    "sealed_text": None,
    "sealed_until": None,
    "sealed_digest": None,
    "findings": [],
    "categories": [],
    "rule_ids": [],
}


class NotYoursToErase(NotAllowed):
    """An agent may not erase what the person said or confirmed, unless it relays the person's words."""

    code = "not_yours_to_erase"
    sentence = "Only the person can have this erased."


@transaction.atomic
def erase(*, memory_ids: Collection[UUID], by: Actor, now: datetime, version: int | None = None) -> ErasureRequest:
    """Erase memories of one subject, everything else that says the same, and everything that was made from them.

    One transaction under the subject's lock: the epoch grows, tombstones are set, and words, vectors, lexemes,
    versions, quotes, derived memories, query texts and log rows go. When it commits, nothing serves them any more.

    :param version: what the caller read, for a single memory
    :raises NotFound: one of them does not exist for this actor
    :raises ChangedMeanwhile: it has another version by now
    :raises Invalid: none is named, or they are not of one subject
    :raises NotYoursToErase: an agent erases what the person stated or confirmed
    """
    wanted = set(memory_ids)
    if not wanted:
        raise Invalid(fields={"memories": ["Name what is to be erased."]})
    seen = list(queries.visible_to(by).filter(id__in=wanted).values_list("id", "subject_id"))
    if {memory_id for memory_id, _ in seen} != wanted:
        raise NotFound
    if len({subject_id for _, subject_id in seen}) != 1:
        raise Invalid(fields={"memories": ["An erasure covers one subject."]})
    changes.lock_subject(seen[0][1])
    memories = list(queries.visible_to(by).filter(id__in=wanted))
    if len(memories) != len(wanted):
        raise NotFound  # erased while we waited for the lock
    if version is not None and memories[0].version != version:
        raise changes.ChangedMeanwhile(details={"version": memories[0].version})
    subject = memories[0].subject
    # What an agent may not erase by name it may not erase by way of something else either.
    gone = _with_all_that_goes(subject, memories, also_the_same=_speaks_for_the_person(by))
    if not _may_erase(gone, by):
        raise NotYoursToErase
    return _erase(subject, gone, scope="memories", by=by, now=now)


@transaction.atomic
def erase_subject(*, subject_id: UUID, by: Actor, now: datetime) -> ErasureRequest:
    """Erase everything about a subject that exists at this moment.

    :raises NotFound: the subject does not exist for this actor
    :raises NotYoursToErase: an agent that does not relay the person's words
    """
    subject = Subject.objects.filter(id=subject_id).first()
    if subject is None or not may_see_subject(subject, by=by):
        raise NotFound
    if not _speaks_for_the_person(by):
        raise NotYoursToErase
    subject = changes.lock_subject(subject_id)
    living = list(Memory.objects.filter(subject_id=subject_id).exclude(status=Status.ERASED))
    request = _erase(subject, living, scope="subject", by=by, now=now)
    Source.objects.filter(subject_id=subject_id).delete()
    decisions = WriteDecision.objects.filter(subject_id=subject_id)
    if told := payloads_on(decisions.values_list("memory_id", flat=True)):
        audit.erase_payloads(seqs=told, by=by, at=now)
    decisions.update(**NOTHING_DECIDED)
    _empty_requests([], decisions.values("id"), by=by, now=now)
    asked = erase_change_requests(subject_id=subject_id)
    owner = {"tenant_id": subject.tenant_id, "subject_id": subject_id}
    entomb(subject_id=subject_id, statements=[statement_digest(words, **owner) for words in asked], now=now)
    # Of somebody who can sign in the name stays with the account; of anybody else it goes.
    Subject.objects.filter(id=subject_id, user=None).update(display_name="")
    retrieval.forget_subject(subject_id=subject_id)
    return request


def _speaks_for_the_person(by: Actor) -> bool:
    return by.kind != "agent" or by.channel.is_the_persons


def _may_erase(memories: Sequence[Memory], by: Actor) -> bool:
    return _speaks_for_the_person(by) or all(
        memory.agent_id == by.agent_id and memory.origin != Origin.STATED and memory.confirmed_at is None
        for memory in memories
    )


def _with_all_that_goes(subject: Subject, memories: Sequence[Memory], *, also_the_same: bool) -> list[Memory]:
    """Add every memory that was made from one of these or says the same, directly or through others.

    One that was made from other sources as well goes too: it holds words of what is erased. What is left may be
    learned from anew.
    """
    found = {memory.id: memory for memory in memories}
    step = list(memories)
    while step:
        goes = Q(links_out__to_id__in=[memory.id for memory in step], links_out__relation=Relation.DERIVED_FROM)
        if also_the_same:
            goes |= Q(digest__in=_wordings(step))
        others = Memory.objects.filter(goes, subject_id=subject.id).exclude(status=Status.ERASED).distinct()
        step = [memory for memory in others if memory.id not in found]
        found |= {memory.id: memory for memory in step}
    return list(found.values())


def _wordings(memories: Sequence[Memory]) -> set[bytes]:
    """Give the digest of every wording that memories have or had."""
    had = MemoryRevision.objects.filter(memory_id__in=[memory.id for memory in memories])
    digests = {bytes(memory.digest) for memory in memories}
    return (digests | {bytes(digest) for digest in had.values_list("digest", flat=True)}) - {b""}


def _erase(subject: Subject, memories: Sequence[Memory], *, scope: str, by: Actor, now: datetime) -> ErasureRequest:
    fence.begin_erasure(subject.id)
    ids = [memory.id for memory in memories]
    Subject.objects.filter(id=subject.id).update(erasure_epoch=F("erasure_epoch") + 1)
    subject.refresh_from_db(fields=["erasure_epoch"])
    sources = set(Evidence.objects.filter(memory_id__in=ids).values_list("source_id", flat=True))
    sources |= {memory.source_id for memory in memories if memory.source_id}
    wordings = _wordings(memories)
    references = Source.objects.filter(id__in=sources).values_list("digest", flat=True)
    entomb(
        subject_id=subject.id,
        statements=wordings | _values(subject, memories),
        sources=[bytes(digest) for digest in references],
        now=now,
    )

    indexing.remove(ids)
    # Another memory may once have said the same, and a refused write too.
    said_the_same = Q(subject_id=subject.id, digest__in=wordings if _speaks_for_the_person(by) else ())
    versions = MemoryRevision.objects.filter(Q(memory_id__in=ids) | said_the_same).delete()[0]
    refused = WriteDecision.objects.filter(subject_id=subject.id, sealed_digest__in=wordings)
    decisions = set(refused.values_list("id", flat=True))
    WriteDecision.objects.filter(id__in=decisions).update(**NOTHING_DECIDED)
    _empty_requests(ids, decisions, by=by, now=now)
    MemoryPause.objects.filter(memory_id__in=ids).delete()
    Link.objects.filter(from_id__in=ids).delete()
    Link.objects.filter(to_id__in=ids).delete()
    Evidence.objects.filter(memory_id__in=ids).delete()
    # What was decided about it tells what kind of thing it was.
    WriteDecision.objects.filter(memory_id__in=ids).update(**NOTHING_DECIDED)
    counts = Counter(f"{memory.kind}/{memory.origin}" for memory in memories)
    Memory.objects.filter(id__in=ids).update(
        status=Status.ERASED,
        statement="",
        value=None,
        key=None,
        scopes=[],
        aliases=[],
        categories=[],
        rule_ids=[],
        language="und",
        digest=b"",
        source_id=None,
        changed_at=now,
        version=F("version") + 1,
    )
    quotes = _delete_sources(sources)
    uses = retrieval.forget(memory_ids=ids, subject_id=subject.id)
    request = ErasureRequest.objects.create(
        subject=subject,
        scope=scope,
        memory_ids=ids,
        epoch=subject.erasure_epoch,
        requested_by=by.ref,
        requested_at=now,
        erased_at=now,
        counts={
            "memories": len(ids),
            "versions": versions,
            "sources": quotes,
            "uses": uses,
            "by_kind_and_origin": dict(sorted(counts.items())),
        },
    )
    register(RequestKind.ERASURE, subject_id=subject.id, object_id=request.id, at=now)
    policy_version = in_force(now).retention.version_label
    # The rules that once decided tell what kind of thing was remembered, so what the trail says of that goes too.
    if told := payloads_on(ids):
        audit.erase_payloads(seqs=told, by=by, at=now)
    seqs = audit.record_many(
        [
            audit.Entry(
                action=Action.MEMORY_ERASED,
                by=by,
                target=("memory", memory_id),
                at=now,
                policy_version=policy_version,
                payload={"erasure": str(request.id)},
            )
            for memory_id in ids
        ]
    )
    if seqs:
        ErasureRequest.objects.filter(id=request.id).update(audit_seq=seqs[-1])
        request.audit_seq = seqs[-1]
    return request


def _empty_requests(memory_ids: Sequence[UUID], decision_ids: Any, *, by: Actor, now: datetime) -> None:
    """Remove the words of disputes and reviews about what is erased, and close those that nobody answered.

    That they were asked for stays, so that the person finds their number.
    """
    disputes = Dispute.objects.filter(memory_id__in=memory_ids)
    disputes.update(words="", answer="", statement="")
    disputes.filter(closed_at=None).update(result=DisputeResult.OVERTAKEN, closed_by=by.ref, closed_at=now)
    reviews = RefusalReview.objects.filter(Q(decision_id__in=decision_ids) | Q(memory_id__in=memory_ids))
    reviews.update(words="", answer="")
    reviews.filter(closed_at=None).update(result=ReviewResult.OVERTAKEN, closed_by=by.ref, closed_at=now)


def _values(subject: Subject, memories: Sequence[Memory]) -> set[bytes]:
    """Give the digest of every value of a key, which may come back under another sentence."""
    owner = {"tenant_id": subject.tenant_id, "subject_id": subject.id}
    return {value_digest(memory.key, memory.value, **owner) for memory in memories if memory.key and memory.value}


def _delete_sources(sources: set[UUID]) -> int:
    """Delete the sources that nothing living rests on; of the others, delete the quoted words."""
    still = set(Evidence.objects.filter(source_id__in=sources).values_list("source_id", flat=True))
    used = Memory.objects.filter(source_id__in=sources).values_list("source_id", flat=True)
    still |= {source_id for source_id in used if source_id}
    Source.objects.filter(id__in=still).update(quote="")
    return Source.objects.filter(id__in=sources - still).delete()[0]
