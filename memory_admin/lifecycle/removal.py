"""Removing words: from memories, and from everywhere else that repeats them. Called under the subject's lock."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import F, Q

from accounts.actors import Actor
from accounts.models import Subject
from memory_admin import audit
from memory_admin.audit import Action
from memory_admin.audit.queries import payloads_on
from memory_admin.indexing import services as indexing
from memory_admin.lifecycle import copies
from memory_admin.lifecycle.extent import traces_of
from memory_admin.lifecycle.models import ErasureRequest
from memory_admin.lifecycle.paraphrases import NONE, Vectors, signatures
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
from memory_admin.memories.tombstones import entomb
from memory_admin.memories.vocabulary import DisputeResult, ReviewResult, Status
from memory_admin.retrieval import fence
from memory_admin.retrieval import forgetting as retrieval
from policies.queries import in_force

# What is left of a decision about words that are gone: that there was one.
NOTHING_DECIDED: dict[str, Any] = {
    "sealed_text": None,
    "sealed_until": None,
    "sealed_digest": None,
    "findings": [],
    "categories": [],
    "rule_ids": [],
    "outcome": "",
    "watched": [],
}


def remove(
    erasure: ErasureRequest,
    memories: Sequence[Memory],
    *,
    subject: Subject,
    also_the_same: bool,
    by: Actor,
    now: datetime,
    vectors: Vectors = NONE,
) -> None:
    """Erase memories as part of an erasure, and count on it what went; whoever calls saves it.

    Tombstones are set; words, vectors, lexemes, versions, quotes, query texts and log rows go. When it commits, nothing
    serves them any more.

    :param also_the_same: what others once said in the same words, and what was refused, goes as well
    :param vectors: of what search knows nothing of, so that paraphrases of it are recognised as well
    """
    fence.begin_erasure(subject.id)
    copies.withdraw(subject.id)
    ids = [memory.id for memory in memories]
    traces = traces_of(subject, memories)
    if erasure.keeps_out:
        entomb(
            subject_id=subject.id,
            statements=traces.statements,
            sources=traces.sources,
            likenesses=signatures(subject, memories, vectors),
            erasure_id=erasure.id,
            now=erasure.requested_at,
        )
    indexing.remove(ids)
    erasure.counts = _added(
        erasure.counts,
        {
            "memories": len(ids),
            "versions": _delete_versions(erasure, ids, traces.wordings if also_the_same else ()),
            "by_kind_and_origin": Counter(f"{memory.kind}/{memory.origin}" for memory in memories),
        },
    )
    refused = WriteDecision.objects.filter(subject_id=subject.id, sealed_digest__in=traces.wordings)
    decisions = set(refused.values_list("id", flat=True))
    told = told_of(ids, decisions)
    WriteDecision.objects.filter(id__in=decisions).update(**NOTHING_DECIDED)
    empty_requests(ids, decisions, by=by, now=now)
    # What was decided about it tells what kind of thing it was.
    WriteDecision.objects.filter(memory_id__in=ids).update(**NOTHING_DECIDED)
    MemoryPause.objects.filter(memory_id__in=ids).delete()
    Evidence.objects.filter(memory_id__in=ids).delete()
    Link.objects.filter(from_id__in=ids).delete()
    Link.objects.filter(to_id__in=ids).delete()
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
    quotes = _delete_sources(traces.source_ids)
    uses = retrieval.forget(memory_ids=ids, subject_id=subject.id)
    erasure.counts = _added(erasure.counts, {"sources": quotes, "uses": uses})
    # The rules that once decided tell what kind of thing was remembered, so what the trail says of that goes too.
    if told:
        audit.erase_payloads(seqs=told, by=by, at=now, target=("erasure", erasure.id))
    erasure.audit_seq = _record(erasure, ids, by=by, now=now) or erasure.audit_seq


def told_of(memory_ids: Collection[UUID], decision_ids: Collection[UUID]) -> list[int]:
    """Number the events whose particulars tell what kind of thing memories were, or what was refused and looked at."""
    of_decisions = WriteDecision.objects.filter(id__in=decision_ids).values_list("memory_id", flat=True)
    reviews = RefusalReview.objects.filter(Q(decision_id__in=decision_ids) | Q(memory_id__in=memory_ids))
    return payloads_on({*memory_ids, *of_decisions, *reviews.values_list("id", flat=True)})


def empty_requests(memory_ids: Sequence[UUID], decision_ids: Any, *, by: Actor, now: datetime) -> None:
    """Remove the words of disputes and reviews about what is erased, and close those that nobody answered.

    That they were asked for stays, so that the person finds their number.
    """
    disputes = Dispute.objects.filter(memory_id__in=memory_ids)
    disputes.update(words="", answer="", statement="")
    disputes.filter(closed_at=None).update(result=DisputeResult.OVERTAKEN, closed_by=by.ref, closed_at=now)
    reviews = RefusalReview.objects.filter(Q(decision_id__in=decision_ids) | Q(memory_id__in=memory_ids))
    reviews.update(words="", answer="")
    reviews.filter(closed_at=None).update(result=ReviewResult.OVERTAKEN, closed_by=by.ref, closed_at=now)


def _delete_versions(erasure: ErasureRequest, ids: Sequence[UUID], wordings: Sequence[bytes] | set[bytes]) -> int:
    # Another memory may once have said the same. What a person wrote since, by hand, is new.
    said_the_same = Q(subject_id=erasure.subject_id, digest__in=wordings, recorded_from__lte=erasure.requested_at)
    return MemoryRevision.objects.filter(Q(memory_id__in=ids) | said_the_same).delete()[0]


def _delete_sources(sources: set[UUID]) -> int:
    """Delete the sources that nothing living rests on; of the others, delete the quoted words."""
    still = set(Evidence.objects.filter(source_id__in=sources).values_list("source_id", flat=True))
    used = Memory.objects.filter(source_id__in=sources).values_list("source_id", flat=True)
    still |= {source_id for source_id in used if source_id}
    Source.objects.filter(id__in=still).update(quote="")
    return Source.objects.filter(id__in=sources - still).delete()[0]


def _record(erasure: ErasureRequest, ids: Sequence[UUID], *, by: Actor, now: datetime) -> int | None:
    policy_version = in_force(now).retention.version_label
    seqs = audit.record_many(
        [
            audit.Entry(
                action=Action.MEMORY_ERASED,
                by=by,
                target=("memory", memory_id),
                at=now,
                policy_version=policy_version,
                payload={"erasure": str(erasure.id)},
            )
            for memory_id in ids
        ]
    )
    return seqs[-1] if seqs else None


def _added(counts: dict[str, Any], more: dict[str, Any]) -> dict[str, Any]:
    """Add counts, and those by kind and origin within them."""
    both = dict(counts)
    for name, count in more.items():
        if isinstance(count, Counter):
            both[name] = dict(sorted((Counter(both.get(name, {})) + count).items()))
        else:
            both[name] = both.get(name, 0) + count
    return both
