"""Reviewing: a draft is handed in, others decide about exactly what they read, and enough of them approve it."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db import transaction

from accounts.actors import Actor
from accounts.queries import holders_of
from accounts.vocabulary import NoticeKind
from memory_admin import audit, jobs
from memory_admin.audit import Action
from memory_admin.errors import Conflict, Invalid, NotAllowed, NotFound
from policies import guards, standing
from policies.models import (
    ActivationState,
    AuthLevel,
    DecisionKind,
    Dismissal,
    PolicyActivation,
    PolicyReview,
    ReviewDecision,
    ReviewStatus,
    VersionState,
)
from policies.roles import APPROVERS, EDITORS, refuse_others
from policies.services import rounds
from policies.services.drafts import NotADraft, note_editor, required_reason
from policies.services.suite import run_for
from policies.services.telling import tell

DUE_AFTER = timedelta(days=5)
APPROVAL_LASTS = timedelta(days=30)
LONGEST_COMMENT = 4_000


class NotReady(Conflict):
    """``details["missing"]`` lists in sentences what does not hold."""

    code = "not_ready"
    sentence = "Something is still missing."


class OwnWork(NotAllowed):
    code = "own_work"
    sentence = "You had a hand in this version or its tests, so somebody else decides about it."


class NotWhatYouRead(Conflict):
    """``details["round"]`` is the round that is open now."""

    code = "not_what_you_read"
    sentence = "This is different from what you read. Look at it again."


class ReviewClosed(Conflict):
    code = "review_closed"
    sentence = "This review is over."


class SecondFactorMissing(NotAllowed):
    code = "second_factor_missing"
    sentence = "An approval takes a second factor: sign in with yours, or set one up."


class NoReviewer(Invalid):
    code = "no_reviewer"
    sentence = "Choose reviewers who may approve and had no hand in it."


@transaction.atomic
def submit(
    *, version_id: UUID, by: Actor, now: datetime, reviewers: Iterable[UUID] = (), due_at: datetime | None = None
) -> PolicyReview:
    """Hand a draft in: its tests run, its content is frozen, and its reviewers are told.

    :param reviewers: whom to ask; whoever may approve, if nobody is named
    :raises NotAllowed: the actor is no policy editor
    :raises NotFound: there is no such version
    :raises NotADraft: it is in review or decided
    :raises NotReady: a guard does not hold
    :raises NoReviewer: somebody named may not approve it
    """
    refuse_others(by, EDITORS)
    version = standing.locked_version(version_id)
    activation = standing.planned(version)
    if version.state != VersionState.DRAFT or activation is None:
        raise NotADraft(details={"state": version.state})
    note_editor(version, by=by, now=now)
    version.state = VersionState.IN_REVIEW
    version.save(update_fields=["state"])
    return hand_in(activation, reviewers=reviewers, by=by, now=now, due_at=due_at)


def hand_in(
    activation: PolicyActivation,
    *,
    reviewers: Iterable[UUID],
    by: Actor,
    now: datetime,
    due_at: datetime | None = None,
) -> PolicyReview:
    """Open a round of review of one use of a version, under the lock of the family.

    :raises NotReady: a guard does not hold
    :raises NoReviewer: somebody named may not approve it
    """
    opened_by = refuse_others(by, EDITORS)
    version = activation.version
    able = set(holders_of(*APPROVERS)) - standing.editors_of(version)
    asked = set(reviewers)
    if lacking := guards.missing(guards.submit_guards(activation, reviewers=asked, now=now)):
        raise NotReady(details={"missing": lacking})
    if asked - able:
        raise NoReviewer(fields={"reviewers": [NoReviewer.sentence]})
    run_for(version, by=by, now=now)
    version.round += 1
    version.save(update_fields=["round"])
    demands = guards.demands_on(activation, now=now)
    review = PolicyReview.objects.create(
        version=version,
        activation=activation,
        round=version.round,
        review_digest=standing.review_digest_of(activation),
        required_approvals=demands.approvals,
        needs_privacy_officer=demands.privacy_officer,
        needs_simulation=demands.simulation,
        requested_reviewers=sorted(asked),
        opened_by_id=opened_by,
        opened_at=now,
        due_at=due_at or now + DUE_AFTER,
    )
    tell(NoticeKind.POLICY_REVIEW_WAITING, asked or able, review.version_id, now=now)
    _record(Action.POLICY_SUBMITTED, review, by=by, now=now, required=review.required_approvals)
    return review


@transaction.atomic
def decide(
    *,
    review_id: UUID,
    kind: DecisionKind,
    read_digest: str,
    by: Actor,
    auth_level: AuthLevel,
    now: datetime,
    comment: str = "",
) -> ReviewDecision:
    """Approve, ask for changes, reject, or comment on exactly what was read. The newest word of a reviewer counts.

    :param read_digest: the review digest of the page that the reviewer saw
    :raises NotFound: there is no such review
    :raises NotAllowed: the actor may not approve; a comment may come from an editor as well
    :raises OwnWork: the actor had a hand in it, in whatever round
    :raises SecondFactorMissing: an approval without one
    :raises ReviewClosed: it is over
    :raises NotWhatYouRead: something that a reviewer relies on has changed
    :raises Invalid: a rejection or a wish for changes without a reason
    """
    reviewer_id = refuse_others(by, (*APPROVERS, *EDITORS) if kind == DecisionKind.COMMENT else APPROVERS)
    review = _locked(review_id)
    version = review.version
    if kind != DecisionKind.COMMENT and by.user_id in standing.editors_of(version):
        raise OwnWork
    if kind == DecisionKind.APPROVE and auth_level != AuthLevel.SECOND_FACTOR:
        raise SecondFactorMissing
    if review.status != ReviewStatus.OPEN:
        raise ReviewClosed(details={"status": review.status})
    digest = standing.review_digest_of(review.activation)
    if read_digest != digest:
        raise NotWhatYouRead(details={"round": review.round})
    said = comment.strip() if kind == DecisionKind.APPROVE else required_reason(comment)
    if len(said) > LONGEST_COMMENT:
        raise Invalid(fields={"comment": [f"At most {LONGEST_COMMENT:,} characters."]})
    if (twice := _said_already(review, kind, said, digest, by)) is not None:
        return twice
    decision = ReviewDecision.objects.create(
        review=review,
        reviewer_id=reviewer_id,
        kind=kind,
        review_digest=digest,
        roles_at_time=sorted(str(role) for role in by.roles),
        auth_level=auth_level,
        comment=said,
        at=now,
    )
    match kind:
        case DecisionKind.REQUEST_CHANGES:
            rounds.send_back(version, status=ReviewStatus.CHANGES_REQUESTED, now=now)
        case DecisionKind.REJECT:
            rounds.end(version, status=ReviewStatus.REJECTED, state=VersionState.REJECTED, now=now)
        case DecisionKind.APPROVE:
            settle(review, now=now)
    if kind != DecisionKind.COMMENT:
        tell(NoticeKind.POLICY_DECIDED, standing.editors_of(version), version.id, now=now)
    _record(Action.POLICY_REVIEWED, review, by=by, now=now, decision=str(kind), digest=digest, level=str(auth_level))
    return decision


def _said_already(review: PolicyReview, kind: DecisionKind, said: str, digest: str, by: Actor) -> ReviewDecision | None:
    """Find the same word of the same reviewer about the same: said twice, it is one."""
    mine = ReviewDecision.objects.filter(review_id=review.id, reviewer_id=by.user_id).order_by("-at", "-id").first()
    same = mine is not None and (mine.kind, mine.comment, mine.review_digest) == (kind, said, digest)
    return mine if same else None


@transaction.atomic
def settle_all(*, version_id: UUID, now: datetime) -> None:
    """Look at the open rounds of a version again, because its tests ran or a simulation ended."""
    version = standing.locked_version(version_id)
    for review in PolicyReview.objects.filter(version_id=version.id, status=ReviewStatus.OPEN):
        settle(review, now=now)


def settle(review: PolicyReview, *, now: datetime) -> bool:
    """Approve what is in review once its last guard holds; the family is locked. Tell whether it is approved now."""
    activation = PolicyActivation.objects.select_related("version__family", "base_version").get(id=review.activation_id)
    review.activation = activation
    if guards.missing(guards.approval_guards(review, now=now)):
        return False
    review.status, review.closed_at = ReviewStatus.APPROVED, now
    review.save(update_fields=["status", "closed_at"])
    version = activation.version
    if version.state != VersionState.APPROVED:
        version.state, version.approved_by, version.approved_at = VersionState.APPROVED, f"review:{review.id}", now
        version.save(update_fields=["state", "approved_by", "approved_at"])
    jobs.after_commit(jobs.EXPIRE_APPROVAL, object_id=review.id, at=now + APPROVAL_LASTS)
    return True


@transaction.atomic
def dismiss(*, decision_id: UUID, reason: str, by: Actor, now: datetime) -> Dismissal:
    """Set a reviewer's wish for changes aside; the wish and the reason both stay to be read.

    :raises NotFound: there is no such decision
    :raises NotAllowed: the actor may not approve
    :raises OwnWork: the actor had a hand in the version
    :raises ReviewClosed: it is no wish for changes, or was set aside already
    :raises Invalid: the reason is too short
    """
    dismissed_by = refuse_others(by, APPROVERS)
    decision = ReviewDecision.objects.select_related("review").filter(id=decision_id).first()
    if decision is None:
        raise NotFound
    version = standing.locked_version(decision.review.version_id)
    if by.user_id in standing.editors_of(version):
        raise OwnWork
    if decision.kind != DecisionKind.REQUEST_CHANGES or decision.dismissals.exists():
        raise ReviewClosed
    made = Dismissal.objects.create(decision=decision, by_id=dismissed_by, reason=required_reason(reason), at=now)
    _record(Action.POLICY_OBJECTION_DISMISSED, decision.review, by=by, now=now, decision=str(decision.id))
    return made


@transaction.atomic
def ask_reviewers(*, review_id: UUID, reviewers: Iterable[UUID], by: Actor, now: datetime) -> PolicyReview:
    """Ask other people to review; whoever was asked before and is named again is not told twice.

    :raises NotAllowed: the actor neither edits nor approves policies
    :raises NotFound: there is no such review
    :raises ReviewClosed: it is over
    :raises NoReviewer: somebody named may not approve it
    """
    refuse_others(by, (*EDITORS, *APPROVERS))
    review = _locked(review_id)
    if review.status != ReviewStatus.OPEN:
        raise ReviewClosed
    asked = set(reviewers)
    if not asked or asked - (set(holders_of(*APPROVERS)) - standing.editors_of(review.version)):
        raise NoReviewer(fields={"reviewers": [NoReviewer.sentence]})
    tell(NoticeKind.POLICY_REVIEW_WAITING, asked - set(review.requested_reviewers), review.version_id, now=now)
    review.requested_reviewers = sorted(asked)
    review.save(update_fields=["requested_reviewers"])
    _record(Action.POLICY_REVIEWERS_ASKED, review, by=by, now=now, reviewers=len(asked))
    return review


@transaction.atomic
def expire(*, review_id: UUID, now: datetime) -> bool:
    """Let an approval lapse that nobody made use of for thirty days; tell whether it did."""
    review = _locked(review_id)
    version = review.version
    activation = review.activation
    unused = activation.state == ActivationState.PLANNED and version.state == VersionState.APPROVED
    if review.status != ReviewStatus.APPROVED or not unused or now < (review.closed_at or now) + APPROVAL_LASTS:
        return False
    review.status = ReviewStatus.EXPIRED
    review.save(update_fields=["status"])
    rounds.send_back(version, status=ReviewStatus.EXPIRED, now=now)
    tell(NoticeKind.POLICY_ATTENTION, standing.editors_of(version), version.id, now=now)
    return True


def _locked(review_id: UUID) -> PolicyReview:
    found = PolicyReview.objects.filter(id=review_id).values_list("version_id", flat=True).first()
    if found is None:
        raise NotFound
    standing.locked_version(found)
    return PolicyReview.objects.select_related("version__family", "activation__version__family").get(id=review_id)


def _record(action: Action, review: PolicyReview, *, by: Actor, now: datetime, **payload: Any) -> None:
    audit.record(
        action=action,
        by=by,
        target=("policy_version", review.version_id),
        at=now,
        policy_version=review.version.label,
        payload={"review": str(review.id), "round": review.round, **payload},
    )
