"""Narrowing and sorting the list: what the filters ask for, as a query."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, TypedDict
from uuid import UUID

from django.db.models import Case, Count, DateTimeField, F, IntegerField, Max, Q, Value, When
from django.db.models.functions import Greatest
from django.http import QueryDict

from accounts.actors import Actor
from accounts.models import Agent
from memory_admin.memories.models import MemoryQuerySet
from memory_admin.portal.census import Census
from memory_admin.portal.forms import PAUSED, FilterForm
from memory_admin.portal.pauses import Pauses
from memory_admin.retrieval.models import RetrievalCandidate

#: How many days back a use counts for "used since".
USED_WITHIN = {"week": timedelta(days=7), "month": timedelta(days=30)}


def filters_of(asked: QueryDict, census: Census) -> FilterForm:
    """Read the filters, offering the categories and agents that these memories have."""
    agents = Agent.objects.filter(id__in=census.agents).order_by("name", "id").values_list("id", "name")
    filters = FilterForm(
        asked,
        agents=[(str(agent_id), name) for agent_id, name in agents],
        categories=[(name, name.replace("_", " ").capitalize()) for name in sorted(census.by_category)],
    )
    filters.is_valid()
    return filters


def narrowed(
    everything: MemoryQuerySet, filters: FilterForm, *, by: Actor, pauses: Pauses, now: datetime
) -> MemoryQuerySet:
    """Keep the memories that the filters ask for."""
    asked = filters.cleaned_data
    found = everything
    if text := asked.get("q"):
        found = found.filter(statement__icontains=text)
    if asked.get("status") == PAUSED:
        found = found.filter(is_paused(pauses))
    exact = {name: asked[name] for name in ("origin", "status", "kind") if asked.get(name) not in (None, "", PAUSED)}
    if asked.get("agent"):
        exact["agent_id"] = asked["agent"]
    if asked.get("category"):
        exact["categories__contains"] = [asked["category"]]
    if asked.get("used") == "never":
        found = with_uses(found, by=by).filter(Q(uses=0), use_count=0)
    elif asked.get("used"):
        found = with_uses(found, by=by).filter(Q(used_at__gt=now - USED_WITHIN[asked["used"]]))
    return found.filter(**exact)


class Uses(TypedDict):
    """What :func:`with_uses` adds to a memory."""

    uses: int
    used_at: datetime | None


def with_uses(memories: MemoryQuerySet, *, by: Actor) -> MemoryQuerySet:
    """Add how often each memory was used and when last, with the `uses` that are not counted on it yet.

    Those are few, of the last minute, and read once.
    """
    if "uses" in memories.query.annotations:
        return memories
    given = RetrievalCandidate.objects.filter(
        returned=True, retrieval__counted_at=None, retrieval__subject_ids__contains=[by.subject_id]
    )
    uncounted = given.order_by().values_list("memory_id").annotate(Count("id"), Max("retrieval__created_at"))
    number, latest = [], []
    for memory_id, count, at in uncounted:
        number.append(When(id=memory_id, then=Value(count)))
        latest.append(When(id=memory_id, then=Value(at)))
    return memories.annotate(
        uses=F("use_count") + Case(*number, default=Value(0), output_field=IntegerField()),
        used_at=Greatest(F("last_used_at"), Case(*latest, output_field=DateTimeField())),
    )


def is_paused(pauses: Pauses) -> Q:
    """Tell a memory that is out of use by its own pause or that of a category."""
    return Q(id__in=list(pauses.memories)) | Q(categories__overlap=list(pauses.categories))


def ordered(found: MemoryQuerySet, sort: str, *, by: Actor, now: datetime) -> MemoryQuerySet:
    """Sort the list, to a unique key whatever the choice."""
    newest: tuple[Any, ...] = ("-recorded_at", "-id")
    match sort:
        case "used":
            found = with_uses(found, by=by)
            first: tuple[Any, ...] = ("-uses", F("used_at").desc(nulls_last=True))
        case "unused":
            found = with_uses(found, by=by)
            first = ("uses", F("used_at").asc(nulls_first=True))
        case "expiring":
            has_run_out = Case(When(expires_at__gt=now, then=Value(0)), default=Value(1), output_field=IntegerField())
            first = (has_run_out, F("expires_at").asc(nulls_last=True))
        case _:
            first = ()
    return found.order_by(*first, *newest)


def uuid_of(text: str) -> UUID | None:
    """Read an id out of an address; None for any other text."""
    try:
        return UUID(text)
    except ValueError:
        return None
