"""Asking, as the tests do it."""

from datetime import datetime
from typing import Any

from accounts.actors import Actor
from memory_admin.memories.claims import SourceIn
from memory_admin.memories.models import Memory
from memory_admin.retrieval.answers import Answer, Ask
from memory_admin.retrieval.services import search
from tests.factories import NOON, Person, remembered


def ask(who: Person, query: str, *, by: Actor, now: datetime = NOON, **terms: Any) -> Answer:
    """Ask about one person, in conversation unless said otherwise."""
    return search(
        ask=Ask(**{"subjects": [who.subject.ref], "query": query, "purpose": "chat", **terms}), by=by, now=now
    )


def statements(answer: Answer) -> list[str]:
    """List what was handed out, best first."""
    return [item.statement for item in answer.items]


def turn(who: Person, words: str, position: int, *, by: Actor, session: str = "s1", speaker: str = "Mia") -> Memory:
    """Store one turn of a conversation."""
    source = SourceIn(trace_id=session, message_id=f"{session}:{position}", position=position, speaker=speaker)
    return remembered(who, words, by=by, kind="event", origin="observed", source=source)
