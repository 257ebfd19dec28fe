"""What to notice about a write policy. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from policies.documents import CHANNELS, WritePolicy
from policies.engine import NEVER_KEPT
from policies.findings.finding import Finding
from policies.findings.rules import reached, rule_findings
from policies.meaning.steps import Reading, finding, read_write

ASKED = "portal"
"""The channel by which a person decides with their own hand."""


def write_findings(document: WritePolicy) -> Iterator[Finding]:
    """Look at the rules of a write policy."""
    (reading,) = read_write(document)
    yield from rule_findings(reading, (*document.rules, document.default))
    for rule in document.rules:
        if rule.outcome == "redact" and not rule.match.findings:
            sentence = f"Rule {rule.id} replaces no words, because it names no finding whose words to replace."
            yield Finding("redacts_nothing", "warning", f"rules[{rule.id}].match.findings", sentence)
    yield from _let_through(reading)


def _let_through(reading: Reading) -> Iterator[Finding]:
    with_secret = reading.space.has(finding(one) for one in NEVER_KEPT)
    for step in reached(reading, {"accept", "propose", "quarantine", "policy_change"}, with_secret):
        sentence = f"Rule {step.id} lets texts through that hold a password, key or code."
        yield Finding("keeps_secrets", "security", f"rules[{step.id}]", sentence)
    unasked = reading.space.among("channels", [one for one in CHANNELS if one != ASKED])
    for step in reached(reading, {"accept"}, reading.sensitive, unasked):
        sentence = f"Rule {step.id} keeps sensitive memories at once, without asking the person."
        yield Finding("keeps_sensitive_unasked", "security", f"rules[{step.id}]", sentence)
