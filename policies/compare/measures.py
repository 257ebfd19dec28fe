"""Differences of single numbers, choices and lists, told by a table of what each of them does. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

from policies import wording
from policies.compare.change import Change, Direction
from policies.documents import Part


@dataclass(frozen=True, slots=True)
class Measure:
    """One number of a document: what a larger and what a smaller one does, and the sentence that tells it.

    ``says`` holds ``{after}`` and ``{before}``.
    """

    path: str
    larger: Direction
    smaller: Direction
    says: str
    write: Callable[[Any], str] = wording.number


@dataclass(frozen=True, slots=True)
class Choice:
    """One field that takes one of a few values: the direction of each value it may take, and the sentence."""

    path: str
    to: dict[Any, Direction]
    says: dict[Any, str]


@dataclass(frozen=True, slots=True)
class Members:
    """One list of a document whose order says nothing: what one more and one less of it does.

    ``gained`` and ``lost`` hold ``{one}``.
    """

    path: str
    more: Direction
    fewer: Direction
    gained: str
    lost: str
    write: Callable[[str], str] = wording.name


Row = Measure | Choice | Members


def measured(rows: Iterable[Row], before: Part, after: Part, *, at: str = "") -> Iterator[Change]:
    """Hold two documents, or the part of them that stands ``at`` a place, against a table."""
    for row in rows:
        read = attrgetter(row.path)
        was, now = read(before), read(after)
        if was == now:
            continue
        match row:
            case Measure():
                direction = row.larger if now > was else row.smaller
                sentence = row.says.format(after=row.write(now), before=row.write(was))
                yield Change(at + row.path, sentence, direction, was, now)
            case Choice():
                yield Change(at + row.path, row.says[now], row.to[now], was, now)
            case Members():
                yield from _members(row, at + row.path, was, now)


def _members(row: Members, path: str, was: tuple[str, ...], now: tuple[str, ...]) -> Iterator[Change]:
    if set(was) == set(now):
        yield rewritten(path, list(was), list(now))
    for one in dict.fromkeys(now):
        if one not in was:
            yield Change(f"{path}[{one}]", _told(row.gained, row, one), row.more, None, one)
    for one in dict.fromkeys(was):
        if one not in now:
            yield Change(f"{path}[{one}]", _told(row.lost, row, one), row.fewer, one, None)


def _told(sentence: str, row: Members, one: str) -> str:
    told = sentence.format(one=row.write(one))
    return told[0].upper() + told[1:]


def rewritten(path: str, before: Any, after: Any) -> Change:
    """Tell of a difference in writing only."""
    sentence = "The same is written in another order, and means what it meant."
    return Change(path, sentence, "neutral", before, after)
