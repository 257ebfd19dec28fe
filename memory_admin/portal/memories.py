"""The list of everything remembered about one person, and each memory on its own page."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import Count, Max
from django.http import HttpResponse, QueryDict
from django.utils import timezone
from django.views.decorators.http import require_safe

from memory_admin.memories import queries
from memory_admin.memories.models import Memory, MemoryQuerySet
from memory_admin.memories.vocabulary import Status
from memory_admin.portal import detail
from memory_admin.portal.forms import FilterForm
from memory_admin.portal.frame import show
from memory_admin.portal.pauses import pauses_of
from memory_admin.portal.rows import row_of, rows_of
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
    if request.actor.subject_id is None:
        return show(request, "portal/nobody.html", {})
    everything = queries.visible_to(request.actor)
    filters = FilterForm(request.GET)
    filters.is_valid()
    page = page_of(_narrowed(everything, filters.cleaned_data), request)
    now = timezone.now()
    pauses = pauses_of(request.actor, now=now)
    return show(
        request,
        "portal/memories.html",
        {
            **_counted(everything, request.GET),
            "waiting": _first_waiting(everything),
            "filters": filters,
            "page": page,
            "rows": rows_of(list(page), now=now, pauses=pauses),
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


def _narrowed(everything: MemoryQuerySet, asked: dict[str, Any]) -> MemoryQuerySet:
    found = everything.select_related("agent", "source").order_by("-recorded_at", "-id")
    if text := asked.get("q"):
        found = found.filter(statement__icontains=text)
    exact = {name: asked[name] for name in ("origin", "status", "kind") if asked.get(name)}
    return found.filter(**exact)


def _counted(everything: MemoryQuerySet, asked: QueryDict) -> dict[str, Any]:
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
        "views": _views(by_status, total, asked),
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


def _views(by_status: dict[str, int], total: int, asked: QueryDict) -> list[View]:
    status = asked.get("status", "")
    is_all = not any(asked.get(name) for name in ("q", "origin", "status", "kind"))
    return [
        View("All", total, "?", is_all),
        View("In use", by_status[Status.ACTIVE], "?status=active", status == Status.ACTIVE),
        View("To confirm", by_status[Status.PROPOSED], "?status=proposed", status == Status.PROPOSED),
    ]


def _first_waiting(everything: MemoryQuerySet) -> Any:
    waiting: Memory | None = (
        everything.select_related("agent", "source")
        .filter(status=Status.PROPOSED)
        .order_by("recorded_at", "id")
        .first()
    )
    return row_of(waiting, now=timezone.now()) if waiting else None
