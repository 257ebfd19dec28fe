"""Lists in pages, the newest first: a signed cursor names the row where the next page begins."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeVar
from urllib.parse import urlencode
from uuid import UUID

from django.core import signing
from django.db.models import Model, Q, QuerySet
from rest_framework import serializers
from rest_framework.request import Request

from memory_admin.api.conf import LARGEST_PAGE, PAGE
from memory_admin.api.inputs import Filters, Text, Whole
from memory_admin.api.problems import Problem

Row = TypeVar("Row", bound=Model)


class PageFilters(Filters):
    """What every list understands."""

    cursor = Text(required=False, max_length=2000, help_text="Opaque; taken from `next` or `previous`.")
    limit = Whole(required=False, default=PAGE, min_value=1, max_value=LARGEST_PAGE)


class PageOut(serializers.Serializer[Any]):
    """One page of a list."""

    next = serializers.CharField(allow_null=True)
    previous = serializers.CharField(allow_null=True)
    count = serializers.IntegerField(allow_null=True, help_text="Only where it is cheap to count.")


@dataclass(frozen=True, slots=True)
class _Edge:
    """The row beside which a page begins, and the side it lies on."""

    at: datetime | None
    row_id: UUID
    is_backwards: bool

    def beyond(self, order: str | None) -> Q:
        side = "gt" if self.is_backwards else "lt"
        if order is None:
            return Q(**{f"id__{side}": self.row_id})
        return Q(**{f"{order}__{side}": self.at}) | Q(**{order: self.at, f"id__{side}": self.row_id})


def page(
    rows: QuerySet[Row],
    *,
    order: str | None,
    request: Request,
    asked: dict[str, Any],
    show: Callable[[Row], dict[str, Any]],
    count: bool,
) -> dict[str, Any]:
    """Cut out the page that the request asks for.

    :param order: the time by which the rows stand; rows of one time, or of none, stand by their ``id``
    :param count: also tell how many there are; only where that is cheap
    :raises Problem: 400, the cursor is not one of this list with these filters
    """
    signer = signing.Signer(salt=f"cursor {request.path}?{_filters(request)}")
    edge = _read(signer, asked["cursor"]) if "cursor" in asked else None
    is_backwards = edge is not None and edge.is_backwards
    limit: int = asked["limit"]

    beyond = rows.filter(edge.beyond(order)) if edge else rows
    sign = "" if is_backwards else "-"
    found = list(beyond.order_by(*(f"{sign}{name}" for name in (order, "id") if name))[: limit + 1])
    more, found = len(found) > limit, found[:limit]
    if is_backwards:
        found.reverse()

    def link(row: Row, direction: str) -> str:
        at = getattr(row, order).isoformat() if order else ""
        cursor = signer.sign(f"{direction}{at}~{row.id}")  # type: ignore[attr-defined]
        query = "&".join(filter(None, [_filters(request), urlencode({"cursor": cursor})]))
        return request.build_absolute_uri(f"{request.path}?{query}")

    return {
        "items": [show(row) for row in found],
        "next": link(found[-1], ">") if found and (is_backwards or more) else None,
        "previous": link(found[0], "<") if found and (more if is_backwards else edge is not None) else None,
        "count": rows.count() if count else None,
    }


def _read(signer: signing.Signer, cursor: str) -> _Edge:
    try:
        named = signer.unsign(cursor)
    except signing.BadSignature:
        raise Problem(400, "invalid_cursor", "The cursor does not belong to this list.") from None
    at, _, row_id = named[1:].partition("~")
    return _Edge(datetime.fromisoformat(at) if at else None, UUID(row_id), named[0] == "<")


def _filters(request: Request) -> str:
    """Write everything that was asked of a list, its cursor aside, in one order."""
    asked = sorted(request.query_params.lists())
    return urlencode([(name, value) for name, values in asked for value in values if name != "cursor"])
