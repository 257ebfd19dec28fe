"""Three texts of one policy: what a draft was begun against, what decides now, and the draft. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from policies.compare import Change

ABSENT = object()


@dataclass(frozen=True, slots=True)
class Line:
    """One place where the three differ; `is_torn` where both sides say something new."""

    path: str
    base: Any
    theirs: Any
    mine: Any
    is_torn: bool


def lines_of(theirs: Iterable[Change], mine: Iterable[Change]) -> list[Line]:
    """Put what each side changed since the base beside the other, place by place."""
    by_path = {one.path: one for one in theirs}, {one.path: one for one in mine}
    lines = []
    for path in dict.fromkeys([*by_path[0], *by_path[1]]):
        they, we = (side.get(path) for side in by_path)
        base = they.before if they else we.before if we else None
        theirs_now, mine_now = (side.after if side else base for side in (they, we))
        lines.append(Line(path, base, theirs_now, mine_now, bool(they and we) and theirs_now != mine_now))
    return lines


def merged(base: Any, theirs: Any, mine: Any) -> Any:
    """Bring both sides' changes together; where both changed the same place, the draft's own stays."""
    if mine == base:
        return theirs
    if theirs == base or ABSENT in (theirs, mine):
        return mine
    if isinstance(theirs, dict) and isinstance(mine, dict):
        return _merged_by_name(base if isinstance(base, dict) else {}, theirs, mine)
    keyed = [_keyed(one) for one in (base, theirs, mine)]
    if all(one is not None for one in keyed):
        return list(_merged_by_name(*keyed).values())  # type: ignore[arg-type]
    return mine


def _merged_by_name(base: dict[str, Any], theirs: dict[str, Any], mine: dict[str, Any]) -> dict[str, Any]:
    found = {
        name: merged(base.get(name, ABSENT), theirs.get(name, ABSENT), mine.get(name, ABSENT))
        for name in _order(list(mine), list(theirs))
    }
    return {name: value for name, value in found.items() if value is not ABSENT}


def _order(mine: list[str], theirs: list[str]) -> list[str]:
    """Keep the draft's order; what only they have follows what it follows there, for the order of rules decides."""
    names = list(mine)
    before: str | None = None
    for name in theirs:
        if name not in names:
            names.insert(names.index(before) + 1 if before is not None else 0, name)
        before = name
    return names


def _keyed(items: Any) -> dict[str, Any] | None:
    """Name the entries of a list by what identifies them; None for a list of plain values."""
    if not isinstance(items, list) or not all(isinstance(one, dict) for one in items):
        return None
    named = {str(one.get("id") or one.get("name") or one.get("region") or ""): one for one in items}
    return named if len(named) == len(items) else None
