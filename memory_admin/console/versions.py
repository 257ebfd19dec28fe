"""One version of a policy, whatever its state: as a draft, in review, in force, and ever after."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from accounts.models import User
from accounts.queries import holders_of
from memory_admin.console import (
    naming,
    policy_checklist,
    policy_history,
    policy_reading,
    policy_words,
    rooms,
    simulation_words,
)
from memory_admin.console.frame import show
from memory_admin.console.policy_viewer import Viewer, viewer_of
from memory_admin.web import words
from memory_admin.web.access import StaffRequest, staff
from policies import compare, guards, standing
from policies.models import (
    ActivationState,
    Attention,
    DecisionKind,
    Lane,
    PolicyActivation,
    PolicyReview,
    PolicySimulation,
    PolicyVersion,
    ReviewStatus,
    RiskClass,
    SimulationState,
    VersionState,
)
from policies.queries import windows_of
from policies.roles import APPROVERS

ROOM = "policies"
SIMULATIONS_SHOWN = 3


@staff(*rooms.POLICIES)
@require_safe
def show_version(request: StaffRequest, version_id: UUID) -> HttpResponse:
    """Show a version with everything that a decision about it rests on, and what the viewer may do with it."""
    version = policy_reading.version_of(version_id)
    return show(request, "console/version.html", ROOM, read(request, version))


@staff(*rooms.POLICIES)
@require_safe
def print_version(request: StaffRequest, version_id: UUID) -> HttpResponse:
    """Show the approval sheet of a version, to be printed: what, by whom, and where the trail proves it."""
    version = policy_reading.version_of(version_id)
    return show(request, "console/version_sheet.html", ROOM, read(request, version))


def read(request: StaffRequest, version: PolicyVersion) -> dict[str, Any]:
    """Read what the page of a version shows."""
    now = timezone.now()
    uses = policy_reading.uses_of(version)
    review = policy_reading.open_review(version)
    use = policy_reading.current_use(uses, review)
    viewer = viewer_of(request, version)
    base = use.base_version if use else version.base_version
    said = policy_reading.examine(version.family.key, version.content, base)
    is_ahead = use is None or use.state in (ActivationState.PLANNED, ActivationState.SCHEDULED)
    steps = policy_history.steps_of(version)
    said_so_far = policy_history.decisions_on(version)
    tests = policy_reading.tests_of(version, said.document, base)
    must_hold = policy_checklist.lines_of(version, use, review, decisions=said_so_far, tests=tests, now=now)
    return {
        "version": version,
        "label": policy_reading.label_of(version),
        "standing": policy_words.standing_of(version, uses),
        "said": said,
        "marks": [(policy_words.DIRECTIONS[one.direction], one) for one in said.changes],
        "noticed": policy_reading.noticed(said),
        "base": base,
        "use": use,
        "used_where": where(use),
        "used_how": policy_words.MODES[use.mode] if use else "",
        "demands": demands_of(use, review, now=now),
        "uses": [use_row(one) for one in uses],
        "windows": windows_of(version),
        "attention": attention_to(version, uses),
        "checklist": must_hold,
        "met": sum(one.holds for one in must_hold),
        "effect": policy_reading.foresee(said.document, use, now=now) if is_ahead and said.changes else None,
        "tests": tests,
        "results": policy_words.RESULTS,
        "simulations": simulations_of(version, now=now),
        "awaits_approval": review is not None or version.state in (VersionState.DRAFT, VersionState.IN_REVIEW),
        "needs_simulation": use is not None and guards.demands_on(use, now=now).simulation,
        "review": review,
        "digest": standing.review_digest_of(use) if use else version.content_sha256,
        "decisions": said_so_far,
        "own": own_word(said_so_far, viewer),
        "revocations": policy_history.revocations_of(version, viewer_id=viewer.user_id),
        "history": steps,
        "steps": policy_history.joined(steps),
        "seen": steps[-1].seq if steps else 0,
        "others": conflicts_of(version, uses),
        "people": people_of(version, review),
        "viewer": viewer,
        "can": options_of(version, use, review, viewer, now=now),
        "now": now,
    }


def attention_to(version: PolicyVersion, uses: list[PolicyActivation]) -> list[str]:
    """Say what a person has to look at before anything goes on."""
    altered = ["What is stored is not what was approved: its digest differs, so nothing that it decides happens"]
    flags = [str(Attention(one.attention).label) for one in uses if one.attention]
    return [*(altered if policy_words.is_altered(version) else []), *flags]


def own_word(decisions: list[policy_history.DecisionRow], viewer: Viewer) -> policy_history.DecisionRow | None:
    """Find what the viewer said last about exactly this, comments left out."""
    mine = [one for one in decisions if one.decision.reviewer_id == viewer.user_id and one.is_current]
    return next((one for one in reversed(mine) if one.decision.kind != DecisionKind.COMMENT), None)


def where(use: PolicyActivation | None) -> str:
    """Say for whom a use is meant."""
    if use is None:
        return "nobody any more"
    return policy_words.scope(use.region, use.agent_scope.name if use.agent_scope else "")


def use_row(use: PolicyActivation) -> dict[str, Any]:
    """Say of one use where it stands, for whom, how, and from when."""
    watches = use.state == ActivationState.EFFECTIVE and use.lane == Lane.SHADOW
    return {
        "use": use,
        "state": policy_words.STATES["watching" if watches else use.state],
        "where": where(use),
        "how": policy_words.MODES[use.mode],
        "attention": Attention(use.attention).label if use.attention else "",
    }


def demands_of(use: PolicyActivation | None, review: PolicyReview | None, *, now: datetime) -> str:
    """Say what an approval takes: “High risk: 2 approvals, one by a privacy officer, and a simulation”."""
    if use is None:
        return ""
    risk = RiskClass(use.version.family.risk_class).label
    wanted = guards.demands_on(use, now=now)
    approvals = review.required_approvals if review else wanted.approvals
    officer = review.needs_privacy_officer if review else wanted.privacy_officer
    simulation = review.needs_simulation if review else wanted.simulation
    told = [words.several(approvals, "approval", "approvals")]
    told += ["one by a privacy officer" if approvals > 1 else "by a privacy officer"] if officer else []
    return f"{risk} risk: {', '.join(told)}{', and a fresh simulation' if simulation else ''}"


def simulations_of(version: PolicyVersion, *, now: datetime) -> list[dict[str, Any]]:
    """List the latest simulations of a version, with whether each counts, or counted, for its approval."""
    return [
        simulation_row(one, version, now=now)
        for one in version.simulations.order_by("-asked_at", "-id")[:SIMULATIONS_SHOWN]
    ]


def simulation_row(run: PolicySimulation, version: PolicyVersion, *, now: datetime) -> dict[str, Any]:
    """Say of one simulation how far it came, whether it counts, and what would come out otherwise."""
    is_done = run.state == SimulationState.SUCCEEDED
    return {
        "run": run,
        "state": simulation_words.STATES[run.state],
        "is_of_this": run.candidate_sha256 == version.content_sha256,
        "is_fresh": is_done and _is_fresh(run, at=now),
        "was_fresh": is_done and version.approved_at is not None and _is_fresh(run, at=version.approved_at),
        "looked_at": simulation_words.looked_at(run),
        "counts": simulation_words.counts_of(run),
    }


def _is_fresh(run: PolicySimulation, *, at: datetime) -> bool:
    return run.finished_at is not None and timedelta(0) <= at - run.finished_at < guards.SIMULATION_COUNTS_FOR


def conflicts_of(version: PolicyVersion, uses: list[PolicyActivation]) -> list[dict[str, Any]]:
    """List other versions of the family that are open or scheduled for a scope that this one is meant for."""
    scopes = {(one.region, one.agent_id, one.lane) for one in uses if one.state in ("planned", "scheduled")}
    others = PolicyActivation.objects.select_related("version__family", "agent_scope").filter(
        version__family_id=version.family_id,
        state__in=[ActivationState.PLANNED, ActivationState.SCHEDULED],
        version__state__in=[VersionState.DRAFT, VersionState.IN_REVIEW, VersionState.APPROVED],
    )
    return [
        {"version": one.version, "standing": policy_words.standing_of(one.version, [one])}
        for one in others.exclude(version_id=version.id).order_by("version__number", "id")
        if (one.region, one.agent_id, one.lane) in scopes
    ]


def people_of(version: PolicyVersion, review: PolicyReview | None) -> dict[str, Any]:
    """Name who began and edited a version, and who was asked to review it."""
    began = naming.actors({version.created_by})
    editors = version.editors.select_related("user").order_by("since", "id")
    asked = User.objects.filter(id__in=review.requested_reviewers) if review else User.objects.none()
    return {
        "author": naming.within(began.get(version.created_by, "somebody")),
        "editors": [one.user.name or one.user.email for one in editors],
        "asked": sorted(one.name or one.email for one in asked),
    }


def options_of(
    version: PolicyVersion,
    use: PolicyActivation | None,
    review: PolicyReview | None,
    viewer: Viewer,
    *,
    now: datetime,
) -> dict[str, bool]:
    """Say which steps are open to the viewer now; a step that is not is absent from the page."""
    is_draft = version.state == VersionState.DRAFT
    is_open = version.state in (VersionState.DRAFT, VersionState.IN_REVIEW)
    is_planned = use is not None and use.state == ActivationState.PLANNED and version.state == VersionState.APPROVED
    waits = is_planned and review is None and was_approved(use)
    deciding = _deciding(version, use, now=now)
    base_moved = is_open and use is not None and (deciding.id if deciding else None) != use.base_version_id
    return {
        "edit": is_open and viewer.edits,
        "submit": is_draft and viewer.edits,
        "rebase": base_moved and viewer.edits,
        "base_moved": base_moved,
        "decide": review is not None and viewer.decides,
        "own_work": review is not None and viewer.may_approve and viewer.had_a_hand,
        "comment": review is not None and viewer.acts,
        "ask": review is not None and viewer.acts,
        "withdraw": (is_open or is_planned) and viewer.withdraws,
        "schedule": waits and use is not None and not use.on_release and viewer.releases,
        "release": viewer.releases and _can_release(use, waits=waits, now=now),
        "plan": version.state == VersionState.APPROVED and not is_planned and review is None and viewer.edits,
        "break_glass": is_draft and viewer.guards and restricts(version, deciding),
        "copy": viewer.edits and not is_draft,
        "restore": viewer.edits and not is_open and bool(windows_of(version)) and not _decides_now(use),
        "test": is_open and viewer.edits,
        "run": viewer.acts,
        "simulate": viewer.acts and version.family.key != "procedure",
    }


def was_approved(use: PolicyActivation | None) -> bool:
    """Tell whether the newest review of a use approved it."""
    newest = use.reviews.order_by("-round").first() if use else None
    return newest is not None and newest.status == ReviewStatus.APPROVED


def restricts(version: PolicyVersion, deciding: PolicyVersion | None) -> bool:
    """Tell whether a draft allows nothing that is not allowed now: then one person may put it in force at once."""
    if deciding is None:
        return False
    said = policy_reading.examine(version.family.key, version.content, deciding)
    before = policy_reading.examine(version.family.key, deciding.content, None).document
    return said.document is not None and compare.is_restricting(version.family.key, before, said.document)


def able_reviewers(version: PolicyVersion) -> list[User]:
    """List who may approve a version and had no hand in it, by name."""
    able = set(holders_of(*APPROVERS)) - standing.editors_of(version)
    return list(User.objects.filter(id__in=able, is_active=True).order_by("name", "email"))


def _can_release(use: PolicyActivation | None, *, waits: bool, now: datetime) -> bool:
    if use is None or (use.effective_from is not None and use.effective_from > now):
        return False
    return waits or use.state == ActivationState.SCHEDULED


def _deciding(version: PolicyVersion, use: PolicyActivation | None, *, now: datetime) -> PolicyVersion | None:
    region, agent_id = (use.region, use.agent_id) if use else (None, None)
    return standing.deciding(version.family_id, region=region, agent_id=agent_id, now=now)


def _decides_now(use: PolicyActivation | None) -> bool:
    return use is not None and use.state == ActivationState.EFFECTIVE and use.lane == Lane.ENFORCE
