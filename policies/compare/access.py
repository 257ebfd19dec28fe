"""Differences of access policies: whatever opens something to an agent or to staff loosens. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from policies import wording
from policies.compare.change import Change, Direction
from policies.compare.measures import measured
from policies.compare.rules import SENSITIVE, effects_of, rule_changes
from policies.documents import AccessPolicy, StaffSight, StaffVisibility
from policies.meaning.regions import Match
from policies.meaning.steps import Step, read_access, read_actions

SIGHTS: tuple[StaffSight, ...] = ("nothing", "queue", "masked", "content")
"""What staff may see of other people's content, from the least."""
FREEDOMS = ("deny_action", "ask_person", "allow_action")
"""What agents may do, from the least."""


def access_changes(before: AccessPolicy, after: AccessPolicy) -> Iterator[Change]:
    """List every difference of two access policies: whatever opens something to an agent or to staff loosens."""
    was, now = read_access(before, after)
    effects = effects_of(was, now, _opens, _opens)
    yield from rule_changes((*before.rules, before.default), (*after.rules, after.default), effects)
    for change in _action_changes(before, after):
        yield replace(change, path=f"actions{change.path.removeprefix('rules')}")
    yield from measured((SENSITIVE,), before, after)
    for role in StaffVisibility.model_fields:
        saw, sees = getattr(before.staff, role), getattr(after.staff, role)
        if saw != sees:
            sentence = (
                f"{wording.ROLES[role].capitalize()} see {wording.SIGHTS[sees]} instead of {wording.SIGHTS[saw]}."
            )
            direction: Direction = "loosens" if SIGHTS.index(sees) > SIGHTS.index(saw) else "tightens"
            yield Change(f"staff.{role}", sentence, direction, saw, sees)


def _action_changes(before: AccessPolicy, after: AccessPolicy) -> Iterator[Change]:
    was, now = read_actions(before, after)
    return rule_changes(before.actions, after.actions, effects_of(was, now, _frees, _frees))


def _frees(was: Step, now: Step) -> Match | None:
    return () if FREEDOMS.index(now.outcome) > FREEDOMS.index(was.outcome) else None


def _opens(was: Step, now: Step) -> Match | None:
    return () if (was.outcome, now.outcome) == ("deny", "allow") else None
