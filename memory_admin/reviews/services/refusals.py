"""Looking at a refusal again: it stays refused with a reason, or is let in as the person's own word.

A reviewer lets in what the write policy in force would let in from the person's own hand, and nothing else: the review
says that the person stands behind the words, it waives no rule about them. A rule that holds for everybody is changed
by those who decide policies.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction

from accounts.actors import Actor
from accounts.vocabulary import Channel
from memory_admin import audit
from memory_admin.audit import Action
from memory_admin.errors import Conflict, NotAllowed, Refused
from memory_admin.memories import changes, queries
from memory_admin.memories import services as memories
from memory_admin.memories.models import RefusalReview
from memory_admin.memories.requests import register
from memory_admin.memories.services import Claim
from memory_admin.memories.services.dispute import ANSWER_WITHIN, said_without_secrets
from memory_admin.memories.vocabulary import Origin, RequestKind, ReviewResult, WriteResult
from memory_admin.reviews import desk
from memory_admin.reviews import queries as reviews
from memory_admin.reviews.services.disputes import ReasonMissing

LET_IN = {
    WriteResult.STORED: ReviewResult.LET_IN,
    WriteResult.DUPLICATE: ReviewResult.LET_IN,
    WriteResult.PROPOSED: ReviewResult.LET_IN,
    WriteResult.POLICY_CHANGE: ReviewResult.SENT_ON,
}


class OnlyForOneself(NotAllowed):
    """Somebody else than the person asks for a review."""

    code = "only_for_oneself"
    sentence = "Only the person it is about can ask for that."


class AlreadyAsked(Conflict):
    """A review of this refusal was asked for before."""

    code = "already_asked"
    sentence = "You asked for this already."


class NothingToRead(Conflict):
    """The words of a refusal were not kept, or are not any more."""

    code = "nothing_to_read"
    sentence = "The text was not kept, so nobody can look at it again."


class RuleStands(Refused):
    """A rule keeps the words out, whoever says them."""

    code = "rule_stands"
    sentence = "A rule keeps this out, whoever says it."


@transaction.atomic
def ask_for_review(*, decision_id: UUID, by: Actor, now: datetime, words: str = "") -> RefusalReview:
    """Ask that somebody looks again at a write about oneself that was refused. A reviewer may read its words then.

    :param words: anything that helps to decide
    :raises OnlyForOneself: the actor is not a person about themselves
    :raises NotFound: it is no decision about this person
    :raises NothingToRead: it was no refusal, or its words are not kept
    :raises AlreadyAsked: a review was asked for before
    :raises WordsHoldASecret: the words hold a secret; personal data in them is replaced by placeholders
    """
    said = said_without_secrets(words)
    if not by.is_person or by.subject_id is None:
        raise OnlyForOneself
    changes.lock_subject(by.subject_id)
    decision = queries.decision(decision_id, by=by)
    if RefusalReview.objects.filter(decision_id=decision.id).exists():
        raise AlreadyAsked
    if not queries.may_be_reviewed(decision, now=now):
        raise NothingToRead
    opened = RefusalReview.objects.create(
        decision=decision,
        subject_id=decision.subject_id,
        words=said,
        opened_by=by.ref,
        opened_at=now,
        due_at=now + ANSWER_WITHIN,
    )
    register(RequestKind.REVIEW, subject_id=decision.subject_id, object_id=opened.id, at=now, due_at=opened.due_at)
    _record(Action.REVIEW_REQUESTED, opened, by=by, now=now)
    return opened


@transaction.atomic
def read_review(*, review_id: UUID, by: Actor, now: datetime) -> RefusalReview:
    """Read an open review with the refused words, and record for the person who looked.

    :raises NotFound: there is no such review
    :raises AlreadyAnswered: it is closed, so there is nothing to read any more
    """
    found = reviews.review(review_id)
    role = desk.refuse_strangers(found.subject, by=by, now=now)
    desk.refuse_answered(found)
    desk.record_view("review", found.id, subject=found.subject, role=role, by=by, now=now)
    return found


@transaction.atomic
def let_in(*, review_id: UUID, by: Actor, now: datetime, answer: str = "") -> RefusalReview:
    """Write the refused words as the person's own, by the way of every write: in the name of the reviewer.

    Where the policy asks the person first, it waits for them. Words that ask to waive a control go to those who decide
    policies instead.

    :param answer: what to tell the person besides
    :raises NotFound: there is no such review
    :raises AlreadyAnswered: it is closed
    :raises RuleStands: a rule keeps the words out, whoever says them
    :raises WordsHoldASecret: the answer holds a secret
    """
    review = _opened(review_id, by=by, now=now)
    decision = review.decision
    claim = Claim(
        subject_ref=review.subject.ref,
        kind=decision.kind,
        statement=decision.sealed_text or "",
        origin=Origin.STATED,
    )
    hand = replace(by, channel=Channel.PORTAL, is_test=review.subject.is_test)
    outcome = memories.capture(claim=claim, by=hand, now=now)
    result = LET_IN.get(outcome.result)
    if result is None:
        raise RuleStands(outcome.reason, rule_ids=outcome.rule_ids, policy_version=outcome.policy_version)
    memory_id = outcome.memory.id if outcome.memory else None
    _close(review, result, by=by, now=now, answer=said_without_secrets(answer), memory_id=memory_id)
    return review


@transaction.atomic
def keep_out(*, review_id: UUID, answer: str, by: Actor, now: datetime) -> RefusalReview:
    """Leave a refusal as it is, and tell the person why.

    :raises NotFound: there is no such review
    :raises AlreadyAnswered: it is closed
    :raises ReasonMissing: the answer is empty
    :raises WordsHoldASecret: the answer holds a secret
    """
    review = _opened(review_id, by=by, now=now)
    said = said_without_secrets(answer.strip())
    if not said:
        raise ReasonMissing(fields={"answer": [ReasonMissing.sentence]})
    _close(review, ReviewResult.KEPT_OUT, by=by, now=now, answer=said)
    return review


def _opened(review_id: UUID, *, by: Actor, now: datetime) -> RefusalReview:
    """Lock an open review that the actor may answer, by its subject."""
    subject = reviews.review(review_id).subject
    desk.refuse_strangers(subject, by=by, now=now)
    changes.lock_subject(subject.id)
    review = reviews.review(review_id)
    desk.refuse_answered(review)
    return review


def _close(review: RefusalReview, result: ReviewResult, *, by: Actor, now: datetime, **told: Any) -> None:
    review.result, review.closed_by, review.closed_at = result, by.ref, now
    for name, value in told.items():
        setattr(review, name, value)
    review.save(update_fields=["result", "closed_by", "closed_at", *told])
    decision = review.decision
    if decision.sealed_until is not None and decision.sealed_until <= now:
        # It was kept past its time for this answer alone.
        decision.sealed_text = decision.sealed_digest = None
        decision.save(update_fields=["sealed_text", "sealed_digest"])
    desk.tell_person(review, subject=review.subject, now=now)
    _record(Action.REVIEW_ANSWERED, review, by=by, now=now, result=str(result))


def _record(action: Action, review: RefusalReview, *, by: Actor, now: datetime, **told: str) -> None:
    audit.record(
        action=action,
        by=by,
        target=("review", review.id),
        at=now,
        policy_version=review.decision.policy_version,
        payload={"decision": str(review.decision_id), "rules": list(review.decision.rule_ids), **told},
    )
