"""Differences of ordered rules: each rule that came, went, moved or changed, with what it does to decisions. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from policies import wording
from policies.compare.change import Change, Direction
from policies.compare.measures import Members, rewritten
from policies.compare.shifts import Looser, Shift, altered, kept_in_order, looser
from policies.documents import AccessRule, ActionRule, Part, Range, WriteDefault, WriteRule
from policies.meaning.steps import Reading, outcome_of

Rule = WriteRule | WriteDefault | AccessRule | ActionRule

WORDS = ("title", "reason", "hint")
"""What is only told."""

SENSITIVE = Members(
    "sensitive_categories",
    "tightens",
    "loosens",
    "What is about {one} is now sensitive.",
    "What is about {one} is no longer sensitive.",
)


@dataclass(frozen=True, slots=True)
class Effects:
    """What altered rules do to decisions: by rule, facts of which more is let through, and facts of which less is."""

    loosens: dict[str, Shift]
    tightens: dict[str, Shift]

    def direction(self, rule_id: str) -> Direction:
        """Tell what a rule's change does; one that does both loosens."""
        if rule_id in self.loosens:
            return "loosens"
        return "tightens" if rule_id in self.tightens else "neutral"

    def sentence(self, rule_id: str) -> str:
        """Tell one thing that another rule decides now, or one did before, because of this one; nothing without any."""
        shift = self.loosens.get(rule_id) or self.tightens.get(rule_id)
        return f" {_told(shift)}" if shift and shift.was.id != shift.now.id else ""


def effects_of(was: Reading, now: Reading, is_looser: Looser, was_looser: Looser) -> Effects:
    """Find what altered rules do: by what the new document lets more through, and by what the old one did."""
    ids = altered(was, now)
    loosens, tightens = looser(was, now, ids, is_looser), looser(now, was, ids, was_looser)
    return Effects(loosens, {one: Shift(was=shift.now, now=shift.was) for one, shift in tightens.items()})


def rule_changes(before: Sequence[Rule], after: Sequence[Rule], effects: Effects) -> Iterator[Change]:
    """List every difference of two lists of rules; a default stands last."""
    was, now = ({rule.id: rule for rule in rules} for rules in (before, after))
    stay = kept_in_order(list(was), list(now))
    told = set()
    for change in _structural(was, now, stay, effects):
        told.add(change.path.partition("]")[0].removeprefix("rules["))
        yield change
    yield from _others(effects, told)


def _structural(was: dict[str, Rule], now: dict[str, Rule], stay: frozenset[str], effects: Effects) -> Iterator[Change]:
    for one in was:
        if one not in now:
            sentence = f"{_named(was[one])} is gone.{effects.sentence(one)}"
            yield Change(f"rules[{one}]", sentence, effects.direction(one), was[one].model_dump(mode="json"), None)
    for one in now:
        if one not in was:
            sentence = f"{_named(now[one])} is new.{effects.sentence(one)}"
            yield Change(f"rules[{one}]", sentence, effects.direction(one), None, now[one].model_dump(mode="json"))
        else:
            if one not in stay:
                yield _moved(one, list(was), list(now), effects)
            yield from _changed(was[one], now[one], effects)


def _moved(one: str, was: list[str], now: list[str], effects: Effects) -> Change:
    here, there = (_previous(one, ids) for ids in (was, now))
    sentence = f"Rule {one} is tried {_place(there)} instead of {_place(here)}.{effects.sentence(one)}"
    return Change(f"rules[{one}].place", sentence, effects.direction(one), here, there)


def _previous(one: str, ids: list[str]) -> str | None:
    at = ids.index(one)
    return ids[at - 1] if at else None


def _place(previous: str | None) -> str:
    return f"after rule {previous}" if previous else "first"


def _changed(was: Rule, now: Rule, effects: Effects) -> Iterator[Change]:
    if type(was) is not type(now):
        says = (
            "is what holds when no other rule applies, instead of a rule"
            if isinstance(now, WriteDefault)
            else "is a rule like others now"
        )
        sentence = f"{_named(now)} {says}.{effects.sentence(now.id)}"
        both = was.model_dump(mode="json"), now.model_dump(mode="json")
        yield Change(f"rules[{now.id}]", sentence, effects.direction(now.id), *both)
        return
    for field in type(now).model_fields:
        old, new = getattr(was, field), getattr(now, field)
        if old == new:
            continue
        if field == "match":
            yield from _matches(now.id, old, new, effects)
            continue
        path = f"rules[{now.id}].{field}"
        if field in WORDS:
            sentence = f"The {field} of rule {now.id} reads {_reads(new)} instead of {_reads(old)}."
            yield Change(path, sentence, "neutral", old, new)
        else:
            sentence = _follows(was, now, field) + effects.sentence(now.id)
            yield Change(path, sentence, effects.direction(now.id), old, new)


def _matches(rule_id: str, was: Part, now: Part, effects: Effects) -> Iterator[Change]:
    for field in type(now).model_fields:
        old, new = getattr(was, field), getattr(now, field)
        if old == new:
            continue
        if isinstance(new, tuple) and set(old) == set(new):
            yield rewritten(f"rules[{rule_id}].match.{field}", list(old), list(new))
            continue
        sentence = f"Rule {rule_id} applies to {asked(field, new)} instead of {asked(field, old)}."
        yield Change(
            f"rules[{rule_id}].match.{field}",
            sentence + effects.sentence(rule_id),
            effects.direction(rule_id),
            _plain(old),
            _plain(new),
        )


def _others(effects: Effects, told: set[str]) -> Iterator[Change]:
    """Tell of rules that read as before and decide something else, because what is sensitive has changed."""
    for one in dict.fromkeys((*effects.loosens, *effects.tightens)):
        shift = effects.loosens.get(one) or effects.tightens[one]
        if told.isdisjoint({shift.was.id, shift.now.id}):
            told.add(one)
            sentence = f"Rule {one} reads as before and decides something else.{effects.sentence(one)}"
            yield Change(f"rules[{one}]", sentence, effects.direction(one), shift.was.outcome, shift.now.outcome)


# --- sentences -------------------------------------------------------------------------------------------------------


def _named(rule: Rule) -> str:
    return f"Rule {rule.id} ({wording.quoted(rule.title)})"


def _told(shift: Shift) -> str:
    was, now = shift.was, shift.now
    if was.redacts:
        return f"Some words that rule {was.id} replaced by placeholders are now kept as they were written."
    if now.redacts:
        return f"Some words that were kept as they were written are now replaced by placeholders (rule {now.id})."
    if (was.outcome, now.outcome) == ("refuse", "refuse"):
        return f"Some refused texts {'may now be kept for their person' if now.keeps_text else 'are now kept nowhere'}."
    return f"Some of what {wording.PAST[was.outcome]} (rule {was.id}) {wording.now(now.outcome)} (rule {now.id})."


def _follows(was: Rule, now: Rule, field: str) -> str:
    if isinstance(now, ActionRule) and isinstance(was, ActionRule) and field == "action":
        return f"Rule {now.id} is about the action {wording.name(now.action)} instead of {wording.name(was.action)}."
    if field == "keeps_text":
        is_kept = getattr(now, field)
        return f"A text that rule {now.id} refuses {'may be kept for the person' if is_kept else 'is kept nowhere'}."
    return f"What rule {now.id} applies to {wording.OUTCOMES[_outcome(now)]}; before, it {wording.PAST[_outcome(was)]}."


def _outcome(rule: Rule) -> str:
    return outcome_of(rule) if isinstance(rule, AccessRule | ActionRule) else rule.outcome


def _reads(text: str | None) -> str:
    return wording.quoted(text) if text else "nothing"


def _plain(value: Any) -> Any:
    if isinstance(value, Part):
        return value.model_dump(mode="json")
    return list(value) if isinstance(value, tuple) else value


def asked(field: str, wanted: Any) -> str:
    """Say what one field of a match asks for; ``()`` and None ask for nothing."""
    if wanted is None or wanted == ():
        return ANYTHING[field]
    if isinstance(wanted, Range):
        return f"{wording.with_article(field)} of {wording.range_of(wanted.model_dump())}"
    if isinstance(wanted, bool):
        return FLAGS[field][wanted]
    if field == "without_scope":
        return f"keys that lack the right {wanted}"
    return SAYS[field].format(wording.either(WRITTEN.get(field, {}).get(one, wording.name(one)) for one in wanted))


ANYTHING = {
    "kinds": "every kind",
    "origins": "every origin",
    "channels": "every channel",
    "categories": "every category",
    "sensitive": "sensitive and other memories alike",
    "findings": "texts whatever screening finds",
    "agents": "every agent",
    "subject_kinds": "whoever or whatever it is about",
    "confidence": "every confidence",
    "importance": "every importance",
    "length": "every length",
    "is_test": "test keys and others alike",
    "purposes": "every purpose",
    "without_scope": "keys with any rights",
}
SAYS = {
    "kinds": "{}",
    "origins": "what is {}",
    "channels": "what comes by {}",
    "categories": "what is about {}",
    "findings": "texts in which screening finds {}",
    "agents": "the agent {}",
    "subject_kinds": "what is about {}",
    "purposes": "the purpose {}",
}
WRITTEN = {
    "kinds": wording.KINDS,
    "origins": wording.ORIGINS,
    "channels": wording.CHANNELS,
    "subject_kinds": wording.SUBJECT_KINDS,
    "agents": {},
}
FLAGS = {
    "sensitive": {True: "what is sensitive", False: "what is not sensitive"},
    "is_test": {True: "test keys", False: "keys that are no test keys"},
}
