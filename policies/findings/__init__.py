"""What to notice about a draft before anybody reviews it: four classes, from what keeps it back to mere advice. Pure.

Whatever needs stored rows, such as how many memories a shorter time would delete, is added by whoever has them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from policies.compare import loosens
from policies.documents import AccessPolicy, Family, PolicyDocument, RetentionPolicy, RetrievalPolicy, WritePolicy
from policies.findings.access import access_findings
from policies.findings.finding import Finding, Severity, Surroundings
from policies.findings.names import unknown_names
from policies.findings.retention import retention_findings
from policies.findings.retrieval import retrieval_findings
from policies.findings.schema import schema_findings
from policies.findings.write import write_findings

__all__ = ["Finding", "Severity", "Surroundings", "findings", "schema_findings"]

ORDER: tuple[Severity, ...] = ("error", "security", "warning", "suggestion")


def findings(
    family: Family, document: PolicyDocument, *, effective: PolicyDocument | None, surroundings: Surroundings
) -> list[Finding]:
    """List what to notice about a document that fits its schema, the gravest first.

    :param effective: the version in force; None without one
    """
    found = [*_own(document, effective), *unknown_names(document, surroundings)]
    if effective is not None:
        found += [
            Finding("allows_more", "security", change.path, change.sentence)
            for change in loosens(family, effective, document)
        ]
    return sorted(found, key=lambda one: ORDER.index(one.severity))


def _own(document: PolicyDocument, effective: PolicyDocument | None) -> Iterator[Finding]:
    match document:
        case WritePolicy():
            yield from write_findings(document)
        case AccessPolicy():
            yield from access_findings(document)
        case RetentionPolicy():
            yield from retention_findings(document)
        case RetrievalPolicy():
            yield from retrieval_findings(document, cast("RetrievalPolicy | None", effective))
