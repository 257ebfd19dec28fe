"""Forgetting by time: what is past its end, what nobody answered, what faded, what nobody needs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import groupby
from operator import attrgetter
from typing import Any

from django.db import transaction
from django.db.models import DateTimeField, DurationField, ExpressionWrapper, F, FloatField, QuerySet, Value
from django.db.models.functions import Cast, Coalesce, Extract, Greatest, Power

from accounts.actors import Actor, system
from memory_admin import audit, jobs
from memory_admin.audit import Action
from memory_admin.lifecycle import queries
from memory_admin.lifecycle.models import ErasureRequest, State, Sweep
from memory_admin.lifecycle.removal import remove
from memory_admin.memories import changes
from memory_admin.memories.models import Memory
from memory_admin.memories.services.apply_retention import decided_for
from memory_admin.memories.vocabulary import Status
from memory_admin.tenancy.scope import required_tenant
from policies.documents import RetentionPolicy
from policies.queries import agents_with_own, in_force

PART = 500
"""How many memories one transaction changes: others who write about the same subjects wait for no more."""
FADED_AT_ONCE = 5_000
FADES_EVERY = timedelta(days=1)
SHOWN_FOR = timedelta(days=1)
"""How long the person still reads what has expired, before its words are purged."""
ENDS = (
    Status.ACTIVE,
    Status.PROPOSED,
    Status.QUARANTINED,
    Status.SUPERSEDED,
    Status.ARCHIVED,
    Status.REJECTED,
)
"""What ends when its time is over. What is disputed is out of use, and stays until somebody has answered."""


@dataclass(frozen=True, slots=True)
class _Step:
    """One thing a sweep does, and what it does it to."""

    name: str
    found: QuerySet[Memory]
    act: Callable[[list[Memory], Actor, datetime], None]


@transaction.atomic
def sweep(*, hour: int, now: datetime) -> Sweep:
    """Do the next part of an hour's sweep of the open tenant, and queue the part after it. Done twice, it ends nothing
    twice.

    Whether something is over is told by the clock of the database.

    :param hour: hours since 1970
    """
    held, _ = Sweep.objects.select_for_update().get_or_create(hour=hour, defaults={"began_at": now})
    if held.ended_at is not None:
        return held
    at = queries.clock()
    done = _next_part(at)
    held.counts = dict(Counter(held.counts) + done)
    held.ended_at = None if done else at
    held.save(update_fields=["counts", "ended_at"])
    if done:
        jobs.after_commit(jobs.SWEEP, object_id=required_tenant(), epoch=hour)
    return held


def _next_part(at: datetime) -> Counter[str]:
    """Do as much of the first step that has something to do as one transaction may; nothing when all is done."""
    by = system("retention", tenant_id=required_tenant())
    for agent_id in (None, *agents_with_own("retention", now=at)):
        document = in_force(at, agent_id=agent_id).retention.document
        within = decided_for(agent_id, now=at)
        if faded := _fade(within, document, at):
            return Counter(faded=faded)
        for step in _steps(within, document, at):
            if memories := _locked(step.found):
                step.act(memories, by, at)
                return Counter({step.name: len(memories)})
    return Counter()


def _steps(within: QuerySet[Memory], document: RetentionPolicy, at: datetime) -> Iterator[_Step]:
    """List what is to be done, by what a retention policy says of the memories it decides about."""
    waited = at - timedelta(days=document.unanswered_days)
    yield _Step("unanswered", within.filter(status=Status.PROPOSED, recorded_at__lte=waited), _end_unanswered)
    yield _Step("expired", within.filter(status__in=ENDS, expires_at__lte=at), _expire)
    yield _Step("purged", within.filter(status=Status.EXPIRED, expires_at__lte=at - SHOWN_FOR), _purge)
    in_use = within.filter(status=Status.ACTIVE, pinned=False)
    yield _Step("put_to_rest", _guesses(in_use, document).filter(confidence__lte=document.decay.floor), _rest_faded)
    last = Greatest("changed_at", Coalesce("last_used_at", "changed_at"))
    idle = in_use.annotate(last=last).filter(last__lte=at - timedelta(days=document.archive.unused_days))
    yield _Step("put_to_rest", idle.filter(importance__lt=document.archive.importance_below), _rest_unused)


def _locked(found: QuerySet[Memory]) -> list[Memory]:
    """Take the locks of the subjects of a part, in one order, and read what is still to be done under them."""
    part = list(found.order_by("subject_id", "id").values_list("subject_id", "id")[:PART])
    for subject_id in sorted({subject_id for subject_id, _ in part}):
        changes.lock_subject(subject_id)
    return list(found.filter(id__in=[memory_id for _, memory_id in part]).order_by("subject_id", "id"))


# --- what is over ----------------------------------------------------------------------------------------------------


def _end_unanswered(memories: list[Memory], by: Actor, at: datetime) -> None:
    _withdraw(memories, by, at, Action.MEMORY_EXPIRED, "unanswered", status=Status.EXPIRED, expires_at=at)


def _expire(memories: list[Memory], by: Actor, at: datetime) -> None:
    _withdraw(memories, by, at, Action.MEMORY_EXPIRED, "expired", status=Status.EXPIRED)


def _purge(memories: list[Memory], by: Actor, at: datetime) -> None:
    """Erase the words of what has expired. Nothing is kept out by it: the same may be learned anew."""
    for subject_id, of_subject in groupby(memories, attrgetter("subject_id")):
        subject = changes.lock_subject(subject_id)
        gone = list(of_subject)
        ids = [memory.id for memory in gone]
        erasure = ErasureRequest(
            subject=subject, memory_ids=ids, state=State.ERASED, keeps_out=False, requested_by=by.ref, requested_at=at
        )
        remove(erasure, gone, subject=subject, also_the_same=False, by=by, now=at)


# --- what is put to rest ---------------------------------------------------------------------------------------------


def _guesses(found: QuerySet[Memory], document: RetentionPolicy) -> QuerySet[Memory]:
    """Keep what fades: unconfirmed, of an origin and a confidence that the policy names."""
    decay = document.decay
    return found.filter(origin__in=decay.origins, confirmed_at=None, confidence__lt=decay.confidence_below)


def _fade(within: QuerySet[Memory], document: RetentionPolicy, at: datetime) -> int:
    """Let unsure guesses lose confidence, by half within each half-life since it was last counted.

    Exponential decay, ``c = c0 * 0.5 ** (t / half-life)``: however often it is counted, it comes to the same.
    """
    since = Coalesce("faded_at", "kept_from", output_field=DateTimeField())
    guesses = _guesses(within.filter(status__in=[Status.ACTIVE, Status.PROPOSED]), document).annotate(since=since)
    ids = list(guesses.filter(since__lte=at - FADES_EVERY).order_by("id").values_list("id", flat=True)[:FADED_AT_ONCE])
    passed = ExpressionWrapper(Value(at, output_field=DateTimeField()) - F("since"), output_field=DurationField())
    half_lives = Cast(Extract(passed, "epoch"), FloatField()) / (document.decay.half_life_days * 86_400.0)
    fading = guesses.filter(id__in=ids)
    return fading.update(confidence=F("confidence") * Power(Value(0.5), half_lives), faded_at=at)


def _rest_faded(memories: list[Memory], by: Actor, at: datetime) -> None:
    _withdraw(memories, by, at, Action.MEMORY_ARCHIVED, "faded", status=Status.ARCHIVED)


def _rest_unused(memories: list[Memory], by: Actor, at: datetime) -> None:
    _withdraw(memories, by, at, Action.MEMORY_ARCHIVED, "archived", status=Status.ARCHIVED)


def _withdraw(memories: list[Memory], by: Actor, at: datetime, action: Action, reason: str, **changed: Any) -> None:
    changes.withdraw_many(memories, by=by, now=at, reason=reason, **changed)
    version = in_force(at, agent_id=memories[0].agent_id).retention.version_label
    audit.record_many(
        [
            audit.Entry(action=action, by=by, target=("memory", one.id), at=at, policy_version=version)
            for one in memories
        ]
    )
