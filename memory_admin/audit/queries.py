"""Reading the audit trail."""

from collections.abc import Collection
from uuid import UUID

from django.db.models import QuerySet

from memory_admin.audit.actions import Action
from memory_admin.audit.models import Event, Payload


def events_of(target_id: UUID) -> QuerySet[Event]:
    """Find what was done to one object, oldest first."""
    return Event.objects.filter(target_id=str(target_id)).order_by("seq")


def actions_on(target_id: UUID) -> list[Action]:
    """Name what was done to one object, oldest first."""
    return [Action(name) for name in events_of(target_id).values_list("action", flat=True)]


def payloads_on(target_ids: Collection[UUID]) -> list[int]:
    """Number the events of some objects that still have a payload: what `erase_payloads` takes to erase them."""
    events = Event.objects.filter(target_id__in=[str(target_id) for target_id in target_ids])
    return list(Payload.objects.filter(seq__in=events.values("seq")).order_by("seq").values_list("seq", flat=True))
