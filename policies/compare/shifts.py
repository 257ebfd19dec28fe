"""What is decided differently when ordered rules change. Pure.

The first rule that decides ends the walk. Rules that stand in both documents, in the same order and with the same
meaning, decide alike; so whatever is decided differently meets at least one rule that does not. It is enough, and
exact, to look for facts that a rule of the old document decides and a rule of the new one, where one of the two is
such a rule.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher

from policies.meaning.regions import Match, Search
from policies.meaning.steps import Reading, Step, finding


@dataclass(frozen=True, slots=True)
class Shift:
    """Some facts were decided by one rule and are decided by another; or are no longer redacted by the first."""

    was: Step
    now: Step


Looser = Callable[[Step, Step], Match | None]
"""Under which conditions the second of two steps lets more through than the first; None if never."""


def kept_in_order(before: list[str], after: list[str]) -> frozenset[str]:
    """Return the ids that stand in both lists in the same order; the others were moved, added or removed."""
    blocks = SequenceMatcher(None, before, after, autojunk=False).get_matching_blocks()
    return frozenset(one for block in blocks for one in before[block.a : block.a + block.size])


def altered(before: Reading, after: Reading) -> frozenset[str]:
    """Return the ids of the rules that do not stand in both documents in the same order with the same meaning."""
    was, now = ({step.id: step for step in reading.steps} for reading in (before, after))
    same = {one for one in kept_in_order(list(was), list(now)) if was[one] == now[one]}
    return frozenset((was.keys() | now.keys()) - same)


def looser(before: Reading, after: Reading, ids: frozenset[str], is_looser: Looser) -> dict[str, Shift]:
    """Find, for each altered rule, facts of which the new document lets more through than the old one.

    Where a search takes too long there is taken to be some: nothing is missed, and something may be too much.
    """
    search, found = Search(), dict[str, Shift]()
    for place in (*_decided(before, after, ids, is_looser), *_redacted(before, after, ids)):
        touched = ids & {place.shift.was.id, place.shift.now.id}
        if touched <= found.keys():
            continue
        region = before.space.everything.matching(place.match)
        if region is not None and search.finds(region, place.outside(before, after)) is not False:
            found.update(dict.fromkeys(sorted(touched - found.keys()), place.shift))
    return found


@dataclass(frozen=True, slots=True)
class _Place:
    """Where two steps meet: ``at`` are their positions, ``match`` what they both apply to."""

    shift: Shift
    at: tuple[int, int]
    match: Match
    finding: str | None = None

    def outside(self, before: Reading, after: Reading) -> list[Match]:
        """List what must not apply, so that both steps are reached."""
        earlier = [*before.before(self.at[0]), *after.before(self.at[1])]
        if self.finding is None:
            return earlier
        return earlier + [step.match for step in after.steps[: self.at[1]] if self.finding in step.redacts]


def _meetings(before: Reading, after: Reading, ids: frozenset[str]) -> Iterator[tuple[int, int]]:
    """Pair the steps of both documents, one of them altered, where the new one decides."""
    deciding = [at for at, step in enumerate(after.steps) if step.decides]
    altered_ones = [at for at in deciding if after.steps[at].id in ids]
    for at, step in enumerate(before.steps):
        for other in deciding if step.id in ids else altered_ones:
            yield at, other


def _decided(before: Reading, after: Reading, ids: frozenset[str], is_looser: Looser) -> Iterator[_Place]:
    for i, j in _meetings(before, after, ids):
        was, now = before.steps[i], after.steps[j]
        if was.decides and (under := is_looser(was, now)) is not None:
            yield _Place(Shift(was, now), (i, j), (*was.match, *now.match, *under))


def _redacted(before: Reading, after: Reading, ids: frozenset[str]) -> Iterator[_Place]:
    # What is refused is redacted whatever a rule says.
    for i, j in _meetings(before, after, ids):
        was, now = before.steps[i], after.steps[j]
        if now.outcome != "refuse":
            for one in sorted(was.redacts):
                found = before.space.has([finding(one)])
                yield _Place(Shift(was, now), (i, j), (*was.match, *now.match, found), one)
