"""Answering a proposal: yes or no."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.db.models import Q

from accounts.actors import Actor
from accounts.vocabulary import REVIEWERS
from memory_admin import audit
from memory_admin.audit import Action
from memory_admin.errors import NotAllowed
from memory_admin.memories import changes
from memory_admin.memories.models import Link, Memory
from memory_admin.memories.tombstones import entomb
from memory_admin.memories.vocabulary import Relation, Status

CONFIRMABLE = (Status.PROPOSED, Status.ACTIVE, Status.DISPUTED)


class OnlyThePerson(NotAllowed):
    """Only the person, or a key trusted to relay their words, may answer for them."""

    code = "only_the_person"
    sentence = "Only the person this is about can answer that."


@transaction.atomic
def confirm(*, memory_id: UUID, by: Actor, now: datetime, version: int | None = None) -> Memory:
    """Confirm that a memory is right. A proposed one becomes active and replaces what it contradicts.

    The same answer sent again, as from a second window, is taken as given: nothing is changed and nothing recorded.

    :param version: what the caller read
    :raises NotFound: it does not exist for this actor
    :raises ChangedMeanwhile: it has another version by now
    :raises OnlyThePerson: an agent on a channel of its own
    :raises WrongState: it is neither proposed, active nor disputed
    """
    memory = changes.locked(memory_id, by=by)
    if not _speaks_for_the_person(by):
        raise OnlyThePerson
    if version is not None and memory.version != version:
        if _is_only_confirmed_since(memory, version, by=by):
            return memory
        raise changes.ChangedMeanwhile(details={"version": memory.version})
    if memory.status not in CONFIRMABLE:
        raise changes.WrongState(details={"status": memory.status})
    if memory.status != Status.ACTIVE:
        make_room(memory, by=by, now=now)
    memory.disputes.filter(closed_at=None).update(closed_at=now, closed_by=by.ref, result="withdrawn")
    changes.revise(
        memory,
        by=by,
        now=now,
        reason="confirmed",
        status=Status.ACTIVE,
        confirmed_at=now,
        confirmed_by=by.ref,
        confidence=max(memory.confidence, 0.95),
    )
    audit.record(
        action=Action.MEMORY_CONFIRMED,
        by=by,
        target=("memory", memory.id),
        at=now,
        policy_version=memory.policy_version,
        payload={"version": memory.version},
    )
    return memory


@transaction.atomic
def reject(*, memory_id: UUID, by: Actor, now: datetime, version: int | None = None) -> Memory:
    """Turn a proposal down. It is not asked about again: a tombstone keeps the statement out.

    The same answer sent again changes nothing.

    :raises NotFound: it does not exist for this actor
    :raises ChangedMeanwhile: it has another version by now
    :raises OnlyThePerson: an agent on a channel of its own
    :raises WrongState: it is not waiting for an answer
    """
    memory = changes.locked(memory_id, by=by, version=version)
    if not _speaks_for_the_person(by) and not _checks(memory, by):
        raise OnlyThePerson
    if memory.status == Status.REJECTED and changes.is_latest(memory, "rejected", by=by):
        return memory
    if memory.status not in (Status.PROPOSED, Status.QUARANTINED):
        raise changes.WrongState(details={"status": memory.status})
    changes.revise(memory, by=by, now=now, reason="rejected", status=Status.REJECTED)
    entomb(subject_id=memory.subject_id, statements=[bytes(memory.digest)], now=now)
    audit.record(
        action=Action.MEMORY_REJECTED, by=by, target=("memory", memory.id), at=now, policy_version=memory.policy_version
    )
    return memory


def _is_only_confirmed_since(memory: Memory, version: int, *, by: Actor) -> bool:
    """Tell whether all that happened to a memory since a version is that the actor confirmed it."""
    later = memory.revisions.filter(version__gt=version)
    return version < memory.version and not later.exclude(reason="confirmed", changed_by=by.ref).exists()


def _speaks_for_the_person(by: Actor) -> bool:
    return by.channel.is_the_persons and by.kind in ("person", "agent")


def _checks(memory: Memory, by: Actor) -> bool:
    """Tell whether a reviewer looks at what was held back for one; never about themselves."""
    is_reviewer = by.kind == "staff" and not by.roles.isdisjoint(REVIEWERS)
    return is_reviewer and memory.status == Status.QUARANTINED and memory.subject.user_id != by.user_id


def make_room(memory: Memory, *, by: Actor, now: datetime) -> None:
    """End what contradicts a memory that is about to come into force: by its key, or because it was said so."""
    contradicted = Memory.objects.select_related("subject").filter(
        Q(valid_to=None) | Q(valid_to__gt=memory.valid_from),
        links_in__from_id=memory.id,
        links_in__relation=Relation.CONTRADICTS,
        status=Status.ACTIVE,
    )
    found = {rival.id: rival for rival in [*changes.rivals(memory), *contradicted]}
    for rival in sorted(found.values(), key=lambda one: one.id):
        changes.close(rival, at=max(memory.valid_from, rival.valid_from), by=by, now=now)
        tie = Link(from_id=memory.id, to_id=rival.id, relation=Relation.SUPERSEDES, created_at=now)
        Link.objects.bulk_create([tie], ignore_conflicts=True)
        audit.record(
            action=Action.MEMORY_SUPERSEDED,
            by=by,
            target=("memory", rival.id),
            at=now,
            policy_version=memory.policy_version,
            payload={"by": str(memory.id)},
        )
