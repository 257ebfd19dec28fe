"""What the vocabulary of actions says, and how it fails."""

from typing import Any

import pytest

from policies import baseline
from policies.documents import AccessPolicy
from policies.engine import FAILED_RULE, ActionFacts, decide_action
from tests.policies.drafts import access, action_rule

RIGHT = frozenset({"memories:sensitive"})


def facts(action: str = "share", **more: Any) -> ActionFacts:
    return ActionFacts(**{"action": action, "purpose": "answer", **more})


def test_the_first_rule_about_the_action_decides() -> None:
    document = access(
        actions=(
            action_rule("D-001", "tell", "allow"),
            action_rule("D-002", "share", "ask_person", purposes=("answer",)),
            action_rule("D-003", "share", "deny"),
        )
    )

    said = decide_action(document, facts())

    assert (said.decision, said.rule_ids, said.reason) == ("ask_person", ("D-002",), "Rule D-002")
    assert decide_action(document, facts(purpose="action")).rule_ids == ("D-003",)


@pytest.mark.parametrize("document", [baseline.ACCESS, access(actions=())], ids=["baseline", "no vocabulary"])
def test_what_is_not_listed_is_denied(document: AccessPolicy) -> None:
    said = decide_action(document, facts("sell_the_house"))

    assert (said.decision, said.rule_ids) == ("deny", ("X-001",))


def test_of_several_kinds_and_categories_the_strictest_answer_counts_with_each_rule_that_gives_it() -> None:
    document = access(
        actions=(
            action_rule("D-001", "share", "deny", kinds=("event",)),
            action_rule("D-002", "share", "deny", categories=("food",)),
            action_rule("D-003", "share", "ask_person", sensitive=True),
            action_rule("D-004", "share", "allow"),
        )
    )

    def said(**more: list[str]) -> tuple[str, tuple[str, ...]]:
        sets: dict[str, Any] = {name: frozenset(value) for name, value in more.items()}
        verdict = decide_action(document, facts(**sets))
        return verdict.decision, verdict.rule_ids

    assert said(kinds=["fact"]) == ("allow", ("D-004",))
    assert said(kinds=["fact"], categories=["travel", "health"]) == ("ask_person", ("D-003",))
    assert said(kinds=["event", "fact"], categories=["food", "health"]) == ("deny", ("D-001", "D-002"))
    assert said() == ("deny", ("D-001",))  # every kind is meant


def test_the_right_to_read_and_the_agent_count() -> None:
    document = access(
        actions=(
            action_rule("D-001", "share", "deny", sensitive=True, without_scope="memories:sensitive"),
            action_rule("D-002", "share", "allow", agents=("helper",)),
        )
    )
    health = facts(categories=frozenset({"health"}), agent="helper")

    assert decide_action(document, health).decision == "deny"
    assert (
        decide_action(document, facts(categories=health.categories, agent="helper", scopes=RIGHT)).decision == "allow"
    )
    assert decide_action(document, facts(agent="other")).rule_ids == ("X-001",)


def test_what_cannot_be_decided_is_denied() -> None:
    broken = baseline.ACCESS.model_copy(update={"actions": None})

    said = decide_action(broken, facts())

    assert (said.decision, said.rule_ids) == ("deny", (FAILED_RULE,))


def test_an_id_is_used_once_among_all_rules_and_none_stands_for_what_is_not_listed() -> None:
    for taken in (baseline.ACCESS.rules[0].id, baseline.ACCESS.default.id, "X-001"):
        content = baseline.ACCESS.model_dump(mode="json")
        content["actions"][0]["id"] = taken
        with pytest.raises(ValueError, match="used twice"):
            AccessPolicy.model_validate(content)


def test_a_document_without_a_vocabulary_is_read_and_allows_no_action() -> None:
    content = baseline.ACCESS.model_dump(mode="json")
    del content["actions"]

    document = AccessPolicy.model_validate(content)

    assert {decide_action(document, facts(rule.action)).decision for rule in baseline.ACCESS.actions} == {"deny"}
