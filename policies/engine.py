"""The engine: facts in, verdict out. Pure, and the only place where a policy is read as a decision.

An error inside the engine never lets anything through: a write is refused, a memory is left out.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from policies.documents import (
    KINDS,
    UNLISTED,
    AccessMatch,
    AccessPolicy,
    AccessRule,
    ActionRule,
    Outcome,
    Purpose,
    Range,
    RetentionPolicy,
    WriteDefault,
    WriteMatch,
    WritePolicy,
    WriteRule,
)

logger = logging.getLogger(__name__)

ENGINE_VERSION = "1"
FAILED_RULE = "X-000"
"""The rule id of a verdict that the engine gave because it could not decide."""

NEVER_KEPT = frozenset({"secret"})
"""Findings whose text is stored nowhere, whatever a policy says."""

Needs = Literal["person", "reviewer", "policy_editor"]
WHO_IS_NEEDED: Mapping[Outcome, Needs] = {
    "propose": "person",
    "quarantine": "reviewer",
    "policy_change": "policy_editor",
}


# --- write -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class WriteFacts:
    """Everything a write rule may ask about; no text.

    ``findings`` holds the groups and the codes of the screening together; ``length`` counts characters of the
    statement in canonical form; ``agent`` is the agent's name.
    """

    kind: str
    origin: str
    channel: str
    length: int
    confidence: float
    importance: float
    categories: frozenset[str] = frozenset()
    findings: frozenset[str] = frozenset()
    agent: str | None = None
    subject_kind: str = "user"
    is_test: bool = False


@dataclass(frozen=True, slots=True)
class WriteVerdict:
    """What a write policy says about one statement.

    ``rule_ids`` ends with the rule that decided; the redacting ones stand before it. ``redact`` names the findings
    whose words are replaced by placeholders before anything is stored. ``keep_text_days`` is how long a refused text
    may be kept for the subject alone; 0 means it is kept nowhere.
    """

    outcome: Outcome
    rule_ids: tuple[str, ...]
    title: str
    reason: str
    hint: str | None = None
    redact: frozenset[str] = frozenset()
    needs: Needs | None = None
    keep_text_days: int = 0


def decide_write(document: WritePolicy, facts: WriteFacts) -> WriteVerdict:
    """Decide one write: the first rule that matches decides, redacting rules on the way only mark."""
    try:
        return _decide_write(document, facts)
    except Exception:
        # Fail closed, whatever went wrong: a policy that cannot be read lets nothing in.
        logger.exception("write_policy_failed")
        return WriteVerdict(
            outcome="refuse",
            rule_ids=(FAILED_RULE,),
            title="The rules could not be applied",
            reason="The rules could not be applied, so nothing was kept.",
        )


def _decide_write(document: WritePolicy, facts: WriteFacts) -> WriteVerdict:
    is_sensitive = not facts.categories.isdisjoint(document.sensitive_categories)
    passed: list[str] = []
    redact: set[str] = set()
    deciding: WriteRule | WriteDefault = document.default
    for rule in document.rules:
        if not _write_matches(rule.match, facts, is_sensitive):
            continue
        if rule.outcome != "redact":
            deciding = rule
            break
        passed.append(rule.id)
        redact.update(facts.findings.intersection(rule.match.findings))
    return _write_verdict(document, facts, deciding, (*passed, deciding.id), frozenset(redact))


def _write_verdict(
    document: WritePolicy,
    facts: WriteFacts,
    deciding: WriteRule | WriteDefault,
    rule_ids: tuple[str, ...],
    redact: frozenset[str],
) -> WriteVerdict:
    outcome = deciding.outcome
    assert outcome != "redact"  # a redacting rule never decides
    may_keep = getattr(deciding, "keeps_text", True) and facts.findings.isdisjoint(NEVER_KEPT)
    return WriteVerdict(
        outcome=outcome,
        rule_ids=rule_ids,
        title=deciding.title,
        reason=deciding.reason,
        hint=getattr(deciding, "hint", None),
        redact=redact,
        needs=WHO_IS_NEEDED.get(outcome),
        keep_text_days=document.refused_text_days if outcome == "refuse" and may_keep else 0,
    )


def _write_matches(match: WriteMatch, facts: WriteFacts, is_sensitive: bool) -> bool:
    return (
        (not match.channels or facts.channel in match.channels)
        and (not match.origins or facts.origin in match.origins)
        and (not match.kinds or facts.kind in match.kinds)
        and (match.sensitive is None or match.sensitive == is_sensitive)
        and (not match.findings or not facts.findings.isdisjoint(match.findings))
        and (not match.categories or not facts.categories.isdisjoint(match.categories))
        and (not match.agents or facts.agent in match.agents)
        and (not match.subject_kinds or facts.subject_kind in match.subject_kinds)
        and (match.is_test is None or match.is_test == facts.is_test)
        and _within(match.confidence, facts.confidence)
        and _within(match.importance, facts.importance)
        and _within(match.length, facts.length)
    )


def _within(wanted: Range | None, value: float) -> bool:
    if wanted is None:
        return True
    return (wanted.at_least is None or value >= wanted.at_least) and (wanted.below is None or value < wanted.below)


def confidence_cap(document: WritePolicy, origin: str) -> float:
    """Return the highest confidence a claim of this origin may have; an unknown origin has none."""
    return float(getattr(document.confidence_caps, origin, 0.0))


def origin_ranks(document: WritePolicy) -> dict[str, int]:
    """Return the rank of each origin: a claim supersedes only what ranks no higher than itself."""
    return dict(document.origin_ranks)


def exceeded_rate(
    document: WritePolicy, *, channel: str, by_subject: int, by_agent: int
) -> Literal["subject", "agent"] | None:
    """Say which rate one more write would exceed, given the writes already taken in the current window."""
    rates = document.rates
    if channel in rates.exempt_channels:
        return None
    if by_subject >= rates.per_subject:
        return "subject"
    return "agent" if by_agent >= rates.per_agent else None


# --- retention -------------------------------------------------------------------------------------------------------


def expires_at(
    document: RetentionPolicy,
    *,
    kind: str,
    origin: str,
    at: datetime,
    asked: datetime | None = None,
    region: str | None = None,
) -> datetime | None:
    """Return when a memory recorded ``at`` expires: the soonest of policy, region and wish; None for never.

    :raises AttributeError: the kind or origin is unknown
    """
    days = days_kept(document, kind=kind, origin=origin, region=region)
    ends = [] if days is None else [at + timedelta(days=days)]
    if asked is not None:
        ends.append(asked)
    return min(ends, default=None)


def days_kept(document: RetentionPolicy, *, kind: str, origin: str, region: str | None = None) -> int | None:
    """Return for how many days a memory is kept: the fewer of policy and region; None for no limit.

    :raises AttributeError: the kind or origin is unknown
    """
    days: list[int | None] = [getattr(getattr(document.days, kind), origin)]
    days += [limit.maximum_days for limit in document.region_limits if limit.region == region]
    return min((number for number in days if number is not None), default=None)


# --- access ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ReadFacts:
    """Everything an access rule may ask about one memory and its reader."""

    kind: str
    purpose: str
    categories: frozenset[str] = frozenset()
    agent: str | None = None
    scopes: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class AccessVerdict:
    """Whether a reader may have a memory, and the rule that says so."""

    allowed: bool
    rule_id: str


DENIED_BY_FAILURE = AccessVerdict(allowed=False, rule_id=FAILED_RULE)


def allowed_to_read(document: AccessPolicy, facts: ReadFacts) -> AccessVerdict:
    """Decide whether an agent may read one memory: each of its categories must be allowed."""
    matrix = access_matrix(document, agent=facts.agent, purpose=facts.purpose, scopes=facts.scopes)
    return matrix.verdict(facts.kind, facts.categories)


@dataclass(frozen=True, slots=True)
class Openness:
    """What may be read of one kind: what has no special category, unless it is closed, and what has open ones only."""

    is_open: bool
    open: frozenset[str]
    closed: frozenset[str]


@dataclass(frozen=True, slots=True)
class AccessMatrix:
    """An access policy compiled for one agent, purpose and set of scopes.

    ``plain`` answers for a kind without a category the policy speaks of; ``special`` for each (kind, category) it does
    speak of. Anything outside is denied.
    """

    plain: Mapping[str, AccessVerdict]
    special: Mapping[tuple[str, str], AccessVerdict]

    def verdict(self, kind: str, categories: Iterable[str] = ()) -> AccessVerdict:
        """Answer for one memory; with several categories the first denial decides."""
        answer = self.plain.get(kind, DENIED_BY_FAILURE)
        named = [self.special[kind, category] for category in sorted(categories) if (kind, category) in self.special]
        ordinary = not named or len(named) < len(set(categories))
        answers = [*named, answer] if ordinary else named
        return next((one for one in answers if not one.allowed), answers[0])

    @property
    def open_kinds(self) -> tuple[str, ...]:
        """The kinds of which at least something may be read, in the order of the vocabulary."""
        return tuple(
            kind
            for kind, answer in self.plain.items()
            if answer.allowed or any(one.allowed for (k, _), one in self.special.items() if k == kind)
        )

    def openness(self, kind: str) -> Openness:
        """Sum up the answers for memories of one kind, so that they can be asked for at once.

        What is open may be read unless it has a closed category; what is not must have categories, all of them open.
        """
        special = {category: one.allowed for (k, category), one in self.special.items() if k == kind}
        return Openness(
            is_open=self.plain.get(kind, DENIED_BY_FAILURE).allowed,
            open=frozenset(category for category, allowed in special.items() if allowed),
            closed=frozenset(category for category, allowed in special.items() if not allowed),
        )


def access_matrix(document: AccessPolicy, *, agent: str | None, purpose: str, scopes: frozenset[str]) -> AccessMatrix:
    """Compile an access policy for one reader, so that retrieval asks once and not once per row."""
    try:
        asking = _Reader(agent=agent, purpose=purpose, scopes=scopes)
        rules = [rule for rule in document.rules if asking.is_meant_by(rule.match)]
        named = {category for rule in rules for category in rule.match.categories} | set(document.sensitive_categories)
        sensitive = frozenset(document.sensitive_categories)
        return AccessMatrix(
            plain={kind: _access(rules, document.default, kind, None, False) for kind in KINDS},
            special={
                (kind, category): _access(rules, document.default, kind, category, category in sensitive)
                for kind in KINDS
                for category in sorted(named)
            },
        )
    except Exception:
        # Fail closed: what cannot be decided is not handed out.
        logger.exception("access_policy_failed")
        return AccessMatrix(plain={}, special={})


@dataclass(frozen=True, slots=True)
class _Reader:
    agent: str | None
    purpose: str
    scopes: frozenset[str]

    def is_meant_by(self, match: AccessMatch) -> bool:
        return (
            (not match.agents or self.agent in match.agents)
            and (not match.purposes or self.purpose in match.purposes)
            and (match.without_scope is None or match.without_scope not in self.scopes)
        )


def _access(
    rules: list[AccessRule], default: AccessRule, kind: str, category: str | None, is_sensitive: bool
) -> AccessVerdict:
    rule = next((rule for rule in rules if _is_about(rule.match, kind, category, is_sensitive)), default)
    return AccessVerdict(allowed=rule.decision == "allow", rule_id=rule.id)


def _is_about(match: AccessMatch, kind: str, category: str | None, is_sensitive: bool) -> bool:
    return (
        (not match.kinds or kind in match.kinds)
        and (not match.categories or category in match.categories)
        and (match.sensitive is None or match.sensitive == is_sensitive)
    )


# --- actions ---------------------------------------------------------------------------------------------------------

ActionDecision = Literal["allow", "deny", "ask_person"]
STRICTEST_FIRST: tuple[ActionDecision, ...] = ("deny", "ask_person", "allow")


@dataclass(frozen=True, slots=True)
class ActionFacts:
    """Everything a rule about actions may ask: no memory, and no words.

    ``kinds`` and ``categories`` are of the memories that the action is about. Left out, every kind is meant, because a
    memory always has one; a memory need not have a category.
    """

    action: str
    purpose: str
    kinds: frozenset[str] = frozenset()
    categories: frozenset[str] = frozenset()
    agent: str | None = None
    scopes: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class ActionVerdict:
    """Whether an agent may act, may not, or has to ask the person first; the rules that say so, and why."""

    decision: ActionDecision
    rule_ids: tuple[str, ...]
    reason: str


def decide_action(document: AccessPolicy, facts: ActionFacts) -> ActionVerdict:
    """Decide one action: for each kind and category the first rule that matches, and of those the strictest."""
    try:
        return _decide_action(document, facts)
    except Exception:
        # Fail closed: what cannot be decided is not done.
        logger.exception("action_policy_failed")
        reason = "The rules could not be applied, so it is not allowed."
        return ActionVerdict(decision="deny", rule_ids=(FAILED_RULE,), reason=reason)


def _decide_action(document: AccessPolicy, facts: ActionFacts) -> ActionVerdict:
    asking = _Reader(agent=facts.agent, purpose=facts.purpose, scopes=facts.scopes)
    rules = [rule for rule in document.actions if rule.action == facts.action and asking.is_meant_by(rule.match)]
    categories: list[str | None] = [*sorted(facts.categories)] or [None]
    found: list[ActionRule] = []
    for kind in sorted(facts.kinds) or KINDS:
        for category in categories:
            is_sensitive = category in document.sensitive_categories
            found.append(
                next((rule for rule in rules if _is_about(rule.match, kind, category, is_sensitive)), UNLISTED)
            )
    deciding = min((rule.decision for rule in found), key=STRICTEST_FIRST.index)
    so_say = list(dict.fromkeys(rule for rule in found if rule.decision == deciding))
    return ActionVerdict(decision=deciding, rule_ids=tuple(rule.id for rule in so_say), reason=so_say[0].title)


# --- trust -----------------------------------------------------------------------------------------------------------


def asks_no_less(purpose: Purpose, other: Purpose) -> bool:
    """Say whether whatever carries the trust of one purpose carries that of another as well."""
    return (
        set(purpose.origins) <= set(other.origins)
        and set(purpose.channels) <= set(other.channels)
        and purpose.minimum_confidence >= other.minimum_confidence
        and purpose.confirmed_suffices <= other.confirmed_suffices
    )


def is_trusted_for(purpose: Purpose, *, origin: str, channel: str, confidence: float, is_confirmed: bool) -> bool:
    """Say whether a memory carries the trust that a purpose needs."""
    has_provenance = origin in purpose.origins and channel in purpose.channels
    return confidence >= purpose.minimum_confidence and (
        has_provenance or (purpose.confirmed_suffices and is_confirmed)
    )
