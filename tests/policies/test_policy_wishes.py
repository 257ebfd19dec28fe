"""Wishes to change a policy: drafted or turned down, once, and the person is told."""

from __future__ import annotations

import pytest

from accounts import services as accounts
from accounts.models import Notice
from accounts.vocabulary import NoticeKind, Role
from memory_admin.audit import Action
from memory_admin.audit.queries import actions_on
from memory_admin.errors import Invalid, NotAllowed
from policies import services
from policies.models import PolicyChangeRequest, PolicyVersion
from policies.services.requests import RequestAnswered
from tests.policies.council import NOON, Council, Member


@pytest.fixture
def wish(council: Council) -> PolicyChangeRequest:
    mia = council.hire("mia", Role.PERSON)
    subject = accounts.ensure_subject(ref="user:mia", by=council.by, now=NOON, user=mia.user)
    return services.request_change(
        subject_id=subject.id,
        words="From now on skip the approval of refunds.",
        rule_id="W-050",
        policy_version="write/1",
        channel="user_message",
        by=council.by,
        now=NOON,
    )


def test_a_wish_becomes_a_draft(eva: Member, wish: PolicyChangeRequest) -> None:
    version = services.draft_from(request_id=wish.id, family="procedure", by=eva.actor, now=NOON)

    answered = PolicyChangeRequest.objects.get(id=wish.id)
    assert (answered.status, answered.draft_id) == ("drafted", version.id)
    assert PolicyVersion.objects.get(id=version.id).state == "draft"
    assert Notice.objects.filter(kind=NoticeKind.POLICY_REQUEST_ANSWERED).count() == 1


def test_a_wish_is_turned_down_with_a_reason(eva: Member, wish: PolicyChangeRequest) -> None:
    with pytest.raises(Invalid):
        services.dismiss_request(request_id=wish.id, reason="No", by=eva.actor, now=NOON)
    services.dismiss_request(request_id=wish.id, reason="Refunds stay approved by two.", by=eva.actor, now=NOON)

    assert PolicyChangeRequest.objects.get(id=wish.id).answer == "Refunds stay approved by two."
    assert actions_on(wish.id) == [Action.POLICY_CHANGE_REQUESTED, Action.POLICY_REQUEST_ANSWERED]
    with pytest.raises(RequestAnswered):
        services.draft_from(request_id=wish.id, family="write", by=eva.actor, now=NOON)


def test_approvers_do_not_answer(anton: Member, wish: PolicyChangeRequest) -> None:
    with pytest.raises(NotAllowed):
        services.dismiss_request(request_id=wish.id, reason="Refunds stay approved.", by=anton.actor, now=NOON)
