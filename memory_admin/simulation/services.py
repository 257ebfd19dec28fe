"""Simulating: a version is held against what happened in a stretch of time, in parts, in the background."""

from __future__ import annotations

import logging
from datetime import datetime, timedelta
from uuid import UUID

from django.db import transaction
from pydantic import ValidationError

from accounts.actors import Actor
from accounts.models import Agent
from memory_admin import audit, jobs
from memory_admin.audit import Action
from memory_admin.errors import Conflict, Invalid
from memory_admin.simulation.replays import REPLAYS
from memory_admin.simulation.tally import Tally
from policies import standing
from policies.baseline import BASELINE
from policies.documents import PolicyDocument, parse
from policies.engine import ENGINE_VERSION
from policies.models import PolicySimulation, PolicyVersion, SimulationState
from policies.roles import APPROVERS, EDITORS, refuse_others
from policies.services import reviewing

logger = logging.getLogger(__name__)

LONGEST_WINDOW = timedelta(days=90)
MOST_EVENTS = 100_000
DEFAULT_EVENTS = 10_000
PART = 2_000
"""How many events are decided in one transaction, after which a page can say how far it has come."""

LASTS = timedelta(minutes=15)
"""A simulation that takes longer has failed."""

UNFINISHED = (SimulationState.PENDING, SimulationState.RUNNING)


class NothingToReplay(Conflict):
    code = "nothing_to_replay"
    sentence = "Procedures decide nothing about what happened, so there is nothing to simulate."


class NothingToCompare(Conflict):
    code = "nothing_to_compare"
    sentence = "No version decides in this scope yet, so there is nothing to compare with."


class Unreadable(Conflict):
    code = "unreadable"
    sentence = "The draft has errors. Correct them first."


class RunsAlready(Conflict):
    """``details["simulation"]`` is the one that runs."""

    code = "runs_already"
    sentence = "A simulation of this version is running."


class _Stopped(Exception):
    """Why a simulation cannot go on, in a sentence."""


@transaction.atomic
def ask(
    *,
    version_id: UUID,
    since: datetime,
    until: datetime,
    by: Actor,
    now: datetime,
    agent_id: UUID | None = None,
    maximum_events: int = DEFAULT_EVENTS,
    seed: int = 0,
) -> PolicySimulation:
    """Ask what a version would have decided about what happened from ``since`` until before ``until``.

    It is compared with what it is to replace. Events beyond the maximum are left out at random, by the seed.

    :param agent_id: only what this agent did; left out, the agent the version is meant for, if it is meant for one
    :raises NotAllowed: the actor neither edits nor approves policies
    :raises NotFound: there is no such version
    :raises Invalid: the window, the agent, the number or the seed is not acceptable
    :raises NothingToReplay: the version is one of procedures
    :raises NothingToCompare: nothing decides in its scope
    :raises Unreadable: the draft does not say what the engine can read
    :raises RunsAlready: one of this version is not finished
    """
    refuse_others(by, (*EDITORS, *APPROVERS))
    version = standing.locked_version(version_id)
    _refuse_nonsense(since, until, agent_id, maximum_events, seed, now=now)
    if version.family.key not in REPLAYS:
        raise NothingToReplay
    planned = standing.planned(version)
    baseline = planned.base_version if planned else version.base_version
    if baseline is None:
        raise NothingToCompare
    try:
        parse(version.family.key, version.content)
    except ValidationError as error:
        raise Unreadable from error
    running = PolicySimulation.objects.filter(candidate_id=version.id, state__in=UNFINISHED).first()
    if running is not None:
        raise RunsAlready(details={"simulation": str(running.id)})
    simulation = PolicySimulation.objects.create(
        candidate=version,
        baseline=baseline,
        candidate_sha256=version.content_sha256,
        baseline_sha256=baseline.content_sha256,
        engine_version=ENGINE_VERSION,
        since=since,
        until=until,
        agent_id=agent_id or (planned.agent_id if planned else None),
        maximum_events=maximum_events,
        seed=seed,
        asked_by=by.ref,
        asked_at=now,
    )
    jobs.after_commit(jobs.RUN_SIMULATION, object_id=simulation.id)
    # Whatever happens to the parts, somebody sees to it that it ends.
    jobs.after_commit(jobs.RUN_SIMULATION, object_id=simulation.id, epoch=-1, at=now + LASTS)
    audit.record(
        action=Action.POLICY_SIMULATED,
        by=by,
        target=("policy_version", version.id),
        at=now,
        policy_version=version.label,
        payload={"simulation": str(simulation.id), "baseline": f"{version.family.key}/{baseline.number}"},
    )
    return simulation


def events_within(*, version: PolicyVersion, since: datetime, until: datetime) -> int:
    """Count the events that a simulation of a version would choose from; none where the family has no replay."""
    if version.family.key not in REPLAYS:
        return 0
    planned = standing.planned(version)
    window = PolicySimulation(
        candidate=version,
        since=since,
        until=until,
        agent_id=planned.agent_id if planned else None,
        asked_at=until,
    )
    like = BASELINE[version.family.key]
    return REPLAYS[version.family.key](window, baseline=like, candidate=like).events().count()


def _refuse_nonsense(
    since: datetime, until: datetime, agent_id: UUID | None, maximum_events: int, seed: int, *, now: datetime
) -> None:
    fields = {}
    if not since < until <= now:
        fields["until"] = ["The window ends after it begins, and not in the future."]
    elif until - since > LONGEST_WINDOW:
        fields["since"] = [f"A window is at most {LONGEST_WINDOW.days} days long."]
    if not 1 <= maximum_events <= MOST_EVENTS:
        fields["maximum_events"] = [f"Between 1 and {MOST_EVENTS:,} events."]
    if not -(2**63) <= seed < 2**63:
        fields["seed"] = ["A whole number of at most 64 bits."]
    if agent_id is not None and not Agent.objects.filter(id=agent_id).exists():
        fields["agent_id"] = ["There is no such agent."]
    if fields:
        raise Invalid(fields=fields)


@transaction.atomic
def run(*, simulation_id: UUID, now: datetime) -> PolicySimulation | None:
    """Decide the next part of the events again, and queue the rest; one that is over is left as it is.

    One that cannot go on has failed and says why; what it has counted so far stays, and counts as no simulation.

    :return: the simulation as it stands; None without one, or while another worker is at it
    """
    waiting = PolicySimulation.objects.select_for_update(skip_locked=True, of=("self",))
    simulation = waiting.select_related("candidate__family", "baseline").filter(id=simulation_id).first()
    if simulation is None or simulation.state not in UNFINISHED:
        return simulation
    try:
        with transaction.atomic():
            is_over = _go_on(simulation, now=now)
    except _Stopped as why:
        _fail(simulation, str(why), now=now)
    except Exception as error:
        logger.exception("simulation failed", extra={"simulation_id": simulation.id})
        _fail(simulation, f"It could not be carried out ({type(error).__name__}).", now=now)
    else:
        if is_over:
            reviewing.settle_all(version_id=simulation.candidate_id, now=now)
        else:
            jobs.after_commit(jobs.RUN_SIMULATION, object_id=simulation.id, epoch=simulation.considered)
    return simulation


def _fail(simulation: PolicySimulation, why: str, *, now: datetime) -> None:
    simulation.refresh_from_db()
    simulation.state, simulation.error, simulation.finished_at = SimulationState.FAILED, why, now
    simulation.save(update_fields=["state", "error", "finished_at"])


def _go_on(simulation: PolicySimulation, *, now: datetime) -> bool:
    """Decide the next part again and store what it adds; tell whether it was the last."""
    if now >= simulation.asked_at + LASTS:
        raise _Stopped(f"It was not finished after {LASTS // timedelta(minutes=1)} minutes. The numbers are partial.")
    if simulation.engine_version != ENGINE_VERSION:
        raise _Stopped("The engine was replaced meanwhile. Simulate again.")
    replay = REPLAYS[simulation.candidate.family.key](
        simulation,
        baseline=_document(simulation.baseline, simulation.baseline_sha256),
        candidate=_document(simulation.candidate, simulation.candidate_sha256),
    )
    if simulation.state == SimulationState.PENDING:
        simulation.state, simulation.started_at = SimulationState.RUNNING, now
        simulation.events = replay.events().count()
    tally = Tally(simulation.counts, simulation.groups, simulation.examples)
    ids = replay.part(since=simulation.considered, most=min(PART, _left(simulation)))
    replay.decide(ids, tally)
    simulation.considered += len(ids)
    is_over = not ids or not _left(simulation)
    if is_over:
        replay.finish(tally)
        tally.finish()
        simulation.state, simulation.finished_at = SimulationState.SUCCEEDED, now
    simulation.not_replayable = tally.left_out
    simulation.counts, simulation.groups, simulation.examples = tally.counts, tally.groups, tally.examples
    simulation.save()
    return is_over


def _left(simulation: PolicySimulation) -> int:
    return min(simulation.events, simulation.maximum_events) - simulation.considered


def _document(version: PolicyVersion, sha256: str) -> PolicyDocument:
    if version.content_sha256 != sha256:
        raise _Stopped("The version was changed while it was simulated. Simulate again.")
    return parse(version.family.key, version.content)
