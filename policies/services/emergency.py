"""Break-glass: one person restricts at once. The comparator says what restricts; the rest is no emergency."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, Literal
from uuid import UUID

from django.db import transaction

from accounts.actors import Actor, system
from accounts.models import Agent
from accounts.queries import holders_of
from accounts.vocabulary import NoticeKind
from memory_admin import jobs
from memory_admin.audit import Action
from memory_admin.errors import Conflict, Invalid, NotFound
from memory_admin.tenancy.scope import required_tenant
from policies import compare, guards, standing
from policies.digests import Terms, terms_sha256
from policies.documents import Family, parse
from policies.models import (
    Attention,
    AuthLevel,
    Lane,
    PolicyActivation,
    PolicyReview,
    ReviewStatus,
    VersionState,
)
from policies.roles import GUARDIANS, refuse_others
from policies.services import drafts, effect
from policies.services.reviewing import SecondFactorMissing
from policies.services.telling import tell

REVIEW_DUE_AFTER = timedelta(hours=24)
Target = Literal["everything", "agent", "category"]


class NotRestricting(Conflict):
    """``details["loosens"]`` lists in sentences what would be allowed that is not now."""

    code = "not_restricting"
    sentence = "This allows something that is not allowed now, so it takes the ordinary way of two people."


@transaction.atomic
def break_glass(*, version_id: UUID, reason: str, by: Actor, auth_level: AuthLevel, now: datetime) -> PolicyActivation:
    """Put a draft in force at once that allows nothing new; its review by others is due within a day.

    :raises NotAllowed: the actor looks after no policies
    :raises SecondFactorMissing: they signed in without one
    :raises NotFound: there is no such version
    :raises NotADraft: it is in review or decided
    :raises NotRestricting: it allows something that is not allowed now, or watches where it should decide
    :raises Invalid: the reason is too short
    """
    opened_by = refuse_others(by, GUARDIANS)
    if auth_level != AuthLevel.SECOND_FACTOR:
        raise SecondFactorMissing
    version = standing.locked_version(version_id)
    now = standing.moment(version.family_id, now=now)
    activation = standing.planned(version)
    if version.state != VersionState.DRAFT or activation is None:
        raise drafts.NotADraft(details={"state": version.state})
    family = version.family.key
    base = standing.deciding(version.family_id, region=activation.region, agent_id=activation.agent_id, now=now)
    if base is None or activation.lane != Lane.ENFORCE or activation.effective_until is not None:
        raise NotRestricting(details={"loosens": ["It must decide, and for as long as nothing replaces it."]})
    before, after = parse(family, base.content), parse(family, version.content)
    if not compare.is_restricting(family, before, after):
        allowed = [change.sentence for change in compare.loosens(family, before, after)]
        raise NotRestricting(details={"loosens": allowed or ["It changes nothing."]})
    said = drafts.required_reason(reason)
    version.reason, version.state = version.reason or said, VersionState.APPROVED
    version.approved_by, version.approved_at = f"break_glass:{by.ref}", now
    version.approval_note, version.round = said, version.round + 1
    version.save()
    drafts.note_editor(version, by=by, now=now)
    activation.on_release, activation.effective_from, activation.break_glass = True, None, True
    activation.base_version = base
    activation.activation_sha256 = terms_sha256(
        standing.terms_of(activation), version_id=version.id, content_sha256=version.content_sha256
    )
    activation.version = version
    activation.save()
    review = _review_later(activation, opened_by=opened_by, now=now)
    tell(NoticeKind.BREAK_GLASS, holders_of(*GUARDIANS), version.id, now=now)
    effect.take_effect(activation, by=by, now=now, break_glass=True, review=str(review.id))
    return activation


@transaction.atomic
def restrict(
    *,
    target: Target,
    reason: str,
    by: Actor,
    auth_level: AuthLevel,
    now: datetime,
    agent_id: UUID | None = None,
    category: str = "",
) -> PolicyActivation:
    """Stop agents from reading memories at once: all of them, one agent, or one category.

    :raises NotAllowed: the actor looks after no policies
    :raises SecondFactorMissing: they signed in without one
    :raises NotFound: there is no such agent
    :raises Invalid: the category or the reason does not do
    :raises NotRestricting: it is closed already
    """
    refuse_others(by, GUARDIANS)
    family: Family = "access"
    held = standing.locked_family(family)
    base = standing.deciding(held.id, now=now)
    if base is None:
        raise NotFound
    match: dict[str, Any] = {}
    what = "every memory"
    if target == "agent":
        agent = Agent.objects.filter(id=agent_id).first() if agent_id else None
        if agent is None:
            raise NotFound
        match, what = {"agents": [agent.name]}, f"every memory to {agent.name}"
    elif target == "category":
        if not category.strip():
            raise Invalid(fields={"category": ["Name a category."]})
        match, what = {"categories": [category.strip()]}, f"memories about {category.strip()}"
    content = _closed_to(base.content, match, title=f"Stopped in an emergency: {what}")
    version = drafts.add_version(
        held, content, base=base, by=by, now=now, title=f"Emergency: closes {what}", reason=reason
    )
    drafts.plan(version, Terms(), base=base)
    drafts.note_editor(version, by=by, now=now)
    drafts.record(Action.POLICY_DRAFTED, version, by=by, now=now, break_glass=True)
    return break_glass(version_id=version.id, reason=reason, by=by, auth_level=auth_level, now=now)


@transaction.atomic
def remind_of_review(*, activation_id: UUID, now: datetime) -> bool:
    """Raise the flag of an emergency that nobody has reviewed within a day; tell whether it was raised."""
    activation = standing.locked_activation(activation_id)
    review = activation.reviews.order_by("-round").first()
    if review is None or review.status != ReviewStatus.OPEN or review.due_at > now:
        return False
    activation.attention = Attention.REVIEW_OVERDUE
    activation.save(update_fields=["attention"])
    tell(NoticeKind.POLICY_ATTENTION, holders_of(*GUARDIANS), activation.version_id, now=now)
    by = system("activation", tenant_id=required_tenant())
    effect.record(Action.POLICY_STOPPED, activation, by=by, now=now, reason=str(Attention.REVIEW_OVERDUE))
    return True


def _review_later(activation: PolicyActivation, *, opened_by: UUID, now: datetime) -> PolicyReview:
    demands = guards.demands_on(activation, now=now)
    jobs.after_commit(jobs.REMIND_OF_EMERGENCY, object_id=activation.id, at=now + REVIEW_DUE_AFTER)
    return PolicyReview.objects.create(
        version=activation.version,
        activation=activation,
        round=activation.version.round,
        review_digest=standing.review_digest_of(activation),
        required_approvals=demands.approvals,
        needs_privacy_officer=demands.privacy_officer,
        needs_simulation=False,
        opened_by_id=opened_by,
        opened_at=now,
        due_at=now + REVIEW_DUE_AFTER,
    )


def _closed_to(content: Mapping[str, Any], match: Mapping[str, Any], *, title: str) -> dict[str, Any]:
    """Put a rule before all others that denies what it matches, and one before all others about each action."""
    actions = content.get("actions", ())
    used = {rule["id"] for rule in (*content["rules"], content["default"], *actions)}
    free = (found for number in range(1000) if (found := f"A-{number:03}") not in used)
    told = {"title": title, "match": dict(match), "decision": "deny"}
    rule = {"id": next(free), **told}
    listed = dict.fromkeys(one["action"] for one in actions)
    denied = [{"id": next(free), "action": action, **told} for action in listed]
    return {**content, "rules": [rule, *content["rules"]], "actions": [*denied, *actions]}
