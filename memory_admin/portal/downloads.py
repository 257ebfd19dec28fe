"""The list as a file: the memories that match its filters, in its order, as CSV or JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import datetime
from typing import TYPE_CHECKING, Any, cast

from django.http import HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from memory_admin.lifecycle.tables import as_csv
from memory_admin.memories import queries
from memory_admin.memories.models import Memory
from memory_admin.portal.census import census_of
from memory_admin.portal.narrowing import Uses, filters_of, narrowed, ordered, with_uses
from memory_admin.portal.pauses import Pauses, pauses_of
from memory_admin.portal.rows import writer_of
from memory_admin.web.access import PersonRequest, recently_signed_in, signed_in

if TYPE_CHECKING:
    from django.db.models import QuerySet
    from django_stubs_ext import WithAnnotations

Entry = dict[str, Any]


@recently_signed_in
@signed_in
@require_safe
def download_csv(request: PersonRequest) -> HttpResponse:
    """Give the memories that match as a table. No cell is a formula."""
    return _file(request, "csv", "text/csv; charset=utf-8", _as_csv)


@recently_signed_in
@signed_in
@require_safe
def download_json(request: PersonRequest) -> HttpResponse:
    """Give the memories that match as JSON, every text as it is kept."""
    return _file(request, "json", "application/json", _as_json)


def _file(request: PersonRequest, name: str, content_type: str, write: Callable[[list[Entry]], str]) -> HttpResponse:
    answer = HttpResponse(write(list(_entries(request))), content_type=content_type)
    answer["Content-Disposition"] = f'attachment; filename="memories.{name}"'
    return answer


def _entries(request: PersonRequest) -> Iterator[Entry]:
    now = timezone.now()
    everything = queries.visible_to(request.actor)
    pauses = pauses_of(request.actor, now=now)
    filters = filters_of(request.GET, census_of(everything))
    found = narrowed(everything, filters, by=request.actor, pauses=pauses, now=now)
    found = ordered(found, filters.cleaned_data.get("sort") or "newest", by=request.actor, now=now)
    found = with_uses(found, by=request.actor).select_related("agent", "source")
    used = cast("QuerySet[WithAnnotations[Memory, Uses]]", found)
    return (_entry(memory, pauses) for memory in used)


def _entry(memory: WithAnnotations[Memory, Uses], pauses: Pauses) -> Entry:
    return {
        "statement": memory.statement,
        "origin": memory.origin,
        "kind": memory.kind,
        "status": memory.status,
        "is_paused": pauses.of(memory) is not None,
        "categories": list(memory.categories),
        "key": memory.key,
        "written_by": writer_of(memory.channel, memory.agent),
        "quote": memory.source.quote if memory.source else "",
        "confidence": memory.confidence,
        "recorded_at": memory.recorded_at,
        "confirmed_at": memory.confirmed_at,
        "valid_from": memory.valid_from,
        "valid_to": memory.valid_to,
        "expires_at": memory.expires_at,
        "use_count": memory.uses,
        "last_used_at": memory.used_at,
        "policy_version": memory.policy_version,
    }


COLUMNS = (
    "statement", "origin", "kind", "status", "is_paused", "categories", "key", "written_by", "quote", "confidence",
    "recorded_at", "confirmed_at", "valid_from", "valid_to", "expires_at", "use_count", "last_used_at",
    "policy_version",
)  # fmt: skip


def _as_csv(entries: list[Entry]) -> str:
    return as_csv(COLUMNS, entries)


def _as_json(entries: list[Entry]) -> str:
    return json.dumps(entries, default=datetime.isoformat, ensure_ascii=False, indent=2)
