"""The words for codes, numbers and lists in sentences that a policy editor reads. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

KINDS = {
    "preference": "preferences",
    "fact": "facts",
    "relationship": "relationships",
    "instruction": "instructions",
    "outcome": "outcomes",
    "event": "events",
    "episode": "episodes",
    "summary": "summaries",
}
ORIGINS = {
    "stated": "stated",
    "observed": "observed",
    "inferred": "inferred",
    "verified_outcome": "proven by an outcome",
    "imported": "imported",
}
CHANNELS = {
    "portal": "the person’s own page",
    "user_message": "the person’s own words to an agent",
    "import": "an import",
    "agent": "an agent",
    "tool": "a tool",
    "document": "a document",
    "peer_agent": "another agent",
    "consolidation": "summing memories up",
}
SUBJECT_KINDS = {"user": "a person", "entity": "a thing", "team": "a team"}
ROLES = {
    "developer": "developers",
    "reviewer": "reviewers",
    "policy_editor": "policy editors",
    "policy_approver": "policy approvers",
    "privacy_officer": "privacy officers",
    "auditor": "auditors",
    "admin": "administrators",
}
SIGHTS = {
    "nothing": "nothing",
    "queue": "only what waits for them",
    "masked": "masked texts",
    "content": "the texts",
}
OUTCOMES = {
    "accept": "is kept and in use at once",
    "propose": "waits for the person",
    "quarantine": "waits for a reviewer",
    "policy_change": "goes to the policy editors as a request",
    "refuse": "is not kept",
    "redact": "has the words found replaced by placeholders",
    "allow": "may be read by agents",
    "deny": "is closed to agents",
    "allow_action": "may be done",
    "ask_person": "takes the person’s word first",
    "deny_action": "is not to be done",
}
"""What follows from a rule, of something that it applies to."""
DECISIONS = {"allow": OUTCOMES["allow_action"], "ask_person": OUTCOMES["ask_person"], "deny": OUTCOMES["deny_action"]}
"""What an action policy says of an action."""
PAST = {
    "accept": "was kept and in use at once",
    "propose": "waited for the person",
    "quarantine": "waited for a reviewer",
    "policy_change": "went to the policy editors as a request",
    "refuse": "was not kept",
    "redact": "had the words found replaced by placeholders",
    "allow": "could be read by agents",
    "deny": "was closed to agents",
    "allow_action": "could be done",
    "ask_person": "took the person’s word first",
    "deny_action": "was not to be done",
}


def now(outcome: str) -> str:
    """Write what follows as something new: “is now kept”, “now waits for the person”."""
    verb, rest = OUTCOMES[outcome].split(" ", 1)
    return f"{verb} now {rest}" if verb in ("is", "may") else f"now {verb} {rest}"


def name(code: str) -> str:
    """Write a code as words: ``criminal_record`` as “criminal record”."""
    return code.replace("_", " ")


def quoted(text: str) -> str:
    """Put a text in quotation marks."""
    return f"“{text}”"


def with_article(noun: str) -> str:
    """Put “a” or “an” before a noun."""
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"


def either(parts: Iterable[str]) -> str:
    """Join words by “or”."""
    return _joined(list(parts), "or")


def together(parts: Iterable[str]) -> str:
    """Join words by “and”."""
    return _joined(list(parts), "and")


def _joined(parts: list[str], last: str) -> str:
    return f"{', '.join(parts[:-1])} {last} {parts[-1]}" if len(parts) > 1 else "".join(parts)


def number(value: float) -> str:
    """Write a number without digits that say nothing."""
    return f"{value:.10g}"


def count(value: float, noun: str) -> str:
    """Write a number of things: “1 day”, “90 days”."""
    return f"{number(value)} {noun if value == 1 else f'{noun}s'}"


def lasting(days: int | None) -> str:
    """Write how long something is kept; None is without end."""
    return "without a limit" if days is None else count(days, "day")


def range_of(ends: Mapping[str, Any]) -> str:
    """Write the ends of a range."""
    low, high = ends.get("at_least"), ends.get("below")
    parts = [f"at least {number(low)}"] if low is not None else []
    return together([*parts, *([f"less than {number(high)}"] if high is not None else [])])


def memories(kind: str, origin: str) -> str:
    """Name the memories of one kind and origin: “Guesses about preferences”."""
    kinds = KINDS[kind]
    return f"Guesses about {kinds}" if origin == "inferred" else f"{kinds.capitalize()} that were {ORIGINS[origin]}"
