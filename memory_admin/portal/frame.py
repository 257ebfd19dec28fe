"""The frame around every page of the portal, with its counts."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render

from memory_admin.memories import queries
from memory_admin.portal.queries import refused
from memory_admin.web.access import PersonRequest


def show(request: PersonRequest, template: str, page: dict[str, Any], *, status: int = 200) -> HttpResponse:
    """Show a page within the frame: how many memories there are, and how many writes were not saved."""
    counts = {"refused_count": refused(request.actor).count()}
    if "count" not in page:
        counts["count"] = queries.visible_to(request.actor).order_by().count()
    return render(request, template, {**counts, **page}, status=status)
