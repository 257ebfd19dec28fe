"""What a document answers to the facts of a case, by the engine. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from operator import attrgetter
from typing import Any

from policies import wording
from policies.cases.forms import (
    ActionGiven,
    Expected,
    Nothing,
    ProcedureGiven,
    ReadGiven,
    RetentionGiven,
    StaffGiven,
    TrustGiven,
    WriteGiven,
)
from policies.compare.retention import region_maximum
from policies.documents import Part
from policies.engine import (
    ActionFacts,
    ReadFacts,
    WriteFacts,
    allowed_to_read,
    decide_action,
    decide_write,
    expires_at,
    is_trusted_for,
)

SOME_DAY = datetime(2000, 1, 1, tzinfo=UTC)

LIMITS = {
    "k": "k.default",
    "k_maximum": "k.maximum",
    "token_budget": "token_budget.default",
    "token_budget_maximum": "token_budget.maximum",
    "minimum_score": "minimum_score",
    "query_text_days": "query_text_days",
}


@dataclass(frozen=True, slots=True)
class Answer:
    """What came out, the rules or places that decided, and the same in words to stand after “it”."""

    got: Mapping[str, Any]
    rule_ids: tuple[str, ...]
    words: str


def answer(document: Any, given: Part, expected: Expected) -> Answer:
    """Ask a document of the family that a case belongs to; of limits, those that are expected."""
    match given:
        case WriteGiven():
            return _write(document, given)
        case ReadGiven():
            return _read(document, given)
        case ActionGiven():
            return _action(document, given)
        case StaffGiven():
            sight = getattr(document.staff, given.role)
            return Answer({"sight": sight}, (f"staff.{given.role}",), f"shows {wording.SIGHTS[sight]}")
        case RetentionGiven():
            return _retention(document, given)
        case TrustGiven():
            return _trust(document, given)
        case Nothing():
            return _limits(document, expected)
        case ProcedureGiven():
            return _procedure(document, given)
    raise TypeError(type(given))


def _write(document: Any, given: WriteGiven) -> Answer:
    facts = WriteFacts(
        **{**dict(given), "categories": frozenset(given.categories), "findings": frozenset(given.findings)}
    )
    verdict = decide_write(document, facts)
    got = {"outcome": verdict.outcome, "rules": list(verdict.rule_ids), "redact": sorted(verdict.redact)}
    return Answer(got, verdict.rule_ids, f"{wording.OUTCOMES[verdict.outcome]} ({_rules(verdict.rule_ids)})")


def _read(document: Any, given: ReadGiven) -> Answer:
    facts = ReadFacts(**{**dict(given), "categories": frozenset(given.categories), "scopes": frozenset(given.scopes)})
    verdict = allowed_to_read(document, facts)
    words = wording.OUTCOMES["allow" if verdict.allowed else "deny"]
    got = {"allowed": verdict.allowed, "rules": [verdict.rule_id]}
    return Answer(got, (verdict.rule_id,), f"{words} ({_rules((verdict.rule_id,))})")


def _action(document: Any, given: ActionGiven) -> Answer:
    sets = {name: frozenset(getattr(given, name)) for name in ("kinds", "categories", "scopes")}
    verdict = decide_action(document, ActionFacts(**{**dict(given), **sets}))
    got = {"decision": verdict.decision, "rules": list(verdict.rule_ids)}
    return Answer(got, verdict.rule_ids, f"{wording.DECISIONS[verdict.decision]} ({_rules(verdict.rule_ids)})")


def _rules(rule_ids: tuple[str, ...]) -> str:
    return f"rule{'s' if len(rule_ids) > 1 else ''} {wording.together(rule_ids)}"


def _retention(document: Any, given: RetentionGiven) -> Answer:
    asked = SOME_DAY + timedelta(days=given.asked_days) if given.asked_days is not None else None
    end = expires_at(document, kind=given.kind, origin=given.origin, at=SOME_DAY, asked=asked, region=given.region)
    days = None if end is None else (end - SOME_DAY).days
    own = getattr(getattr(document.days, given.kind), given.origin)
    decided: tuple[str, ...] = ()
    if days == own:
        decided = (f"days.{given.kind}.{given.origin}",)
    elif given.region is not None and days == region_maximum(document, given.region):
        decided = (f"region_limits[{given.region}]",)
    return Answer({"days": days}, decided, f"is kept {wording.lasting(days)}")


def _trust(document: Any, given: TrustGiven) -> Answer:
    facts = {name: value for name, value in given if name != "purpose"}
    trusted = is_trusted_for(document.purpose(given.purpose), **facts)
    is_listed = any(one.name == given.purpose for one in document.purposes)
    decided = f"purposes[{given.purpose}]" if is_listed else "other_purposes"
    return Answer({"trusted": trusted}, (decided,), "may serve the purpose" if trusted else "may not serve the purpose")


def _limits(document: Any, expected: Expected) -> Answer:
    got = {name: attrgetter(LIMITS[name])(document) for name in expected.wanted}
    held = wording.together(f"{wording.number(value)} as {wording.name(name)}" for name, value in got.items())
    return Answer(got, tuple(LIMITS[name] for name in got), f"has {held}")


def _procedure(document: Any, given: ProcedureGiven) -> Answer:
    named = next((one for one in document.procedures if one.name == given.name), None)
    if named is None:
        return Answer({"found": False, "text": ""}, (), "is not there")
    found = not named.agents or given.agent in named.agents
    got = {"found": found, "text": named.text if found else ""}
    return Answer(got, (f"procedures[{given.name}]",), "is there" if found else "is not for that agent")
