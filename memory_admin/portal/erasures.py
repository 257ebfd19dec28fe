"""Deleting a memory: first the question with its consequences, then what came of it."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from memory_admin.lifecycle import services as lifecycle
from memory_admin.lifecycle.models import ErasureRequest
from memory_admin.lifecycle.queries import erasure, receipts
from memory_admin.memories import queries
from memory_admin.portal import detail
from memory_admin.portal.frame import show
from memory_admin.portal.rows import row_of
from memory_admin.web.access import PersonRequest, signed_in
from memory_admin.web.paging import links, page_of


@dataclass(frozen=True, slots=True)
class Stage:
    """One step of an erasure, done at a time."""

    title: str
    says: str
    at: datetime


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def delete_memory(request: PersonRequest, memory_id: UUID) -> HttpResponse:
    """Ask whether to delete a memory, saying what goes and what stays; delete it when that is answered."""
    memory = queries.one(memory_id, by=request.actor)
    if request.method == "POST":
        asked = lifecycle.erase(memory_ids=[memory_id], by=request.actor, now=timezone.now())
        return redirect("portal:deleted", asked.id)
    page = {
        "memory": memory,
        "row": row_of(memory, now=timezone.now()),
        "version_count": len(queries.history(memory_id, by=request.actor)),
        "derived_count": len(detail.derived(memory, by=request.actor)),
    }
    return show(request, "portal/delete.html", page)


@signed_in
@require_safe
def show_deleted(request: PersonRequest, erasure_id: UUID) -> HttpResponse:
    """Show what came of a deletion, without a word of what was deleted."""
    asked = erasure(erasure_id, by=request.actor)
    return show(request, "portal/deleted.html", {"erasure": asked, "stages": _stages(asked)})


@signed_in
@require_safe
def show_receipts(request: PersonRequest) -> HttpResponse:
    """List everything the person had deleted: when, how much, and under which entry of the audit trail."""
    page = page_of(receipts(by=request.actor), request)
    return show(request, "portal/receipts.html", {"page": page, **links(page, request)})


def _stages(asked: ErasureRequest) -> list[Stage]:
    counts = asked.counts
    at = asked.erased_at or asked.requested_at
    text = ", ".join(
        _several(counts.get(name, 0), one, many)
        for name, one, many in (("memories", "memory", "memories"), ("versions", "version", "versions"))
    )
    return [
        Stage("Removed from use", "No agent, page or export shows it any more.", at),
        Stage("Text and history", text, at),
        Stage("The words it came from", _several(counts.get("sources", 0), "source", "sources"), at),
        Stage("Search index", "Its words and its meaning are gone from there too.", at),
        Stage("The record of its uses", _several(counts.get("uses", 0), "use", "uses"), at),
        Stage("Kept from coming back", "The same words, or the same source, are not learned again.", at),
    ]


def _several(count: int, one: str, many: str) -> str:
    return f"{count} {one if count == 1 else many}"
