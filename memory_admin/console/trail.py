"""The audit trail: a list with filters, one event, and the check of the whole chain."""

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.db.models import F, Q, QuerySet, TextField
from django.db.models.lookups import GreaterThanOrEqual, LessThan
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from accounts.models import Agent, ApiKey
from memory_admin import audit
from memory_admin.audit import queries
from memory_admin.audit.chain import instant
from memory_admin.audit.models import Event, Reading
from memory_admin.console import naming, rooms
from memory_admin.console.forms import AuditForm
from memory_admin.console.frame import show
from memory_admin.console.labels import DID, PROBLEMS, did
from memory_admin.console.naming import Thing
from memory_admin.errors import NotFound
from memory_admin.web.access import StaffRequest, staff
from memory_admin.web.paging import links, page_of

ROOM = "audit"
NEARBY = 50
"""Events of one request stand close together: so many numbers before and after are looked at."""
MOST = 2**63 - 1


@dataclass(frozen=True, slots=True)
class EventRow:
    """One event, without anybody's words: the trail holds none."""

    seq: int
    at: datetime | None
    who: str
    did: str
    thing: Thing | None
    policy_version: str
    request_id: str


@staff(*rooms.AUDIT)
@require_safe
def show_trail(request: StaffRequest) -> HttpResponse:
    """List what was recorded, the newest first, narrowed by the filters."""
    form = AuditForm(request.GET, actors=_actor_choices(), actions=DID)
    form.is_valid()
    is_narrowed = any(form.cleaned_data.values())
    page = page_of(_narrowed(form.cleaned_data), request, count=None if is_narrowed else queries.length())
    return show(
        request,
        "console/audit.html",
        ROOM,
        {
            "form": form,
            "page": page,
            "rows": rows_of(list(page)),
            **_last_check(),
            **links(page, request),
        },
    )


@staff(*rooms.AUDIT)
@require_safe
def show_event(request: StaffRequest, seq: int) -> HttpResponse:
    """Show one event: what is hashed of it, its particulars, and what else its request did."""
    event = queries.every_event().filter(seq=seq).first() if 0 < seq <= MOST else None
    if event is None:
        raise NotFound
    told = queries.told_of(event)
    payload = queries.payload_of(seq)
    near = queries.every_event().filter(seq__gt=seq - NEARBY, seq__lt=seq + NEARBY).exclude(seq=seq)
    request_id = told.get("request_id")
    siblings = [one for one in near if request_id and queries.told_of(one).get("request_id") == request_id]
    return show(
        request,
        "console/event.html",
        ROOM,
        {
            "event": event,
            "row": rows_of([event])[0],
            "hash": bytes(event.hash).hex(),
            "prev_hash": bytes(event.prev_hash).hex(),
            "canonical": bytes(event.canonical).decode("utf-8", "replace"),
            "payload": _lines(payload or {}),
            "is_erased": payload is None and bool(told.get("payload")),
            "siblings": rows_of(siblings),
            "newer": queries.every_event().filter(seq=seq + 1).exists(),
        },
    )


@staff(*rooms.AUDIT)
@require_POST
def verify_trail(request: StaffRequest) -> HttpResponse:
    """Check the whole chain now, and record the check."""
    checked = audit.check_and_record(by=request.actor, at=timezone.now())
    if checked.holds:
        messages.success(request, f"The trail holds: {checked.events} events, each one in its place.")
    else:
        messages.error(request, "The trail does not hold. See below where it breaks.")
    return redirect("console:audit")


def rows_of(events: list[Event]) -> list[EventRow]:
    """Make the rows of events: a few statements however many they are."""
    told = {event.seq: queries.told_of(event) for event in events}
    who = naming.actors({str(event.actor) for event in events if event.actor})
    targets = {seq: _target(one) for seq, one in told.items() if _has_target(one)}
    things = naming.things(targets.values())
    return [
        EventRow(
            seq=event.seq,
            at=queries.at_of(event),
            who=who.get(str(event.actor), "Unknown"),
            did=did(event.action),
            thing=things.get(targets[event.seq][1]) if event.seq in targets else None,
            policy_version=told[event.seq].get("policy_version", ""),
            request_id=told[event.seq].get("request_id", ""),
        )
        for event in events
    ]


def _has_target(told: dict[str, Any]) -> bool:
    target = told.get("target")
    return isinstance(target, dict) and isinstance(target.get("kind"), str) and bool(queries.as_id(target.get("id")))


def _target(told: dict[str, Any]) -> tuple[str, str]:
    """Name the kind and number of what an event is about; a refused write left a decision and no memory."""
    target = told["target"]
    return ("decision" if told.get("action") == audit.Action.WRITE_REFUSED else target["kind"]), str(target["id"])


def _narrowed(asked: dict[str, Any]) -> QuerySet[Event]:
    found = queries.every_event()
    if action := asked.get("action"):
        found = found.filter(action=action)
    if actor := asked.get("actor"):
        found = found.filter(_by(actor))
    if target := asked.get("object"):
        found = found.filter(target_id=str(target))
    at = Reading(F("canonical"), path="{at}", output_field=TextField())
    if since := asked.get("since"):
        found = found.filter(GreaterThanOrEqual(at, instant(_start_of(since))))
    if until := asked.get("until"):
        found = found.filter(LessThan(at, instant(_start_of(until) + timedelta(days=1))))
    return found


def _by(actor: str) -> Q:
    kind, _, name = actor.partition(":")
    if kind == "agent":
        keys = ApiKey.objects.filter(agent_id=UUID(name)).values_list("id", flat=True)
        return Q(actor__in=[f"key:{key}" for key in keys])
    if kind == "system":
        return Q(actor__startswith="system:")
    if kind == "people":
        return Q(actor__startswith="user:") & ~Q(actor__in=[f"user:{user}" for user in naming.colleagues()])
    return Q(actor=actor)


def _actor_choices() -> list[tuple[str, str]]:
    staff_names = sorted(naming.colleagues().items(), key=lambda one: one[1])
    agents = Agent.objects.order_by("name").values_list("id", "name")
    return [
        *((f"user:{user}", name) for user, name in staff_names),
        *((f"agent:{agent}", name) for agent, name in agents),
        ("people:", "People about themselves"),
        ("system:", "The system"),
    ]


def _start_of(day: date) -> datetime:
    return timezone.make_aware(datetime.combine(day, time()))


def _last_check() -> dict[str, Any]:
    last = queries.last_check()
    if last is None:
        return {"last": None}
    event, found = last
    row = rows_of([event])[0]
    problem = PROBLEMS.get(str(found.get("problem")), "")
    return {"last": {**found, "at": row.at, "who": row.who, "seq": event.seq, "says": problem}}


def _lines(payload: dict[str, Any]) -> list[tuple[str, str]]:
    names = naming.actors({value for value in payload.values() if queries.id_in(value, kind="user")})
    return [(name.replace("_", " "), _plain(value, names)) for name, value in sorted(payload.items())]


def _plain(value: Any, names: dict[str, str]) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ", ".join(map(str, value)) if isinstance(value, list) else names.get(str(value), str(value))
