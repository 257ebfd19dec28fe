"""Jobs of policies: ids in, one service call."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from memory_admin import jobs
from policies.services import emergency, releasing, reviewing


@jobs.job(jobs.ACTIVATE_POLICY)
def activate(*, object_id: UUID, epoch: int, now: datetime) -> None:
    """Put a scheduled activation in force at its time, or stop it and tell why."""
    releasing.activate_due(activation_id=object_id, now=now)


@jobs.job(jobs.END_ACTIVATION)
def end_activation(*, object_id: UUID, epoch: int, now: datetime) -> None:
    """Mark an activation as ended whose time is over."""
    releasing.end_due(activation_id=object_id, now=now)


@jobs.job(jobs.EXPIRE_APPROVAL)
def expire_approval(*, object_id: UUID, epoch: int, now: datetime) -> None:
    """Let an approval lapse that nobody made use of."""
    reviewing.expire(review_id=object_id, now=now)


@jobs.job(jobs.REMIND_OF_EMERGENCY)
def remind_of_emergency(*, object_id: UUID, epoch: int, now: datetime) -> None:
    """Raise the flag of an emergency that nobody has reviewed in time."""
    emergency.remind_of_review(activation_id=object_id, now=now)
