"""The list of everything remembered about one person, and each memory on its own page."""

from dataclasses import dataclass
from itertools import groupby
from typing import Any
from uuid import UUID

from django.db.models import Count, Max
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_safe

from memory_admin.memories import queries
from memory_admin.memories.models import Memory, MemoryQuerySet
from memory_admin.memories.vocabulary import Status
from memory_admin.portal import detail
from memory_admin.portal.forms import PAUSED, SORTS, FilterForm
from memory_admin.portal.frame import show
from memory_admin.portal.narrowing import filters_of, is_paused, narrowed, ordered
from memory_admin.portal.pauses import Pauses, pauses_of
from memory_admin.portal.rows import Row, row_of, rows_of
from memory_admin.web import words
from memory_admin.web.access import PersonRequest, signed_in
from memory_admin.web.paging import links, page_of

LINE = 1000  # units of the drawing's width
GAP = 6


@dataclass(frozen=True, slots=True)
class Share:
    """The memories of one origin, and their stretch of the line."""

    origin: str
    count: int
    word: words.Word
    says: str
    begin: int
    end: int


@dataclass(frozen=True, slots=True)
class View:
    """A saved filter above the list."""

    label: str
    count: int
    address: str
    is_current: bool


@signed_in
@require_safe
def show_memories(request: PersonRequest) -> HttpResponse:
    """List every memory about the person who signed in, narrowed by their filters."""
    if request.actor.subject_id is None and request.membership.is_staff:
        return redirect("console:overview")
    if request.actor.subject_id is None:
        return show(request, "portal/nobody.html", {})
    everything = queries.visible_to(request.actor)
    now = timezone.now()
    pauses = pauses_of(request.actor, now=now)
    filters = filters_of(request.GET, everything)
    sort = filters.cleaned_data.get("sort") or "newest"
    found = narrowed(everything, filters, pauses=pauses, now=now).select_related("agent", "source")
    page = page_of(ordered(found, sort, now=now), request)
    return show(
        request,
        "portal/memories.html",
        {
            **_counted(everything, filters, pauses),
            "waiting": _first_waiting(everything),
            "filters": filters,
            "page": page,
            "stretches": _stretches(rows_of(list(page), now=now, pauses=pauses), sort),
            "pauses": pauses,
            **links(page, request),
        },
    )


@signed_in
@require_safe
def show_memory(request: PersonRequest, memory_id: UUID) -> HttpResponse:
    """Show one memory: where it comes from, when it was used, how it changed, what was made from it."""
    memory = queries.one(memory_id, by=request.actor)
    now = timezone.now()
    pauses = pauses_of(request.actor, now=now)
    return show(
        request,
        "portal/memory.html",
        {
            "memory": memory,
            "row": row_of(memory, now=now, pauses=pauses),
            "pauses": pauses,
            "writer": detail.writer(memory),
            "categories": detail.categories(memory),
            "sources": detail.sources(memory),
            "uses": detail.uses(memory),
            "history": detail.history(memory, by=request.actor),
            "derived": detail.derived(memory, by=request.actor),
        },
    )


def _stretches(rows: list[Row], sort: str) -> list[tuple[str, list[Row]]]:
    """Part the rows by the time they were written; in another order they are one stretch, named by it."""
    if sort != "newest":
        return [(SORTS[sort], rows)] if rows else []
    return [(since, list(stretch)) for since, stretch in groupby(rows, key=lambda row: row.since)]


def _counted(everything: MemoryQuerySet, filters: FilterForm, pauses: Pauses) -> dict[str, Any]:
    """Count by origin and status in one statement, so that every figure on the page is of the same instant."""
    groups = list(
        everything.order_by().values_list("origin", "status").annotate(count=Count("id"), changed_at=Max("changed_at"))
    )
    by_origin = {origin: sum(n for o, _, n, _ in groups if o == origin) for origin in words.ORIGINS}
    by_status = {status: sum(n for _, s, n, _ in groups if s == status) for status in Status.values}
    total = sum(by_origin.values())
    return {
        "count": total,
        "changed_at": max((changed_at for *_, changed_at in groups), default=None),
        "tally": _tally(by_origin, total),
        "waiting_count": by_status[Status.PROPOSED],
        "views": _views(by_status, total, _count_paused(everything, pauses), filters),
    }


def _tally(by_origin: dict[str, int], total: int) -> list[Share]:
    shares, begin = [], 0
    for origin, count in by_origin.items():
        if not count:
            continue
        end = begin + round(count / total * LINE)
        share = Share(origin, count, words.ORIGINS[origin], words.TALLY[origin], begin, max(begin + 1, end - GAP))
        shares.append(share)
        begin = end
    return shares


def _count_paused(everything: MemoryQuerySet, pauses: Pauses) -> int:
    if not pauses.memories and not pauses.categories:
        return 0
    return everything.order_by().filter(is_paused(pauses)).count()


def _views(by_status: dict[str, int], total: int, paused: int, filters: FilterForm) -> list[View]:
    status = filters.narrows.get("status", "")
    views = [
        View("All", total, "?", not filters.narrows),
        View("In use", by_status[Status.ACTIVE], "?status=active", status == Status.ACTIVE),
        View("To confirm", by_status[Status.PROPOSED], "?status=proposed", status == Status.PROPOSED),
    ]
    return [*views, View("Paused", paused, "?status=paused", status == PAUSED)] if paused else views


def _first_waiting(everything: MemoryQuerySet) -> Any:
    waiting: Memory | None = (
        everything.select_related("agent", "source")
        .filter(status=Status.PROPOSED)
        .order_by("recorded_at", "id")
        .first()
    )
    return row_of(waiting, now=timezone.now()) if waiting else None
