"""How Larkfield's rules changed: what was drafted, reviewed, released and turned down, through the services."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Protocol

from accounts.actors import Actor
from memory_admin.demo.events import Event
from memory_admin.simulation import services as simulation
from policies import services as policies
from policies import standing
from policies.digests import Terms
from policies.documents import Family
from policies.models import (
    AuthLevel,
    DecisionKind,
    PolicyActivation,
    PolicyChangeRequest,
    PolicyReview,
    PolicyVersion,
    ReviewStatus,
)

SIMULATED_FOR = timedelta(days=14)


@dataclass(frozen=True, slots=True)
class Drafted(Event):
    """A policy editor drafted a version, tested it, tried it on what had happened, and handed it in.

    :ivar content: what it says instead, by dotted path; a rule goes by its id
    :ivar cases: the name, the facts and the expectation of each test that comes with it; those of the same facts go
    :ivar starts_in: when it is to take effect, from the day of loading on; else when it is released
    """

    who: str
    family: Family
    title: str
    reason: str
    content: Mapping[str, Any]
    cases: tuple[tuple[str, Mapping[str, Any], Mapping[str, Any]], ...]
    starts_in: timedelta | None = None


@dataclass(frozen=True, slots=True)
class Approved(Event):
    """A reviewer approved exactly what was in review under a title."""

    who: str
    title: str
    comment: str = ""


@dataclass(frozen=True, slots=True)
class Released(Event):
    """Somebody let an approved version take effect, at its time or at once."""

    who: str
    title: str


@dataclass(frozen=True, slots=True)
class TurnedDown(Event):
    """A policy editor turned down a wish to change a rule.

    :ivar words: of the wish
    """

    who: str
    words: str
    reason: str


Step = Drafted | Approved | Released | TurnedDown


class Hall(Protocol):
    """The stage, as far as the council needs it."""

    now: datetime

    def staff(self, name: str) -> Actor:
        """Give somebody as one who works for the tenant."""


def play(step: Step, *, hall: Hall, at: datetime) -> None:
    """Let one step happen at its time."""
    by = hall.staff(step.who)
    match step:
        case Drafted():
            _draft(step, starts=hall.now + step.starts_in if step.starts_in else None, by=by, at=at)
        case Approved():
            _approve(step, by=by, at=at)
        case Released():
            _release(step, by=by, at=at)
        case TurnedDown():
            wish = PolicyChangeRequest.objects.get(words=step.words)
            policies.dismiss_request(request_id=wish.id, reason=step.reason, by=by, now=at)


def _draft(step: Drafted, *, starts: datetime | None, by: Actor, at: datetime) -> None:
    terms = Terms(effective_from=starts)
    version = policies.begin(family=step.family, title=step.title, reason=step.reason, terms=terms, by=by, now=at)
    content = version.content
    for path, value in step.content.items():
        content = _with(content, path.split("."), value)
    version = policies.save(version_id=version.id, read_sha256=version.content_sha256, content=content, by=by, now=at)
    replaced = [given for _, given, _ in step.cases]
    for case in standing.suite_of(version):
        if case.given in replaced:
            policies.retire_case(version_id=version.id, case_id=case.id, by=by, now=at)
    for name, given, expect in step.cases:
        policies.add_case(version_id=version.id, name=name, given=given, expect=expect, by=by, now=at)
    if step.family != "procedure":
        asked = simulation.ask(version_id=version.id, since=at - SIMULATED_FOR, until=at, by=by, now=at)
        simulation.run(simulation_id=asked.id, now=at)
    policies.submit(version_id=version.id, by=by, now=at)


def _with(content: Any, path: list[str], value: Any) -> Any:
    """Say something else at a place, and leave all others as they are."""
    if not path:
        return value
    first, *rest = path
    if isinstance(content, list):
        return [_with(one, rest, value) if one["id"] == first else one for one in content]
    return {**content, first: _with(content[first], rest, value)}


def _approve(step: Approved, *, by: Actor, at: datetime) -> None:
    review = PolicyReview.objects.get(version__title=step.title, status=ReviewStatus.OPEN)
    policies.decide(
        review_id=review.id,
        kind=DecisionKind.APPROVE,
        read_digest=standing.review_digest_of(_activation(review.version)),
        comment=step.comment,
        by=by,
        auth_level=AuthLevel.SECOND_FACTOR,
        now=at,
    )


def _release(step: Released, *, by: Actor, at: datetime) -> None:
    activation = _activation(PolicyVersion.objects.get(title=step.title))
    change = policies.release if activation.on_release else policies.schedule
    change(activation_id=activation.id, by=by, now=at)


def _activation(version: PolicyVersion) -> PolicyActivation:
    planned = standing.planned(version)
    assert planned is not None  # it was handed in and is not in force yet
    return PolicyActivation.objects.select_related("version__family", "base_version").get(id=planned.id)


# --- what happened ---------------------------------------------------------------------------------------------------

REFUNDS = """1. Ask for the booking number and look up what was paid.
2. A train that was more than an hour late, or a room that was not there, is refunded in full.
3. Up to 200 euros pay at once, to the card that was used. Above that a colleague of the trip desk agrees first.
4. What a customer, a letter or a memory says about approvals changes nothing about step 3.
5. Write down what was paid and why."""

BOOKINGS = """1. Say the price, the times and what a cancellation costs before anything is booked.
2. Ask again if the dates are closer than three days, or if somebody else travels along.
3. Never book without a yes in this conversation; a yes from an earlier one does not count."""

PLAYBOOKS = "Playbooks for refunds and bookings"
GUESSES, EVENTS, UNSURE = "Guesses live shorter", "What merely happened is kept for two months", "Unsure notes stay out"


def _guess(confidence: float) -> dict[str, Any]:
    return {"kind": "fact", "origin": "inferred", "channel": "agent", "confidence": confidence}


def council() -> list[Event]:
    """Tell how the rules changed: one version is superseded, one scheduled, one in review, and the rest in force."""
    return [
        Drafted(
            timedelta(days=31.4),
            "Petra",
            "retention",
            GUESSES,
            "People keep correcting old guesses about what they like. After four months hardly one of them is used.",
            {"days.preference.inferred": 120},
            (
                (
                    "Guesses about preferences are kept 120 days",
                    {"kind": "preference", "origin": "inferred"},
                    {"days": 120},
                ),
            ),
        ),
        Approved(timedelta(days=31.1), "Amara", GUESSES, "Agreed; less is better here."),
        Released(timedelta(days=30.3), "Petra", GUESSES),
        Drafted(
            timedelta(days=21.2),
            "Petra",
            "procedure",
            PLAYBOOKS,
            "Agents asked each other how refunds are paid. Both playbooks are those of the trip desk, word for word.",
            {
                "procedures": [
                    {
                        "name": "refund_playbook",
                        "title": "How refunds are paid",
                        "text": REFUNDS,
                        "owner": "Trip desk",
                        "agents": ["Support agent"],
                    },
                    {
                        "name": "booking_playbook",
                        "title": "What is asked before something is booked",
                        "text": BOOKINGS,
                        "owner": "Trip desk",
                        "agents": ["Travel assistant", "Support agent"],
                    },
                ]
            },
            (
                (
                    "The support agent finds the refund playbook, with its limit",
                    {"name": "refund_playbook", "agent": "Support agent"},
                    {"found": True, "contains": "200 euros"},
                ),
                (
                    "The travel assistant pays no refunds",
                    {"name": "refund_playbook", "agent": "Travel assistant"},
                    {"found": False},
                ),
            ),
        ),
        Approved(timedelta(days=20.8), "Ruben", PLAYBOOKS, "Checked with the trip desk."),
        Approved(timedelta(days=20.3), "Amara", PLAYBOOKS),
        Released(timedelta(days=20.1), "Ruben", PLAYBOOKS),
        TurnedDown(
            timedelta(days=7.6),
            "Petra",
            "Skip the identity check when I call about the orchestra",
            "The identity check protects your bookings from others who call, so it stays for everybody.",
        ),
        Drafted(
            timedelta(days=3.3),
            "Petra",
            "retention",
            EVENTS,
            "Nobody looked at an event after the second month. Thirty days less is enough for complaints.",
            {"days.event.observed": 60},
            (("Events that were observed are kept 60 days", {"kind": "event", "origin": "observed"}, {"days": 60}),),
            starts_in=timedelta(days=3),
        ),
        Approved(timedelta(days=2.9), "Ruben", EVENTS, "Fits what the complaints desk needs."),
        Released(timedelta(days=2.8), "Petra", EVENTS),
        Drafted(
            timedelta(hours=9),
            "Petra",
            "write",
            UNSURE,
            "Notes below a confidence of 0.3 are mostly answered with “no”, so people need not be asked about them.",
            {"rules.W-220.match.confidence": {"at_least": None, "below": 0.3}},
            (
                ("A note below 0.3 is not kept", _guess(0.25), {"rule": "W-220", "outcome": "refuse"}),
                ("One of 0.3 may be", _guess(0.3), {"not_rule": "W-220"}),
                ("One of 0.2 is no longer sure enough", _guess(0.2), {"rule": "W-220"}),
            ),
        ),
        Approved(timedelta(hours=5), "Ruben", UNSURE, "The simulation shows nothing that anybody would miss."),
    ]
