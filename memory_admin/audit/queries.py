"""Reading the audit trail."""

from uuid import UUID

from django.db.models import QuerySet

from memory_admin.audit.actions import Action
from memory_admin.audit.models import Event


def events_of(target_id: UUID) -> QuerySet[Event]:
    """Find what was done to one object, oldest first."""
    return Event.objects.filter(target_id=str(target_id)).order_by("seq")


def actions_on(target_id: UUID) -> list[Action]:
    """Name what was done to one object, oldest first."""
    return [Action(name) for name in events_of(target_id).values_list("action", flat=True)]
