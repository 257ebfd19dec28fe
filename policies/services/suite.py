"""The tests of a family: cases that every version is held against, and the runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils import timezone
from pydantic import ValidationError

from accounts.actors import Actor
from memory_admin import audit
from memory_admin.audit import Action
from memory_admin.errors import Conflict, Invalid, NotFound
from policies import cases, standing
from policies.documents import Family, parse
from policies.engine import ENGINE_VERSION
from policies.models import PolicyFamily, PolicyTestCase, PolicyTestRun, PolicyVersion, VersionState
from policies.roles import APPROVERS, EDITORS, refuse_others
from policies.services.drafts import note_editor

LONGEST_NAME = 200


class CaseNamed(Conflict):
    code = "test_named"
    sentence = "A test of this family has this name already."


class CannotRun(Conflict):
    code = "cannot_run"
    sentence = "The draft says something that the engine cannot read, so no test can run."


@transaction.atomic
def add_case(
    *,
    family: Family,
    name: str,
    given: Mapping[str, Any],
    expect: Mapping[str, Any],
    by: Actor,
    now: datetime,
    tags: Iterable[str] = (),
    added_for: str = "",
    skip_reason: str = "",
) -> PolicyTestCase:
    """Add a test to a family. Whoever does so had a hand in every version that is still to be decided.

    :raises NotAllowed: the actor is no policy editor
    :raises CaseNamed: the name is taken
    :raises Invalid: the case says something that no engine can be asked
    """
    refuse_others(by, EDITORS)
    held = standing.locked_family(family)
    case = _checked(family, name=name, given=given, expect=expect, tags=tags, skip_reason=skip_reason)
    try:
        with transaction.atomic():
            made = PolicyTestCase.objects.create(
                family=held,
                name=case.name,
                given=dict(case.given),
                expect=dict(case.expect),
                tags=list(case.tags),
                added_for=added_for.strip()[:LONGEST_NAME],
                skip_reason=case.skip_reason,
                added_by=by.ref,
                added_at=now,
            )
    except IntegrityError as error:
        raise CaseNamed from error
    _touched(held, by=by, now=now)
    _record(Action.POLICY_TEST_ADDED, made.id, by=by, now=now)
    return made


@transaction.atomic
def retire_case(*, case_id: UUID, by: Actor, now: datetime) -> None:
    """Take a test out of its suite; the runs that it was part of keep what it said.

    :raises NotAllowed: the actor is no policy editor
    :raises NotFound: there is no such test in use
    """
    refuse_others(by, EDITORS)
    family_id = PolicyTestCase.objects.filter(id=case_id).values_list("family_id", flat=True).first()
    if family_id is None:
        raise NotFound
    held = standing.locked_family(family_id)
    if not PolicyTestCase.objects.filter(id=case_id, retired_at=None).update(retired_at=now):
        raise NotFound
    _touched(held, by=by, now=now)
    _record(Action.POLICY_TEST_RETIRED, case_id, by=by, now=now)


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
    suite = standing.suite_of(version.family_id)
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


def _touched(family: PolicyFamily, *, by: Actor, now: datetime) -> None:
    """Count whoever changed the suite among the editors of all that it decides about."""
    undecided = (VersionState.DRAFT, VersionState.IN_REVIEW, VersionState.APPROVED)
    open_versions = PolicyVersion.objects.filter(family_id=family.id, state__in=undecided)
    for version in open_versions.exclude(activations__state__in=["effective", "superseded", "revoked", "ended"]):
        note_editor(version, by=by, now=now)


def _record(action: Action, case_id: UUID, *, by: Actor, now: datetime) -> None:
    audit.record(action=action, by=by, target=("policy_test", case_id), at=now)
