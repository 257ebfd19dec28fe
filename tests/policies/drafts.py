"""Policies that differ from Baseline 1 in what a test is about, and random ones for properties."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from random import Random
from typing import Any

from hypothesis import strategies as st

from policies import baseline
from policies.documents import (
    AccessMatch,
    AccessPolicy,
    AccessRule,
    ActionRule,
    Purpose,
    RetentionPolicy,
    RetrievalPolicy,
    WriteMatch,
    WritePolicy,
    WriteRule,
)
from policies.engine import STRICTEST_FIRST, ActionFacts, WriteFacts, access_matrix, decide_action


def with_(document: Any, path: str, value: Any) -> Any:
    """Give a document with another value at a dotted path (a rule goes by its id), read anew as if it was typed."""
    content = document.model_dump(mode="json")
    place = content
    *steps, last = path.split(".")
    for step in steps:
        place = _item(place, step) if isinstance(place, list) else place[step]
    place[last] = value
    return type(document).model_validate(content)


def _item(items: list[dict[str, Any]], wanted: str) -> dict[str, Any]:
    return next(one for one in items if wanted in (one.get("id"), one.get("name")))


def write_rule(rule_id: str, outcome: Any, keeps_text: bool = True, **match: Any) -> WriteRule:
    return WriteRule(
        id=rule_id,
        title=f"Rule {rule_id}",
        match=WriteMatch(**match),
        outcome=outcome,
        reason="Because of the test.",
        keeps_text=keeps_text,
    )


def access_rule(rule_id: str, decision: Any, **match: Any) -> AccessRule:
    return AccessRule(id=rule_id, title=f"Rule {rule_id}", match=AccessMatch(**match), decision=decision)


def action_rule(rule_id: str, action: str, decision: Any, **match: Any) -> ActionRule:
    return ActionRule(id=rule_id, title=f"Rule {rule_id}", action=action, match=AccessMatch(**match), decision=decision)


def write(*rules: WriteRule, **fields: Any) -> WritePolicy:
    return baseline.WRITE.model_copy(update={"rules": rules, **fields})


def access(*rules: AccessRule, **fields: Any) -> AccessPolicy:
    return baseline.ACCESS.model_copy(update={"rules": rules, **fields})


# --- random ones, of few enough words that every fact can be tried ---------------------------------------------------

KINDS = ("preference", "fact")
ORIGINS = ("stated", "inferred")
CHANNELS = ("portal", "agent")
CATEGORIES = ("health", "food")
FINDINGS = ("secret", "personal")


Pair = tuple[Any, Any]


def _pairs(make: Callable[[Random], Any], revise: Callable[[Random, Any], Any]) -> st.SearchStrategy[Pair]:
    """Make two documents from a seed, the second a revision of the first or one of its own."""

    def pair(seed: int) -> Pair:
        by = Random(seed)
        before = make(by)
        return before, revise(by, before) if by.random() < 0.5 else make(by)

    return st.integers(0, 2**32).map(pair)


def _some(by: Random, values: Sequence[str]) -> tuple[str, ...]:
    return tuple(by.sample(values, by.randint(1, len(values)))) if by.random() < 0.4 else ()


def _ids(by: Random, letter: str) -> list[str]:
    return [f"{letter}-{number:03}" for number in by.sample(range(1, 6), by.randint(0, 4))]


def _reordered(by: Random, document: Any) -> Any:
    rules = list(document.rules)
    by.shuffle(rules)
    return document.model_copy(update={"rules": tuple(rules[by.randint(0, 1) :])})


RANGES = (None, None, {"below": 0.25}, {"at_least": 0.5}, {"at_least": 0.25, "below": 0.5}, {"at_least": 1.5})


def _write_rule(by: Random, rule_id: str) -> WriteRule:
    return write_rule(
        rule_id,
        by.choice(["accept", "propose", "quarantine", "refuse", "policy_change", "redact"]),
        by.random() < 0.5,
        kinds=_some(by, KINDS),
        origins=_some(by, ORIGINS),
        channels=_some(by, CHANNELS),
        categories=_some(by, CATEGORIES),
        sensitive=by.choice([None, None, True, False]),
        findings=_some(by, FINDINGS),
        agents=_some(by, ["helper"]),
        confidence=by.choice(RANGES),
        is_test=by.choice([None, None, True]),
    )


def _write(by: Random) -> WritePolicy:
    outcome = by.choice(["refuse", "propose"])
    return write(
        *(_write_rule(by, one) for one in _ids(by, "W")),
        default=baseline.WRITE.default.model_copy(update={"outcome": outcome}),
        sensitive_categories=by.choice([(), ("health",), ("food", "health")]),
        refused_text_days=by.choice([0, 30]),
        confidence_caps=baseline.WRITE.confidence_caps.model_copy(update={"stated": by.choice([1.0, 0.3])}),
    )


write_pairs = _pairs(_write, _reordered)

EVERY_WRITE = [
    WriteFacts(
        kind=kind,
        origin=origin,
        channel=channel,
        length=40,
        confidence=confidence,
        importance=0.5,
        categories=frozenset(categories),
        findings=frozenset(findings),
        agent=agent,
        is_test=is_test,
    )
    for kind, origin, channel, confidence, categories, findings, agent, is_test in product(
        (*KINDS, "event"),
        (*ORIGINS, "imported"),
        (*CHANNELS, "tool"),
        (0.0, 0.25, 0.5),
        ((), ("health",), ("food",), ("food", "health")),
        ((), ("secret",), ("personal",), ("personal", "secret")),
        ("helper", None),
        (True, False),
    )
]
"""One write of each sort that random policies can tell apart."""


def _access_rule(by: Random, rule_id: str) -> AccessRule:
    return access_rule(
        rule_id,
        by.choice(["allow", "deny"]),
        kinds=_some(by, KINDS),
        categories=_some(by, CATEGORIES),
        sensitive=by.choice([None, None, True, False]),
        agents=_some(by, ["helper"]),
        purposes=_some(by, ["answer"]),
        without_scope=by.choice([None, None, "memories:sensitive"]),
    )


def _action_rule(by: Random, rule_id: str) -> ActionRule:
    return action_rule(
        rule_id,
        by.choice(["share", "tell"]),
        by.choice(["allow", "deny", "ask_person"]),
        kinds=_some(by, KINDS),
        categories=_some(by, CATEGORIES),
        sensitive=by.choice([None, None, True, False]),
        agents=_some(by, ["helper"]),
        purposes=_some(by, ["answer"]),
        without_scope=by.choice([None, None, "memories:sensitive"]),
    )


def _access(by: Random) -> AccessPolicy:
    return access(
        *(_access_rule(by, one) for one in _ids(by, "A")),
        actions=tuple(_action_rule(by, one) for one in _ids(by, "D")),
        default=access_rule("A-999", by.choice(["deny", "deny", "allow"])),
        sensitive_categories=by.choice([(), ("health",), ("food", "health")]),
    )


access_pairs = _pairs(_access, _reordered)


def everything_open(document: AccessPolicy) -> set[tuple[object, ...]]:
    """List each sort of memory that random policies can tell apart, with each sort of agent that may read it."""
    return {
        (agent, purpose, scopes, kind, categories)
        for agent, purpose, scopes in product(("helper", None), ("answer", "action"), ((), ("memories:sensitive",)))
        for matrix in [access_matrix(document, agent=agent, purpose=purpose, scopes=frozenset(scopes))]
        for kind, categories in product(
            (*KINDS, "event"), ((), ("health",), ("food",), ("food", "health"), ("health", "travel"))
        )
        if matrix.verdict(kind, categories).allowed
    }


def _about_actions(by: Random, document: AccessPolicy) -> AccessPolicy:
    """Shuffle what is said about actions, and leave some of it out."""
    rules = list(document.actions)
    by.shuffle(rules)
    return document.model_copy(update={"actions": tuple(rules[by.randint(0, 1) :])})


action_pairs = _pairs(_access, _about_actions)

EVERY_ACTION = [
    ActionFacts(
        action=action,
        purpose=purpose,
        kinds=frozenset(kinds),
        categories=frozenset(categories),
        agent=agent,
        scopes=frozenset(scopes),
    )
    for action, purpose, kinds, categories, agent, scopes in product(
        ("share", "tell", "sell"),
        ("answer", "action"),
        ((), ("fact",), ("preference",), ("event",), ("fact", "preference")),
        ((), ("health",), ("food",), ("food", "health"), ("travel",)),
        ("helper", None),
        ((), ("memories:sensitive",)),
    )
]
"""One action of each sort that random policies can tell apart."""


def freedom(document: AccessPolicy, facts: ActionFacts) -> int:
    """Say how much an agent may do, from nothing."""
    return STRICTEST_FIRST.index(decide_action(document, facts).decision)


def _retention(by: Random) -> RetentionPolicy:
    content = baseline.RETENTION.model_dump(mode="json")
    for kind in ("preference", "event"):
        for origin in ORIGINS:
            content["days"][kind][origin] = by.choice([None, 30, 90, 365])
    limits = [(by.choice(["eu", "us"]), by.choice([10, 100, 1_000])) for _ in range(by.randint(0, 2))]
    content["region_limits"] = [{"region": region, "maximum_days": days} for region, days in limits]
    return RetentionPolicy.model_validate(content)


def _fewer_limits(by: Random, document: RetentionPolicy) -> RetentionPolicy:
    return document.model_copy(update={"region_limits": document.region_limits[by.randint(0, 1) :]})


retention_pairs = _pairs(_retention, _fewer_limits)


def _purpose(by: Random) -> Purpose:
    content = {
        "name": by.choice(["action", "answer"]),
        "origins": _some(by, ORIGINS),
        "channels": _some(by, CHANNELS),
        "minimum_confidence": by.choice([0.0, 0.5, 1.0]),
        "confirmed_suffices": by.random() < 0.5,
    }
    return Purpose.model_validate(content)


def _retrieval(by: Random) -> RetrievalPolicy:
    purposes = tuple(_purpose(by) for _ in range(by.randint(0, 2)))
    return baseline.RETRIEVAL.model_copy(update={"purposes": purposes})


def _turned(by: Random, document: RetrievalPolicy) -> RetrievalPolicy:
    return document.model_copy(update={"purposes": document.purposes[:: by.choice([-1, 1])]})


retrieval_pairs = _pairs(_retrieval, _turned)
