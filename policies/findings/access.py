"""What to notice about an access policy. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from policies.documents import UNLISTED, AccessPolicy
from policies.findings.finding import Finding
from policies.findings.rules import FREE, OPEN, each_rule, reached, rule_findings
from policies.meaning.steps import read_access, read_actions

SENSITIVE_SCOPE = "memories:sensitive"


def access_findings(document: AccessPolicy) -> Iterator[Finding]:
    """Look at the rules of an access policy."""
    (reading,) = read_access(document)
    yield from rule_findings(reading, (*document.rules, document.default))
    without_right = (reading.sensitive, reading.space.lacks([SENSITIVE_SCOPE]))
    for step in reached(reading, OPEN, *without_right):
        sentence = f"Rule {step.id} opens sensitive memories to agents without the right to read them."
        yield Finding("opens_sensitive", "security", f"rules[{step.id}]", sentence)
    for found in _about_actions(document):
        yield replace(found, path=f"actions{found.path.removeprefix('rules')}")


def _about_actions(document: AccessPolicy) -> Iterator[Finding]:
    (reading,) = read_actions(document)
    yield from each_rule(reading, (*document.actions, UNLISTED))
    without_right = (reading.sensitive, reading.space.lacks([SENSITIVE_SCOPE]))
    for step in reached(reading, FREE, *without_right):
        sentence = f"Rule {step.id} lets agents use sensitive memories without the right to read them."
        yield Finding("acts_on_sensitive", "security", f"rules[{step.id}]", sentence)
