"""Lists in pages, newest first: a signed cursor names the last row that was read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar
from urllib.parse import urlencode
from uuid import UUID

from django.core import signing
from django.db.models import Model, QuerySet
from rest_framework.request import Request

from memory_admin.api.conf import LARGEST_PAGE, PAGE
from memory_admin.api.inputs import Filters, Text, Whole
from memory_admin.api.problems import Problem

Row = TypeVar("Row", bound=Model)


class PageFilters(Filters):
    """What every list understands."""

    cursor = Text(required=False, max_length=2000, help_text="Opaque; taken from `next` or `previous`.")
    limit = Whole(required=False, default=PAGE, min_value=1, max_value=LARGEST_PAGE)


def page(
    rows: QuerySet[Row],
    *,
    request: Request,
    asked: dict[str, Any],
    show: Callable[[Row], dict[str, Any]],
    count: bool,
) -> dict[str, Any]:
    """Cut one page out of rows that have a UUIDv7 as ``id``, the newest first.

    :param count: also tell how many there are; only where that is cheap
    :raises Problem: 400, the cursor is not one of this list with these filters
    """
    signer = signing.Signer(salt=f"cursor {request.path} {_filters(request)}")
    backwards, edge = _read(signer, asked.get("cursor"))
    limit: int = asked["limit"]

    if backwards:
        found = list(rows.filter(id__gt=edge).order_by("id")[: limit + 1])
        more_before, more_after = len(found) > limit, True
        found = found[:limit][::-1]
    else:
        found = list((rows.filter(id__lt=edge) if edge else rows).order_by("-id")[: limit + 1])
        more_before, more_after = edge is not None, len(found) > limit
        found = found[:limit]

    return {
        "items": [show(row) for row in found],
        "next": _link(request, signer, "n", found[-1]) if more_after and found else None,
        "previous": _link(request, signer, "p", found[0]) if more_before and found else None,
        "count": rows.count() if count else None,
    }


def _read(signer: signing.Signer, cursor: str | None) -> tuple[bool, UUID | None]:
    if cursor is None:
        return False, None
    try:
        direction, _, row_id = signer.unsign(cursor).partition("~")
        return direction == "p", UUID(row_id)
    except (signing.BadSignature, ValueError):
        raise Problem(400, "invalid_cursor", "The cursor does not belong to this list.") from None


def _link(request: Request, signer: signing.Signer, direction: str, row: Model) -> str:
    cursor = signer.sign(f"{direction}~{row.id}")  # type: ignore[attr-defined]
    query = f"{_filters(request)}&{urlencode({'cursor': cursor})}".lstrip("&")
    return request.build_absolute_uri(f"{request.path}?{query}")


def _filters(request: Request) -> str:
    """Write everything that was asked of a list, its cursor aside, in one order."""
    kept = [
        (name, value) for name, values in sorted(request.query_params.lists()) for value in values if name != "cursor"
    ]
    return urlencode(kept)
