"""Reading the audit trail."""

import json
from collections.abc import Collection
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import connection
from django.db.models import Max, Min, QuerySet

from memory_admin.audit.actions import Action
from memory_admin.audit.chain import instant
from memory_admin.audit.models import Chain, Event, Payload
from memory_admin.tenancy.scope import required_tenant


def events_of(target_id: UUID) -> QuerySet[Event]:
    """Find what was done to one object, oldest first."""
    return Event.objects.filter(target_id=str(target_id)).order_by("seq")


def actions_on(target_id: UUID) -> list[Action]:
    """Name what was done to one object, oldest first."""
    return [Action(name) for name in events_of(target_id).values_list("action", flat=True)]


def every_event() -> QuerySet[Event]:
    """Give the whole trail, the newest first."""
    return Event.objects.order_by("-seq")


def length() -> int:
    """Count the events of the trail, however many there are in no time."""
    return Chain.objects.values_list("size", flat=True).first() or 0


def told_of(event: Event) -> dict[str, Any]:
    """Read what is hashed of an event; nothing from bytes that are no metadata any more."""
    try:
        told = json.loads(bytes(event.canonical))
    except ValueError:
        return {}
    return told if isinstance(told, dict) else {}


def id_in(ref: object, *, kind: str) -> UUID | None:
    """Read the id out of a reference such as ``user:<id>``; nothing from what is none of this kind."""
    if not isinstance(ref, str) or not ref.startswith(f"{kind}:"):
        return None
    return as_id(ref.removeprefix(f"{kind}:"))


def as_id(text: object) -> UUID | None:
    """Read an id; nothing from what is none, as in an event that somebody changed behind the product's back."""
    try:
        return UUID(str(text))
    except ValueError:
        return None


def at_of(event: Event) -> datetime | None:
    """Tell when an event happened; None for one whose bytes tell no time any more."""
    try:
        return datetime.fromisoformat(told_of(event)["at"])
    except (KeyError, TypeError, ValueError):
        return None


def payload_of(seq: int) -> dict[str, Any] | None:
    """Read the particulars of an event: ids, codes and numbers. None where there are none, or they were erased."""
    found = Payload.objects.filter(seq=seq).first()
    return json.loads(found.body) if found else None


def payloads_of(seqs: Collection[int]) -> dict[int, dict[str, Any]]:
    """Read the particulars of several events, by their number; those that were erased are not among them."""
    return {found.seq: json.loads(found.body) for found in Payload.objects.filter(seq__in=seqs)}


def numbers_between(since: datetime | None, until: datetime | None) -> tuple[int, int] | None:
    """Give the first and the last number of what happened in a stretch of time; None when nothing did.

    Read from the index of times alone. Between the numbers there may be others: clocks differ a little.
    """
    bounds = {"at__gte": since, "at__lt": until}
    found = Event.objects.filter(**{name: instant(at) for name, at in bounds.items() if at is not None})
    first, last = found.aggregate(first=Min("seq"), last=Max("seq")).values()
    return None if first is None else (first, last)


def erased_by(seq: int) -> Event | None:
    """Find the event that took the particulars of another one."""
    with connection.cursor() as cursor:
        cursor.execute(ERASED_BY, {"tenant": required_tenant(), "action": str(Action.PAYLOAD_ERASED), "seq": seq})
        found = cursor.fetchone()
    return Event.objects.filter(seq=found[0]).first() if found else None


# Compared as JSON, so that an event which somebody forged is no error.
ERASED_BY = """
    SELECT seq FROM audit_event
    CROSS JOIN LATERAL (SELECT convert_from(canonical, 'UTF8')::jsonb -> 'erases' AS erases) told
    WHERE tenant_id = %(tenant)s AND action = %(action)s AND seq > %(seq)s AND EXISTS (
        SELECT FROM jsonb_array_elements(CASE jsonb_typeof(erases) WHEN 'array' THEN erases ELSE '[]' END) run
        WHERE run -> 0 <= to_jsonb(%(seq)s::bigint) AND run -> 1 >= to_jsonb(%(seq)s::bigint)
        AND jsonb_typeof(run -> 0) = 'number' AND jsonb_typeof(run -> 1) = 'number'
    )
    ORDER BY seq LIMIT 1
"""


def with_payload(seqs: Collection[int]) -> set[int]:
    """Tell which of several events still have their particulars."""
    return set(Payload.objects.filter(seq__in=seqs).values_list("seq", flat=True))


def payloads_on(target_ids: Collection[UUID]) -> list[int]:
    """Number the events of some objects that still have a payload: what `erase_payloads` takes to erase them."""
    events = Event.objects.filter(target_id__in=[str(target_id) for target_id in target_ids])
    return list(Payload.objects.filter(seq__in=events.values("seq")).order_by("seq").values_list("seq", flat=True))
