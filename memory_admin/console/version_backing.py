"""What backs a version: its tests, by hand or from what really happened, and simulations."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST

from memory_admin.console import policy_reading, policy_words, simulations, version_forms
from memory_admin.console.version_steps import ask, sent
from memory_admin.errors import NotFound
from memory_admin.memories.models import WriteDecision
from memory_admin.simulation import services as simulation
from memory_admin.web.access import StaffRequest, form_page, staff
from policies import roles, services
from policies.models import PolicyVersion, VersionState

#: A test of each family as somebody might begin it.
EXAMPLES: Mapping[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "write": ({"kind": "preference", "origin": "inferred", "channel": "agent"}, {"outcome": "propose"}),
    "retention": ({"kind": "preference", "origin": "inferred"}, {"days": 90}),
    "retrieval": (
        {"purpose": "answer", "origin": "stated", "channel": "user_message", "confidence": 0.9, "is_confirmed": False},
        {"trusted": True},
    ),
    "access": ({"kind": "preference", "purpose": "answer", "categories": ["health"]}, {"allowed": False}),
    "procedure": ({"name": "refund"}, {"found": True}),
}


@dataclass(frozen=True, slots=True)
class TestLink:
    """Where a decision becomes a test: of the draft with this number, or of one that is yet to begin."""

    address: str
    draft: int | None


def link_to_test(request: StaffRequest, decision_id: UUID | None) -> TestLink | None:
    """Lead from a write decision to the newest draft of the write policy; None for whoever may not edit one."""
    if decision_id is None or request.actor.roles.isdisjoint(roles.EDITORS):
        return None
    drafts = PolicyVersion.objects.filter(family__key="write", state=VersionState.DRAFT)
    draft = drafts.order_by("-number").first()
    if draft is None:
        return TestLink(f"{reverse('console:begin_policy')}?family=write&from={decision_id}", None)
    return TestLink(f"{reverse('console:add_policy_test', args=[draft.id])}?from={decision_id}", draft.number)


@staff(*roles.EDITORS, *roles.APPROVERS)
@require_POST
def run_tests(request: StaffRequest, version_id: UUID) -> HttpResponse:
    """Hold a version against its tests now."""
    version = policy_reading.version_of(version_id)
    run = services.run_tests(version_id=version.id, by=request.actor, now=timezone.now())
    told = f"{policy_words.results_of(run)}."
    (messages.success if run.is_green else messages.warning)(request, told)
    return redirect(f"{_page(version)}#tests")


@staff(*roles.EDITORS)
@form_page
def add_case(request: StaffRequest, version_id: UUID) -> HttpResponse:
    """Add a test to a draft: typed, or made of a decision that was really taken (``?from=<decision id>``)."""
    version = policy_reading.version_of(version_id)

    def act(asked: dict[str, Any]) -> HttpResponse:
        services.add_case(
            version_id=version.id,
            name=asked["name"],
            given=asked["given"],
            expect=asked["expect"],
            added_for=asked["added_for"],
            by=request.actor,
            now=timezone.now(),
        )
        messages.success(request, "Added. Run the tests to see what comes of it.")
        return redirect(f"{_page(version)}#tests")

    return ask(
        request,
        version,
        question=f"Add a test to version {version.number}",
        verb="Add the test",
        says=["A rule that changes needs one test in which it applies, and one in which it does not."],
        form=version_forms.CaseForm(sent(request), initial=_begun(version, request.GET)),
        act=act,
        keep="Cancel",
    )


@staff(*roles.EDITORS)
@require_POST
def retire_case(request: StaffRequest, version_id: UUID) -> HttpResponse:
    """Take a test out of a draft."""
    version = policy_reading.version_of(version_id)
    try:
        case_id = UUID(request.POST.get("case", ""))
    except ValueError:
        raise NotFound from None
    services.retire_case(version_id=version.id, case_id=case_id, by=request.actor, now=timezone.now())
    messages.success(request, "Taken out of this version. Earlier versions keep it.")
    return redirect(f"{_page(version)}#tests")


@staff(*roles.EDITORS, *roles.APPROVERS)
@form_page
def simulate_version(request: StaffRequest, version_id: UUID) -> HttpResponse:
    """Ask what a version would have decided about what happened; the answer comes in the background."""
    version = policy_reading.version_of(version_id)
    now = timezone.now()

    def events(days: int) -> int:
        return simulation.events_within(version=version, since=now - timedelta(days=days), until=now)

    def act(asked: dict[str, Any]) -> HttpResponse:
        run = simulation.ask(
            version_id=version.id,
            since=now - timedelta(days=asked["days"]),
            until=now,
            agent_id=UUID(asked["agent"]) if asked["agent"] else None,
            maximum_events=asked["maximum_events"],
            seed=asked["seed"],
            by=request.actor,
            now=now,
        )
        messages.success(request, "Asked. The numbers stand here when it is done.")
        return redirect("console:simulation", run.id)

    return ask(
        request,
        version,
        question=f"Simulate version {version.number}",
        verb="Simulate it",
        says=["It decides again what happened, writes nothing and calls nothing. It counts for 24 hours."],
        form=version_forms.SimulateForm(sent(request), events=events),
        act=act,
        keep="Cancel",
    )


def _begun(version: PolicyVersion, asked: Mapping[str, str]) -> dict[str, Any]:
    """Fill the form with an example, or with what really happened."""
    given, expect = EXAMPLES[version.family.key]
    begun: dict[str, Any] = {}
    decision_id = asked.get("from", "")
    if named := asked.get("example"):
        given, expect = simulations.case_of(simulations.example_of(version, named), version.family.key) or _none()
        begun = {"added_for": "A case of a simulation"}
    if decision_id and version.family.key == "write":
        decision = decision_of(decision_id)
        given, expect = _facts_of(decision), {"outcome": decision.outcome}
        begun = {"added_for": f"Decision {decision.id}"}
    return begun | {name: json.dumps(value, indent=2) for name, value in (("given", given), ("expect", expect))}


def _none() -> tuple[dict[str, Any], dict[str, Any]]:
    raise NotFound


def decision_of(decision_id: str) -> WriteDecision:
    """Find a write decision by what an address says.

    :raises NotFound: there is none
    """
    try:
        found = WriteDecision.objects.filter(id=UUID(decision_id)).first()
    except ValueError:
        found = None
    if found is None:
        raise NotFound
    return found


def _facts_of(decision: WriteDecision) -> dict[str, Any]:
    facts = {
        "kind": decision.kind,
        "origin": decision.origin,
        "channel": decision.channel,
        "length": decision.length,
        "confidence": decision.confidence,
        "importance": decision.importance,
        "categories": list(decision.categories or []),
        "findings": list(decision.findings or []),
        "agent": decision.agent_name or None,
        "subject_kind": decision.subject_kind,
        "is_test": decision.is_test,
    }
    return {name: value for name, value in facts.items() if value not in (None, [], "")}


def _page(version: PolicyVersion) -> str:
    return f"/console/policies/versions/{version.id}/"
