"""Ordered rules read as steps: each applies to a set of facts, and the first one that decides ends the walk. Pure."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import get_args

from policies.documents import (
    CHANNELS,
    KINDS,
    ORIGINS,
    UNLISTED,
    AccessMatch,
    AccessPolicy,
    AccessRule,
    ActionRule,
    Range,
    SubjectKind,
    WriteMatch,
    WritePolicy,
)
from policies.meaning.regions import Condition, Match, Search, Space

ANY_OTHER = None
"""Stands for every agent, purpose or category that no rule names."""

NUMBERS = ("confidence", "importance", "length")


@dataclass(frozen=True, slots=True)
class Step:
    """One rule, or the default at the end.

    ``outcome`` is what follows: the outcome of a write, or of :func:`outcome_of`. ``redacts`` names the findings whose
    words a redacting rule replaces; such a rule decides nothing.
    """

    id: str
    match: Match
    outcome: str
    keeps_text: bool = False
    redacts: frozenset[str] = frozenset()

    @property
    def decides(self) -> bool:
        """Tell whether the walk ends here for the facts it applies to."""
        return self.outcome != "redact"


@dataclass(frozen=True, slots=True)
class Reading:
    """One document as steps, the default last, in a space that it may share with another document."""

    space: Space
    steps: tuple[Step, ...]
    sensitive: Condition
    """Asks for facts about something sensitive by this document."""

    def before(self, at: int) -> list[Match]:
        """List what the deciding steps before a position apply to."""
        return [step.match for step in self.steps[:at] if step.decides]

    def is_reached(self, at: int, search: Search, *also: Condition) -> bool | None:
        """Tell whether a step gets any facts, of those for which more conditions hold; None if that takes too long."""
        return search.finds(self.space.everything.matching((*self.steps[at].match, *also)), self.before(at))


# --- write -----------------------------------------------------------------------------------------------------------


def read_write(*documents: WritePolicy) -> list[Reading]:
    """Read write policies as steps in one space, so that they can be compared."""
    space = _write_space(documents)
    return [Reading(space, tuple(_write_steps(one, space)), space.has(one.sensitive_categories)) for one in documents]


def finding(name: str) -> str:
    """Name the mark of a screening finding."""
    return f"finding {name}"


def _write_space(documents: Sequence[WritePolicy]) -> Space:
    matches = [rule.match for document in documents for rule in document.rules]
    return Space(
        {
            "kinds": KINDS,
            "origins": ORIGINS,
            "channels": CHANNELS,
            "subject_kinds": get_args(SubjectKind),
            "agents": _named(match.agents for match in matches),
            "is_test": (False, True),
            **{name: _cuts(name, (getattr(match, name) for match in matches)) for name in NUMBERS},
        },
        {
            *(finding(name) for match in matches for name in match.findings),
            finding("secret"),
            *(category for match in matches for category in match.categories),
            *(category for document in documents for category in document.sensitive_categories),
        },
    )


def _write_steps(document: WritePolicy, space: Space) -> Iterator[Step]:
    for rule in document.rules:
        yield Step(
            id=rule.id,
            match=tuple(_write_conditions(rule.match, document, space)),
            outcome=rule.outcome,
            keeps_text=rule.keeps_text,
            redacts=frozenset(rule.match.findings) if rule.outcome == "redact" else frozenset(),
        )
    yield Step(id=document.default.id, match=(), outcome=document.default.outcome, keeps_text=True)


def _write_conditions(match: WriteMatch, document: WritePolicy, space: Space) -> Iterator[Condition]:
    for name in ("kinds", "origins", "channels", "subject_kinds", "agents"):
        if wanted := getattr(match, name):
            yield space.among(name, wanted)
    if match.is_test is not None:
        yield space.among("is_test", [match.is_test])
    if match.sensitive is not None:
        ask = space.has if match.sensitive else space.lacks
        yield ask(document.sensitive_categories)
    if match.findings:
        yield space.has(finding(name) for name in match.findings)
    if match.categories:
        yield space.has(match.categories)
    for name in NUMBERS:
        if (wanted := getattr(match, name)) is not None:
            yield space.among(name, [cut for cut in space.values(name) if _covers(wanted, cut)])


def _cuts(name: str, ranges: Iterable[Range | None]) -> tuple[float, ...]:
    """Cut a number line at every bound: each interval goes by its lower end, and a bound nothing can reach is none."""
    bounds = [bound for one in ranges if one is not None for bound in (one.at_least, one.below) if bound is not None]
    if name == "length":
        return tuple(sorted({0.0, *(float(math.ceil(bound)) for bound in bounds if bound > 0)}))
    return tuple(sorted({0.0, *(bound for bound in bounds if 0 < bound <= 1)}))


def _covers(wanted: Range, value: float) -> bool:
    return (wanted.at_least is None or value >= wanted.at_least) and (wanted.below is None or value < wanted.below)


# --- access ----------------------------------------------------------------------------------------------------------


def read_access(*documents: AccessPolicy) -> list[Reading]:
    """Read access policies as steps in one space.

    A memory of several categories is as open as the most closed of them, so that one category at a time tells all.
    """
    space = _access_space(documents)
    return [
        Reading(space, tuple(_access_steps(one, space)), space.among("categories", one.sensitive_categories))
        for one in documents
    ]


def read_actions(*documents: AccessPolicy) -> list[Reading]:
    """Read what access policies say about actions as steps in one space; the last one holds for what no rule allows."""
    space = _access_space(documents)
    return [
        Reading(space, tuple(_action_steps(one, space)), space.among("categories", one.sensitive_categories))
        for one in documents
    ]


def outcome_of(rule: AccessRule | ActionRule) -> str:
    """Name what follows from a rule of an access policy: reading and doing are allowed in different words."""
    if isinstance(rule, ActionRule) and rule.decision != "ask_person":
        return f"{rule.decision}_action"
    return rule.decision


def _access_space(documents: Sequence[AccessPolicy]) -> Space:
    matches = [rule.match for document in documents for rule in document.rules]
    matches += [rule.match for document in documents for rule in document.actions]
    categories = [match.categories for match in matches] + [one.sensitive_categories for one in documents]
    return Space(
        {
            "actions": _named([rule.action] for document in documents for rule in document.actions),
            "kinds": KINDS,
            "categories": _named(categories),
            "agents": _named(match.agents for match in matches),
            "purposes": _named(match.purposes for match in matches),
        },
        (match.without_scope for match in matches if match.without_scope is not None),
    )


def _access_steps(document: AccessPolicy, space: Space) -> Iterator[Step]:
    for rule in (*document.rules, document.default):
        yield Step(id=rule.id, match=tuple(_access_conditions(rule.match, document, space)), outcome=outcome_of(rule))


def _action_steps(document: AccessPolicy, space: Space) -> Iterator[Step]:
    for rule in document.actions:
        match = (space.among("actions", [rule.action]), *_access_conditions(rule.match, document, space))
        yield Step(id=rule.id, match=match, outcome=outcome_of(rule))
    yield Step(id=UNLISTED.id, match=(), outcome=outcome_of(UNLISTED))


def _access_conditions(match: AccessMatch, document: AccessPolicy, space: Space) -> Iterator[Condition]:
    for name in ("kinds", "categories", "agents", "purposes"):
        if wanted := getattr(match, name):
            yield space.among(name, wanted)
    if match.sensitive is not None:
        sensitive = space.among("categories", document.sensitive_categories)
        yield sensitive if match.sensitive else sensitive.negated
    if match.without_scope is not None:
        yield space.lacks([match.without_scope])


def _named(lists: Iterable[Iterable[str]]) -> tuple[str | None, ...]:
    return (*sorted({name for names in lists for name in names}), ANY_OTHER)
