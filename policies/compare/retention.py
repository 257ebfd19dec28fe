"""Differences of retention policies: whatever keeps something longer loosens. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from policies import wording
from policies.compare.change import Change, Direction
from policies.compare.measures import Measure, Members, Row, measured, rewritten
from policies.documents import KINDS, ORIGINS, RetentionPolicy

RETENTION: tuple[Row, ...] = (
    Measure(
        "archive.unused_days",
        "loosens",
        "tightens",
        "What nobody uses is put to rest after {after} days instead of {before}.",
    ),
    Measure(
        "archive.importance_below",
        "tightens",
        "loosens",
        "What nobody uses is put to rest if its importance is below {after} instead of {before}.",
    ),
    Members(
        "decay.origins",
        "tightens",
        "loosens",
        "What is {one} now fades with time.",
        "What is {one} no longer fades with time.",
        wording.ORIGINS.__getitem__,
    ),
    Measure(
        "decay.confidence_below",
        "tightens",
        "loosens",
        "Memories fade if their confidence is below {after} instead of {before}.",
    ),
    Measure(
        "decay.half_life_days",
        "loosens",
        "tightens",
        "Fading memories lose half of their confidence in {after} days instead of {before}.",
    ),
    Measure(
        "decay.floor",
        "tightens",
        "loosens",
        "Fading memories are put to rest at a confidence of {after} instead of {before}.",
    ),
    # A summary lives from the day it is made: made later, it holds its words for longer; made sooner, there are more.
    Measure(
        "consolidation.every_days",
        "loosens",
        "loosens",
        "Summaries are made every {after} days instead of {before}, so their words may be kept for another time.",
    ),
    Measure(
        "consolidation.minimum_episodes",
        "tightens",
        "loosens",
        "A summary is made of at least {after} episodes instead of {before}.",
    ),
    Measure(
        "unanswered_days",
        "loosens",
        "tightens",
        "A proposal nobody answers waits {after} days instead of {before}.",
    ),
)


def retention_changes(before: RetentionPolicy, after: RetentionPolicy) -> Iterator[Change]:
    """List every difference of two retention policies: whatever keeps something longer loosens."""
    for kind in KINDS:
        for origin in ORIGINS:
            was, now = getattr(getattr(before.days, kind), origin), getattr(getattr(after.days, kind), origin)
            if was != now:
                yield Change(
                    f"days.{kind}.{origin}",
                    f"{wording.memories(kind, origin)} are kept {_instead(now, was)}.",
                    _by_length(was, now),
                    was,
                    now,
                )
    yield from measured(RETENTION, before, after)
    yield from _regions(before, after)


def region_maximum(document: RetentionPolicy, region: str) -> int | None:
    """Return the longest time anything is kept in a region, in days: the smallest of its limits; None for no limit."""
    return min((one.maximum_days for one in document.region_limits if one.region == region), default=None)


def _regions(before: RetentionPolicy, after: RetentionPolicy) -> Iterator[Change]:
    if before.region_limits == after.region_limits:
        return
    named = dict.fromkeys(one.region for one in (*before.region_limits, *after.region_limits))
    differing = False
    for region in named:
        was, now = region_maximum(before, region), region_maximum(after, region)
        if was != now:
            differing = True
            sentence = f"In the region {region} memories are kept at most {_instead(now, was)}."
            yield Change(f"region_limits[{region}]", sentence, _by_length(was, now), was, now)
    if not differing:
        yield rewritten(
            "region_limits",
            [one.model_dump() for one in before.region_limits],
            [one.model_dump() for one in after.region_limits],
        )


def _instead(now: int | None, was: int | None) -> str:
    if now is not None and was is not None:
        return f"{wording.count(now, 'day')} instead of {was}"
    return f"{wording.lasting(now)} instead of {wording.lasting(was)}"


def _by_length(was: int | None, now: int | None) -> Direction:
    return "loosens" if now is None or (was is not None and now > was) else "tightens"
