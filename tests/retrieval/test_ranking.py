"""Scores that can be recomputed, the lift, and the cut."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_admin.retrieval.ranking import (
    Anchor,
    Candidate,
    Drop,
    Form,
    Limits,
    Parts,
    Scoring,
    Shown,
    cut,
    rank,
    recency,
    score,
)

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
ANNA = UUID(int=100)
PLAIN = Scoring(recency=0, importance=0, confidence=0, confirmed=0, lift_neighbour=0, lift_session=0)


def candidate(number: int = 1, **changes: Any) -> Candidate:
    given: dict[str, Any] = {
        "memory_id": UUID(int=number),
        "subject_id": ANNA,
        "kind": "fact",
        "similarity": 0.5,
        "keyword": 0.0,
        "importance": 0.5,
        "confidence": 0.9,
        "is_confirmed": False,
        "created_at": NOON,
    }
    return Candidate(**{**given, **changes})


def shown(statement: str = "", *, trust: float = 0, source: str | None = None) -> Shown:
    return Shown(statement=statement, trust=(trust,), source=source)


# ── the forms ──


def test_the_weighted_sum_adds_every_part() -> None:
    one = candidate(similarity=0.6, keyword=0.5, importance=0.9, confidence=0.8, is_confirmed=True)
    scoring = Scoring(recency=0.05, importance=0.1, confidence=0.05, confirmed=0.05)

    [found] = rank([one], scoring=scoring, now=NOON)

    assert found.score == pytest.approx(0.6 + 0.5 + 0.05 * 1 + 0.1 * 0.4 + 0.05 * 0.8 + 0.05)


def test_example_a_weighs_similarity_recency_since_last_use_and_importance() -> None:
    scoring = replace(PLAIN, similarity=0.6, keyword=0, recency=0.2, importance=0.2, importance_centre=0)
    used = candidate(1, similarity=0.8, importance=0.7, created_at=NOON - timedelta(days=300), last_used_at=NOON)
    aged = candidate(2, similarity=0.8, importance=0.7, created_at=NOON - timedelta(days=30))
    faint = candidate(3, similarity=0.2, importance=0.5, created_at=NOON - timedelta(days=60))

    ranked = rank([faint, aged, used], scoring=scoring, now=NOON)
    answer = cut(ranked, shown={one.candidate.memory_id: shown() for one in ranked}, limits=Limits(k=3, min_score=0.5))

    assert [(one.candidate.memory_id.int, one.score) for one in ranked] == [(1, 0.82), (2, 0.72), (3, 0.27)]
    assert [one.candidate.memory_id.int for one in answer.kept] == [1, 2]
    assert answer.dropped == {UUID(int=3): Drop.BELOW_THRESHOLD}


def test_example_b_counts_age_from_creation_even_if_used_today() -> None:
    scoring = replace(
        PLAIN, similarity=0.5, keyword=0, importance=0.3, recency=0.2, importance_centre=0, anchor=Anchor.CREATION
    )
    one = candidate(similarity=0.9, importance=0.6, created_at=NOON - timedelta(days=60), last_used_at=NOON)

    [found] = rank([one], scoring=scoring, now=NOON)

    assert found.score == pytest.approx(0.5 * 0.9 + 0.3 * 0.6 + 0.2 * 0.25)


def test_the_product_multiplies_and_skips_what_is_not_similar() -> None:
    scoring = replace(PLAIN, form=Form.PRODUCT, half_life=timedelta(days=14), anchor=Anchor.CREATION)
    old = candidate(1, similarity=0.8, importance=0.9, created_at=NOON - timedelta(days=14))
    new = candidate(2, similarity=0.5, importance=0.5)
    opposite = candidate(3, similarity=-0.1, importance=1.0)
    unlike = candidate(4, similarity=0.0, importance=1.0)

    ranked = rank([old, new, opposite, unlike], scoring=scoring, now=NOON)

    assert [(one.candidate.memory_id.int, one.score) for one in ranked] == [(1, 0.56), (2, 0.5)]


def test_recency_halves_with_each_half_life_and_the_future_is_new() -> None:
    assert recency(timedelta(days=60), half_life=timedelta(days=30)) == 0.25
    assert recency(timedelta(days=-3), half_life=timedelta(days=30)) == 1


unit = st.floats(0, 1)


@given(st.floats(-1, 1), unit, unit, unit, st.booleans(), st.timedeltas(timedelta(), timedelta(days=4000)), unit)
def test_a_logged_score_follows_from_its_logged_parts(
    similarity: float,
    keyword: float,
    importance: float,
    confidence: float,
    is_confirmed: bool,
    age: timedelta,
    other: float,
) -> None:
    turns = [
        candidate(1, kind="event", thread="t", position=4, similarity=similarity, keyword=keyword,
                  importance=importance, confidence=confidence, is_confirmed=is_confirmed, created_at=NOON - age),
        candidate(2, kind="event", thread="t", position=5, similarity=other),
    ]  # fmt: skip
    scoring = Scoring()

    for found in rank(turns, scoring=scoring, now=NOON):
        logged = {name: round(value, 6) for name, value in found.parts.as_dict().items()}
        assert score(Parts(**logged), scoring=scoring) == found.score


# ── the lift ──


def test_turns_of_one_conversation_lift_each_other() -> None:
    scoring = replace(PLAIN, lift_neighbour=0.1, lift_session=0.4)
    turns = [
        candidate(n, kind="event", thread="s1", position=n, similarity=s) for n, s in ((1, 0.9), (2, 0.3), (4, 0.2))
    ]

    ranked = {one.candidate.memory_id.int: one for one in rank(turns, scoring=scoring, now=NOON)}

    assert ranked[1].score == pytest.approx(0.9 + 0.1 * 0.3 + 0.4 * 0.9)
    assert ranked[2].score == pytest.approx(0.3 + 0.1 * 0.9 + 0.4 * 0.9)
    assert ranked[4].score == pytest.approx(0.2 + 0.4 * 0.9)
    assert ranked[2].parts.neighbour == 0.9


@pytest.mark.parametrize(
    "other",
    [
        {"kind": "fact", "thread": "s1", "position": 2},
        {"kind": "event", "thread": "s2", "position": 2},
        {"kind": "event", "thread": None},
        {"kind": "event", "thread": "s1", "position": 2, "subject_id": UUID(int=101)},
    ],
)
def test_nothing_else_is_lifted(other: dict[str, Any]) -> None:
    scoring = replace(PLAIN, lift_neighbour=0.1, lift_session=0.4)
    strong = candidate(1, kind="event", thread="s1", position=1, similarity=0.9)

    ranked = rank([strong, candidate(2, similarity=0.1, **other)], scoring=scoring, now=NOON)

    assert ranked[1].parts.neighbour == 0
    assert ranked[1].score <= 0.1 + 0.4 * 0.1


# ── the cut ──


def test_the_best_k_stay_and_an_answer_may_be_empty() -> None:
    ranked = rank([candidate(n, similarity=n / 10) for n in range(1, 6)], scoring=PLAIN, now=NOON)
    seen = {one.candidate.memory_id: shown() for one in ranked}

    two = cut(ranked, shown=seen, limits=Limits(k=2))
    none = cut(ranked, shown=seen, limits=Limits(k=2, min_score=0.6))

    assert [one.candidate.memory_id.int for one in two.kept] == [5, 4]
    assert set(two.dropped.values()) == {Drop.K}
    assert none.kept == []
    assert set(none.dropped.values()) == {Drop.BELOW_THRESHOLD}


def test_of_two_near_duplicates_the_better_provenance_stays() -> None:
    ranked = rank([candidate(1, similarity=0.9), candidate(2, similarity=0.8)], scoring=PLAIN, now=NOON)
    seen = {
        UUID(int=1): shown("Likes window seats", trust=1),
        UUID(int=2): shown("Prefers window seats", trust=2),
    }

    answer = cut(ranked, shown=seen, limits=Limits(k=5), alike=[(UUID(int=2), UUID(int=1))])

    assert [one.candidate.memory_id.int for one in answer.kept] == [2]
    assert answer.dropped == {UUID(int=1): Drop.DUPLICATE}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Sits at gate 12", "Sits at gate 21"),
        ("Is allergic to nuts", "Is not allergic to nuts"),
        ("Eats fish", "Doesn’t eat fish"),
    ],
)
def test_numbers_and_negations_keep_near_identical_statements_apart(one: str, other: str) -> None:
    ranked = rank([candidate(1), candidate(2)], scoring=PLAIN, now=NOON)
    seen = {UUID(int=1): shown(one), UUID(int=2): shown(other)}

    assert len(cut(ranked, shown=seen, limits=Limits(k=5), alike=[(UUID(int=1), UUID(int=2))]).kept) == 2


def test_statements_that_contradict_each_other_are_both_kept_and_marked() -> None:
    ranked = rank([candidate(1), candidate(2), candidate(3)], scoring=PLAIN, now=NOON)
    seen = {one.candidate.memory_id: shown() for one in ranked}

    answer = cut(
        ranked,
        shown=seen,
        limits=Limits(k=5),
        alike=[(UUID(int=1), UUID(int=2)), (UUID(int=1), UUID(int=3))],
        contradictions=[(UUID(int=2), UUID(int=1))],
    )

    assert [one.candidate.memory_id.int for one in answer.kept] == [1, 2]
    assert answer.conflicts == {UUID(int=1): [UUID(int=2)], UUID(int=2): [UUID(int=1)]}


def test_one_source_fills_at_most_its_share() -> None:
    ranked = rank([candidate(n, similarity=1 - n / 10) for n in range(1, 7)], scoring=PLAIN, now=NOON)
    seen = {one.candidate.memory_id: shown(source="web" if one.candidate.memory_id.int < 5 else None) for one in ranked}

    answer = cut(ranked, shown=seen, limits=Limits(k=4, source_share=0.5))

    assert [one.candidate.memory_id.int for one in answer.kept] == [1, 2, 5, 6]
    assert answer.dropped == {UUID(int=3): Drop.SOURCE_SHARE, UUID(int=4): Drop.SOURCE_SHARE}
