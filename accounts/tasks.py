"""Jobs about members: ids in, one service call."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from celery import shared_task
from django.utils import timezone

from accounts import invitations, notices, queries, services
from memory_admin import jobs
from memory_admin.tenancy.scope import tenant_scope


@shared_task(name="accounts.begin_hour", ignore_result=True)
def begin_hour() -> None:
    """Queue what is done in every hour for every tenant; started by beat."""
    for tenant_id in queries.working_tenants():
        with tenant_scope(tenant_id):
            jobs.begin_hour(now=timezone.now())


@jobs.job(jobs.MAIL_NOTICE)
def mail_notice(*, object_id: UUID, epoch: int, now: datetime) -> None:
    """Send a notice by e-mail."""
    notices.mail(notice_id=object_id, now=now)


@jobs.job(jobs.MAIL_INVITATION)
def mail_invitation(*, object_id: UUID, epoch: int, now: datetime) -> None:
    """Send the link of an invitation by e-mail; the epoch is the number of the sending."""
    invitations.mail(invitation_id=object_id, sending=epoch, now=now)


@jobs.job(jobs.FORGET_INVITATION)
def forget_invitation(*, object_id: UUID, epoch: int, now: datetime) -> None:
    """Forget an address that was invited and never answered."""
    invitations.forget(invitation_id=object_id, sending=epoch)


@jobs.job(jobs.WARN_OF_END)
def warn_of_end(*, object_id: UUID, epoch: int, now: datetime) -> None:
    """Tell that a key ends soon."""
    services.warn_of_end(key_id=object_id, now=now)
