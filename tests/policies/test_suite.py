"""The tests of a version: added, inherited, taken out, and run."""

from __future__ import annotations

import pytest

from memory_admin.audit import Action
from memory_admin.audit.queries import actions_on
from memory_admin.errors import Invalid, NotFound
from memory_admin.tenancy.scope import uuid7
from policies import services, standing
from policies.models import PolicyVersion
from policies.services import suite
from tests.policies.council import NOON, Member, drafted

GIVEN = {"kind": "fact", "origin": "inferred"}


def add(version: PolicyVersion, by: Member, name: str = "Guesses about facts", **expect: object) -> object:
    expected = expect or {"days": 180}
    return services.add_case(version_id=version.id, name=name, given=GIVEN, expect=expected, by=by.actor, now=NOON)


def names(version: PolicyVersion) -> set[str]:
    return {case.name for case in standing.suite_of(version)}


def test_a_version_inherits_the_tests_of_its_base_and_not_those_of_others(eva: Member) -> None:
    one, other = (services.begin(family="retention", by=eva.actor, now=NOON) for _ in range(2))
    add(one, eva)

    assert names(one) - names(other) == {"Guesses about facts"}
    assert names(other) == names(one.base_version)
    assert actions_on(one.id)[-1] == Action.POLICY_TEST_ADDED


def test_a_test_that_is_taken_out_stays_with_the_versions_before(eva: Member) -> None:
    version = services.begin(family="retention", by=eva.actor, now=NOON)
    case = standing.suite_of(version)[0]
    services.retire_case(version_id=version.id, case_id=case.id, by=eva.actor, now=NOON)

    assert case.name not in names(version)
    assert case.name in names(version.base_version)
    assert actions_on(version.id)[-1] == Action.POLICY_TEST_RETIRED
    with pytest.raises(NotFound):
        services.retire_case(version_id=version.id, case_id=case.id, by=eva.actor, now=NOON)


def test_a_name_is_used_once_and_a_case_must_be_one(eva: Member) -> None:
    version = services.begin(family="retention", by=eva.actor, now=NOON)
    add(version, eva)

    with pytest.raises(suite.CaseNamed):
        add(version, eva)
    with pytest.raises(Invalid):
        add(version, eva, "Nonsense", outcome="accept")
    with pytest.raises(Invalid):
        add(version, eva, " ")
    with pytest.raises(NotFound):
        services.add_case(version_id=uuid7(), name="Lost", given=GIVEN, expect={"days": 1}, by=eva.actor, now=NOON)


def test_a_run_says_what_came_of_each_case(eva: Member) -> None:
    version = drafted(eva)
    add(version, eva, "Wrong", days=1)
    run = services.run_tests(version_id=version.id, by=eva.actor, now=NOON)

    assert (run.failed, run.errored, run.is_green) == (1, 0, False)
    assert next(one for one in run.results if one["name"] == "Wrong")["status"] == "fail"


def test_an_unreadable_draft_is_not_run(eva: Member) -> None:
    version = services.begin(family="retention", by=eva.actor, now=NOON)
    services.save(version_id=version.id, read_sha256=version.content_sha256, content={}, by=eva.actor, now=NOON)

    with pytest.raises(suite.CannotRun):
        services.run_tests(version_id=version.id, by=eva.actor, now=NOON)
