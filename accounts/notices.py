"""What members are told, on a page and by e-mail: that something waits or has changed, never what is remembered."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import datetime, timedelta
from uuid import UUID

from django.conf import settings
from django.core.mail import send_mail
from django.db import transaction
from django.db.models import QuerySet
from django.template.loader import render_to_string

from accounts.models import Membership, Notice, Tenant, User
from accounts.queries import holders_of
from accounts.vocabulary import ALWAYS_MAILED, NoticeKind, Role
from memory_admin import jobs
from memory_admin.audit.actions import Action
from memory_admin.errors import NotFound
from memory_admin.tenancy.scope import required_tenant

KEPT = timedelta(days=180)


@transaction.atomic
def tell(*, kind: NoticeKind, user_ids: Iterable[UUID], path: str, now: datetime) -> int:
    """Tell members of the open tenant where to look; the e-mail goes out when this transaction has committed.

    Somebody who has an unread notice of this kind and page is not told again; who is no member is not told at all.

    :param path: the page of ours that the notice leads to, beginning with a slash; without anybody's words
    :return: how many were told
    """
    if not (asked := set(user_ids)):
        return 0
    wanted = Membership.objects.filter(user_id__in=asked, ended_at=None).order_by("user_id")
    users = list(wanted.values_list("user_id", flat=True))
    Notice.objects.filter(user_id__in=users, told_at__lt=now - KEPT).delete()
    made = [Notice(user_id=user_id, kind=kind, path=path, told_at=now) for user_id in users]
    Notice.objects.bulk_create(made, ignore_conflicts=True)
    told = list(Notice.objects.filter(id__in=[notice.id for notice in made]))
    for notice in told:
        jobs.after_commit(jobs.MAIL_NOTICE, object_id=notice.id)
    return len(told)


def tell_who_watches(action: Action, *, besides: Collection[UUID | None], now: datetime) -> int:
    """Tell administrators and privacy officers that one administrator let somebody in to see what is remembered.

    The notice leads to all that were let in so: while it is unread, the next one makes no other.

    :param besides: the users who took part, and know
    :return: how many were told
    """
    watching = set(holders_of(Role.ADMIN, Role.PRIVACY_OFFICER)) - set(besides)
    path = f"/console/audit/?action={action}"
    return tell(kind=NoticeKind.SOMEBODY_LET_IN, user_ids=watching, path=path, now=now)


def of_member(user_id: UUID) -> QuerySet[Notice]:
    """Give what a member of the open tenant was told, the newest first."""
    return Notice.objects.filter(user_id=user_id).order_by("-told_at", "-id")


@transaction.atomic
def follow(*, notice_id: UUID, user_id: UUID, now: datetime) -> str:
    """Mark a notice as read and name the page that it leads to.

    :raises NotFound: it is not a notice of this member
    """
    notice = of_member(user_id).filter(id=notice_id).first()
    if notice is None:
        raise NotFound
    of_member(user_id).filter(id=notice_id, read_at=None).update(read_at=now)
    return notice.path


@transaction.atomic
def mark_read(*, user_id: UUID, now: datetime) -> int:
    """Mark all that a member was told as read; tell how many were not."""
    return of_member(user_id).filter(read_at=None).update(read_at=now)


def choose_mailed(*, user_id: UUID, kinds: Iterable[NoticeKind]) -> None:
    """Send a user these kinds by e-mail and leave the others on the page; what concerns their rights always comes."""
    unmailed = sorted(set(NoticeKind) - set(kinds) - ALWAYS_MAILED)
    User.objects.filter(id=user_id).update(unmailed=unmailed)


def mail(*, notice_id: UUID, now: datetime) -> bool:
    """Send a notice by e-mail, unless it was read or sent meanwhile, or its user wants none of this kind.

    :return: whether it was sent
    """
    notice = Notice.objects.select_for_update(of=("self",)).filter(id=notice_id, read_at=None, mailed_at=None).first()
    if notice is None:
        return False
    user = User.objects.get(id=notice.user_id)
    is_member = Membership.objects.filter(user_id=user.id, ended_at=None).exists()
    is_unwanted = notice.kind in user.unmailed and notice.kind not in ALWAYS_MAILED
    if not is_member or not user.is_active or is_unwanted:
        return False
    tenant = Tenant.objects.get(id=required_tenant())
    told = {
        "what": NoticeKind(notice.kind).label,
        "tenant": tenant.name,
        "address": f"{settings.SITE_URL}/accounts/notices/{tenant.id}/{notice.id}/",
        "choices": f"{settings.SITE_URL}/accounts/notices/",
        "is_chosen": notice.kind not in ALWAYS_MAILED,
    }
    subject = " ".join(render_to_string("account/email/notice_subject.txt", told).split())
    send_mail(subject, render_to_string("account/email/notice_message.txt", told), None, [user.email])
    Notice.objects.filter(id=notice.id).update(mailed_at=now)
    return True
