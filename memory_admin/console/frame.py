"""The frame around every page of the console."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render

from accounts import stewards
from memory_admin.audit import queries as trail
from memory_admin.console import rooms
from memory_admin.web.access import StaffRequest


def show(request: StaffRequest, template: str, room: str, page: dict[str, Any], *, status: int = 200) -> HttpResponse:
    """Show a page within the frame: the rooms that are open to the person, and a warning when the trail is broken."""
    roles = request.actor.roles
    groups = rooms.open_to(roles)
    label = next(one.label for _, inside in rooms.ROOMS for one in inside if one.name == room)
    last = trail.last_check()
    frame = {
        "groups": groups,
        "room": room,
        "place": label,
        "broken": last[1] if last and last[1].get("holds") is False else None,
        "may_audit": rooms.may(roles, rooms.AUDIT),
        "has_memories": request.membership.subject_id is not None or bool(stewards.subjects_of(request.user.id)),
    }
    return render(request, template, {**frame, **page}, status=status)
