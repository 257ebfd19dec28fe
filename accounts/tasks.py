"""Jobs about members: ids in, one service call."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from accounts import notices
from memory_admin import jobs


@jobs.job(jobs.MAIL_NOTICE)
def mail_notice(*, object_id: UUID, epoch: int, now: datetime) -> None:
    """Send a notice by e-mail."""
    notices.mail(notice_id=object_id, now=now)
