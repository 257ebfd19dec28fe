"""Differences of write policies: whatever lets more in, or keeps more of it, loosens. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from policies import wording
from policies.compare.change import Change
from policies.compare.measures import Measure, Members, Row, measured
from policies.compare.rules import SENSITIVE, effects_of, rule_changes
from policies.compare.shifts import Looser
from policies.documents import ORIGINS, Origin, WritePolicy
from policies.engine import NEVER_KEPT, origin_ranks
from policies.meaning.regions import Match, Space
from policies.meaning.steps import Step, finding, read_write

OPENNESS = ("refuse", "policy_change", "quarantine", "propose", "accept")
"""The outcomes of a write, from the strictest: a request to change policy keeps its words, though for editors only."""

WRITE: tuple[Row, ...] = (
    SENSITIVE,
    Measure(
        "dedupe.near_identical",
        "loosens",
        "tightens",
        "Another wording is taken for the same from a likeness of {after} on instead of {before}.",
    ),
    Measure(
        "dedupe.token_overlap",
        "loosens",
        "tightens",
        "Another wording is taken for the same if {after} of the words agree instead of {before}.",
    ),
    Measure(
        "dedupe.neighbours",
        "tightens",
        "loosens",
        "A new memory is held against {after} others instead of {before}.",
    ),
    *(
        Measure(
            f"confidence_caps.{origin}",
            "loosens",
            "tightens",
            f"What is {wording.ORIGINS[origin]} may have a confidence of at most {{after}} instead of {{before}}.",
        )
        for origin in ORIGINS
    ),
    Measure(
        "rates.window_seconds",
        "tightens",
        "loosens",
        "Writes are counted over {after} seconds instead of {before}.",
    ),
    Measure(
        "rates.per_subject",
        "loosens",
        "tightens",
        "Up to {after} writes about one person are taken within the window instead of {before}.",
    ),
    Measure(
        "rates.per_agent",
        "loosens",
        "tightens",
        "Up to {after} writes of one agent are taken within the window instead of {before}.",
    ),
    Members(
        "rates.exempt_channels",
        "loosens",
        "tightens",
        "Writes by {one} are no longer counted.",
        "Writes by {one} are now counted.",
        wording.CHANNELS.__getitem__,
    ),
    Measure(
        "refused_text_days",
        "loosens",
        "tightens",
        "Refused texts are kept for their person {after} days instead of {before}.",
    ),
)


def write_changes(before: WritePolicy, after: WritePolicy) -> Iterator[Change]:
    """List every difference of two write policies: whatever lets more in, or keeps more of it, loosens."""
    was, now = read_write(before, after)
    effects = effects_of(was, now, _lets_in(was.space, after), _lets_in(was.space, before))
    yield from rule_changes((*before.rules, before.default), (*after.rules, after.default), effects)
    for change in measured(WRITE, before, after):
        yield _capped(change, after) if change.path.startswith("confidence_caps.") else change
    yield from _ranks(before, after)


def _lets_in(space: Space, document: WritePolicy) -> Looser:
    """Compare outcomes; of two refusals the one that keeps the text, where the document keeps any, lets in more."""
    may_be_kept = (space.lacks(finding(one) for one in NEVER_KEPT),)

    def is_looser(was: Step, now: Step) -> Match | None:
        if OPENNESS.index(now.outcome) > OPENNESS.index(was.outcome):
            return ()
        is_kept = now.outcome == "refuse" and now.keeps_text and document.refused_text_days > 0
        return may_be_kept if is_kept and was.outcome == "refuse" and not was.keeps_text else None

    return is_looser


def _capped(change: Change, after: WritePolicy) -> Change:
    """A lower cap makes claims less sure: that loosens if a rule lets more of what is less sure through."""
    if change.direction == "tightens" and any(_favours_doubt(at, after) for at in range(len(after.rules))):
        sentence = f"{change.sentence} A rule may let more through of what is less sure."
        return replace(change, direction="loosens", sentence=sentence)
    return change


def _favours_doubt(at: int, document: WritePolicy) -> bool:
    """Tell whether a rule does not merely refuse what is below a confidence, and keep no more of it than later ones."""
    rule = document.rules[at]
    wanted = rule.match.confidence
    if wanted is None:
        return False
    later_forget = any(one.outcome == "refuse" and not one.keeps_text for one in document.rules[at + 1 :])
    return wanted.at_least is not None or rule.outcome != "refuse" or (rule.keeps_text and later_forget)


def _ranks(before: WritePolicy, after: WritePolicy) -> Iterator[Change]:
    was, now = origin_ranks(before), origin_ranks(after)
    if was == now:
        return
    differing = False
    for origin in ORIGINS:
        could, can = ({old for old in ORIGINS if ranks[origin] >= ranks[old]} for ranks in (was, now))
        path, ends = f"origin_ranks.{origin}", (was[origin], now[origin])
        if can - could:
            yield Change(path, _supersedes(origin, "may now", can - could), "loosens", *ends)
        if could - can:
            yield Change(path, _supersedes(origin, "may no longer", could - can), "tightens", *ends)
        differing = differing or could != can
    if not differing:
        sentence = "The origins have other ranks in the same order."
        yield Change("origin_ranks", sentence, "neutral", was, now)


def _supersedes(origin: str, says: str, others: set[Origin]) -> str:
    over = wording.either(wording.ORIGINS[one] for one in ORIGINS if one in others)
    return f"What is {wording.ORIGINS[origin]} {says} take the place of what is {over}."
