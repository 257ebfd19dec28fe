"""Who looked: every view that staff had of what is remembered about this person, and who was let in to see it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from accounts.models import Tenant, User
from accounts.vocabulary import Role
from memory_admin.audit import Action
from memory_admin.audit import queries as trail
from memory_admin.audit.models import Event
from memory_admin.portal.frame import show
from memory_admin.web import words
from memory_admin.web.access import PersonRequest, signed_in
from memory_admin.web.paging import links, page_of

#: Why somebody looked, as the person is told.
WHY = {
    "request": "To answer a request of yours",
    "complaint": "To check a complaint",
    "incident": "To look into an incident",
    "fault": "To find a fault",
    "review": "To answer what waited for a check",
}

#: How it is told that an account was let in, or is no longer.
LET_IN = {
    Action.SUBJECT_LINKED: "An account was linked: whoever holds it sees these memories as their own",
    Action.SUBJECT_UNLINKED: "An account was unlinked: it sees these memories no longer",
    Action.STEWARD_NAMED: "A steward was named, who sees and decides about these memories",
    Action.STEWARD_ENDED: "A steward sees these memories no longer",
}


@dataclass(frozen=True, slots=True)
class ViewRow:
    """One view: who it was, why, and how many memories were read."""

    at: datetime | None
    who: str
    why: str
    memories: int | None


@dataclass(frozen=True, slots=True)
class LetIn:
    """An account that was let in, or is no longer."""

    at: datetime | None
    says: str
    whose: str


@signed_in
@require_safe
def show_views(request: PersonRequest) -> HttpResponse:
    """List every view that staff had of this person's memories, the newest first, and who was let in."""
    if request.actor.subject_id is None:
        return show(request, "portal/nobody.html", {})
    about = trail.events_of(request.actor.subject_id).reverse()
    page = page_of(about.filter(action=Action.CONTENT_VIEWED), request)
    names_staff = Tenant.objects.get(id=request.actor.tenant_id).names_staff
    shown = {
        "page": page,
        "rows": _views(list(page), own=request.user, names_staff=names_staff),
        "let_in": _let_in(list(about.filter(action__in=LET_IN)), own=request.user),
        "names_staff": names_staff,
        **links(page, request),
    }
    return show(request, "portal/who_looked.html", shown)


def _views(events: Sequence[Event], *, own: User, names_staff: bool) -> list[ViewRow]:
    told = trail.payloads_of([event.seq for event in events])
    names = _names([trail.id_in(event.actor, kind="user") for event in events]) if names_staff else {}
    return [
        ViewRow(
            at=trail.at_of(event),
            who=_who(event, told.get(event.seq, {}), own=own, names=names),
            why=WHY.get(told.get(event.seq, {}).get("reason", ""), "The reason was removed"),
            memories=told.get(event.seq, {}).get("memories"),
        )
        for event in events
    ]


def _let_in(events: Sequence[Event], *, own: User) -> list[LetIn]:
    told = trail.payloads_of([event.seq for event in events])
    return [
        LetIn(
            at=trail.at_of(event),
            says=LET_IN[Action(str(event.action))],
            whose="Your account" if told.get(event.seq, {}).get("user") == f"user:{own.id}" else "Another account",
        )
        for event in events
    ]


def _who(event: Event, told: dict[str, Any], *, own: User, names: dict[UUID, str]) -> str:
    user_id = trail.id_in(event.actor, kind="user")
    if user_id == own.id:
        return "You"
    role = words.ROLES.get(Role(told["role"]), "Staff") if told.get("role") in Role else "Staff"
    name = names.get(user_id) if user_id else None
    return f"{name}, {role.lower()}" if name else role


def _names(user_ids: Sequence[UUID | None]) -> dict[UUID, str]:
    found = User.objects.filter(id__in=[one for one in user_ids if one])
    return {user.id: user.name or user.email for user in found}
