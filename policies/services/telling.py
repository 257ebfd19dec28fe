"""Telling people to look at a version of a policy; part of other steps."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from uuid import UUID

from accounts import notices
from accounts.vocabulary import NoticeKind


def tell(kind: NoticeKind, user_ids: Iterable[UUID], version_id: UUID, *, now: datetime) -> None:
    """Tell members about a version; the notice leads to its page."""
    notices.tell(kind=kind, user_ids=user_ids, path=f"/console/policies/versions/{version_id}/", now=now)
