"""What to notice about ordered rules: which never apply, which change nothing, and whether any holds back. Pure."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence

from policies.documents import AccessRule, ActionRule, WriteDefault, WriteRule
from policies.findings.finding import Finding
from policies.meaning.regions import Condition, Search
from policies.meaning.steps import Reading, Step

Rule = WriteRule | WriteDefault | AccessRule | ActionRule

OPEN = {"accept", "allow"}
FREE = {"allow_action", "ask_person"}
SHUT = {"refuse", "policy_change", "deny"}


def reached(reading: Reading, outcomes: set[str], *also: Condition) -> Iterator[Step]:
    """Find the steps of some outcomes that get facts for which more conditions hold, or may get some."""
    search = Search()
    for at, step in enumerate(reading.steps):
        if step.outcome in outcomes and reading.is_reached(at, search, *also) is not False:
            yield step


def rule_findings(reading: Reading, rules: Sequence[Rule]) -> Iterator[Finding]:
    """Look at each rule, the default last, and at what they let through together."""
    outcomes = yield from each_rule(reading, rules)
    if outcomes <= OPEN:
        yield Finding(
            "allows_everything", "security", "rules", "Everything is let through: no rule holds anything back."
        )
    if outcomes <= SHUT:
        yield Finding("refuses_everything", "warning", "rules", "Nothing is let through: no rule allows anything.")


def each_rule(reading: Reading, rules: Sequence[Rule]) -> Generator[Finding, None, set[str]]:
    """Look at each rule, the default last; give in the end what they decide."""
    search, outcomes = Search(), set[str]()
    for at, (step, rule) in enumerate(zip(reading.steps, rules, strict=True)):
        is_default = at == len(rules) - 1
        if reading.is_reached(at, search) is False:
            if not is_default:
                yield _unreached(reading, at)
            continue
        if step.decides:
            outcomes.add(step.outcome)
            if not is_default and _changes_nothing(reading, rules, at, search):
                sentence = f"Rule {rule.id} changes nothing: without it the same would be decided."
                yield Finding("changes_nothing", "suggestion", f"rules[{rule.id}]", sentence)
    return outcomes


def _unreached(reading: Reading, at: int) -> Finding:
    step = reading.steps[at]
    region = reading.space.everything.matching(step.match)
    if region is None:
        sentence = f"Rule {step.id} can never apply: what it asks for excludes itself or does not exist."
        return Finding("never_matches", "error", f"rules[{step.id}].match", sentence)
    takes = next((one.id for one in reading.steps[:at] if one.decides and region.open_in(one.match) == ()), None)
    by = f"rule {takes} already takes" if takes else "the rules before it together already take"
    sentence = f"Rule {step.id} is never reached: {by} everything that it applies to."
    return Finding("never_reached", "error", f"rules[{step.id}]", sentence)


def _changes_nothing(reading: Reading, rules: Sequence[Rule], at: int, search: Search) -> bool:
    """Tell whether all facts that a step decides would be decided alike by the next steps, in the same words."""
    step, outside = reading.steps[at], reading.before(at)
    for later in range(at + 1, len(rules)):
        other = reading.steps[later]
        if not other.decides or _answer(rules[later], other) != _answer(rules[at], step):
            region = reading.space.everything.matching((*step.match, *other.match))
            if search.finds(region, outside) is not False:
                return False
        if other.decides:
            outside = [*outside, other.match]
    return True


def _answer(rule: Rule, step: Step) -> tuple[object, ...]:
    if isinstance(rule, AccessRule):
        return (step.outcome,)
    if isinstance(rule, ActionRule):
        return (step.outcome, rule.title)
    keeps_text = step.outcome == "refuse" and step.keeps_text
    return (step.outcome, keeps_text, rule.title, rule.reason, getattr(rule, "hint", None))
