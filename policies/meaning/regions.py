"""Sets of possible facts, narrowed condition by condition. Pure.

A fact is a value on each of several axes (a kind, a channel, an interval between two bounds) and any number of marks
(findings, categories, scopes), which do not depend on each other. A set of values or marks is an integer, one bit for
each.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from functools import reduce
from operator import or_
from typing import Any, NamedTuple

HAS, LACKS = -1, -2
"""Instead of an axis: at least one of the marks is there, or none of them is."""

STEPS = 100_000
"""How often one search holds a rule against a region before it gives up."""


class Condition(NamedTuple):
    """What one field of a rule asks for: the value on an axis is among these, or marks are there or not."""

    about: int
    among: int

    @property
    def negated(self) -> Condition:
        """Give what holds exactly where this does not."""
        if self.about == HAS:
            return Condition(LACKS, self.among)
        if self.about == LACKS:
            return Condition(HAS, self.among)
        return Condition(self.about, ~self.among)


Match = tuple[Condition, ...]
"""What a rule applies to: each condition must hold."""


class Region(NamedTuple):
    """The facts with one of these values on each axis, none of the absent marks, and one mark of each needed group.

    There is always at least one such fact.
    """

    values: tuple[int, ...]
    absent: int = 0
    needed: tuple[int, ...] = ()

    def holds(self, condition: Condition) -> bool | None:
        """Tell whether a condition holds for every fact of the region (True), for none (False), or for some (None)."""
        about, among = condition
        if about >= 0:
            shared = self.values[about] & among
            if not shared:
                return False
            return True if shared == self.values[about] else None
        if not among & ~self.absent:
            return about == LACKS
        for group in self.needed:
            if not group & ~self.absent & ~among:
                return about == HAS
        return None

    def narrowed(self, condition: Condition) -> Region:
        """Keep the facts for which a condition holds; there must be one."""
        if condition.about == HAS:
            return self._replace(needed=(*self.needed, condition.among))
        if condition.about == LACKS:
            return self._replace(absent=self.absent | condition.among)
        at = condition.about
        return self._replace(values=(*self.values[:at], self.values[at] & condition.among, *self.values[at + 1 :]))

    def matching(self, match: Match) -> Region | None:
        """Keep the facts that a rule applies to; None without any."""
        region = self
        for condition in match:
            if region.holds(condition) is False:
                return None
            region = region.narrowed(condition)
        return region

    def open_in(self, match: Match) -> Match | None:
        """List the conditions of a rule that hold for some of the facts and not for others; None if one never holds."""
        undecided = []
        for condition in match:
            holds = self.holds(condition)
            if holds is False:
                return None
            if holds is None:
                undecided.append(condition)
        return tuple(undecided)


class Space:
    """The axes and marks that the rules of some documents speak of."""

    def __init__(self, axes: Mapping[str, Sequence[Hashable]], marks: Iterable[str]) -> None:
        self._axis = {name: at for at, name in enumerate(axes)}
        self._bits = {name: {value: 1 << at for at, value in enumerate(values)} for name, values in axes.items()}
        self._marks = {mark: 1 << at for at, mark in enumerate(sorted(set(marks)))}
        self.everything = Region(tuple((1 << len(values)) - 1 for values in axes.values()))

    def among(self, axis: str, values: Iterable[Hashable]) -> Condition:
        """Ask that the value on an axis is one of these."""
        bits = self._bits[axis]
        return Condition(self._axis[axis], reduce(or_, (bits[value] for value in values), 0))

    def values(self, axis: str) -> Sequence[Any]:
        """List the values on an axis."""
        return tuple(self._bits[axis])

    def has(self, marks: Iterable[str]) -> Condition:
        """Ask that at least one of these marks is there."""
        return Condition(HAS, self._of(marks))

    def lacks(self, marks: Iterable[str]) -> Condition:
        """Ask that none of these marks is there."""
        return Condition(LACKS, self._of(marks))

    def _of(self, marks: Iterable[str]) -> int:
        return reduce(or_, (self._marks.get(mark, 0) for mark in marks), 0)


class Search:
    """Looks for facts that no earlier rule takes, with a limited number of steps for all it is asked."""

    def __init__(self) -> None:
        self._left = STEPS

    def finds(self, region: Region | None, outside: Iterable[Match]) -> bool | None:
        """Tell whether a region holds a fact that none of these rules applies to; None if that takes too long."""
        if region is None:
            return False
        try:
            return self._finds(region, list(dict.fromkeys(outside)))
        except _TooLong:
            return None

    def _finds(self, region: Region, outside: list[Match]) -> bool:
        while True:
            self._left -= 1 + len(outside)
            if self._left < 0:
                raise _TooLong
            fewest: Match | None = None
            touching = []
            for match in outside:
                undecided = region.open_in(match)
                if undecided is None:
                    continue
                if not undecided:
                    return False
                touching.append(match)
                if fewest is None or len(undecided) < len(fewest):
                    fewest = undecided
            if fewest is None:
                return True
            outside = touching
            # A fact outside the rule fails one of its conditions: the first, or it meets that and fails the second, …
            for condition in fewest[:-1]:
                holds = region.holds(condition)
                if holds is False:
                    break
                if holds is None and self._finds(region.narrowed(condition.negated), touching):
                    return True
                region = region.narrowed(condition)
            else:
                if region.holds(fewest[-1]):
                    return False
                region = region.narrowed(fewest[-1].negated)
            outside = touching


class _TooLong(Exception):
    pass
