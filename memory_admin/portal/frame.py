"""The frame around every page of the portal, with its counts."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone

from memory_admin.memories import queries
from memory_admin.portal.pauses import pauses_of
from memory_admin.portal.queries import refused
from memory_admin.web.access import PersonRequest


def show(request: PersonRequest, template: str, page: dict[str, Any], *, status: int = 200) -> HttpResponse:
    """Show a page within the frame: how many memories there are, how many writes were not saved, what is paused."""
    frame: dict[str, Any] = {"refused_count": refused(request.actor).count()}
    if "count" not in page:
        frame["count"] = queries.visible_to(request.actor).order_by().count()
    if "pauses" not in page:
        frame["pauses"] = pauses_of(request.actor, now=timezone.now())
    return render(request, template, {**frame, **page}, status=status)
