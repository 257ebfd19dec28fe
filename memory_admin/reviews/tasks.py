"""Jobs about what people asked for: ids in, one service call."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from memory_admin import jobs
from memory_admin.reviews import services


@jobs.job(jobs.REMIND_OF_REQUEST)
def remind_of_request(*, object_id: UUID, epoch: int, now: datetime) -> None:
    """Tell reviewers that a request is due soon, and then that it is overdue."""
    services.remind(request_id=object_id, now=now)


@jobs.job(jobs.LIFT_RESTRICTION)
def lift_restriction(*, object_id: UUID, epoch: int, now: datetime) -> None:
    """Bring a memory back into use whose dispute was not upheld, when the person has had the time to act."""
    services.lift_restriction(dispute_id=object_id, now=now)
