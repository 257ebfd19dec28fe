"""Stretches of time in which no policy takes effect."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from django.db import transaction

from accounts.actors import Actor
from memory_admin import audit
from memory_admin.audit import Action
from memory_admin.errors import Invalid, NotFound
from policies.models import PolicyFreeze
from policies.roles import GUARDIANS, refuse_others
from policies.services.drafts import required_reason


@transaction.atomic
def freeze(*, begins_at: datetime, ends_at: datetime, reason: str, by: Actor, now: datetime) -> PolicyFreeze:
    """Let no policy take effect between two times, by schedule or release; break-glass and revocation go on.

    :raises NotAllowed: the actor looks after no policies
    :raises Invalid: the times or the reason do not do
    """
    user_id = refuse_others(by, GUARDIANS)
    if ends_at <= max(begins_at, now):
        raise Invalid(fields={"ends_at": ["The end comes after the start, and after now."]})
    made = PolicyFreeze.objects.create(
        begins_at=begins_at, ends_at=ends_at, reason=required_reason(reason), set_by_id=user_id, set_at=now
    )
    audit.record(action=Action.POLICY_FROZEN, by=by, target=("policy_freeze", made.id), at=now)
    return made


@transaction.atomic
def thaw(*, freeze_id: UUID, by: Actor, now: datetime) -> None:
    """End a freeze before its time.

    :raises NotAllowed: the actor looks after no policies
    :raises NotFound: there is none that is still to end
    """
    refuse_others(by, GUARDIANS)
    found = PolicyFreeze.objects.select_for_update().filter(id=freeze_id, ends_at__gt=now).first()
    if found is None:
        raise NotFound
    if found.begins_at >= now:
        found.delete()
    else:
        PolicyFreeze.objects.filter(id=freeze_id).update(ends_at=now)
    audit.record(action=Action.POLICY_THAWED, by=by, target=("policy_freeze", freeze_id), at=now)
