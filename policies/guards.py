"""What must hold before a version goes on: handed in, approved, in force. Each guard says in words whether it holds."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from pydantic import ValidationError

from accounts.models import Membership, Tenant
from accounts.vocabulary import Role
from memory_admin.tenancy.scope import required_tenant
from policies import cases, queries, standing
from policies.documents import PolicyDocument, parse
from policies.engine import ENGINE_VERSION
from policies.findings import Finding, findings, schema_findings
from policies.models import (
    EVERYWHERE,
    Attention,
    DecisionKind,
    Lane,
    PolicyActivation,
    PolicyFreeze,
    PolicyReview,
    PolicyTestRun,
    PolicyVersion,
    ReviewDecision,
    RiskClass,
    SimulationState,
    VersionState,
    scope_name,
)
from policies.roles import APPROVERS

SIMULATION_COUNTS_FOR = timedelta(hours=24)
MOST_LATE = timedelta(minutes=15)
RESTORABLE_FOR = timedelta(days=90)
APPROVALS = {RiskClass.LOW: 1, RiskClass.MEDIUM: 1, RiskClass.HIGH: 2}


@dataclass(frozen=True, slots=True)
class Guard:
    """One condition: whether it holds, and in words why or why not."""

    code: str
    holds: bool
    sentence: str
    attention: Attention | None = None
    """What is said of an activation that this guard stops at its time."""


def missing(guards: Iterable[Guard]) -> list[str]:
    """Say what does not hold."""
    return [guard.sentence for guard in guards if not guard.holds]


@dataclass(frozen=True, slots=True)
class Demands:
    """What a review of one activation takes."""

    approvals: int
    privacy_officer: bool
    simulation: bool


def demands_on(activation: PolicyActivation, *, now: datetime) -> Demands:
    """Say what the risk of a family asks of a review; what was in force within ninety days takes one approval."""
    version = activation.version
    if version.restored_from_id and _was_effective_lately(version, now=now):
        return Demands(approvals=1, privacy_officer=False, simulation=False)
    risk = RiskClass(version.family.risk_class)
    # Instructions are no decision about what happened: nothing of the past can be decided again by them.
    can_simulate = version.family.key != "procedure" and activation.base_version_id is not None
    return Demands(
        approvals=APPROVALS[risk],
        privacy_officer=risk == RiskClass.HIGH,
        simulation=risk != RiskClass.LOW and can_simulate,
    )


# --- handing in ------------------------------------------------------------------------------------------------------


def submit_guards(activation: PolicyActivation, *, reviewers: Iterable[UUID] = (), now: datetime) -> list[Guard]:
    """Say what a draft must fulfil to be handed in for review."""
    version = activation.version
    base = _parsed(activation.base_version)
    document, problems = _read(version, base)
    errors = [one.sentence for one in problems if one.severity == "error"]
    suite = standing.cases_of(version)
    untested = cases.untested(version.family.key, base, document, suite) if document else []
    editors, asked = standing.editors_of(version), set(reviewers)
    is_other = base is None or version.content_sha256 != activation.base_version.content_sha256
    return [
        Guard("readable", document is not None, "Every field says something the engine can read."),
        Guard("no_errors", not errors, "No finding is an error." if not errors else f"Errors: {' '.join(errors)}"),
        Guard("titled", bool(version.title and version.reason), "It has a title and says why."),
        Guard("changes_something", is_other, "It differs from what decides now, or is meant for another scope."),
        Guard("tested", not untested, "Every changed rule is tested." if not untested else " ".join(untested)),
        _ends_nowhere(activation),
        Guard("others_review", asked.isdisjoint(editors), "None of the reviewers had a hand in it."),
        _future_start(activation, now=now),
    ]


def _ends_nowhere(activation: PolicyActivation) -> Guard:
    scope = scope_name(region=activation.region, agent_id=activation.agent_id)
    leaves_nothing = scope == EVERYWHERE and activation.lane == Lane.ENFORCE and activation.effective_until is not None
    return Guard("always_decided", not leaves_nothing, "When it ends, something else decides.")


def _future_start(activation: PolicyActivation, *, now: datetime) -> Guard:
    is_ahead = activation.on_release or (activation.effective_from is not None and activation.effective_from > now)
    return Guard("starts_ahead", is_ahead, "It starts in the future, or when it is released.")


# --- approval --------------------------------------------------------------------------------------------------------


def approval_guards(review: PolicyReview, *, now: datetime) -> list[Guard]:
    """Say what a version in review still lacks to be approved."""
    activation = review.activation
    version = activation.version
    digest = standing.review_digest_of(activation)
    counting = standing.decisions_that_count(activation, digest=digest)
    approvals = approvals_among(counting, editors=standing.editors_of(version))
    objections = [one for one in counting if _objects(one)]
    has_officer = any("privacy_officer" in one.roles_at_time for one in approvals)
    guards = [
        Guard(
            "approved_by_enough",
            len(approvals) >= review.required_approvals,
            f"{len(approvals)} of {review.required_approvals} approvals of exactly this are given.",
        ),
        Guard("no_objection", not objections, "Nobody asks for changes to exactly this."),
    ]
    if not activation.break_glass:
        # An emergency closes what the tests expect to be open.
        guards.append(tests_guard(version))
    if review.needs_privacy_officer:
        guards.append(Guard("privacy_officer", has_officer, "A privacy officer has approved it."))
    if review.needs_simulation:
        guards.append(_simulated(activation, now=now))
    return guards


def approvals_among(decisions: Iterable[ReviewDecision], *, editors: set[UUID]) -> list[ReviewDecision]:
    """Pick the approvals of people who had no hand in the version."""
    return [one for one in decisions if one.kind == DecisionKind.APPROVE and one.reviewer_id not in editors]


def _objects(decision: ReviewDecision) -> bool:
    return decision.kind == DecisionKind.REQUEST_CHANGES and not decision.dismissals.exists()


def tests_guard(version: PolicyVersion) -> Guard:
    """Say whether the newest test run is of exactly this content and suite, and green."""
    run = PolicyTestRun.objects.filter(version_id=version.id).order_by("-finished_at", "-id").first()
    suite = cases.suite_sha256(standing.cases_of(version))
    now_what = (version.content_sha256, suite, ENGINE_VERSION)
    if run is None or (run.content_sha256, run.suite_sha256, run.engine_version) != now_what:
        return Guard("tests", False, "The tests have not run on exactly this.", Attention.TESTS_FAIL)
    counted = f"{run.passed} passed, {run.failed} failed, {run.errored} in error, {run.skipped} skipped"
    return Guard("tests", run.is_green, f"Tests: {counted}.", Attention.TESTS_FAIL)


def _simulated(activation: PolicyActivation, *, now: datetime) -> Guard:
    version = activation.version
    done = version.simulations.filter(
        state=SimulationState.SUCCEEDED,
        candidate_sha256=version.content_sha256,
        baseline_id=activation.base_version_id,
        engine_version=ENGINE_VERSION,
        finished_at__gte=now - SIMULATION_COUNTS_FOR,
    )
    return Guard("simulated", done.exists(), "A simulation of exactly this succeeded within the last 24 hours.")


# --- effect ----------------------------------------------------------------------------------------------------------


def effect_guards(activation: PolicyActivation, *, now: datetime) -> list[Guard]:
    """Say what must hold at the moment an approved version takes effect; all of it is looked at again then."""
    version = activation.version
    digest = standing.review_digest_of(activation)
    review = activation.reviews.order_by("-round").first()
    counting = standing.decisions_that_count(activation, digest=digest)
    approvals = approvals_among(counting, editors=standing.editors_of(version))
    roles = [_roles_left(one) for one in approvals]
    needed = review.required_approvals if review else 1
    base = standing.deciding(version.family_id, region=activation.region, agent_id=activation.agent_id, now=now)
    is_approved = version.state == VersionState.APPROVED and len(approvals) >= needed
    needs_officer = review is not None and review.needs_privacy_officer
    has_officer = any(Role.PRIVACY_OFFICER in held for held in roles)
    has_all = sum(map(bool, roles)) >= needed and (has_officer or not needs_officer)
    freeze = PolicyFreeze.objects.filter(begins_at__lte=now, ends_at__gt=now).first()
    is_active = Tenant.objects.get(id=required_tenant()).status == "active"
    return [
        Guard("approved", is_approved, "Exactly this was approved by enough people.", Attention.STALE),
        Guard(
            "base",
            (base.id if base else None) == activation.base_version_id,
            "What it was compared with decides still.",
            Attention.BASE_MOVED,
        ),
        Guard("approvers", has_all, "Whoever approved it is still here and holds the role.", Attention.APPROVER_LEFT),
        tests_guard(version),
        Guard("no_freeze", freeze is None, "Changes are not stopped at this time.", Attention.FROZEN),
        Guard("not_leaving", is_active, "The organisation is not leaving.", Attention.OFFBOARDING),
    ]


def lateness_guard(activation: PolicyActivation, *, now: datetime) -> Guard:
    """Say whether the time of a scheduled activation is at most a quarter of an hour past."""
    is_late = activation.effective_from is not None and now - activation.effective_from > MOST_LATE
    return Guard("in_time", not is_late, "Its time is not past by more than 15 minutes.", Attention.LATE)


def _roles_left(decision: ReviewDecision) -> set[Role]:
    """Name the roles somebody approved in that they hold still; none, if they have left."""
    member = Membership.objects.filter(user_id=decision.reviewer_id, ended_at=None, user__is_active=True).first()
    return set(APPROVERS).intersection(decision.roles_at_time, member.roles if member else ())


def _was_effective_lately(version: PolicyVersion, *, now: datetime) -> bool:
    source = version.restored_from
    if source is None or source.content_sha256 != version.content_sha256:
        return False
    windows = queries.windows_of(source)
    return any(one.effective.upper is None or one.effective.upper >= now - RESTORABLE_FOR for one in windows)


def _read(version: PolicyVersion, base: PolicyDocument | None) -> tuple[PolicyDocument | None, list[Finding]]:
    try:
        document = parse(version.family.key, version.content)
    except ValidationError as error:
        return None, schema_findings(error)
    return document, findings(version.family.key, document, effective=base, surroundings=queries.surroundings())


def _parsed(version: PolicyVersion | None) -> PolicyDocument | None:
    return parse(version.family.key, version.content) if version else None
