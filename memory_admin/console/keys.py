"""API keys as staff read them: whether each still works, and when it was last used."""

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from uuid import UUID

from django.db.models import F, Q, QuerySet
from django.db.models.functions import Coalesce
from django.utils import timezone

from accounts.models import ApiKey, Subject
from accounts.vocabulary import Scope
from memory_admin.console.labels import CHANNELS, SCOPES

IDLE_AFTER = timedelta(days=90)
ENDING_WITHIN_DAYS = 14
LONGEST_PROPOSED = timedelta(days=3650)


@dataclass(frozen=True, slots=True)
class KeyRow:
    """One key of an agent; `mark` is all of its text that is kept."""

    key: ApiKey
    mark: str
    channel: str
    scopes: str
    bound_to: str
    is_living: bool
    is_idle: bool
    days_left: int | None
    successor: str

    @property
    def is_ending(self) -> bool:
        """Tell whether the key works and ends soon."""
        return self.is_living and self.days_left is not None and self.days_left < ENDING_WITHIN_DAYS


def rows_of(agent_id: UUID, *, now: datetime) -> list[KeyRow]:
    """List the keys of an agent, those that work first, the newest first."""
    found = list(ApiKey.objects.filter(agent_id=agent_id).order_by("-created_at", "-id"))
    refs = dict(Subject.objects.filter(id__in={key.subject_id for key in found}).values_list("id", "ref"))
    successors = {key.rotated_from_id: mark_of(key) for key in found if key.rotated_from_id}
    rows = [
        KeyRow(
            key=key,
            mark=mark_of(key),
            channel=CHANNELS[key.channel],
            scopes=_scopes(key.scopes),
            bound_to=refs.get(key.subject_id, "") if key.subject_id else "",
            is_living=is_living(key, now),
            is_idle=is_idle(key, now),
            days_left=(key.expires_at - now).days if key.expires_at else None,
            successor=successors.get(key.id, ""),
        )
        for key in found
    ]
    return sorted(rows, key=lambda row: not row.is_living)


def living(*, now: datetime) -> QuerySet[ApiKey]:
    """Give the keys that have not ended."""
    return ApiKey.objects.filter(Q(expires_at=None) | Q(expires_at__gt=now), revoked_at=None)


def idle_count(*, now: datetime) -> int:
    """Count the keys that work and that nobody has used for long."""
    used = living(now=now).exclude(agent__status="retired").annotate(used=Coalesce(F("last_used_at"), F("created_at")))
    return used.filter(used__lt=now - IDLE_AFTER).count()


def is_living(key: ApiKey, now: datetime) -> bool:
    """Tell whether a key has not ended."""
    return key.revoked_at is None and (key.expires_at is None or key.expires_at > now)


def is_idle(key: ApiKey, now: datetime) -> bool:
    """Tell whether a key works and was not used for long."""
    return is_living(key, now) and (key.last_used_at or key.created_at) < now - IDLE_AFTER


def last_day_of_successor(key: ApiKey, *, now: datetime) -> date | None:
    """Propose when the successor of a key ends: after as many days as the key was to work, ten years at most.

    :return: its last day; None for a key without an end
    """
    is_replaced = ApiKey.objects.filter(rotated_from_id=key.id).exists()  # then its end is that of the overlap
    if key.expires_at is None or is_replaced:
        return None
    last_day = timezone.localdate(key.expires_at - timedelta(microseconds=1))
    return timezone.localdate(now) + min(last_day - timezone.localdate(key.created_at), LONGEST_PROPOSED)


def mark_of(key: ApiKey) -> str:
    """Write what is known of a key's text: its beginning and its last four characters."""
    return f"mk_{key.prefix}_…{key.last_four}"


def _scopes(scopes: list[str]) -> str:
    held = [label for scope, label in SCOPES.items() if scope in scopes]
    return "Everything" if len(held) == len(Scope.values) else ", ".join(held)
