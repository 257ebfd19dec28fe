"""Wishes to change a policy: kept for the policy editors, who draft one or say why not."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from django.db import transaction

from accounts import notices
from accounts.actors import Actor
from accounts.queries import who_sees
from accounts.vocabulary import NoticeKind
from memory_admin import audit
from memory_admin.audit import Action
from memory_admin.errors import Conflict, NotFound
from policies.documents import Family
from policies.models import PolicyChangeRequest, PolicyVersion, RequestStatus
from policies.roles import EDITORS, refuse_others
from policies.services import drafts

REQUESTS_PAGE = "/requests/"


class RequestAnswered(Conflict):
    code = "request_answered"
    sentence = "Somebody has answered this wish meanwhile."


@transaction.atomic
def request_change(
    *, subject_id: UUID, words: str, rule_id: str, policy_version: str, channel: str, by: Actor, now: datetime
) -> PolicyChangeRequest:
    """Queue words that asked to waive a control, for the policy editors; the same open request is not queued twice."""
    queued = PolicyChangeRequest.objects.filter(
        subject_id=subject_id, words=words, rule_id=rule_id, status=RequestStatus.OPEN
    ).first()
    if queued is not None:
        return queued
    request = PolicyChangeRequest.objects.create(
        subject_id=subject_id,
        agent_id=by.agent_id,
        channel=channel,
        words=words,
        rule_id=rule_id,
        policy_version=policy_version,
        created_at=now,
    )
    audit.record(
        action=Action.POLICY_CHANGE_REQUESTED,
        by=by,
        target=("policy_change_request", request.id),
        at=now,
        policy_version=policy_version,
        payload={"rule": rule_id, "subject": str(subject_id)},
    )
    return request


@transaction.atomic
def draft_from(*, request_id: UUID, family: Family, by: Actor, now: datetime) -> PolicyVersion:
    """Turn a wish into a draft of a policy; the words stay with the wish, and whoever made it is told.

    :raises NotAllowed: the actor is no policy editor
    :raises NotFound: there is no such wish or family
    :raises RequestAnswered: it is answered
    """
    refuse_others(by, EDITORS)
    request = _open(request_id)
    version = drafts.begin(family=family, by=by, now=now, title="Asked for by a person")
    request.draft = version
    _answer(request, RequestStatus.DRAFTED, by=by, now=now)
    return version


@transaction.atomic
def dismiss_request(*, request_id: UUID, reason: str, by: Actor, now: datetime) -> PolicyChangeRequest:
    """Turn a wish down, with a reason that whoever made it reads.

    :raises NotAllowed: the actor is no policy editor
    :raises NotFound: there is no such wish
    :raises RequestAnswered: it is answered
    :raises Invalid: the reason is too short
    """
    refuse_others(by, EDITORS)
    request = _open(request_id)
    request.answer = drafts.required_reason(reason)
    _answer(request, RequestStatus.DISMISSED, by=by, now=now)
    return request


def _open(request_id: UUID) -> PolicyChangeRequest:
    found = PolicyChangeRequest.objects.select_for_update(of=("self",)).filter(id=request_id).first()
    if found is None:
        raise NotFound
    if found.status != RequestStatus.OPEN:
        raise RequestAnswered
    return found


def _answer(request: PolicyChangeRequest, status: RequestStatus, *, by: Actor, now: datetime) -> None:
    request.status, request.answered_by_id, request.answered_at = status, by.user_id, now
    request.save()
    notices.tell(
        kind=NoticeKind.POLICY_REQUEST_ANSWERED, user_ids=who_sees(request.subject), path=REQUESTS_PAGE, now=now
    )
    audit.record(
        action=Action.POLICY_REQUEST_ANSWERED,
        by=by,
        target=("policy_change_request", request.id),
        at=now,
        policy_version=request.policy_version,
        payload={"status": str(status)},
    )


def erase_change_requests(*, subject_id: UUID) -> list[str]:
    """Delete every request of a subject, whatever became of it, and give the words; part of an erasure."""
    requests = PolicyChangeRequest.objects.filter(subject_id=subject_id)
    words = list(requests.values_list("words", flat=True))
    requests.delete()
    return words
