"""What is not to be remembered again, without a word of it; and allowing it again."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from accounts.actors import Actor
from memory_admin.lifecycle.queries import receipts
from memory_admin.memories import services as memories
from memory_admin.portal.frame import show
from memory_admin.portal.queries import kept_out
from memory_admin.web.access import PersonRequest, signed_in
from memory_admin.web.paging import links, page_of


@dataclass(frozen=True, slots=True)
class KeptOut:
    """What one removal keeps out."""

    tombstone_id: str
    what: str
    at: datetime
    receipt_id: UUID | None


@signed_in
@require_safe
def show_kept_out(request: PersonRequest) -> HttpResponse:
    """List what agents are not to learn again: how many statements and sources of each removal, and when."""
    page = page_of(kept_out(request.actor), request)
    rows = _rows(list(page), request.actor)
    return show(request, "portal/kept_out.html", {"rows": rows, "page": page, **links(page, request)})


@signed_in
@require_POST
def allow_again(request: PersonRequest, tombstone_id: UUID) -> HttpResponse:
    """Let agents learn something again that was removed."""
    memories.allow_again(tombstone_id=tombstone_id, by=request.actor, now=timezone.now())
    messages.success(request, "Allowed again. Nothing comes back by itself; agents may learn it anew.")
    return redirect("portal:kept_out")


def _rows(removals: list[Any], by: Actor) -> list[KeptOut]:
    times = [one["created_at"] for one in removals]
    receipt_of = dict(receipts(by=by).filter(requested_at__in=times).values_list("requested_at", "id"))
    return [
        KeptOut(
            tombstone_id=one["tombstone_id"],
            what=_what(one["statements"], one["sources"]),
            at=one["created_at"],
            receipt_id=receipt_of.get(one["created_at"]),
        )
        for one in removals
    ]


def _what(statements: int, sources: int) -> str:
    """Say what is kept out: "2 wordings and 1 source"."""
    parts = [
        f"{count} {one if count == 1 else many}"
        for count, one, many in ((statements, "wording", "wordings"), (sources, "source", "sources"))
        if count
    ]
    return " and ".join(parts)
