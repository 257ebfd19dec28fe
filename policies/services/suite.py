"""The tests of a family: cases that every version is held against, and the runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone
from pydantic import ValidationError

from accounts.actors import Actor
from memory_admin.audit import Action
from memory_admin.errors import Conflict, Invalid, NotFound
from policies import cases, standing
from policies.documents import Family, parse
from policies.engine import ENGINE_VERSION
from policies.models import PolicyTestCase, PolicyTestRetirement, PolicyTestRun, PolicyVersion
from policies.roles import APPROVERS, EDITORS, refuse_others
from policies.services import drafts

LONGEST_NAME = 200


class CaseNamed(Conflict):
    code = "test_named"
    sentence = "A test of this version has this name already."


class CannotRun(Conflict):
    code = "cannot_run"
    sentence = "The draft says something that the engine cannot read, so no test can run."


@transaction.atomic
def add_case(
    *,
    version_id: UUID,
    name: str,
    given: Mapping[str, Any],
    expect: Mapping[str, Any],
    by: Actor,
    now: datetime,
    tags: Iterable[str] = (),
    added_for: str = "",
    skip_reason: str = "",
) -> PolicyTestCase:
    """Add a test to a draft. Whoever does so had a hand in it; what reviewers said of it before is stale.

    :raises NotAllowed: the actor is no policy editor
    :raises NotFound: there is no such version
    :raises NotADraft: it is decided
    :raises CaseNamed: the name is taken
    :raises Invalid: the case says something that no engine can be asked
    """
    refuse_others(by, EDITORS)
    version = drafts.editable(version_id)
    family = version.family.key
    case = _checked(family, name=name, given=given, expect=expect, tags=tags, skip_reason=skip_reason)
    if any(one.name == case.name for one in standing.suite_of(version)):
        raise CaseNamed
    made = PolicyTestCase.objects.create(
        family=version.family,
        added_in=version,
        name=case.name,
        given=dict(case.given),
        expect=dict(case.expect),
        tags=list(case.tags),
        added_for=added_for.strip()[:LONGEST_NAME],
        skip_reason=case.skip_reason,
        added_by=by.ref,
        added_at=now,
    )
    drafts.note_editor(version, by=by, now=now)
    drafts.record(Action.POLICY_TEST_ADDED, version, by=by, now=now, test=str(made.id))
    return made


@transaction.atomic
def retire_case(*, version_id: UUID, case_id: UUID, by: Actor, now: datetime) -> None:
    """Take a test out of a draft; the versions that it came from keep it, and so do the runs it was part of.

    :raises NotAllowed: the actor is no policy editor
    :raises NotFound: there is no such version, or the test is none of its
    :raises NotADraft: it is decided
    """
    refuse_others(by, EDITORS)
    version = drafts.editable(version_id)
    if all(one.id != case_id for one in standing.suite_of(version)):
        raise NotFound
    PolicyTestRetirement.objects.create(case_id=case_id, version=version, retired_by=by.ref, retired_at=now)
    drafts.note_editor(version, by=by, now=now)
    drafts.record(Action.POLICY_TEST_RETIRED, version, by=by, now=now, test=str(case_id))


@transaction.atomic
def run_tests(*, version_id: UUID, by: Actor, now: datetime) -> PolicyTestRun:
    """Hold a version against the tests of its family; a review that lacked only this is settled.

    :raises NotAllowed: the actor neither edits nor approves policies
    :raises NotFound: there is no such version
    :raises CannotRun: the content is not readable
    """
    from policies.services.reviewing import settle_all  # it runs the tests itself when a draft is handed in

    refuse_others(by, (*EDITORS, *APPROVERS))
    run = run_for(standing.locked_version(version_id), by=by, now=now)
    settle_all(version_id=version_id, now=now)
    return run


def run_for(version: PolicyVersion, *, by: Actor, now: datetime) -> PolicyTestRun:
    """Run the tests as part of another step.

    :raises CannotRun: the content is not readable
    """
    try:
        document = parse(version.family.key, version.content)
    except ValidationError as error:
        raise CannotRun from error
    suite = standing.cases_of(version)
    results = cases.run_suite(version.family.key, document, suite)
    counted = Counter(result.status for result in results)
    return PolicyTestRun.objects.create(
        version=version,
        content_sha256=version.content_sha256,
        suite_sha256=cases.suite_sha256(suite),
        engine_version=ENGINE_VERSION,
        passed=counted["pass"],
        failed=counted["fail"],
        errored=counted["error"],
        skipped=counted["skipped"],
        results=[
            {"name": one.name, "status": one.status, "rules": list(one.rule_ids), "sentence": one.sentence}
            for one in results
        ],
        rule_coverage=cases.coverage(version.family.key, document, results),
        run_by=by.ref,
        started_at=now,
        finished_at=max(now, timezone.now()),
    )


def _checked(
    family: Family,
    *,
    name: str,
    given: Mapping[str, Any],
    expect: Mapping[str, Any],
    tags: Iterable[str],
    skip_reason: str,
) -> cases.Case:
    name = " ".join(name.split())
    if not 1 <= len(name) <= LONGEST_NAME:
        raise Invalid(fields={"name": [f"A test has a name of at most {LONGEST_NAME} characters."]})
    case = cases.Case(name=name, given=given, expect=expect, tags=tuple(tags), skip_reason=skip_reason.strip())
    if problems := cases.problems(family, case):
        raise Invalid(fields={"expect": problems})
    return case
