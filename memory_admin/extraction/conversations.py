"""Finished conversations in the LoCoMo shape, and how their turns become claims. Pure.

A file is a list of conversations. ``conversation`` holds ``session_1``, ``session_2`` … with ``session_1_date_time`` …;
a session is a list of turns with ``dia_id``, ``speaker``, ``text`` and, where a picture was shared, ``blip_caption``.
``qa`` holds questions with ``category`` and the ``evidence``, turn ids that answer them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from memory_admin.memories.claims import Claim, SourceIn


class UnreadableConversation(ValueError):
    """A file is not in the shape described above; the message says where."""


@dataclass(frozen=True, slots=True)
class Turn:
    """What one speaker said at one go, with the caption of a picture they shared."""

    turn_id: str
    speaker: str
    text: str
    caption: str

    @property
    def statement(self) -> str:
        """Put the words and what was shown into one statement."""
        shown = f"[shares {self.caption}]" if self.caption else ""
        return " ".join(part for part in (self.text, shown) if part)


@dataclass(frozen=True, slots=True)
class Session:
    """One sitting of a conversation."""

    name: str
    held_at: datetime
    turns: Sequence[Turn]


@dataclass(frozen=True, slots=True)
class Question:
    """Something to be found, with the ids of the turns that answer it."""

    text: str
    category: str
    evidence: frozenset[str]


@dataclass(frozen=True, slots=True)
class Conversation:
    """A conversation of several sessions, and the questions about it."""

    name: str
    speakers: Sequence[str]
    sessions: Sequence[Session]
    questions: Sequence[Question]

    @property
    def subject_ref(self) -> str:
        """Name the subject that the conversation's memories are about."""
        return f"user:{self.name}"

    def thread_of(self, session: Session) -> str:
        """Name the source thread of one session."""
        return f"{self.name}/{session.name}"


def read(path: Path) -> list[Conversation]:
    """Read a file of conversations.

    :raises UnreadableConversation: it is not one
    """
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise UnreadableConversation(f"{path.name} cannot be read as JSON.") from error
    if not isinstance(content, list):
        raise UnreadableConversation(f"{path.name} holds no list of conversations.")
    return [_conversation(one, place) for place, one in enumerate(content, start=1)]


def claims(conversation: Conversation) -> Iterator[Claim]:
    """Turn a conversation into claims, turn by turn: observed events that hold from the day of their session."""
    for session in conversation.sessions:
        for position, turn in enumerate(session.turns):
            yield Claim(
                subject_ref=conversation.subject_ref,
                kind="event",
                statement=turn.statement,
                origin="observed",
                valid_from=session.held_at,
                source=SourceIn(
                    trace_id=conversation.thread_of(session),
                    message_id=turn.turn_id,
                    position=position,
                    quote=turn.text,
                    speaker=turn.speaker,
                    occurred_at=session.held_at,
                ),
            )


_SESSION = re.compile(r"session_(\d+)")
_TURN_ID = re.compile(r"D\d+:\d+")
_TIME = re.compile(r"(\d{1,2}):(\d{2}) (am|pm) on (\d{1,2}) ([A-Za-z]+),? (\d{4})", re.IGNORECASE)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")


def _conversation(content: Any, place: int) -> Conversation:
    try:
        said: Mapping[str, Any] = content["conversation"]
        numbered = sorted((int(found[1]), name) for name in said if (found := _SESSION.fullmatch(name)))
        return Conversation(
            name=str(content.get("sample_id") or f"conversation-{place}"),
            speakers=[str(said[name]) for name in ("speaker_a", "speaker_b") if name in said],
            sessions=[
                Session(name, _time(said[f"{name}_date_time"]), [_turn(turn) for turn in said[name]])
                for _, name in numbered
            ],
            questions=[_question(one) for one in content.get("qa", ())],
        )
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise UnreadableConversation(f"Conversation {place} is not in the expected shape: {error}") from error


def _turn(content: Mapping[str, Any]) -> Turn:
    return Turn(
        turn_id=str(content["dia_id"]),
        speaker=str(content["speaker"]),
        text=str(content.get("text") or "").strip(),
        caption=str(content.get("blip_caption") or "").strip(),
    )


def _question(content: Mapping[str, Any]) -> Question:
    # Some files put several ids into one string.
    named = " ".join(str(one) for one in content.get("evidence") or ())
    return Question(str(content["question"]), str(content["category"]), frozenset(_TURN_ID.findall(named)))


def _time(text: str) -> datetime:
    """Read "1:56 pm on 8 May, 2023", as UTC: the files name no zone."""
    found = _TIME.fullmatch(text.strip())
    if found is None:
        raise ValueError(f"{text!r} is no time such as “1:56 pm on 8 May, 2023”")
    hour, minute, half, day, month, year = found.groups()
    return datetime(
        int(year),
        _MONTHS.index(month[:3].lower()) + 1,
        int(day),
        int(hour) % 12 + (12 if half.lower() == "pm" else 0),
        int(minute),
        tzinfo=UTC,
    )
