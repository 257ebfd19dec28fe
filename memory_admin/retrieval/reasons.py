"""One plain sentence on why a memory was handed out, built from the parts of its score and its provenance."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from memory_admin.indexing.lexemes import lexemes

MENTIONED = 3
"""Most words of the query that a reason names."""

_PROFILE = "it is part of the profile"
_FALLBACK = "nothing else was close enough, it is the summary"

_ALIKE = 0.45
_PLAINLY_ALIKE = 0.6

_SAID = {
    "stated": "{who} said it",
    "observed": "it was seen in a conversation",
    "inferred": "an agent concluded it",
    "verified_outcome": "it is a checked outcome",
    "imported": "it was imported",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Grounds:
    """What speaks for one memory. ``mentions`` are words of the query found in it; empty where no text may stand."""

    origin: str
    similarity: float
    keyword: float
    session: float = 0.0
    mentions: Sequence[str] = ()
    confirmed_at: datetime | None = None
    is_profile: bool = False
    is_fallback: bool = False


def sentence(grounds: Grounds, *, now: datetime, to_the_person: bool = False) -> str:
    """Say why a memory was handed out: "It mentions “seat”, the person said it, and they confirmed it 3 days ago."

    :param to_the_person: speak to the person the memory is about
    """
    who = "you" if to_the_person else "the person"
    clauses = [_match(grounds), _SAID.get(grounds.origin, "it is on record").format(who=who)]
    if grounds.confirmed_at is not None:
        clauses.append(f"{'you' if to_the_person else 'they'} confirmed it {ago(now - grounds.confirmed_at)}")
    listed = (
        clauses[0]
        if len(clauses) == 1
        else f"{', '.join(clauses[:-1])}{',' if len(clauses) > 2 else ''} and {clauses[-1]}"
    )
    return f"{listed[0].upper()}{listed[1:]}."


def is_of_the_profile(reason: str) -> bool:
    """Tell of a logged reason that it is the one of the profile: what it speaks for was not chosen by its score."""
    return reason.lower().startswith(_PROFILE)


def is_of_the_fallback(reason: str) -> bool:
    """Tell of a logged reason that it is the one of the summary that stands in where nothing is close enough."""
    return reason.lower().startswith(_FALLBACK)


class Mentions:
    """The words of one query, looked for in statement after statement."""

    def __init__(self, query: str) -> None:
        telling = set(lexemes(query))
        words = dict.fromkeys(word.strip(_PUNCTUATION) for word in query.split())
        self._words = [(word, found) for word in words if (found := telling.intersection(lexemes(word)))]

    def within(self, statement: str) -> list[str]:
        """List the words of the query that a statement mentions, as the query spells them, the first few only."""
        held = set(lexemes(statement)) if self._words else set()
        return [word for word, found in self._words if found & held][:MENTIONED]


def ago(age: timedelta) -> str:
    """Say roughly how long ago something was: "today", "yesterday", "5 days ago", "3 months ago", "2 years ago"."""
    days = max(age.days, 0)
    if days == 0:
        return "today"
    if days == 1:
        return "yesterday"
    for size, unit in ((365, "year"), (30, "month")):
        if days >= 2 * size or (size == 365 and days >= size):
            count = days // size
            return f"{count} {unit}{'s' if count > 1 else ''} ago"
    return f"{days} days ago"


_PUNCTUATION = " \t\n.,;:!?¿¡\"'“”‘’«»()[]{}…—–"


def _match(grounds: Grounds) -> str:
    if grounds.is_profile:
        return _PROFILE
    if grounds.is_fallback:
        return _FALLBACK
    if grounds.mentions:
        return f"it mentions {_listed([f'“{word}”' for word in grounds.mentions])}"
    if grounds.keyword > 0 and grounds.similarity < _PLAINLY_ALIKE:
        return "it mentions words of the question"
    if grounds.similarity >= _ALIKE:
        return "it is close in meaning to the question"
    if grounds.session > 0:
        return "it belongs to a conversation that fits the question"
    return "it is among the nearest in meaning"


def _listed(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
