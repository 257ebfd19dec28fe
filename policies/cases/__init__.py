"""Test cases of policies: run, counted, and asked for where a rule has changed. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from pydantic import ValidationError

from policies import wording
from policies.cases.answers import LIMITS, Answer, answer
from policies.cases.case import Case, CaseResult, Status
from policies.cases.forms import Expected, form_of
from policies.compare import changes
from policies.compare.shifts import altered
from policies.digests import sha256_of
from policies.documents import (
    KINDS,
    ORIGINS,
    AccessPolicy,
    Family,
    PolicyDocument,
    ProcedurePolicy,
    RetentionPolicy,
    RetrievalPolicy,
    StaffVisibility,
    WritePolicy,
)
from policies.engine import FAILED_RULE
from policies.findings.schema import place, problem
from policies.meaning.regions import Search
from policies.meaning.steps import Reading, read_access, read_actions, read_write

__all__ = [
    "Case",
    "CaseResult",
    "Status",
    "coverage",
    "problems",
    "run_case",
    "run_suite",
    "suite_sha256",
    "untested",
]


# --- running ---------------------------------------------------------------------------------------------------------


def problems(family: Family, case: Case) -> list[str]:
    """List what is wrong with a case as it was typed, in sentences; a case without any can be run."""
    found = [] if case.name.strip() else ["A case needs a name."]
    for part, model in zip((case.given, case.expect), form_of(family, case.given), strict=True):
        try:
            model.model_validate(part)
        except ValidationError as error:
            found += [_problem(dict(one)) for one in error.errors(include_url=False)]
    return found


def _problem(found: dict[str, Any]) -> str:
    sentence = f"{place(found['loc'])}: {problem(found)}." if found["loc"] else f"{problem(found)}."
    return sentence[0].upper() + sentence[1:]


def run_case(family: Family, document: PolicyDocument, case: Case) -> CaseResult:
    """Ask a document what it makes of a case, and hold the answer against what is expected."""
    if case.skip_reason:
        return CaseResult(case.name, "skipped", (), {}, f"Skipped: {case.skip_reason}")
    if wrong := problems(family, case):
        return CaseResult(case.name, "error", (), {}, " ".join(wrong))
    given_as, expected_as = form_of(family, case.given)
    given, expected = given_as.model_validate(case.given), expected_as.model_validate(case.expect)
    came = answer(document, given, expected)
    if FAILED_RULE in came.rule_ids:
        return CaseResult(case.name, "error", (), came.got, "The rules could not be applied.")
    missed = list(_missed(expected, came))
    if not missed:
        return CaseResult(case.name, "pass", came.rule_ids, came.got, f"As expected, it {came.words}.")
    sentence = f"Expected {wording.together(missed)}; but it {came.words}."
    return CaseResult(case.name, "fail", came.rule_ids, came.got, sentence)


def run_suite(family: Family, document: PolicyDocument, cases: Iterable[Case]) -> list[CaseResult]:
    """Run each case."""
    return [run_case(family, document, case) for case in cases]


def _missed(expected: Expected, came: Answer) -> Iterator[str]:
    """Say each thing that was expected and did not come."""
    for name, wanted in expected.wanted.items():
        if not _came(name, wanted, came):
            yield _told(name, wanted)


def _came(name: str, wanted: Any, came: Answer) -> bool:
    match name:
        case "rule":
            return wanted in came.rule_ids
        case "not_rule":
            return wanted not in came.rule_ids
        case "redact":
            return bool(sorted(set(wanted)) == came.got["redact"])
        case "contains":
            return str(wanted) in str(came.got["text"])
        case _:
            return bool(came.got[name] == wanted)


def _told(name: str, wanted: Any) -> str:
    match name:
        case "rule":
            return f"that rule {wanted} applies"
        case "not_rule":
            return f"that rule {wanted} does not apply"
        case "outcome":
            return f"that it {wording.OUTCOMES[wanted]}"
        case "decision":
            return f"that it {wording.DECISIONS[wanted]}"
        case "redact":
            found = wording.together(wanted)
            return f"that words of {found} are replaced" if found else "that no words are replaced"
        case "allowed":
            return f"that it {wording.OUTCOMES['allow' if wanted else 'deny']}"
        case "sight":
            return f"that it shows {wording.SIGHTS[wanted]}"
        case "days":
            return f"that it is kept {wording.lasting(wanted)}"
        case "trusted":
            return f"that it {'may' if wanted else 'may not'} serve the purpose"
        case "found":
            return f"that it is {'there' if wanted else 'not there'}"
        case "contains":
            return f"that it holds {wording.quoted(wanted)}"
        case _:
            return f"that {wording.name(name)} is {wording.number(wanted)}"


# --- counting --------------------------------------------------------------------------------------------------------


def coverage(family: Family, document: PolicyDocument, results: Iterable[CaseResult]) -> dict[str, int]:
    """Count for each rule, or place of the document that a case can ask about, how many cases it decided.

    A rule that nothing ever reaches is left out: no case can.
    """
    decided = Counter(one for result in results for one in result.rule_ids)
    return {one: decided[one] for one in _decidable(document)}


def _decidable(document: PolicyDocument) -> Iterator[str]:
    match document:
        case WritePolicy():
            yield from _reached(read_write(document)[0])
        case AccessPolicy():
            yield from _reached(read_access(document)[0])
            yield from _reached(read_actions(document)[0])
            yield from (f"staff.{role}" for role in StaffVisibility.model_fields)
        case RetentionPolicy():
            yield from (f"days.{kind}.{origin}" for kind in KINDS for origin in ORIGINS)
            yield from dict.fromkeys(f"region_limits[{one.region}]" for one in document.region_limits)
        case RetrievalPolicy():
            yield from dict.fromkeys(f"purposes[{one.name}]" for one in document.purposes)
            yield from ("other_purposes", *LIMITS.values())
        case ProcedurePolicy():
            yield from (f"procedures[{one.name}]" for one in document.procedures)


def _reached(reading: Reading) -> Iterator[str]:
    search = Search()
    for at, step in enumerate(reading.steps):
        if reading.is_reached(at, search) is not False:
            yield step.id


def untested(family: Family, before: PolicyDocument | None, after: PolicyDocument, cases: Sequence[Case]) -> list[str]:
    """Say which cases are missing for what has changed.

    A changed rule needs a case that it decides and one that it does not, a changed time one of its kind and origin, and
    any other change at least one case that can be run.
    """
    if not changes(family, before, after):
        return []
    able = [case for case in cases if not case.skip_reason and not problems(family, case)]
    missing = list(_rules_without(before, after, able))
    if isinstance(after, RetentionPolicy):
        missing = list(_times_without(before, after, able))
    return missing or ([] if able else ["There is no case that can be run."])


def _rules_without(before: PolicyDocument | None, after: PolicyDocument, cases: Sequence[Case]) -> Iterator[str]:
    positive, negative = ({case.expect.get(name) for case in cases} for name in ("rule", "not_rule"))
    for one in _changed_rules(before, after):
        if one not in positive:
            yield f"Rule {one} has changed, and no case expects that it applies."
        if one not in negative:
            yield f"Rule {one} has changed, and no case expects that it does not apply."


def _changed_rules(before: PolicyDocument | None, after: PolicyDocument) -> Iterator[str]:
    lists: list[list[Reading]] = []
    if isinstance(after, WritePolicy):
        lists = [read_write(*([before] if isinstance(before, WritePolicy) else []), after)]
    elif isinstance(after, AccessPolicy):
        both = [*([before] if isinstance(before, AccessPolicy) else []), after]
        lists = [read_access(*both), read_actions(*both)]
    for readings in lists:
        is_changed = altered(readings[0], readings[1]) if len(readings) > 1 else {step.id for step in readings[0].steps}
        yield from (one for one in _reached(readings[-1]) if one in is_changed)


def _times_without(before: PolicyDocument | None, after: RetentionPolicy, cases: Sequence[Case]) -> Iterator[str]:
    asked = {(case.given.get("kind"), case.given.get("origin")) for case in cases}
    for kind in KINDS:
        for origin in ORIGINS:
            now = getattr(getattr(after.days, kind), origin)
            was = getattr(getattr(before.days, kind), origin) if isinstance(before, RetentionPolicy) else ...
            if was != now and (kind, origin) not in asked:
                yield f"{wording.memories(kind, origin)} are kept for another time, and no case is about them."


def suite_sha256(cases: Iterable[Case]) -> str:
    """Return the digest of a suite: the order of its cases and of their tags does not count."""
    digests = sorted(
        sha256_of(
            {
                "name": case.name,
                "given": dict(case.given),
                "expect": dict(case.expect),
                "tags": sorted(case.tags),
                "skip_reason": case.skip_reason,
            }
        )
        for case in cases
    )
    return sha256_of({"cases": digests})
