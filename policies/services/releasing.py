"""Releasing what was approved: at its time or at once, and never unless every guard holds at that moment."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.db.models import Q

from accounts.actors import Actor, system
from accounts.queries import holders_of
from accounts.vocabulary import NoticeKind, Role
from memory_admin import audit, jobs
from memory_admin.audit import Action
from memory_admin.errors import Conflict
from memory_admin.tenancy.scope import required_tenant
from policies import guards, standing
from policies.digests import Terms
from policies.models import (
    ActivationState,
    Attention,
    Lane,
    PolicyActivation,
    PolicyReview,
    PolicyVersion,
    ReviewStatus,
    VersionState,
    scope_name,
)
from policies.roles import EDITORS, RELEASERS, refuse_others
from policies.services import drafts, effect, reviewing, suite
from policies.services.telling import tell


class NotApproved(Conflict):
    code = "not_approved"
    sentence = "Only what was approved and waits for its release can be released."


class NotYet(Conflict):
    """``details["effective_from"]`` is the time that was approved."""

    code = "not_yet"
    sentence = "It was approved for a later time, so it takes effect then."


class GuardsFail(Conflict):
    """``details["missing"]`` lists in sentences what does not hold."""

    code = "guards_fail"
    sentence = "Something that must hold when a version takes effect does not hold now."


class NotWatching(Conflict):
    code = "not_watching"
    sentence = "Only what merely watches can be ended; what decides is replaced or revoked."


@transaction.atomic
def schedule(*, activation_id: UUID, by: Actor, now: datetime) -> PolicyActivation:
    """Let an approved activation take effect at its time. If another one is due in its scope, a person has to look.

    :raises NotAllowed: the actor releases no policies
    :raises NotFound: there is no such activation
    :raises NotApproved: it is not approved, or has no time
    """
    refuse_others(by, RELEASERS)
    activation = standing.locked_activation(activation_id)
    if not _is_approved(activation) or activation.on_release or activation.effective_from is None:
        raise NotApproved
    if activation.effective_from <= now:
        _stop(activation, Attention.LATE, by=by, now=now)
    elif _overlapping(activation):
        _stop(activation, Attention.CONFLICT, by=by, now=now)
    else:
        activation.state, activation.attention = ActivationState.SCHEDULED, ""
        activation.released_by = by.ref
        activation.save(update_fields=["state", "attention", "released_by"])
        jobs.after_commit(jobs.ACTIVATE_POLICY, object_id=activation.id, at=activation.effective_from)
        effect.record(Action.POLICY_SCHEDULED, activation, by=by, now=now)
    return activation


@transaction.atomic
def release(*, activation_id: UUID, by: Actor, now: datetime) -> PolicyActivation:
    """Put an approved activation in force now: one without a time, or one that was stopped at its time.

    :raises NotAllowed: the actor releases no policies
    :raises NotFound: there is no such activation
    :raises NotApproved: it is not approved
    :raises NotYet: it was approved for a later time
    :raises GuardsFail: something that must hold does not
    """
    refuse_others(by, RELEASERS)
    activation = standing.locked_activation(activation_id)
    now = standing.moment(activation.version.family_id, now=now)
    if not _is_approved(activation) and activation.state != ActivationState.SCHEDULED:
        raise NotApproved
    if activation.effective_from is not None and activation.effective_from > now:
        raise NotYet(details={"effective_from": activation.effective_from.isoformat()})
    failing = [guard for guard in guards.effect_guards(_tested(activation, by=by, now=now), now=now) if not guard.holds]
    if failing:
        raise GuardsFail(details={"missing": guards.missing(failing), "codes": [guard.code for guard in failing]})
    effect.take_effect(activation, by=by, now=now)
    return activation


@transaction.atomic
def activate_due(*, activation_id: UUID, now: datetime) -> PolicyActivation | None:
    """Put a scheduled activation in force at its time, or stop it and tell those concerned; never late in silence.

    :return: the activation, if its time had come
    """
    by = system("activation", tenant_id=required_tenant())
    activation = standing.locked_activation(activation_id)
    now = standing.moment(activation.version.family_id, now=now)
    is_due = activation.effective_from is not None and activation.effective_from <= now
    if activation.state != ActivationState.SCHEDULED or activation.attention or not is_due:
        return None
    checks = [guards.lateness_guard(activation, now=now)]
    checks += guards.effect_guards(_tested(activation, by=by, now=now), now=now)
    stopped_by = next((guard.attention for guard in checks if not guard.holds), None)
    if stopped_by is not None:
        _stop(activation, stopped_by, by=by, now=now)
    else:
        effect.take_effect(activation, by=by, now=now)
    return activation


@transaction.atomic
def end_due(*, activation_id: UUID, now: datetime) -> bool:
    """Mark an activation as ended whose time is over; its window closed by itself. Tell whether it was."""
    activation = standing.locked_activation(activation_id)
    is_over = activation.effective_until is not None and activation.effective_until <= now
    if activation.state != ActivationState.EFFECTIVE or not is_over:
        return False
    by = system("activation", tenant_id=required_tenant())
    entries = [
        effect.close(window, state=ActivationState.ENDED, by=by, now=now)
        for window in effect.open_windows(activation)
        if window.activation_id == activation.id
    ]
    audit.record_many(entries)
    return True


@transaction.atomic
def stop_watching(*, activation_id: UUID, by: Actor, now: datetime) -> None:
    """End an activation that only watches.

    :raises NotAllowed: the actor releases no policies
    :raises NotFound: there is no such activation
    :raises NotWatching: it decides, or is not in force
    """
    refuse_others(by, RELEASERS)
    activation = standing.locked_activation(activation_id)
    if activation.lane != Lane.SHADOW or activation.state != ActivationState.EFFECTIVE:
        raise NotWatching
    audit.record_many(
        [
            effect.close(window, state=ActivationState.ENDED, by=by, now=now)
            for window in effect.open_windows(activation)
            if window.activation_id == activation.id
        ]
    )


@transaction.atomic
def plan_use(
    *, version_id: UUID, terms: Terms, by: Actor, now: datetime, reviewers: Sequence[UUID] = ()
) -> PolicyReview:
    """Ask for another use of an approved version, such as enforcing what was in shadow: it is reviewed like the first.

    :raises NotAllowed: the actor is no policy editor
    :raises NotFound: there is no such version
    :raises NotApproved: the version is not approved, or another use of it is still to be released
    :raises Invalid: the terms do not do
    :raises NotReady: a guard does not hold
    """
    refuse_others(by, EDITORS)
    version = standing.locked_version(version_id)
    if version.state != VersionState.APPROVED or standing.planned(version) is not None:
        raise NotApproved
    drafts.check_terms(terms, now=now)
    base = standing.deciding(version.family_id, region=terms.region, agent_id=terms.agent_id, now=now)
    drafts.note_editor(version, by=by, now=now)
    activation = drafts.plan(version, terms, base=base)
    return reviewing.hand_in(activation, reviewers=reviewers, by=by, now=now)


@transaction.atomic
def restore(*, version_id: UUID, by: Actor, now: datetime, reason: str) -> PolicyVersion:
    """Roll back: clone an old version into a new draft that says the same. History is not rewritten.

    One approval is enough if it was in force within ninety days and its tests still pass.

    :raises NotAllowed: the actor is no policy editor
    :raises NotFound: there is no such version
    :raises Invalid: the reason is too short
    """
    refuse_others(by, EDITORS)
    source = standing.locked_version(version_id)
    base = standing.deciding(source.family_id, now=now)
    version = drafts.add_version(
        source.family,
        source.content,
        base=base,
        by=by,
        now=now,
        title=f"Back to version {source.number}",
        reason=drafts.required_reason(reason),
        restored_from=source,
    )
    drafts.plan(version, Terms(), base=base)
    drafts.note_editor(version, by=by, now=now)
    drafts.record(Action.POLICY_DRAFTED, version, by=by, now=now, restored_from=str(source.id))
    return version


def _is_approved(activation: PolicyActivation) -> bool:
    review = activation.reviews.order_by("-round").first()
    is_approved = review is not None and review.status == ReviewStatus.APPROVED
    return activation.state == ActivationState.PLANNED and is_approved


def _tested(activation: PolicyActivation, *, by: Actor, now: datetime) -> PolicyActivation:
    """Run the tests once more: the engine may be another one than when it was approved."""
    suite.run_for(activation.version, by=by, now=now)
    return activation


def _overlapping(activation: PolicyActivation) -> bool:
    scope = {"region": activation.region, "agent_id": activation.agent_id, "lane": activation.lane}
    others = PolicyActivation.objects.filter(
        version__family_id=activation.version.family_id, state=ActivationState.SCHEDULED, **scope
    ).exclude(id=activation.id)
    if activation.effective_until is not None:
        others = others.filter(effective_from__lt=activation.effective_until)
    return others.filter(Q(effective_until=None) | Q(effective_until__gt=activation.effective_from)).exists()


def _stop(activation: PolicyActivation, attention: Attention, *, by: Actor, now: datetime) -> None:
    """Leave an activation as it is until a person has looked, and tell whoever edited, approved or owns it."""
    activation.attention = attention
    activation.save(update_fields=["attention"])
    review = activation.reviews.order_by("-round").first()
    approvers = set(review.decisions.values_list("reviewer_id", flat=True)) if review else set()
    concerned = standing.editors_of(activation.version) | approvers | set(holders_of(Role.POLICY_EDITOR))
    tell(NoticeKind.POLICY_ATTENTION, concerned, activation.version_id, now=now)
    scope = scope_name(region=activation.region, agent_id=activation.agent_id)
    effect.record(Action.POLICY_STOPPED, activation, by=by, now=now, reason=str(attention), scope=scope)
