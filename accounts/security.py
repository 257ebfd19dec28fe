"""What happened to somebody's sign-in: noted for them to see, and kept for half a year."""

from __future__ import annotations

from datetime import datetime, timedelta
from uuid import UUID

from django.core.exceptions import ValidationError
from django.core.validators import MaxLengthValidator, validate_email
from django.db import transaction

from accounts.models import SecurityEvent, User
from accounts.vocabulary import SecurityEventKind
from memory_admin.errors import Invalid

KEPT = timedelta(days=180)
LONGEST_DEVICE = 80


@transaction.atomic
def note_event(*, user_id: UUID, kind: SecurityEventKind, address: str | None, device: str, now: datetime) -> None:
    """Note an event, and forget those of the same user that are too old.

    It is no event of a tenant, so no tenant's audit trail has it: a user may belong to several.
    """
    SecurityEvent.objects.filter(user_id=user_id, at__lt=now - KEPT).delete()
    SecurityEvent.objects.create(user_id=user_id, kind=kind, address=address, device=device[:LONGEST_DEVICE], at=now)


def events_of(user_id: UUID, *, limit: int) -> list[SecurityEvent]:
    """List what happened to the user's sign-in, the latest first."""
    return list(SecurityEvent.objects.filter(user_id=user_id).order_by("-at", "-id")[:limit])


def address_of(email: str) -> str:
    """Give an e-mail address as it is stored.

    :raises Invalid: it is none
    """
    address = email.strip().lower()
    try:
        validate_email(address)
        MaxLengthValidator(User._meta.get_field("email").max_length or 0)(address)
    except ValidationError as error:
        raise Invalid(fields={"email": ["Write an e-mail address, like name@example.org."]}) from error
    return address


def user_of(email: str) -> User | None:
    """Find who signs in by this address."""
    return User.objects.filter(email=email.strip().lower()).first()
