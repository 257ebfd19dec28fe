"""What a person decides about everything at once: how long it is kept, and whether agents may conclude anything."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from uuid import UUID

from django.db import transaction
from django.db.models import Case, DateTimeField, F, Q, Value, When
from django.db.models.functions import Cast, Least

from accounts.actors import Actor
from accounts.models import Subject
from memory_admin import audit
from memory_admin.audit import Action
from memory_admin.errors import Invalid
from memory_admin.memories import changes
from memory_admin.memories.models import Memory
from memory_admin.memories.requests import register
from memory_admin.memories.services.apply_retention import Effect, apply_retention, foresee_wishes
from memory_admin.memories.services.pause import OnlyForOneself
from memory_admin.memories.vocabulary import GONE, Kind, RequestKind
from memory_admin.memories.wishes import Wishes, wishes_of
from memory_admin.tenancy.scope import uuid7

LONGEST_DAYS = 3_650


@transaction.atomic
def keep_for(*, kinds: Mapping[str, int], categories: Mapping[str, int], by: Actor, now: datetime) -> int:
    """Keep what is remembered about a person for so many days at most, by kind and category; the rest by policy.

    What is stored moves with it, never past what the policy or somebody's own wish says. What ends by it at once is
    out of use when this commits. Tells how many memories have another end.

    :raises OnlyForOneself: the actor is not a person about themselves
    :raises Invalid: a kind is unknown, or a number of days is not between 1 and 3650
    """
    subject = _own_subject(by)
    _check(kinds, categories)
    wishes = replace(wishes_of(subject), days_of_kind=kinds, days_of_category=categories)
    _store(subject, wishes)
    Memory.objects.filter(subject_id=subject.id).exclude(status__in=GONE).update(wished_expiry=_wished(wishes))
    moved = apply_retention(now=now, subject_id=subject.id)
    audit.record(
        action=Action.WISHES_CHANGED,
        by=by,
        target=("subject", subject.id),
        at=now,
        payload={"kinds": len(kinds), "categories": len(categories), "moved": moved},
    )
    return moved


def foresee_keeping(*, kinds: Mapping[str, int], categories: Mapping[str, int], by: Actor, now: datetime) -> Effect:
    """Count what :func:`keep_for` would change; nothing is stored.

    :raises OnlyForOneself: the actor is not a person about themselves
    :raises Invalid: a kind is unknown, or a number of days is not between 1 and 3650
    """
    if not by.is_person or by.subject_id is None:
        raise OnlyForOneself
    _check(kinds, categories)
    wished = _wished(Wishes(days_of_kind=kinds, days_of_category=categories))
    return foresee_wishes(wished, subject_id=by.subject_id, now=now)


@transaction.atomic
def object_to_inference(*, objects: bool, by: Actor, now: datetime) -> None:
    """Let nobody conclude anything about a person any more, or let agents propose conclusions again.

    What was concluded before stays where it is: the person decides about each. Said twice, it counts once.

    :raises OnlyForOneself: the actor is not a person about themselves
    """
    subject = _own_subject(by)
    wishes = wishes_of(subject)
    if wishes.objects_to_inference == objects:
        return
    _store(subject, replace(wishes, objects_to_inference=objects))
    if objects:
        register(RequestKind.OBJECTION, subject_id=subject.id, object_id=uuid7(), at=now)
    audit.record(
        action=Action.INFERENCE_OBJECTED if objects else Action.INFERENCE_ALLOWED,
        by=by,
        target=("subject", subject.id),
        at=now,
    )


@transaction.atomic
def keep_until(*, memory_id: UUID, until: datetime | None, by: Actor, now: datetime) -> Memory:
    """End one memory at a time of its subject's choice, or take that back. Later than the policy says it never ends.

    :raises OnlyForOneself: the actor is not a person about themselves
    :raises NotFound: it does not exist for this actor
    :raises Invalid: the time has passed
    """
    if not by.is_person:
        raise OnlyForOneself
    if until is not None and until <= now:
        raise Invalid(fields={"until": ["This time has passed."]})
    memory = changes.locked(memory_id, by=by)
    if memory.asked_expiry == until:
        return memory
    changes.revise(memory, by=by, now=now, reason="its end was chosen", asked_expiry=until)
    apply_retention(now=now, subject_id=memory.subject_id)
    audit.record(action=Action.MEMORY_END_CHOSEN, by=by, target=("memory", memory.id), at=now)
    memory.refresh_from_db(fields=["expires_at"])
    return memory


def _own_subject(by: Actor) -> Subject:
    if not by.is_person or by.subject_id is None:
        raise OnlyForOneself
    return changes.lock_subject(by.subject_id)


def _store(subject: Subject, wishes: Wishes) -> None:
    subject.preferences = wishes.as_json()
    subject.save(update_fields=["preferences"])


def _check(kinds: Mapping[str, int], categories: Mapping[str, int]) -> None:
    problems = {name: ["There is no such kind."] for name in kinds if name not in Kind.values}
    for name, days in (*kinds.items(), *categories.items()):
        if not 1 <= days <= LONGEST_DAYS:
            problems[name] = [f"Choose between 1 and {LONGEST_DAYS} days."]
    if problems:
        raise Invalid(fields=problems)


def _wished(wishes: Wishes) -> Least:
    """Say in SQL when each memory ends by some wishes: :meth:`Wishes.end`, set by set."""
    apply = [(Q(kind=name), days) for name, days in wishes.days_of_kind.items()]
    apply += [(Q(categories__contains=[name]), days) for name, days in wishes.days_of_category.items()]
    never = Cast(Value(None), DateTimeField(null=True))
    ends = [Case(When(who, then=F("kept_from") + Value(timedelta(days=days))), default=never) for who, days in apply]
    return Least(never, never, *ends)
