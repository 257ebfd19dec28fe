"""What a simulation has counted so far. Pure.

``counts`` holds a number for each flip (``unchanged``, ``newly_refused`` …); ``not_replayable`` by reason, and ``by``
agent, kind, category and channel the number of each flip; ``untold``, if there is any, the changes of which no event
tells anything, in words. ``groups`` are events that flipped alike, the largest first:
``{"flip", "agent", "kind", "categories", "channel", "events"}``. ``examples`` are up to three of each group:
``{"group", "facts", "before", "after"}``, where ``group`` counts from 0. Neither names a person or repeats words.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

MOST_GROUPS = 10
MOST_EXAMPLES = 3

Flip = Literal[
    "unchanged",
    "newly_stored",
    "newly_queued",
    "newly_refused",
    "redaction_changed",
    "refused_text_changed",
    "ttl_shorter",
    "ttl_longer",
    "newly_allowed",
    "newly_denied",
    "gained",
    "lost",
]
"""What can become of one event."""

Counted = Literal[
    Flip, "changed", "reordered", "newly_empty", "tokens_before", "tokens_after", "never_weighed", "overlaps"
]

Reason = Literal[
    "erased",
    "facts_missing",
    "decided_otherwise",
    "confidence_unknown",
    "looked_up",
    "needs_other_candidates",
    "near_duplicates_unknown",
    "sources_unknown",
    "lift_unknown",
    "recency_unknown",
]
"""Why an event cannot be decided again."""

UNCHANGED: Flip = "unchanged"


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One event as both versions decide it: what came of it by the baseline and by the candidate, and how they differ.

    ``facts`` are what the decision rests on, in the form of a test case.
    """

    flip: Flip
    agent: str
    kind: str
    categories: tuple[str, ...]
    channel: str
    facts: Mapping[str, Any] = field(default_factory=dict)
    before: Mapping[str, Any] = field(default_factory=dict)
    after: Mapping[str, Any] = field(default_factory=dict)


class Tally:
    """Counts, groups and examples, as they are stored between two parts."""

    def __init__(self, counts: dict[str, Any], groups: list[dict[str, Any]], examples: list[dict[str, Any]]) -> None:
        self.counts, self.groups, self.examples = counts, groups, examples
        self._places = {_key(group): place for place, group in enumerate(groups)}
        self._shown = [0] * len(groups)
        for example in examples:
            self._shown[example["group"]] += 1

    def count(self, name: Counted, number: float = 1) -> None:
        """Add to one number."""
        self.counts[name] = self.counts.get(name, 0) + number

    def leave_out(self, reason: Reason) -> None:
        """Count an event that cannot be decided again, and why."""
        reasons = self.counts.setdefault("not_replayable", {})
        reasons[reason] = reasons.get(reason, 0) + 1

    @property
    def left_out(self) -> int:
        """How many events could not be decided again."""
        return sum(self.counts.get("not_replayable", {}).values())

    def add(self, case: Case) -> None:
        """Count an event that was decided again."""
        self.count(case.flip)
        if case.flip != UNCHANGED:
            self.show(case)

    def show(self, case: Case) -> None:
        """Put what flipped with what flipped alike."""
        for name, values in (
            ("agent", (case.agent,)),
            ("kind", (case.kind,)),
            ("category", case.categories),
            ("channel", (case.channel,)),
        ):
            flips = self.counts.setdefault("by", {}).setdefault(name, {})
            for value in values:
                one = flips.setdefault(value, {})
                one[case.flip] = one.get(case.flip, 0) + 1
        place = self._place(case)
        self.groups[place]["events"] += 1
        if self._shown[place] < MOST_EXAMPLES:
            self._shown[place] += 1
            self.examples.append(
                {"group": place, "facts": dict(case.facts), "before": dict(case.before), "after": dict(case.after)}
            )

    def _place(self, case: Case) -> int:
        key = (case.flip, case.agent, case.kind, case.categories, case.channel)
        if key not in self._places:
            self._places[key] = len(self.groups)
            self._shown.append(0)
            self.groups.append(
                {
                    "flip": case.flip,
                    "agent": case.agent,
                    "kind": case.kind,
                    "categories": list(case.categories),
                    "channel": case.channel,
                    "events": 0,
                }
            )
        return self._places[key]

    def finish(self) -> None:
        """Keep the largest groups with their examples."""
        order = sorted(range(len(self.groups)), key=lambda place: (-self.groups[place]["events"], place))[:MOST_GROUPS]
        places = {old: new for new, old in enumerate(order)}
        kept = [one for one in self.examples if one["group"] in places]
        self.groups = [self.groups[place] for place in order]
        self.examples = sorted(
            ({**one, "group": places[one["group"]]} for one in kept), key=lambda one: int(one["group"])
        )


def _key(group: Mapping[str, Any]) -> tuple[str, str, str, Sequence[str], str]:
    return group["flip"], group["agent"], group["kind"], tuple(group["categories"]), group["channel"]
