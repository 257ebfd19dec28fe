"""The audit trail: a list with filters, what it counts, and one event."""

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any
from uuid import UUID

from django.db.models import Count, Q, QuerySet
from django.http import HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from accounts.models import Agent, ApiKey
from memory_admin import audit
from memory_admin.audit import queries
from memory_admin.audit.chain import instant
from memory_admin.audit.models import Event
from memory_admin.console import naming, rooms, trail_days
from memory_admin.console.forms import AuditForm
from memory_admin.console.frame import show
from memory_admin.console.labels import DID, did
from memory_admin.console.naming import Thing
from memory_admin.console.trail_check import panel
from memory_admin.errors import NotFound
from memory_admin.web.access import StaffRequest, staff
from memory_admin.web.paging import links, page_of

ROOM = "audit"
MOST_SIBLINGS = 50
COUNTED = timedelta(days=30)
"""What is counted by day, by action and by actor where no time is asked for."""
MOST_FACETS = 8
MOST = 2**63 - 1


@dataclass(frozen=True, slots=True)
class EventRow:
    """One event, without anybody's words: the trail holds none. `particulars` is `kept`, `erased` or nothing."""

    seq: int
    at: datetime | None
    who: str
    did: str
    thing: Thing | None
    policy_version: str
    request_id: str
    particulars: str


@dataclass(frozen=True, slots=True)
class Facet:
    """How many of the counted events have one value of a filter, and the address of the list narrowed to it."""

    label: str
    count: int
    address: str


@staff(*rooms.AUDIT)
@require_safe
def show_trail(request: StaffRequest) -> HttpResponse:
    """List what was recorded, the newest first, narrowed by the filters."""
    form = AuditForm(request.GET, actors=_actor_choices(), actions=DID)
    form.is_valid()
    asked = form.cleaned_data
    is_narrowed = any(asked.values())
    since, until = _start_of(asked.get("since")), _end_of(asked.get("until"))
    found = _in_time(_narrowed(asked), since, until)
    page = page_of(found, request, count=None if is_narrowed else queries.length())
    until = until or timezone.now()
    since = since or until - COUNTED
    counted = _in_time(_narrowed(asked), since, until)
    return show(
        request,
        "console/audit.html",
        ROOM,
        {
            "form": form,
            "page": page,
            "rows": rows_of(list(page)),
            "days": trail_days.counted(counted, since=since, until=until),
            "facets": [("What", _actions(counted, request)), ("Who", _actors(counted, request))],
            **panel(),
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
    payload = queries.payload_of(seq)
    siblings = Event.objects.filter(request_id=event.request_id).exclude(seq=seq).order_by("seq")
    (row,) = rows_of([event])
    taken_by = queries.erased_by(seq) if row.particulars == "erased" else None
    return show(
        request,
        "console/event.html",
        ROOM,
        {
            "event": event,
            "row": row,
            "hash": bytes(event.hash).hex(),
            "prev_hash": bytes(event.prev_hash).hex(),
            "canonical": bytes(event.canonical).decode("utf-8", "replace"),
            "payload": _lines(payload or {}),
            "taken_by": rows_of([taken_by])[0] if taken_by else None,
            "siblings": rows_of(list(siblings[:MOST_SIBLINGS]) if event.request_id else []),
            "newer": queries.every_event().filter(seq=seq + 1).exists(),
        },
    )


def rows_of(events: list[Event]) -> list[EventRow]:
    """Make the rows of events: a few statements however many they are."""
    told = {event.seq: queries.told_of(event) for event in events}
    who = naming.actors({str(event.actor) for event in events if event.actor})
    targets = {seq: _target(one) for seq, one in told.items() if _has_target(one)}
    things = naming.things(targets.values())
    kept = queries.with_payload(told) if events else set()
    return [
        EventRow(
            seq=event.seq,
            at=queries.at_of(event),
            who=who.get(str(event.actor), "Unknown"),
            did=did(event.action),
            thing=things.get(targets[event.seq][1]) if event.seq in targets else None,
            policy_version=told[event.seq].get("policy_version", ""),
            request_id=told[event.seq].get("request_id", ""),
            particulars="kept" if event.seq in kept else "erased" if told[event.seq].get("payload") else "",
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
    """Narrow the trail by everything but the time."""
    found = queries.every_event()
    if action := asked.get("action"):
        found = found.filter(action=action)
    if actor := asked.get("actor"):
        found = found.filter(_by(actor))
    if target := asked.get("object"):
        found = found.filter(target_id=str(target))
    if policy := asked.get("policy"):
        found = found.filter(policy_version=policy)
    if of_request := asked.get("request"):
        found = found.filter(request_id=of_request)
    return found


def _in_time(found: QuerySet[Event], since: datetime | None, until: datetime | None) -> QuerySet[Event]:
    if since is None and until is None:
        return found
    numbers = queries.numbers_between(since, until)
    if numbers is None:
        return found.none()
    found = found.filter(seq__gte=numbers[0], seq__lte=numbers[1])
    if since is not None:
        found = found.filter(at__gte=instant(since))
    return found if until is None else found.filter(at__lt=instant(until))


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


def _actions(counted: QuerySet[Event], request: StaffRequest) -> list[Facet]:
    counts = counted.order_by().values_list("action").annotate(count=Count("seq"))
    return _facets(((did(action).capitalize(), count, action) for action, count in counts), "action", request)


def _actors(counted: QuerySet[Event], request: StaffRequest) -> list[Facet]:
    """Count by who acted, as the filter has them: each colleague, each agent, people together, the system."""
    counts = dict(counted.order_by().values_list("actor").annotate(count=Count("seq")))
    groups = naming.groups_of({ref for ref in counts if ref})
    together: dict[tuple[str, str], int] = {}
    for ref, count in counts.items():
        if ref in groups:
            together[groups[ref]] = together.get(groups[ref], 0) + count
    return _facets(((label, count, value) for (value, label), count in together.items()), "actor", request)


def _facets(counts: Any, name: str, request: StaffRequest) -> list[Facet]:
    most = sorted(counts, key=lambda one: (-one[1], one[0]))[:MOST_FACETS]
    return [Facet(label, count, _address(request, name, value or "")) for label, count, value in most]


def _address(request: StaffRequest, name: str, value: str) -> str:
    query = request.GET.copy()
    query.pop("page", None)
    query[name] = value
    return f"?{query.urlencode()}"


def _start_of(day: date | None) -> datetime | None:
    return timezone.make_aware(datetime.combine(day, time())) if day else None


def _end_of(day: date | None) -> datetime | None:
    return timezone.make_aware(datetime.combine(day + timedelta(days=1), time())) if day else None


def _lines(payload: dict[str, Any]) -> list[tuple[str, str]]:
    names = naming.actors({value for value in payload.values() if queries.id_in(value, kind="user")})
    return [(name.replace("_", " "), _plain(value, names)) for name, value in sorted(payload.items())]


def _plain(value: Any, names: dict[str, str]) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ", ".join(map(str, value)) if isinstance(value, list) else names.get(str(value), str(value))
