"""Answering a dispute: the memory is put right, or stays as it is with a reason that the person reads first."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db import transaction

from accounts.actors import Actor, system
from memory_admin import audit, jobs
from memory_admin.audit import Action
from memory_admin.errors import Invalid, NotFound
from memory_admin.lifecycle import services as lifecycle
from memory_admin.memories import changes
from memory_admin.memories import services as memories
from memory_admin.memories.models import Dispute, Memory
from memory_admin.memories.services.dispute import said_without_secrets
from memory_admin.memories.vocabulary import GONE, DisputeResult, Remedy, Status
from memory_admin.reviews import desk
from memory_admin.tenancy.scope import required_tenant

#: How long the person has between an answer that changes nothing and the memory's return into use.
NOTICE = timedelta(days=7)
ASKED_AGAIN_AFTER = timedelta(hours=1)


class ReasonMissing(Invalid):
    """A dispute is turned down without a reason in words."""

    code = "reason_missing"
    sentence = "Say in words why it stays as it is."


@transaction.atomic
def read_dispute(*, dispute_id: UUID, by: Actor, now: datetime) -> Dispute:
    """Read an open dispute with its memory, and record for the person who looked; see :mod:`memory_admin.reviews.desk`.

    :raises NotFound: there is no such dispute, or the person has just had the memory deleted
    :raises AlreadyAnswered: it is closed, so there is nothing to read any more
    """
    found = _found(dispute_id)
    role = desk.refuse_strangers(found.memory.subject, by=by, now=now)
    desk.refuse_answered(found)
    if found.memory.status in GONE:
        raise NotFound
    desk.record_view("dispute", found.id, subject=found.memory.subject, role=role, by=by, now=now)
    return found


@transaction.atomic
def uphold(
    *,
    dispute_id: UUID,
    remedy: Remedy,
    version: int,
    by: Actor,
    now: datetime,
    statement: str = "",
    answer: str = "",
) -> Dispute:
    """Agree that a memory is not right, and put it right at once.

    *Erased*: it goes everywhere, as if the person had deleted it. *Corrected*: it says `statement` from now on, which
    counts as brought in by the organisation and not as confirmed. *Retired*: it held until now, and its history stays.

    :param version: the version of the memory that the reviewer read
    :param answer: what to tell the person besides, in words
    :raises NotFound: there is no such dispute
    :raises AlreadyAnswered: it is closed
    :raises ChangedMeanwhile: the memory has another version by now
    :raises NothingChanged: the corrected words are the old ones
    :raises CorrectionRefused: the write policy does not let the corrected words in
    :raises WordsHoldASecret: the answer holds a secret
    """
    dispute, memory = _opened(dispute_id, version=version, by=by, now=now)
    _close(
        dispute, DisputeResult.UPHELD, by=by, now=now, remedy=remedy, answer=said_without_secrets(answer), lifts_at=None
    )
    match remedy:
        case Remedy.ERASED:
            lifecycle.erase(memory_ids=[memory.id], by=by, now=now)
        case Remedy.CORRECTED:
            memories.correct(memory_id=memory.id, statement=statement, by=by, now=now)
        case Remedy.RETIRED:
            memories.retire(memory_id=memory.id, by=by, now=now)
    _record(dispute, memory, by=by, now=now, result=DisputeResult.UPHELD, remedy=str(remedy))
    return dispute


@transaction.atomic
def turn_down(*, dispute_id: UUID, answer: str, version: int, by: Actor, now: datetime) -> Dispute:
    """Leave a memory as it is, and tell the person why. No agent uses it for seven more days, so that they can act.

    :param version: the version of the memory that the reviewer read
    :raises NotFound: there is no such dispute
    :raises AlreadyAnswered: it is closed
    :raises ChangedMeanwhile: the memory has another version by now
    :raises ReasonMissing: the answer is empty
    :raises WordsHoldASecret: the answer holds a secret
    """
    dispute, memory = _opened(dispute_id, version=version, by=by, now=now)
    said = said_without_secrets(answer.strip())
    if not said:
        raise ReasonMissing(fields={"answer": [ReasonMissing.sentence]})
    lifts_at = now + NOTICE
    _close(dispute, DisputeResult.NOT_UPHELD, by=by, now=now, remedy=None, answer=said, lifts_at=lifts_at)
    jobs.after_commit(jobs.LIFT_RESTRICTION, object_id=dispute.id, at=lifts_at)
    _record(dispute, memory, by=by, now=now, result=DisputeResult.NOT_UPHELD)
    return dispute


@transaction.atomic
def lift_restriction(*, dispute_id: UUID, now: datetime) -> bool:
    """Bring a memory back into use when the person has had the time to act on the answer; tell whether it was.

    Whatever happened to the memory since, such as a correction, a deletion or another dispute, stands.
    """
    found = Dispute.objects.select_related("memory").filter(id=dispute_id).first()
    if found is None or found.lifts_at is None or found.lifts_at > now:
        return False
    changes.lock_subject(found.memory.subject_id)
    memory = Memory.objects.select_related("subject").get(id=found.memory_id)
    if memory.status == Status.ERASING:
        # The person may still take the deletion back.
        jobs.after_commit(jobs.LIFT_RESTRICTION, object_id=found.id, at=now + ASKED_AGAIN_AFTER)
        return False
    is_the_last = not memory.disputes.filter(opened_at__gt=found.opened_at).exists()
    if memory.status != Status.DISPUTED or not is_the_last:
        return False
    by = system("reviews", tenant_id=required_tenant())
    changes.revise(memory, by=by, now=now, reason="dispute not upheld", **_as_it_now_holds(memory, now))
    audit.record(
        action=Action.MEMORY_RESUMED,
        by=by,
        target=("memory", memory.id),
        at=now,
        policy_version=memory.policy_version,
        payload={"dispute": str(found.id)},
    )
    return True


def _as_it_now_holds(memory: Memory, now: datetime) -> dict[str, Any]:
    """Say how a memory comes back: in force, unless its key has another value by now, which stays."""
    rivals = changes.rivals(memory)
    if not rivals:
        return {"status": Status.ACTIVE}
    ends, is_over = changes.end_of(memory, at=rivals[0].valid_from, now=now)
    return {"status": Status.SUPERSEDED if is_over else Status.ACTIVE, "valid_to": ends}


def _found(dispute_id: UUID) -> Dispute:
    found = Dispute.objects.select_related("memory__subject").filter(id=dispute_id).first()
    if found is None:
        raise NotFound
    return found


def _opened(dispute_id: UUID, *, version: int, by: Actor, now: datetime) -> tuple[Dispute, Memory]:
    """Lock an open dispute that the actor may answer, with its memory, the subject first."""
    subject = _found(dispute_id).memory.subject
    desk.refuse_strangers(subject, by=by, now=now)
    changes.lock_subject(subject.id)
    dispute = _found(dispute_id)
    desk.refuse_answered(dispute)
    return dispute, changes.locked(dispute.memory_id, by=by, version=version)


def _close(dispute: Dispute, result: DisputeResult, *, by: Actor, now: datetime, **told: Any) -> None:
    dispute.result, dispute.closed_by, dispute.closed_at = result, by.ref, now
    for name, value in told.items():
        setattr(dispute, name, value)
    dispute.save(update_fields=["result", "closed_by", "closed_at", *told])
    desk.tell_person(dispute, subject=dispute.memory.subject, now=now)


def _record(dispute: Dispute, memory: Memory, *, by: Actor, now: datetime, **told: str) -> None:
    audit.record(
        action=Action.MEMORY_DISPUTE_ANSWERED,
        by=by,
        target=("memory", memory.id),
        at=now,
        policy_version=memory.policy_version,
        payload={"dispute": str(dispute.id), **{name: str(value) for name, value in told.items()}},
    )
