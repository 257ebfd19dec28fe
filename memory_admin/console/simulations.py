"""The report of one simulation: what it looked at, what came of it, and single cases with both decisions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast
from uuid import UUID

from django.http import HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe
from pydantic import ValidationError

from accounts.models import Agent
from memory_admin.console import naming, policy_reading, rooms, sentences, simulation_words, versions
from memory_admin.console.frame import show
from memory_admin.console.policy_viewer import viewer_of
from memory_admin.errors import NotFound
from memory_admin.web import words
from memory_admin.web.access import StaffRequest, staff
from policies.documents import Family, PolicyDocument, parse
from policies.models import PolicySimulation, PolicyVersion, VersionState

ROOM = "policies"
LARGE_SHARE = 0.1
FEW_EVENTS = 100
DIMENSIONS = {"agent": "Agent", "kind": "Kind", "category": "Category", "channel": "Channel"}


@staff(*rooms.POLICIES)
@require_safe
def show_simulation(request: StaffRequest, simulation_id: UUID) -> HttpResponse:
    """Show what a simulation looked at and what came of it; while it runs, how far it is."""
    run, version = _found(simulation_id)
    page = _report(run, version) | {"viewer": viewer_of(request, version), "shown": request.GET.get("flip", "")}
    page["cases"] = _cases(run, page["shown"])
    if request.headers.get("HX-Request"):
        return render(request, "console/_simulation_report.html", page)
    return show(request, "console/simulation.html", ROOM, page)


@staff(*rooms.POLICIES)
@require_safe
def show_case(request: StaffRequest, simulation_id: UUID) -> HttpResponse:
    """Show one event (``?at=3``) as both versions decide it: the facts, and what each makes of them."""
    run, version = _found(simulation_id)
    asked = request.GET.get("at", "0")
    place = int(asked) if asked.isdecimal() and len(asked) < 4 else -1
    flip = request.GET.get("flip", "")
    places = [one["place"] for one in _cases(run, flip)]
    if place not in places:
        raise NotFound
    example, at = run.examples[place], places.index(place)
    retrieval = example["facts"].get("retrieval")
    page = _report(run, version) | {
        "case": _case(run, place, example),
        "flip": flip,
        "number": at + 1,
        "of": len(places),
        "before": places[at - 1] if at else None,
        "after": places[at + 1] if at + 1 < len(places) else None,
        "facts": simulation_words.facts_of(example["facts"]),
        "sides": [
            _side(run.baseline, run.baseline_sha256, example["before"]),
            _side(version, run.candidate_sha256, example["after"]),
        ],
        "retrieval": retrieval if rooms.may(request.actor.roles, rooms.RETRIEVALS) else None,
        "can_test": version.state in (VersionState.DRAFT, VersionState.IN_REVIEW)
        and viewer_of(request, version).edits
        and case_of(example, version.family.key) is not None,
    }
    return show(request, "console/simulation_case.html", ROOM, page)


@staff(*rooms.POLICIES)
@require_safe
def download_simulation(request: StaffRequest, simulation_id: UUID) -> HttpResponse:
    """Give a report as JSON; it names no person and repeats no words."""
    run, version = _found(simulation_id)
    report = {
        "version": policy_reading.label_of(version),
        "compared_with": f"{version.family.key}/{run.baseline.number}",
        "state": run.state,
        "error": run.error,
        "since": run.since,
        "until": run.until,
        "agent_id": run.agent_id,
        "maximum_events": run.maximum_events,
        "seed": run.seed,
        "engine_version": run.engine_version,
        "version_sha256": run.candidate_sha256,
        "compared_with_sha256": run.baseline_sha256,
        "asked_at": run.asked_at,
        "finished_at": run.finished_at,
        "events": run.events,
        "considered": run.considered,
        "not_replayable": run.not_replayable,
        "counts": run.counts,
        "groups": run.groups,
        "examples": run.examples,
    }
    answer = JsonResponse(report, json_dumps_params={"indent": 2, "ensure_ascii": False})
    answer["Content-Disposition"] = f'attachment; filename="simulation-{version.family.key}-{version.number}.json"'
    return answer


def case_of(example: Mapping[str, Any], family: str) -> tuple[dict[str, Any], dict[str, Any]] | None:
    """Make the test that one event of a simulation is: its facts, and what the new version makes of them.

    :return: None where the family has no test of the kind
    """
    facts = {name: value for name, value in example["facts"].items() if value not in (None, [])}
    decided = {"write": "outcome", "access": "allowed", "retention": "days"}.get(family)
    return (facts, {decided: example["after"][decided]}) if decided else None


def example_of(version: PolicyVersion, named: str) -> dict[str, Any]:
    """Find an event of a simulation of a version by ``<simulation>:<place>``.

    :raises NotFound: there is none
    """
    simulation_id, _, place = named.partition(":")
    try:
        run = version.simulations.filter(id=UUID(simulation_id)).first()
        return cast(dict[str, Any], run.examples[int(place)]) if run and place.isdigit() else _missing()
    except (ValueError, IndexError):
        return _missing()


def _missing() -> dict[str, Any]:
    raise NotFound


def _found(simulation_id: UUID) -> tuple[PolicySimulation, PolicyVersion]:
    runs = PolicySimulation.objects.select_related("baseline__family", "candidate__family")
    run = runs.filter(id=simulation_id).first()
    if run is None:
        raise NotFound
    return run, run.candidate


def _report(run: PolicySimulation, version: PolicyVersion) -> dict[str, Any]:
    agent = Agent.objects.filter(id=run.agent_id).values_list("name", flat=True).first() if run.agent_id else None
    return versions.simulation_row(run, version, now=timezone.now()) | {
        "version": version,
        "agent": agent or ("an agent that is gone" if run.agent_id else ""),
        "asked_by": naming.actors({run.asked_by}).get(run.asked_by, "Somebody"),
        "awaits_approval": version.state in (VersionState.DRAFT, VersionState.IN_REVIEW),
        "warnings": _warnings(run),
        "most": min(run.events, run.maximum_events),
        "reasons": simulation_words.reasons_of(run),
        "stored": simulation_words.stored(run),
        "untold": run.counts.get("untold", []),
        "by": _by(run),
        "largest": [_group(one) for one in run.groups],
        "flips": [(name, simulation_words.FLIPS[name]) for name in _flips(run)],
    }


def _warnings(run: PolicySimulation) -> list[str]:
    """Say why the numbers may mislead."""
    if run.state != "succeeded":
        return []
    told = []
    share = run.not_replayable / run.considered if run.considered else 0.0
    if share > LARGE_SHARE:
        told.append(f"{share:.0%} of the events could not be decided again, so the numbers leave much out.")
    if not run.considered:
        told.append("Nothing of the kind happened in this time. The tests of the version are all there is.")
    elif run.considered < FEW_EVENTS:
        few = words.several(run.considered, "event is", "events are")
        told.append(f"{few} too few to tell much. The tests of the version say more.")
    return told


def _by(run: PolicySimulation) -> list[tuple[str, list[tuple[str, list[tuple[str, int]]]]]]:
    """List what came out otherwise by agent, kind, category and channel."""
    found: dict[str, dict[str, dict[Any, int]]] = run.counts.get("by", {})
    return [
        (
            name,
            [
                (simulation_words.value(key, value), [(simulation_words.FLIPS[flip], n) for flip, n in flips.items()])
                for value, flips in sorted(found[key].items())
                if value
            ],
        )
        for key, name in DIMENSIONS.items()
        if any(found.get(key, {}))
    ]


def _flips(run: PolicySimulation) -> list[Any]:
    return list(dict.fromkeys(one["flip"] for one in run.groups))


def _group(group: Mapping[str, Any]) -> dict[str, Any]:
    about = [f"about {words.category(one)}" for one in group["categories"]]
    kind = simulation_words.value("kind", group["kind"]).lower()
    told = [group["agent"], kind, *about, simulation_words.value("channel", group["channel"])]
    return {
        "says": simulation_words.FLIPS[group["flip"]],
        "of": ", ".join(one for one in told if one),
        "events": group["events"],
    }


def _cases(run: PolicySimulation, flip: str) -> list[dict[str, Any]]:
    """List the examples that are kept of what flipped; `flip` leaves out all others."""
    cases = [_case(run, place, one) for place, one in enumerate(run.examples)]
    return [one for one in cases if not flip or one["flip"] == flip]


def _case(run: PolicySimulation, place: int, example: Mapping[str, Any]) -> dict[str, Any]:
    group = run.groups[example["group"]]
    family = run.candidate.family.key
    before, after = (simulation_words.came_to(family, example[name]) for name in ("before", "after"))
    return {"place": place, "flip": group["flip"], **_group(group), "before": before, "after": after}


def _side(version: PolicyVersion, sha256: str, shown: Mapping[str, Any]) -> dict[str, Any]:
    """Say what one version makes of an event, with each rule that decides as the version words it."""
    document = _document(version, sha256)
    said = {rule.id: rule.sentence for rule in sentences.rules_of(document)} if document else {}
    rules = [(one["id"], said.get(one["id"], one["title"])) for one in shown.get("rules", [])]
    return {"version": version, "came_to": simulation_words.came_to(version.family.key, shown), "rules": rules}


def _document(version: PolicyVersion, sha256: str) -> PolicyDocument | None:
    """Read what a version said when it was simulated; None if it says something else by now."""
    if version.content_sha256 != sha256:
        return None
    try:
        return parse(cast(Family, version.family.key), version.content)
    except ValidationError:
        return None
