"""Access policies compiled for one reader."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from policies import baseline
from policies.documents import KINDS, AccessMatch, AccessPolicy, AccessRule
from policies.engine import FAILED_RULE, ReadFacts, access_matrix, allowed_to_read
from tests.policies import drafts


def policy(*rules: AccessRule) -> AccessPolicy:
    return baseline.ACCESS.model_copy(update={"rules": rules})


def rule(rule_id: str, decision: Any, **match: Any) -> AccessRule:
    return AccessRule(id=rule_id, title=f"Rule {rule_id}", match=AccessMatch(**match), decision=decision)


def test_each_category_of_a_memory_must_be_allowed() -> None:
    document = policy(rule("A-001", "deny", categories=("salary",)), rule("A-002", "allow"))
    matrix = access_matrix(document, agent="helper", purpose="answer", scopes=frozenset())

    assert matrix.verdict("fact", {"food"}).allowed
    assert matrix.verdict("fact", {"food", "salary"}).rule_id == "A-001"


def test_a_category_that_is_allowed_does_not_open_one_that_is_not() -> None:
    document = policy(rule("A-001", "allow", categories=("food",)))
    matrix = access_matrix(document, agent="helper", purpose="answer", scopes=frozenset())

    assert matrix.verdict("fact", {"food"}).allowed
    assert not matrix.verdict("fact", {"food", "hobby"}).allowed
    assert not matrix.verdict("fact").allowed


def test_a_rule_may_speak_of_one_agent_alone() -> None:
    document = policy(rule("A-001", "deny", agents=("nosy",)), rule("A-002", "allow"))

    assert not allowed_to_read(document, ReadFacts(kind="fact", purpose="answer", agent="nosy")).allowed
    assert allowed_to_read(document, ReadFacts(kind="fact", purpose="answer", agent="helper")).allowed


def test_it_names_what_retrieval_may_look_at() -> None:
    document = policy(rule("A-001", "deny", kinds=("event",)), *baseline.ACCESS.rules)
    matrix = access_matrix(document, agent=None, purpose="answer", scopes=frozenset())

    assert matrix.open_kinds == tuple(kind for kind in KINDS if kind != "event")
    assert matrix.openness("fact").closed == frozenset(baseline.SENSITIVE_CATEGORIES)


def test_an_unknown_kind_is_denied() -> None:
    verdict = allowed_to_read(baseline.ACCESS, ReadFacts(kind="rumour", purpose="answer"))

    assert (verdict.allowed, verdict.rule_id) == (False, FAILED_RULE)


def test_an_engine_error_denies_everything(caplog: pytest.LogCaptureFixture) -> None:
    broken = policy(rule("A-001", "allow").model_copy(update={"match": None}))
    matrix = access_matrix(broken, agent=None, purpose="answer", scopes=frozenset())

    assert matrix.open_kinds == ()
    assert not matrix.verdict("fact").allowed
    assert "access_policy_failed" in caplog.text


@given(
    pair=drafts.access_pairs,
    kind=st.sampled_from(["preference", "fact", "event"]),
    categories=st.frozensets(st.sampled_from(["food", "health", "travel"])),
    purpose=st.sampled_from(["answer", "action"]),
    scopes=st.frozensets(st.sampled_from(["memories:sensitive", "memories:read"])),
)
def test_the_summary_for_a_query_opens_what_the_verdict_opens_and_nothing_else(
    pair: drafts.Pair, kind: str, categories: frozenset[str], purpose: str, scopes: frozenset[str]
) -> None:
    matrix = access_matrix(pair[0], agent="helper", purpose=purpose, scopes=scopes)

    allowed = matrix.verdict(kind, categories).allowed

    openness = matrix.openness(kind)
    in_query = (
        categories.isdisjoint(openness.closed) if openness.is_open else bool(categories) and categories <= openness.open
    )
    assert in_query == allowed
    assert not allowed or kind in matrix.open_kinds
