"""What must hold before the next step of a version, in words: who has approved it, whom it waits for, what passed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from accounts.models import User
from accounts.queries import holders_of
from accounts.vocabulary import Role
from memory_admin.console import policy_words
from memory_admin.console.policy_history import DecisionRow
from memory_admin.console.policy_reading import Tests
from memory_admin.web import words
from policies import guards, standing
from policies.guards import Guard
from policies.models import ActivationState, PolicyActivation, PolicyReview, PolicyVersion, VersionState


@dataclass(frozen=True, slots=True)
class Line:
    """One guard: its name, what is to be said beside, and whether it holds."""

    title: str
    said: str
    holds: bool


def lines_of(
    version: PolicyVersion,
    use: PolicyActivation | None,
    review: PolicyReview | None,
    *,
    decisions: list[DecisionRow],
    tests: Tests,
    now: datetime,
) -> list[Line]:
    """List the guards of the next step of a version, each with whether it holds now; none when no step is ahead."""
    found = _guards(version, use, review, now=now)
    told = _told(review, decisions) if review else {}
    if tests.run and tests.is_of_this:
        told["tests"] = f"{policy_words.results_of(tests.run)}."
    lines = []
    for one in found:
        title, said = policy_words.of_guard(one.code, one.sentence, holds=one.holds)
        lines.append(Line(title, told.get(one.code, said), one.holds))
    return lines


def _guards(
    version: PolicyVersion, use: PolicyActivation | None, review: PolicyReview | None, *, now: datetime
) -> list[Guard]:
    if use is None:
        return []
    if review is not None:
        return guards.approval_guards(review, now=now)
    if version.state == VersionState.DRAFT:
        return guards.submit_guards(use, now=now)
    if use.state == ActivationState.SCHEDULED:
        return [*guards.effect_guards(use, now=now), guards.lateness_guard(use, now=now)]
    return guards.effect_guards(use, now=now) if use.state == ActivationState.PLANNED else []


def _told(review: PolicyReview, decisions: Iterable[DecisionRow]) -> dict[str, str]:
    """Name who has approved exactly this, and the privacy officers it waits for."""
    version = review.activation.version
    editors = standing.editors_of(version)
    digest = standing.review_digest_of(review.activation)
    counting = standing.decisions_that_count(review.activation, digest=digest)
    approvals = {one.id: one for one in guards.approvals_among(counting, editors=editors)}
    by = {row.decision.id: row.who for row in decisions}
    names = [by[id_] for id_ in approvals if id_ in by]
    officers = [by[id_] for id_, one in approvals.items() if id_ in by and "privacy_officer" in one.roles_at_time]
    given = f"{len(names)} of {review.required_approvals}: {', '.join(names)}." if names else "Nobody yet."
    return {"approved_by_enough": given, "privacy_officer": ", ".join(officers) or _officers_to_come(editors)}


def _officers_to_come(editors: Iterable[object]) -> str:
    able = User.objects.filter(id__in=set(holders_of(Role.PRIVACY_OFFICER)) - set(editors), is_active=True)
    names = [one.name or one.email for one in able.order_by("name", "email")]
    return f"Waits for {words.either(names)}." if names else "Nobody who could is left: the only ones edited it."
