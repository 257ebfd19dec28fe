"""What to notice about an access policy. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from policies.documents import AccessPolicy
from policies.findings.finding import Finding
from policies.findings.rules import OPEN, reached, rule_findings
from policies.meaning.steps import read_access

SENSITIVE_SCOPE = "memories:sensitive"


def access_findings(document: AccessPolicy) -> Iterator[Finding]:
    """Look at the rules of an access policy."""
    (reading,) = read_access(document)
    yield from rule_findings(reading, (*document.rules, document.default))
    without_right = (reading.sensitive, reading.space.lacks([SENSITIVE_SCOPE]))
    for step in reached(reading, OPEN, *without_right):
        sentence = f"Rule {step.id} opens sensitive memories to agents without the right to read them."
        yield Finding("opens_sensitive", "security", f"rules[{step.id}]", sentence)
