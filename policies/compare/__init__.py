"""Two documents of one family by meaning: every difference, and whether it loosens what is governed. Pure.

It never calls a loosening difference anything else. Where an exact answer would take too long, or a number works both
ways, it says "loosens".
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from policies.compare.access import access_changes
from policies.compare.change import Change, Direction
from policies.compare.procedures import procedure_changes
from policies.compare.retention import retention_changes
from policies.compare.retrieval import retrieval_changes
from policies.compare.write import write_changes
from policies.documents import Family, PolicyDocument

__all__ = ["Change", "Direction", "changes", "is_restricting", "loosens"]

# Each takes documents of its own family, which a mapping by name cannot say.
_BY_FAMILY: Mapping[Family, Callable[[Any, Any], Iterator[Change]]] = {
    "write": write_changes,
    "retention": retention_changes,
    "retrieval": retrieval_changes,
    "access": access_changes,
    "procedure": procedure_changes,
}


def changes(family: Family, before: PolicyDocument | None, after: PolicyDocument) -> list[Change]:
    """List every difference by meaning; equal documents have none, and unequal ones at least one.

    :param before: None where nothing was in force, and so nothing was allowed
    """
    if before is None:
        sentence = "It is the first of its family: nothing was in force before."
        return [Change("", sentence, "loosens", None, after.model_dump(mode="json"))]
    return list(_BY_FAMILY[family](before, after)) if before != after else []


def loosens(family: Family, before: PolicyDocument | None, after: PolicyDocument) -> list[Change]:
    """List the differences by which more is let in, handed out, seen, kept, or kept for longer."""
    return [change for change in changes(family, before, after) if change.direction == "loosens"]


def is_restricting(family: Family, before: PolicyDocument | None, after: PolicyDocument) -> bool:
    """Tell whether a change tightens something and loosens nothing: what one person may do in an emergency."""
    directions = {change.direction for change in changes(family, before, after)}
    return "tightens" in directions and "loosens" not in directions
