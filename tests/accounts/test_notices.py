"""What members are told: once, on the page and by e-mail, and never what is remembered."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.core import mail
from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts import notices, services
from accounts.models import Membership, Notice, User
from accounts.vocabulary import NoticeKind, Role
from memory_admin.errors import NotFound
from memory_admin.jobs.models import Job
from tests.api.cast import Organisation


@pytest.fixture
def mia(acme: Organisation) -> User:
    user = User.objects.create_user("mia@acme.example")
    services.grant_membership(user=user, roles=[Role.PERSON], by=acme.by, now=timezone.now())
    return user


def tell(*users: User, kind: NoticeKind = NoticeKind.REVIEW_WAITING, **terms: Any) -> int:
    about = {"path": "/console/", "now": timezone.now(), **terms}
    return notices.tell(kind=kind, user_ids=[user.id for user in users], **about)


def sent(notice: Notice) -> bool:
    return notices.mail(notice_id=notice.id, now=timezone.now())


def test_a_member_is_told_and_mailed_once(acme: Organisation, mia: User) -> None:
    assert (tell(mia), tell(mia)) == (1, 0)

    notice = Notice.objects.get()
    assert Job.objects.filter(name="accounts.mail_notice", object_id=notice.id).count() == 1
    assert (sent(notice), sent(notice)) == (True, False)
    (message,) = mail.outbox
    assert message.to == ["mia@acme.example"]
    assert message.subject == f"Something waits for your review – {acme.tenant.name}"
    assert f"/accounts/notices/{acme.tenant.id}/{notice.id}/" in message.body


def test_what_was_read_can_be_told_again(mia: User) -> None:
    tell(mia)
    notices.mark_read(user_id=mia.id, now=timezone.now())

    assert tell(mia) == 1
    assert not sent(Notice.objects.exclude(read_at=None).get())


def test_who_is_no_member_or_left_is_not_told(mia: User) -> None:
    stranger = User.objects.create_user("eve@northwind.example")
    assert tell(stranger) == 0

    tell(mia)
    Membership.objects.filter(user=mia).update(ended_at=timezone.now())

    assert not sent(Notice.objects.get())
    assert tell(mia, kind=NoticeKind.REQUEST_DUE) == 0


def test_a_user_chooses_what_comes_by_mail_but_not_about_their_own_rights(mia: User) -> None:
    notices.choose_mailed(user_id=mia.id, kinds=[NoticeKind.KEY_EXPIRING])
    tell(mia)
    tell(mia, kind=NoticeKind.ROLES_CHANGED)
    tell(mia, kind=NoticeKind.KEY_EXPIRING)

    assert {notice.kind: sent(notice) for notice in Notice.objects.all()} == {
        NoticeKind.REVIEW_WAITING: False,
        NoticeKind.ROLES_CHANGED: True,
        NoticeKind.KEY_EXPIRING: True,
    }


@pytest.mark.parametrize("kind", [NoticeKind.DISPUTE_ANSWERED, NoticeKind.REVIEW_ANSWERED])
def test_an_answer_is_mailed_also_to_whom_it_was_switched_off_once(mia: User, kind: NoticeKind) -> None:
    User.objects.filter(id=mia.id).update(unmailed=[kind])
    tell(mia, kind=kind)

    assert sent(Notice.objects.get())


def test_a_notice_is_followed_by_its_member_alone(mia: User) -> None:
    tell(mia, path="/privacy/")
    notice = Notice.objects.get()

    with pytest.raises(NotFound):
        notices.follow(notice_id=notice.id, user_id=uuid4(), now=timezone.now())

    assert notices.follow(notice_id=notice.id, user_id=mia.id, now=timezone.now()) == "/privacy/"
    assert Notice.objects.get().read_at is not None


@pytest.mark.parametrize("path", ["https://evil.example/", "//evil.example/", "/\\evil.example/", ""])
def test_a_notice_leads_nowhere_else(mia: User, path: str) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        tell(mia, path=path)


def test_old_notices_go(mia: User) -> None:
    now = timezone.now()
    tell(mia, now=now - timedelta(days=181))

    tell(mia, kind=NoticeKind.REQUEST_DUE, now=now)

    assert [notice.kind for notice in Notice.objects.all()] == [NoticeKind.REQUEST_DUE]
