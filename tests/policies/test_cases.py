"""Test cases of a policy: run, counted, and asked for where a rule has changed."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from policies import baseline
from policies.baseline import BASELINE
from policies.cases import Case, coverage, problems, run_case, run_suite, suite_sha256, untested
from policies.documents import FAMILIES, Procedure, ProcedurePolicy
from policies.starter_cases import STARTER_CASES
from tests.policies.drafts import access, access_rule, with_, write, write_rule

SAID = {"kind": "fact", "origin": "stated", "channel": "user_message"}
REFUND = ProcedurePolicy(
    procedures=(
        Procedure(name="refund", title="How to refund", text="Ask first.", owner="payments", agents=("helper",)),
    )
)
IN_EU = with_(baseline.RETENTION, "region_limits", [{"region": "eu", "maximum_days": 60}])


def case(given: dict[str, Any], /, **expect: Any) -> Case:
    return Case("A case", given, expect)


# --- the suite a tenant starts with ----------------------------------------------------------------------------------


@pytest.mark.parametrize("family", FAMILIES)
def test_baseline_1_passes_its_starter_cases_and_they_reach_all_of_it(family: Any) -> None:
    results = run_suite(family, BASELINE[family], STARTER_CASES[family])

    assert [one for one in results if one.status != "pass"] == []
    assert [one for one, times in coverage(family, BASELINE[family], results).items() if not times] == []
    assert len({one.name for one in results}) == len(results) > 0


@pytest.mark.parametrize("family", FAMILIES)
def test_the_starter_cases_are_enough_to_review_baseline_1(family: Any) -> None:
    if family != "procedure":  # there is none yet, so nothing has changed
        assert untested(family, None, BASELINE[family], ()) != []
    assert untested(family, None, BASELINE[family], STARTER_CASES[family]) == []


@pytest.mark.parametrize(
    ("family", "path", "value"),
    [
        ("write", "rules.W-400.outcome", "accept"),
        ("write", "rules.W-110.match.origins", ["observed"]),
        ("access", "rules.A-020.match.kinds", ["event"]),
        ("access", "staff.reviewer", "content"),
        ("retention", "days.fact.imported", 364),
        ("retrieval", "k.maximum", 51),
        ("retrieval", "purposes.action.minimum_confidence", 0.5),
    ],
)
def test_the_starter_cases_notice_a_change(family: Any, path: str, value: Any) -> None:
    changed = with_(BASELINE[family], path, value)
    statuses = {one.status for one in run_suite(family, changed, STARTER_CASES[family])}

    assert "fail" in statuses


# --- one case --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("family", "document", "passing", "rule_ids", "failing", "told"),
    [
        (
            "write",
            baseline.WRITE,
            case(SAID | {"findings": ["personal"]}, outcome="accept", rule="W-030", redact=["personal"]),
            ("W-030", "W-310"),
            case(SAID, outcome="propose", not_rule="W-310", redact=["personal"]),
            "Expected that rule W-310 does not apply, that it waits for the person and that words of personal are "
            "replaced; but it is kept and in use at once (rule W-310).",
        ),
        (
            "access",
            baseline.ACCESS,
            case({"kind": "fact", "purpose": "answer", "categories": ["health"]}, allowed=False, not_rule="A-100"),
            ("A-010",),
            case({"kind": "fact", "purpose": "answer"}, allowed=False, rule="A-010"),
            "Expected that rule A-010 applies and that it is closed to agents; but it may be read by agents "
            "(rule A-100).",
        ),
        (
            "access",
            baseline.ACCESS,
            case({"role": "reviewer"}, sight="queue"),
            ("staff.reviewer",),
            case({"role": "admin"}, sight="content"),
            "Expected that it shows the texts; but it shows nothing.",
        ),
        (
            "retention",
            IN_EU,
            case({"kind": "event", "origin": "stated", "region": "eu"}, days=60),
            ("region_limits[eu]",),
            case({"kind": "fact", "origin": "stated"}, days=60),
            "Expected that it is kept 60 days; but it is kept without a limit.",
        ),
        (
            "retrieval",
            baseline.RETRIEVAL,
            case({"purpose": "chat", "origin": "inferred", "channel": "tool", "confidence": 0}, trusted=True),
            ("other_purposes",),
            case({"purpose": "action", "origin": "inferred", "channel": "tool", "confidence": 1}, trusted=True),
            "Expected that it may serve the purpose; but it may not serve the purpose.",
        ),
        (
            "retrieval",
            baseline.RETRIEVAL,
            case({}, k=10, minimum_score=0.3),
            ("k.default", "minimum_score"),
            case({}, token_budget_maximum=9_000),
            "Expected that token budget maximum is 9000; but it has 8000 as token budget maximum.",
        ),
        (
            "procedure",
            REFUND,
            case({"name": "refund", "agent": "helper"}, found=True, contains="Ask"),
            ("procedures[refund]",),
            case({"name": "refund", "agent": "nosy"}, contains="Ask"),
            "Expected that it holds “Ask”; but it is not for that agent.",
        ),
    ],
)
def test_a_case_passes_or_fails(
    family: Any, document: Any, passing: Case, rule_ids: tuple[str, ...], failing: Case, told: str
) -> None:
    passed, failed = run_case(family, document, passing), run_case(family, document, failing)

    assert (passed.status, passed.rule_ids) == ("pass", rule_ids)
    assert (failed.status, failed.sentence) == ("fail", told)


@pytest.mark.parametrize(
    ("family", "wrong", "told"),
    [
        ("write", case({"kind": "fact", "origin": "stated"}, rule="W-310"), "Channel: something must stand here."),
        ("write", case(SAID | {"colour": "red"}, rule="W-310"), "Colour: there is no such field."),
        ("write", case(SAID, outcome="perhaps"), "Outcome: this must be"),
        ("write", case(SAID), "A case must expect something."),
        ("write", case(SAID, rule="W-310", not_rule="W-310"), "A rule cannot both apply and not apply."),
        ("write", replace(case(SAID, outcome="accept"), name=" "), "A case needs a name."),
        ("access", case({"role": "king"}, sight="content"), "Role: this must be"),
        ("retention", case({"kind": "rumour", "origin": "stated"}, days=3), "Kind: this must be"),
        ("retrieval", case({}, q=3), "Q: there is no such field."),
        ("procedure", case({}, found=True), "Name: something must stand here."),
    ],
)
def test_a_case_that_cannot_be_read_is_an_error(family: Any, wrong: Case, told: str) -> None:
    result = run_case(family, BASELINE[family], wrong)

    assert problems(family, wrong)[0].startswith(told)
    assert (result.status, result.rule_ids) == ("error", ())
    assert result.sentence.startswith(told)


def test_a_case_may_be_skipped_with_a_reason() -> None:
    skipped = replace(case(SAID, outcome="refuse"), skip_reason="It waits for the new screening.")

    result = run_case("write", baseline.WRITE, skipped)

    assert (result.status, result.rule_ids) == ("skipped", ())
    assert "It waits for the new screening." in result.sentence


def test_a_policy_that_cannot_be_applied_is_an_error(caplog: pytest.LogCaptureFixture) -> None:
    broken = write(write_rule("W-001", "accept").model_copy(update={"match": None}))

    assert run_case("write", broken, case(SAID, outcome="refuse")).status == "error"


# --- what cases cover ------------------------------------------------------------------------------------------------


def test_it_counts_what_each_rule_decides_and_leaves_out_what_nothing_reaches() -> None:
    document = write(write_rule("W-001", "redact", findings=("personal",)), write_rule("W-002", "propose"))
    results = run_suite(
        "write",
        document,
        [
            case(SAID | {"findings": ["personal"]}, outcome="propose"),
            case(SAID, outcome="accept"),
            case({}, rule="W-001"),
        ],
    )

    assert coverage("write", document, results) == {"W-001": 1, "W-002": 2}


def test_a_changed_rule_needs_a_case_of_each_sort() -> None:
    before = write(write_rule("W-001", "refuse", kinds=("fact",)), write_rule("W-002", "propose"))
    after = with_(before, "rules.W-001.outcome", "quarantine")
    positive, negative = case(SAID, rule="W-001"), case(SAID | {"kind": "event"}, not_rule="W-001")

    assert untested("write", before, after, [positive, negative]) == []
    assert untested("write", before, after, [positive]) == [
        "Rule W-001 has changed, and no case expects that it does not apply."
    ]
    assert untested("write", before, after, [replace(positive, skip_reason="Later."), negative]) == [
        "Rule W-001 has changed, and no case expects that it applies."
    ]
    assert len(untested("write", before, after, [])) == 2
    assert untested("write", before, before, []) == []


def test_a_rule_that_moved_or_reads_anew_of_what_is_sensitive_has_changed() -> None:
    one, other = access_rule("A-001", "deny", sensitive=True), access_rule("A-002", "allow")
    before = access(one, other)

    assert untested("access", before, access(other, one), []) != []
    assert "A-001" in untested("access", before, with_(before, "sensitive_categories", ["health"]), [])[0]
    assert untested("access", before, with_(before, "rules.A-001.title", "Another title"), []) == [
        "There is no case that can be run."
    ]


def test_a_changed_time_needs_a_case_of_its_kind_and_origin() -> None:
    after = with_(baseline.RETENTION, "days.event.stated", 91)
    about_it = case({"kind": "event", "origin": "stated"}, days=91)
    about_another = case({"kind": "fact", "origin": "stated"}, days=None)

    assert untested("retention", baseline.RETENTION, after, [about_it]) == []
    assert untested("retention", baseline.RETENTION, after, [about_another]) == [
        "Events that were stated are kept for another time, and no case is about them."
    ]


def test_the_digest_of_a_suite_knows_every_word_and_no_order() -> None:
    one, other = STARTER_CASES["write"][:2]
    tagged = replace(one, tags=("b", "a"))

    assert suite_sha256([one, other]) == suite_sha256([other, one]) != suite_sha256([one])
    assert suite_sha256([tagged]) == suite_sha256([replace(one, tags=("a", "b"))])
    different = [
        replace(one, name="Another name"),
        replace(one, given={**one.given, "length": 41}),
        replace(one, expect={"outcome": "accept"}),
        replace(one, skip_reason="Later."),
    ]
    assert len({suite_sha256([each]) for each in [one, tagged, *different]}) == 6
