"""The list of everything remembered about one person, and each memory on its own page."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_safe

from memory_admin.errors import NotFound
from memory_admin.lifecycle.models import State
from memory_admin.lifecycle.queries import receipts, unfinished_of
from memory_admin.memories import queries
from memory_admin.memories.models import Memory, MemoryQuerySet
from memory_admin.memories.vocabulary import Status
from memory_admin.portal import detail
from memory_admin.portal.census import Census, census_of
from memory_admin.portal.forms import PAUSED, SORTS, FilterForm
from memory_admin.portal.frame import show
from memory_admin.portal.narrowing import filters_of, is_paused, narrowed, ordered, uuid_of
from memory_admin.portal.pauses import Pauses, pauses_of
from memory_admin.portal.rows import Row, row_of, rows_of
from memory_admin.portal.uses import uses_of
from memory_admin.web import words
from memory_admin.web.access import PersonRequest, signed_in
from memory_admin.web.paging import links, page_of
from policies.queries import agents_with_own, in_force

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
    census = census_of(everything)
    filters = filters_of(request.GET, census)
    sort = filters.cleaned_data.get("sort") or "newest"
    found = narrowed(everything, filters, by=request.actor, pauses=pauses, now=now)
    found = ordered(found, sort, by=request.actor, now=now)
    # Sorting thousands of whole rows takes several times as long as sorting their ids.
    page = page_of(found.values_list("id", flat=True), request, count=None if filters.narrows else census.total)
    waiting = _first_waiting(everything) if census.by_status[Status.PROPOSED] else []
    rows = rows_of([*waiting, *_read(everything, list(page))], now=now, pauses=pauses)
    return show(
        request,
        "portal/memories.html",
        {
            "count": census.total,
            "changed_at": census.changed_at,
            "tally": _tally(census),
            "waiting_count": census.by_status[Status.PROPOSED],
            "views": _views(census, _count_paused(everything, pauses), filters),
            "waiting": rows[0] if waiting else None,
            "filters": filters,
            "page": page,
            "stretches": _stretches(rows[len(waiting) :], sort),
            "pauses": pauses,
            "unfinished": unfinished_of(request.actor).first(),
            **links(page, request),
        },
    )


@signed_in
@require_safe
def show_memory(request: PersonRequest, memory_id: UUID) -> HttpResponse:
    """Show one memory: where it comes from, when it was used, how it changed, what is tied to it."""
    memory = queries.visible_to(request.actor).select_related("agent", "source").filter(id=memory_id).first()
    if memory is None:
        return _show_erased(request, memory_id)
    now = timezone.now()
    pauses = pauses_of(request.actor, now=now)
    policies = in_force(now)
    with_own = agents_with_own("access", "retrieval", "retention", now=now)
    writers = in_force(now, agent_id=memory.agent_id) if memory.agent_id in with_own else policies
    return show(
        request,
        "portal/memory.html",
        {
            "memory": memory,
            "row": row_of(memory, now=now, pauses=pauses),
            "pauses": pauses,
            "writer": detail.writer(memory),
            "categories": detail.categories(memory),
            "readers": detail.readers(
                memory, policies=policies, with_own=with_own, by=request.actor, pauses=pauses, now=now
            ),
            "kept": detail.kept(memory, policies=writers),
            "has_ended": memory.expires_at is not None and memory.expires_at <= now,
            "sources": detail.sources(memory),
            "uses": uses_of(
                memory,
                agent=request.GET.get("agent", ""),
                outcome=request.GET.get("outcome", ""),
                before=uuid_of(request.GET.get("before", "")),
            ),
            "history": detail.history(memory, by=request.actor),
            "derived": detail.derived(memory, by=request.actor),
            "related": detail.related(memory, by=request.actor),
            "dispute": detail.last_dispute(memory),
        },
    )


def _show_erased(request: PersonRequest, memory_id: UUID) -> HttpResponse:
    """Show what is left of an erased memory of one's own: when it went, and the receipt; until then the receipt itself.

    :raises NotFound: there never was one for this person
    """
    of_it = receipts(by=request.actor).filter(memory_ids__contains=[memory_id])
    erasure = of_it.exclude(state=State.TAKEN_BACK).first()
    if erasure is None:
        raise NotFound
    if erasure.is_unfinished:
        return redirect("portal:deleted", erasure.id)
    return show(request, "portal/erased.html", {"erasure": erasure}, status=404)


def _stretches(rows: list[Row], sort: str) -> list[tuple[str, list[Row]]]:
    """Part the rows by the time they were written; in another order they are one stretch, named by it."""
    if sort != "newest":
        return [(SORTS[sort], rows)] if rows else []
    return [(since, list(stretch)) for since, stretch in groupby(rows, key=lambda row: row.since)]


def _read(everything: MemoryQuerySet, ids: Sequence[UUID]) -> list[Memory]:
    """Read memories with what their rows need, in the order of their ids."""
    found = {memory.id: memory for memory in everything.select_related("agent", "source").filter(id__in=ids)}
    return [found[memory_id] for memory_id in ids if memory_id in found]


def _first_waiting(everything: MemoryQuerySet) -> list[Memory]:
    """Find the memory that waits longest for an answer."""
    oldest = everything.filter(status=Status.PROPOSED).order_by("recorded_at", "id")
    return list(oldest.select_related("agent", "source")[:1])


def _tally(census: Census) -> list[Share]:
    shares, begin = [], 0
    for origin, word in words.ORIGINS.items():
        count = census.by_origin[origin]
        if not count:
            continue
        end = begin + round(count / census.total * LINE)
        shares.append(Share(origin, count, word, words.tally(origin, count), begin, max(begin + 1, end - GAP)))
        begin = end
    return shares


def _count_paused(everything: MemoryQuerySet, pauses: Pauses) -> int:
    if not pauses.memories and not pauses.categories:
        return 0
    return everything.order_by().filter(is_paused(pauses)).count()


def _views(census: Census, paused: int, filters: FilterForm) -> list[View]:
    status = filters.narrows.get("status", "")
    views = [
        View("All", census.total, "?", not filters.narrows),
        View("Active", census.by_status[Status.ACTIVE], "?status=active", status == Status.ACTIVE),
        View("To confirm", census.by_status[Status.PROPOSED], "?status=proposed", status == Status.PROPOSED),
    ]
    return [*views, View("Paused", paused, "?status=paused", status == PAUSED)] if paused else views
