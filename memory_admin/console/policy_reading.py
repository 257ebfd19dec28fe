"""Reading a version for its page: what changes, what is noticed, what it does to what is stored, what backs it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, cast
from uuid import UUID

from pydantic import ValidationError

from accounts.models import Tenant
from memory_admin.console import policy_words
from memory_admin.errors import NotFound
from memory_admin.memories.services.apply_retention import Effect, foresee_retention
from memory_admin.tenancy.scope import required_tenant
from memory_admin.web import words
from memory_admin.web.words import Word
from policies import cases, standing
from policies.compare import Change, changes
from policies.documents import Family, PolicyDocument, RetentionPolicy, parse
from policies.findings import Finding, findings, schema_findings
from policies.models import (
    ActivationState,
    PolicyActivation,
    PolicyReview,
    PolicyTestCase,
    PolicyTestRun,
    PolicyVersion,
    ReviewStatus,
)
from policies.queries import surroundings


def version_of(version_id: UUID) -> PolicyVersion:
    """Read a version with its family.

    :raises NotFound: there is none
    """
    versions = PolicyVersion.objects.select_related("family", "base_version", "restored_from")
    found = versions.filter(id=version_id).first()
    if found is None:
        raise NotFound
    return found


def label_of(version: PolicyVersion) -> str:
    """Name a version as decisions are stamped with it: ``write/2``."""
    return f"{version.family.key}/{version.number}"


def uses_of(version: PolicyVersion) -> list[PolicyActivation]:
    """List every use of a version, the newest first."""
    uses = PolicyActivation.objects.select_related("agent_scope", "base_version", "version__family")
    return list(uses.filter(version_id=version.id).order_by("-id"))


def open_review(version: PolicyVersion) -> PolicyReview | None:
    """Find the round of review that is open."""
    reviews = PolicyReview.objects.select_related("activation__version__family", "activation__base_version")
    return reviews.filter(version_id=version.id, status=ReviewStatus.OPEN).order_by("-round").first()


def current_use(uses: list[PolicyActivation], review: PolicyReview | None) -> PolicyActivation | None:
    """Choose the use that a page is about: the one in review, the one still to begin, the one in force, the newest."""
    if review is not None:
        return next((use for use in uses if use.id == review.activation_id), None)
    for state in (ActivationState.PLANNED, ActivationState.SCHEDULED, ActivationState.EFFECTIVE):
        if found := next((use for use in uses if use.state == state), None):
            return found
    return uses[0] if uses else None


# --- what it says ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Examined:
    """What a content says: the document if the engine can read it, what differs from another, what is noticed."""

    document: PolicyDocument | None
    changes: list[Change]
    findings: list[Finding]
    known: frozenset[Finding] = frozenset()
    """What is to be noticed about what decides now just as well."""

    @property
    def summary(self) -> str:
        """Count what is noticed, what is new apart from what is not: “2 errors, 1 warning; 1 finding holds already”."""
        names = ("error", "security finding", "warning", "suggestion")
        new = [one for one in self.findings if one not in self.known]
        counted = [(name, sum(one.severity == name.split()[0] for one in new)) for name in names]
        told = [words.several(count, name, f"{name}s") for name, count in counted if count]
        said = ", ".join(told) or ("Nothing new" if self.findings else "Nothing to notice")
        held = len(self.findings) - len(new)
        return f"{said}; {words.several(held, 'finding holds', 'findings hold')} already" if held else said


def examine(family: Family, content: Mapping[str, Any], base: PolicyVersion | None) -> Examined:
    """Read a content and hold it against what decides now."""
    before = parse(family, base.content) if base else None
    try:
        document = parse(family, content)
    except ValidationError as error:
        return Examined(None, [], schema_findings(error))
    around = surroundings()
    noticed = findings(family, document, effective=before, surroundings=around)
    known = findings(family, before, effective=None, surroundings=around) if before else []
    return Examined(document, changes(family, before, document), noticed, frozenset(known).intersection(noticed))


def noticed(
    said: Examined, place: Callable[[str], str] = lambda path: ""
) -> list[tuple[bool, list[tuple[Word, Finding, str]]]]:
    """Give what is to be noticed for a page, what is new before what holds already.

    :param place: names the element of the page that a path leads to; empty for none
    """
    rows = [(one in said.known, (policy_words.SEVERITIES[one.severity], one, place(one.path))) for one in said.findings]
    parts = [(is_known, [row for known, row in rows if known == is_known]) for is_known in (False, True)]
    return [(is_known, found) for is_known, found in parts if found]


def foresee(document: PolicyDocument | None, use: PolicyActivation | None, *, now: datetime) -> Effect | None:
    """Count what a retention policy would do to what is stored once it decides; None for any other policy."""
    if not isinstance(document, RetentionPolicy):
        return None
    region = use.region if use else None
    home = region or Tenant.objects.get(id=required_tenant()).region
    return foresee_retention(document, region=home, agent_id=use.agent_id if use else None, now=now)


# --- what backs it ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TestRow:
    """One test of a version, and what came of it in the newest run."""

    case: PolicyTestCase
    status: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Tests:
    """The tests of a version, the newest run of them, and what no test is about."""

    rows: list[TestRow]
    run: PolicyTestRun | None
    is_of_this: bool
    untested: list[str]
    coverage: list[tuple[str, int]]

    @property
    def unwell(self) -> list[TestRow]:
        return [row for row in self.rows if row.status not in ("pass", "")]


def tests_of(version: PolicyVersion, document: PolicyDocument | None, base: PolicyVersion | None) -> Tests:
    """Read the tests of a version with what came of them last."""
    suite = standing.suite_of(version)
    run = PolicyTestRun.objects.filter(version_id=version.id).order_by("-finished_at", "-id").first()
    told = {one["name"]: one for one in run.results} if run else {}
    family = cast(Family, version.family.key)
    before = parse(family, base.content) if base else None
    held = standing.cases_of(version)
    return Tests(
        rows=[
            TestRow(case, told.get(case.name, {}).get("status", ""), told.get(case.name, {}).get("sentence", ""))
            for case in suite
        ],
        run=run,
        is_of_this=run is not None
        and (run.content_sha256, run.suite_sha256) == (version.content_sha256, cases.suite_sha256(held)),
        untested=cases.untested(family, before, document, held) if document else [],
        coverage=sorted(run.rule_coverage.items()) if run else [],
    )
