"""One plain sentence for each memory handed out."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from memory_admin.retrieval.reasons import Grounds, Mentions, ago, sentence

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)


def grounds(**changes: Any) -> Grounds:
    return Grounds(**{"origin": "stated", "similarity": 0.5, "keyword": 0.4, **changes})


def test_a_reason_names_words_provenance_and_confirmation() -> None:
    told = grounds(mentions=["window", "seat"], confirmed_at=NOON - timedelta(days=31))

    assert sentence(told, now=NOON) == (
        "It mentions “window” and “seat”, the person said it, and they confirmed it 31 days ago."
    )


def test_a_person_is_spoken_to() -> None:
    told = grounds(mentions=["seat"], confirmed_at=NOON)

    assert sentence(told, now=NOON, to_the_person=True) == (
        "It mentions “seat”, you said it, and you confirmed it today."
    )


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"similarity": 0.7}, "It is close in meaning to the question and the person said it."),
        ({"origin": "inferred"}, "It mentions words of the question and an agent concluded it."),
        ({"is_profile": True}, "It is part of the profile and the person said it."),
        ({"is_fallback": True}, "Nothing else was close enough, it is the summary and the person said it."),
        (
            {"similarity": 0.2, "keyword": 0.0, "session": 0.8, "origin": "observed"},
            "It belongs to a conversation that fits the question and it was seen in a conversation.",
        ),
    ],
)
def test_a_reason_without_text_says_what_brought_it(changes: dict[str, Any], expected: str) -> None:
    assert sentence(grounds(**changes), now=NOON) == expected


def test_the_words_of_the_question_are_named_as_it_spells_them() -> None:
    assert Mentions("Which Seats does she prefer, by the window?").within("Prefers a window seat") == [
        "Seats",
        "prefer",
        "window",
    ]
    assert Mentions("What about the trains?").within("Prefers the window seat") == []


@pytest.mark.parametrize(
    ("days", "said"),
    [
        (0, "today"),
        (1, "yesterday"),
        (31, "31 days ago"),
        (75, "2 months ago"),
        (400, "1 year ago"),
        (800, "2 years ago"),
    ],
)
def test_ages_are_told_roughly(days: int, said: str) -> None:
    assert ago(timedelta(days=days)) == said
