"""What was said and done about a version: the decisions of its reviewers, and every event of its trail."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from memory_admin.audit import queries as trail
from memory_admin.audit.models import Event
from memory_admin.console import naming, policy_words
from memory_admin.web import words
from memory_admin.web.words import Word
from policies import standing
from policies.models import Dismissal, PolicyReview, PolicyRevocation, PolicyVersion, ReviewDecision


@dataclass(frozen=True, slots=True)
class DecisionRow:
    """What one reviewer said, in which role, about what, and whether that is still what is there."""

    decision: ReviewDecision
    who: str
    roles: str
    says: Word
    digest: str
    is_current: bool
    round: int
    dismissal: Dismissal | None
    dismissed_by: str


@dataclass(frozen=True, slots=True)
class Step:
    """One event in the life of a version."""

    seq: int
    at: datetime | None
    who: str
    says: Word
    remark: str
    hash: str


@dataclass(frozen=True, slots=True)
class RevocationRow:
    """A wish to take a version out of force."""

    revocation: PolicyRevocation
    who: str
    is_own: bool
    falls_back_to: str


def decisions_on(version: PolicyVersion) -> list[DecisionRow]:
    """List what reviewers said about a version, in every round, oldest first."""
    decisions = ReviewDecision.objects.select_related("review__activation__version__family", "reviewer").filter(
        review__version_id=version.id
    )
    dismissals = {
        one.decision_id: one
        for one in Dismissal.objects.select_related("by").filter(decision__review__version_id=version.id)
    }
    digests: dict[UUID, str] = {}
    rows = []
    for one in decisions.order_by("at", "id"):
        use = one.review.activation
        digest = digests.setdefault(use.id, "") or standing.review_digest_of(use)
        digests[use.id] = digest
        dismissal = dismissals.get(one.id)
        rows.append(
            DecisionRow(
                decision=one,
                who=one.reviewer.name or one.reviewer.email,
                roles=", ".join(words.ROLES[role] for role in one.roles_at_time if role != "person"),
                says=policy_words.DECISIONS[one.kind],
                digest=policy_words.digest(one.review_digest),
                is_current=one.review_digest == digest,
                round=one.review.round,
                dismissal=dismissal,
                dismissed_by=(dismissal.by.name or dismissal.by.email) if dismissal else "",
            )
        )
    return rows


def steps_of(version: PolicyVersion) -> list[Step]:
    """List every recorded event of a version, oldest first."""
    events = list(trail.events_of(version.id))
    payloads = trail.payloads_of([event.seq for event in events])
    who = naming.actors({str(event.actor) for event in events if event.actor})
    return [_step(event, payloads.get(event.seq, {}), who) for event in events]


def _step(event: Event, payload: dict[str, Any], who: dict[str, str]) -> Step:
    action = str(event.action)
    says = policy_words.HAPPENED.get(action, Word("did something", "info"))
    if action == "policy.reviewed":
        says = policy_words.REVIEWED.get(str(payload.get("decision")), says)
    return Step(
        seq=event.seq,
        at=trail.at_of(event),
        who=who.get(str(event.actor), "Somebody"),
        says=says,
        remark=_remark(action, payload),
        hash=bytes(event.hash).hex(),
    )


def _remark(action: str, payload: dict[str, Any]) -> str:
    """Say what else is known of an event, in a few words."""
    if payload.get("break_glass"):
        return "In an emergency, by one person."
    if action == "policy.submitted":
        wanted = words.several(int(payload.get("required") or 0), "approval", "approvals")
        return f"Round {payload.get('round')}. It takes {wanted}."
    return ""


def joined(steps: list[Step]) -> list[Step]:
    """Leave out all but the last of several steps in a row that read the same."""
    following = [*steps[1:], None]
    return [
        step
        for step, after in zip(steps, following, strict=True)
        if after is None or (step.who, step.says, step.remark) != (after.who, after.says, after.remark)
    ]


def rounds_of(version: PolicyVersion) -> list[PolicyReview]:
    """List the rounds of review of a version, the newest first."""
    return list(PolicyReview.objects.filter(version_id=version.id).order_by("-round"))


def revocations_of(version: PolicyVersion, *, viewer_id: UUID) -> list[RevocationRow]:
    """List what was asked for to take a version out of force and waits for a second person."""
    found = PolicyRevocation.objects.select_related("asked_by", "fallback__family").filter(
        activation__version_id=version.id, status="open"
    )
    return [
        RevocationRow(
            revocation=one,
            who=one.asked_by.name or one.asked_by.email,
            is_own=one.asked_by_id == viewer_id,
            falls_back_to=f"version {one.fallback.number}" if one.fallback else "what decides in the wider scope",
        )
        for one in found.order_by("asked_at")
    ]
