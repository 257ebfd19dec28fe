"""Applying retention policies to what is stored already: an end of life moves with what sets it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Case, Count, DateTimeField, F, Q, QuerySet, Value, When
from django.db.models.expressions import Combinable
from django.db.models.functions import Least

from memory_admin.indexing.services import expire
from memory_admin.memories.models import Memory
from memory_admin.memories.vocabulary import GONE
from policies.documents import KINDS, ORIGINS, RetentionPolicy
from policies.engine import days_kept
from policies.queries import agents_with_own, in_force

AT_ONCE = 5_000
WISHED = F("wished_expiry")
# Of a memory annotated with the `end` that a policy gives it.
SHORTENED = Q(expires_at=None, end__isnull=False) | Q(end__lt=F("expires_at"))
LENGTHENED = Q(end=None, expires_at__isnull=False) | Q(end__gt=F("expires_at"))


@dataclass(frozen=True, slots=True)
class Effect:
    """What a retention policy would do to what is stored.

    :ivar ends_now: memories that would be past their time at once
    :ivar shortened: memories that would end sooner, those included
    :ivar lengthened: memories that would be kept longer
    """

    ends_now: int
    shortened: int
    lengthened: int

    def __add__(self, other: Effect) -> Effect:
        return Effect(
            ends_now=self.ends_now + other.ends_now,
            shortened=self.shortened + other.shortened,
            lengthened=self.lengthened + other.lengthened,
        )


def foresee_retention(document: RetentionPolicy, *, region: str | None, agent_id: UUID | None, now: datetime) -> Effect:
    """Count what a policy would change in its scope, in one statement; nothing is stored."""
    by_kind = foresee_by_kind(document, region=region, agent_id=agent_id, now=now)
    return sum(by_kind.values(), Effect(ends_now=0, shortened=0, lengthened=0))


def foresee_by_kind(
    document: RetentionPolicy, *, region: str | None, agent_id: UUID | None, now: datetime
) -> dict[tuple[str, str], Effect]:
    """Count the same for each kind and origin of which something is stored."""
    moved = decided_for(agent_id, now=now).annotate(end=_end(document, region)).order_by("kind", "origin")
    counted = moved.values("kind", "origin").annotate(**_counts(now))
    return {(one["kind"], one["origin"]): _effect(one) for one in counted}


def foresee_wishes(wished: Combinable, *, subject_id: UUID, now: datetime) -> Effect:
    """Count what other wishes of a subject would change under the policies in force; nothing is stored.

    :param wished: when each memory would end by them
    """
    foreseen = Effect(ends_now=0, shortened=0, lengthened=0)
    for found, policy, region in _by_policy(now=now, subject_id=subject_id):
        foreseen += _effect(found.annotate(end=_end(policy, region, wished=wished)).aggregate(**_counts(now)))
    return foreseen


def _effect(counted: Mapping[str, Any]) -> Effect:
    return Effect(**{name: counted[name] for name in ("ends_now", "shortened", "lengthened")})


def _counts(now: datetime) -> dict[str, Count]:
    return {
        "ends_now": Count("id", filter=Q(end__lte=now)),
        "shortened": Count("id", filter=SHORTENED),
        "lengthened": Count("id", filter=LENGTHENED),
    }


def apply_retention(*, now: datetime, subject_id: UUID | None = None) -> int:
    """Give every memory, or those of one subject, the end that policies and wishes say; tell how many had another one.

    What is past its time already stays so. Each part is a transaction of its own unless one is open.
    """
    moved = 0
    for found, policy, region in _by_policy(now=now, subject_id=subject_id):
        due = found.annotate(end=_end(policy, region))
        for ids in _parts(due.exclude(expires_at__lte=now).filter(SHORTENED | LENGTHENED)):
            moved += _move(ids, policy, region)
    return moved


def _by_policy(
    *, now: datetime, subject_id: UUID | None
) -> Iterator[tuple[QuerySet[Memory], RetentionPolicy, str | None]]:
    """Give each policy in force with what it decides about, and the region."""
    for agent_id in (None, *agents_with_own("retention", now=now)):
        held = in_force(now, agent_id=agent_id)
        found = decided_for(agent_id, now=now)
        found = found if subject_id is None else found.filter(subject_id=subject_id)
        yield found, held.retention.document, held.region


def decided_for(agent_id: UUID | None, *, now: datetime) -> QuerySet[Memory]:
    """Give what a policy decides about: what one agent wrote, or what all wrote that have no policy of their own."""
    live = Memory.objects.exclude(status__in=GONE)
    if agent_id is not None:
        return live.filter(agent_id=agent_id)
    return live.filter(Q(agent_id=None) | ~Q(agent_id__in=agents_with_own("retention", now=now)))


def _end(document: RetentionPolicy, region: str | None, *, wished: Combinable = WISHED) -> Case:
    """Say in SQL when each memory ends: :func:`policies.engine.expires_at`, set by set."""
    cases = []
    for kind in KINDS:
        for origin in ORIGINS:
            days = days_kept(document, kind=kind, origin=origin, region=region)
            if days is not None:
                end = Least(F("asked_expiry"), wished, F("kept_from") + Value(timedelta(days=days)))
                cases.append(When(kind=kind, origin=origin, then=end))
    return Case(*cases, default=Least(F("asked_expiry"), wished), output_field=DateTimeField(null=True))


def _parts(due: QuerySet[Memory]) -> Iterator[list[UUID]]:
    while ids := list(due.order_by("id").values_list("id", flat=True)[:AT_ONCE]):
        yield ids


@transaction.atomic
def _move(ids: list[UUID], document: RetentionPolicy, region: str | None) -> int:
    held = Memory.objects.filter(id__in=ids).exclude(status__in=GONE)
    moved = held.update(expires_at=_end(document, region))
    expire(dict(held.values_list("id", "expires_at")))
    return moved
