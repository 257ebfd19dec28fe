"""The register of what was asked for about a subject: a number for each, to be read out on the phone."""

from __future__ import annotations

import secrets
from datetime import datetime
from uuid import UUID

from accounts import notices
from accounts.models import Subject
from accounts.queries import holders_of, who_sees
from accounts.vocabulary import NoticeKind, Role
from memory_admin import jobs
from memory_admin.memories.models import DataRequest
from memory_admin.memories.vocabulary import RequestKind

DIGITS = 9
#: The share of its time that is left when a request is due soon.
SOON = 0.25
#: Where reviewers find what waits for them.
WAITING_AT = {RequestKind.DISPUTE: "/console/reviews/", RequestKind.REVIEW: "/console/reviews/refusals/"}


def register(
    kind: RequestKind, *, subject_id: UUID, object_id: UUID, at: datetime, due_at: datetime | None = None
) -> DataRequest:
    """Enter something that was asked for, under a number of its own; reviewers are told of what is to be answered.

    Numbers are drawn by lot: they take no lock, and tell nobody how much others ask for.

    :param due_at: until when it is to be answered; none when it is done already
    """
    number = _draw()
    while DataRequest.objects.filter(number=number).exists():
        number = _draw()
    entered = DataRequest.objects.create(
        number=number, kind=kind, subject_id=subject_id, object_id=object_id, opened_at=at
    )
    if due_at is not None:
        tell_reviewers(entered, kind=NoticeKind.REVIEW_WAITING, now=at)
        jobs.after_commit(jobs.REMIND_OF_REQUEST, object_id=entered.id, at=due_soon_at(at, due_at))
    return entered


def due_soon_at(opened_at: datetime, due_at: datetime) -> datetime:
    """Give the time from which a request is due soon."""
    return due_at - (due_at - opened_at) * SOON


def tell_reviewers(asked: DataRequest, *, kind: NoticeKind, now: datetime, above: bool = False) -> None:
    """Tell the reviewers that something waits for them; privacy officers where there are none, or ``above`` as well.

    Nobody is told of what is about themselves, for they cannot answer it, or about a subject of tests.
    """
    subject = Subject.objects.get(id=asked.subject_id)
    if subject.is_test:
        return
    told = set(holders_of(Role.REVIEWER))
    if above or not told:
        told |= set(holders_of(Role.PRIVACY_OFFICER))
    notices.tell(kind=kind, user_ids=told - set(who_sees(subject)), path=WAITING_AT[RequestKind(asked.kind)], now=now)


def _draw() -> str:
    lowest = 10 ** (DIGITS - 1)
    return str(lowest + secrets.randbelow(9 * lowest))
