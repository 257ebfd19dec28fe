"""The frame around every page of the console."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render

from accounts import stewards
from memory_admin.audit import checking
from memory_admin.console import rooms
from memory_admin.console.labels import PROBLEMS
from memory_admin.web.access import StaffRequest


def show(request: StaffRequest, template: str, room: str, page: dict[str, Any], *, status: int = 200) -> HttpResponse:
    """Show a page within the frame: the rooms that are open to the person, and a warning when the trail is broken."""
    roles = request.actor.roles
    groups = rooms.open_to(roles)
    label = next(one.label for _, inside in rooms.ROOMS for one in inside if one.name == room)
    last = checking.last()
    frame = {
        "groups": groups,
        "room": room,
        "place": label,
        "broken": last if last and not last.holds else None,
        "broken_says": PROBLEMS.get(last.problem, "") if last else "",
        "may_audit": rooms.may(roles, rooms.AUDIT),
        "has_memories": request.membership.subject_id is not None or bool(stewards.subjects_of(request.user.id)),
    }
    return render(request, template, {**frame, **page}, status=status)
