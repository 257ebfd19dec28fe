"""The words people read for times, counts and certainty."""

from datetime import UTC, datetime, timedelta

import pytest

from memory_admin.memories.vocabulary import Kind, Origin, Status
from memory_admin.web import words

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)  # a Monday


@pytest.mark.parametrize(
    ("passed", "said"),
    [
        (timedelta(seconds=3), "just now"),
        (timedelta(minutes=1), "1 minute ago"),
        (timedelta(minutes=59), "59 minutes ago"),
        (timedelta(hours=2), "2 hours ago"),
        (timedelta(hours=13), "yesterday"),
        (timedelta(days=3), "on Friday"),
        (timedelta(days=40), "on 21 October"),
        (timedelta(days=400), "on 26 October 2025"),
    ],
)
def test_a_time_is_told_in_the_fewest_words_that_stay_clear(passed: timedelta, said: str) -> None:
    assert words.ago(NOON - passed, NOON) == said


def test_a_time_to_come_is_told_by_its_day() -> None:
    assert words.ago(NOON + timedelta(days=18), NOON) == "on 18 December"


@pytest.mark.parametrize(
    ("passed", "stretch"),
    [
        (timedelta(hours=1), "Today"),
        (timedelta(days=1), "Yesterday"),
        (timedelta(days=6), "Last seven days"),
        (timedelta(days=20), "Earlier in November"),
        (timedelta(days=60), "October"),
        (timedelta(days=400), "October 2025"),
    ],
)
def test_a_list_is_parted_by_stretches_of_time(passed: timedelta, stretch: str) -> None:
    assert words.since(NOON - passed, NOON) == stretch


@pytest.mark.parametrize(("confidence", "said"), [(1.0, "Certain"), (0.7, "Likely"), (0.3, "Unsure")])
def test_confidence_is_told_in_a_word(confidence: float, said: str) -> None:
    assert words.certainty(confidence) == said


def test_one_outcome_is_told_in_the_singular() -> None:
    assert words.tally("verified_outcome", 1) == "verified outcome"
    assert words.tally("verified_outcome", 2) == "verified outcomes"


def test_every_kind_origin_and_status_has_a_word() -> None:
    assert set(words.KINDS) == set(Kind.values)
    assert set(words.ORIGINS) == set(words.TALLY) == set(words.HOW_WE_KNOW) == set(Origin.values)
    assert set(words.STATUSES) == set(Status.values)
