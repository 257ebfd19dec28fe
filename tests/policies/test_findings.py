"""What is noticed about a draft: each by one that has it, and one that just has not."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from memory_admin.screening.codes import CODES
from memory_admin.screening.findings import Group
from policies import baseline
from policies.baseline import BASELINE
from policies.documents import FAMILIES, KINDS, ORIGINS, Procedure, ProcedurePolicy, parse
from policies.findings import Surroundings, findings, schema_findings
from policies.findings.names import SCREENED
from tests.policies.drafts import access, access_rule, action_rule, with_, write, write_rule

AROUND = Surroundings(
    agents=frozenset({"helper", "travel"}),
    regions=frozenset({"eu"}),
    categories=frozenset({*baseline.SENSITIVE_CATEGORIES, "food"}),
)


def noticed(family: Any, document: Any, effective: Any = None) -> list[tuple[str, str, str]]:
    found = findings(family, document, effective=effective, surroundings=AROUND)
    assert all(one.sentence[0].isupper() and one.sentence.endswith((".", "?")) for one in found)
    return [(one.code, one.severity, one.path) for one in found]


@pytest.mark.parametrize("family", FAMILIES)
def test_baseline_1_has_one_thing_to_notice(family: Any) -> None:
    """Turns of imported conversations are kept as they are; agents need a right of their own to read them."""
    expected = [("keeps_sensitive_unasked", "security", "rules[W-100]")] if family == "write" else []

    assert noticed(family, BASELINE[family], BASELINE[family]) == expected


SECRETS_REFUSED = write_rule("W-001", "refuse", findings=("secret",))
SENSITIVE_ASKED = write_rule("W-002", "propose", sensitive=True)
SAFE = (SECRETS_REFUSED, SENSITIVE_ASKED)
A_YEAR = with_(baseline.RETENTION, "days", {kind: dict.fromkeys(ORIGINS, 365) for kind in KINDS})


@pytest.mark.parametrize(
    ("code", "path", "has_it", "has_not"),
    [
        (
            "never_matches",
            "rules[W-003].match",
            write(write_rule("W-003", "refuse", confidence={"at_least": 1.1})),
            write(write_rule("W-003", "refuse", confidence={"at_least": 1.0})),
        ),
        (
            "never_matches",
            "rules[W-003].match",
            write(write_rule("W-003", "refuse", sensitive=False, categories=("health",))),
            write(write_rule("W-003", "refuse", sensitive=False, categories=("health", "food"))),
        ),
        (
            "never_reached",
            "rules[W-004]",
            write(
                write_rule("W-003", "refuse", kinds=("fact", "event")), write_rule("W-004", "propose", kinds=("fact",))
            ),
            write(
                write_rule("W-003", "refuse", kinds=("fact",)), write_rule("W-004", "propose", kinds=("fact", "event"))
            ),
        ),
        (
            "never_reached",
            "rules[W-005]",
            write(
                write_rule("W-003", "refuse", confidence={"below": 0.5}),
                write_rule("W-004", "quarantine", confidence={"at_least": 0.5}),
                write_rule("W-005", "propose", kinds=("fact",)),
            ),
            write(
                write_rule("W-003", "refuse", confidence={"below": 0.5}),
                write_rule("W-004", "quarantine", confidence={"at_least": 0.51}),
                write_rule("W-005", "propose", kinds=("fact",)),
            ),
        ),
        (
            "never_reached",
            "rules[A-002]",
            access(access_rule("A-001", "allow"), access_rule("A-002", "deny", agents=("helper",))),
            access(access_rule("A-001", "allow", agents=("travel",)), access_rule("A-002", "deny", agents=("helper",))),
        ),
        (
            "changes_nothing",
            "rules[A-001]",
            access(access_rule("A-001", "deny", kinds=("fact",)), access_rule("A-002", "allow", kinds=("event",))),
            access(
                access_rule("A-001", "deny", kinds=("fact", "event")), access_rule("A-002", "allow", kinds=("event",))
            ),
        ),
        (
            "redacts_nothing",
            "rules[W-003].match.findings",
            write(write_rule("W-003", "redact", kinds=("fact",))),
            write(write_rule("W-003", "redact", findings=("personal",))),
        ),
        (
            "allows_everything",
            "rules",
            write(write_rule("W-003", "accept")),
            write(write_rule("W-003", "accept", kinds=("fact",))),
        ),
        ("allows_everything", "rules", access(access_rule("A-001", "allow")), baseline.ACCESS),
        (
            "refuses_everything",
            "rules",
            write(write_rule("W-003", "policy_change", kinds=("fact",))),
            write(write_rule("W-003", "propose", kinds=("fact",))),
        ),
        (
            "keeps_secrets",
            "rules[W-001]",
            write(write_rule("W-001", "propose"), write_rule("W-002", "refuse", findings=("secret",))),
            write(SECRETS_REFUSED, write_rule("W-003", "propose")),
        ),
        (
            "keeps_sensitive_unasked",
            "rules[W-003]",
            write(SECRETS_REFUSED, write_rule("W-003", "accept", kinds=("fact",))),
            write(*SAFE, write_rule("W-003", "accept", kinds=("fact",))),
        ),
        (
            "keeps_sensitive_unasked",
            "rules[W-003]",
            write(SECRETS_REFUSED, write_rule("W-003", "accept", channels=("portal", "agent"))),
            write(SECRETS_REFUSED, write_rule("W-003", "accept", channels=("portal",))),
        ),
        (
            "opens_sensitive",
            "rules[A-001]",
            access(access_rule("A-001", "allow")),
            access(access_rule("A-001", "allow", sensitive=False)),
        ),
        (
            "acts_on_sensitive",
            "actions[D-001]",
            access(actions=(action_rule("D-001", "share", "ask_person"),)),
            access(actions=(action_rule("D-001", "share", "ask_person", sensitive=False),)),
        ),
        (
            "never_reached",
            "actions[D-002]",
            access(actions=(action_rule("D-001", "share", "deny"), action_rule("D-002", "share", "allow"))),
            access(actions=(action_rule("D-001", "share", "deny"), action_rule("D-002", "tell", "allow"))),
        ),
        (
            "unknown_agent",
            "actions[D-001].match.agents",
            access(actions=(action_rule("D-001", "share", "deny", agents=("helpr",)),)),
            access(actions=(action_rule("D-001", "share", "deny", agents=("helper",)),)),
        ),
        (
            "unknown_agent",
            "rules[W-003].match.agents",
            write(write_rule("W-003", "propose", agents=("helpr",))),
            write(write_rule("W-003", "propose", agents=("helper",))),
        ),
        (
            "unknown_category",
            "rules[W-003].match.categories",
            write(write_rule("W-003", "propose", categories=("foot",))),
            write(write_rule("W-003", "propose", categories=("food",))),
        ),
        (
            "unknown_category",
            "sensitive_categories",
            write(sensitive_categories=("helth",)),
            write(sensitive_categories=("health",)),
        ),
        (
            "unknown_finding",
            "rules[W-003].match.findings",
            write(write_rule("W-003", "refuse", findings=("secrets",))),
            write(write_rule("W-003", "refuse", findings=("secret", "card_number"))),
        ),
        (
            "unknown_region",
            "region_limits[us]",
            with_(baseline.RETENTION, "region_limits", [{"region": "us", "maximum_days": 36_500}]),
            with_(baseline.RETENTION, "region_limits", [{"region": "eu", "maximum_days": 36_500}]),
        ),
        (
            "above_region_maximum",
            "region_limits[eu]",
            with_(A_YEAR, "region_limits", [{"region": "eu", "maximum_days": 364}]),
            with_(A_YEAR, "region_limits", [{"region": "eu", "maximum_days": 365}]),
        ),
        (
            "region_listed_twice",
            "region_limits[eu]",
            with_(baseline.RETENTION, "region_limits", [{"region": "eu", "maximum_days": one} for one in (1, 2)]),
            with_(baseline.RETENTION, "region_limits", [{"region": "eu", "maximum_days": 1}]),
        ),
        (
            "guesses_outlive_statements",
            "days.event.inferred",
            with_(baseline.RETENTION, "days.event.inferred", 91),
            with_(baseline.RETENTION, "days.event.inferred", 90),
        ),
        (
            "fades_at_once",
            "decay.floor",
            with_(baseline.RETENTION, "decay.floor", 0.5),
            with_(baseline.RETENTION, "decay.floor", 0.49),
        ),
        (
            "refuses_everything",
            "minimum_score",
            with_(with_(baseline.RETRIEVAL, "form", "product"), "minimum_score", 2.5),
            with_(with_(baseline.RETRIEVAL, "form", "product"), "minimum_score", 2.4),
        ),
        (
            "purpose_listed_twice",
            "purposes[action]",
            baseline.RETRIEVAL.model_copy(update={"purposes": baseline.RETRIEVAL.purposes * 2}),
            baseline.RETRIEVAL,
        ),
        (
            "serves_nothing",
            "purposes[action]",
            with_(
                with_(baseline.RETRIEVAL, "purposes.action.origins", []), "purposes.action.confirmed_suffices", False
            ),
            with_(baseline.RETRIEVAL, "purposes.action.origins", []),
        ),
        (
            "serves_nothing",
            "other_purposes",
            with_(with_(baseline.RETRIEVAL, "other_purposes.channels", []), "other_purposes.confirmed_suffices", False),
            with_(baseline.RETRIEVAL, "other_purposes.confirmed_suffices", False),
        ),
    ],
)
def test_each_thing_is_noticed_where_it_is_and_not_beside(code: str, path: str, has_it: Any, has_not: Any) -> None:
    family = next(name for name, document in BASELINE.items() if type(document) is type(has_it))

    assert (code, path) in [(one[0], one[2]) for one in noticed(family, has_it)]
    assert (code, path) not in [(one[0], one[2]) for one in noticed(family, has_not)]


def test_a_rule_with_words_of_its_own_changes_something() -> None:
    same = write_rule("W-004", "refuse").model_copy(update={"title": "Rule W-003"})

    assert ("changes_nothing", "suggestion", "rules[W-003]") in noticed(
        "write", write(write_rule("W-003", "refuse", kinds=("fact",)), same)
    )
    assert "changes_nothing" not in [
        one[0]
        for one in noticed(
            "write", write(write_rule("W-003", "refuse", kinds=("fact",)), write_rule("W-004", "refuse"))
        )
    ]


def test_an_agent_of_a_procedure_must_exist() -> None:
    refund = Procedure(name="refund", title="How to refund", text="Ask first.", owner="payments", agents=("travle",))
    document = ProcedurePolicy(procedures=(refund,))

    found = findings("procedure", document, effective=None, surroundings=AROUND)

    assert [one.sentence for one in found] == ["There is no agent “travle”. Is “travel” meant?"]


@pytest.mark.parametrize(
    ("path", "looser", "stricter"),
    [
        ("days.event.inferred", 31, 29),
        ("unanswered_days", 31, 29),
    ],
)
def test_what_allows_more_than_the_version_in_force_is_noticed(path: str, looser: int, stricter: int) -> None:
    def found(days: int) -> list[tuple[str, str, str]]:
        return noticed("retention", with_(baseline.RETENTION, path, days), baseline.RETENTION)

    assert found(looser) == [("allows_more", "security", path)]
    assert found(stricter) == []


def test_scores_that_rise_over_the_same_bar_are_noticed() -> None:
    heavier = with_(baseline.RETRIEVAL, "weights.recency", 0.5)

    assert ("scores_rise", "warning", "minimum_score") in noticed("retrieval", heavier, baseline.RETRIEVAL)
    assert noticed("retrieval", with_(heavier, "minimum_score", 0.4), baseline.RETRIEVAL) == []


def test_the_gravest_comes_first() -> None:
    document = write(write_rule("W-003", "accept"), write_rule("W-004", "refuse", agents=("helpr",)))

    severities = [one[1] for one in noticed("write", document)]

    assert severities == sorted(severities, key=["error", "security", "warning", "suggestion"].index)


def test_it_knows_what_screening_finds() -> None:
    assert frozenset({*CODES, *Group.__args__}) == SCREENED  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("family", "path", "value", "told"),
    [
        (
            "write",
            "rules.W-010.outcome",
            "allow",
            ("rules[0].outcome", "Rules, number 1, outcome: this must be 'accept'"),
        ),
        ("write", "default.surprise", 1, ("default.surprise", "Default, surprise: there is no such field.")),
        ("write", "rules.W-020.id", "W-010", ("", "The policy: rule id W-010 is used twice.")),
        (
            "write",
            "dedupe.near_identical",
            1.5,
            ("dedupe.near_identical", "Dedupe, near identical: this must be at most 1."),
        ),
        (
            "retention",
            "days.event.stated",
            "soon",
            ("days.event.stated", "Days, event, stated: this must be a whole number."),
        ),
        ("retention", "days.event", {}, ("days.event.stated", "Days, event, stated: something must stand here.")),
        (
            "retrieval",
            "token_budget.maximum",
            0,
            ("token_budget.maximum", "Token budget, maximum: this must be at least 1."),
        ),
    ],
)
def test_what_does_not_fit_is_told_in_plain_words(family: Any, path: str, value: Any, told: tuple[str, str]) -> None:
    with pytest.raises(ValidationError) as caught:
        with_(BASELINE[family], path, value)

    first = schema_findings(caught.value)[0]
    assert (first.code, first.severity, first.path) == ("does_not_fit", "error", told[0])
    assert first.sentence.startswith(told[1])


def test_weights_that_weigh_nothing_are_told_of() -> None:
    content = BASELINE["retrieval"].model_dump(mode="json")
    content["weights"] = dict.fromkeys(content["weights"], 0)

    with pytest.raises(ValidationError) as caught:
        parse("retrieval", content)

    assert [one.sentence for one in schema_findings(caught.value)] == ["Weights: weights must not all be zero."]
