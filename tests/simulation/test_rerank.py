"""A logged question, ranked and cut again by another policy."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_admin.retrieval.ranking import Drop, Parts, score
from memory_admin.retrieval.scoring import scoring_of
from memory_admin.simulation import reranking
from memory_admin.simulation.reranking import Logged, NotReplayable, Question, Reranked, rerank
from policies import baseline
from policies.documents import RetrievalPolicy
from tests.policies.drafts import with_

THEN = with_(baseline.RETRIEVAL, "k.default", 2)


def logged(number: int, similarity: float, drop: Any = None, **fields: Any) -> Logged:
    parts = {"keyword": 0.0, "recency": 0.5, "importance": 0.5, "confidence": 0.0, "confirmed": 0.0, "neighbour": 0.0}
    measured = {name: fields.pop(name) for name in [*parts, "session"] if name in fields}
    return Logged(
        **{
            "memory_id": UUID(int=number),
            "kind": "fact",
            "origin": "stated",
            "channel": "portal",
            "parts": Parts(similarity=similarity, **{**parts, **measured}),
            "drop": drop,
            "tokens": 10,
            **fields,
        }
    )


def question(*candidates: Logged, **fields: Any) -> Question:
    return Question(
        **{
            "purpose": "chat",
            "k": THEN.k.default,
            "min_score": THEN.minimum_score,
            "token_budget": THEN.token_budget.default,
            "considered": len(candidates),
            "used_vector": True,
            "logged": candidates,
            **fields,
        }
    )


FOUR = question(
    logged(1, 0.9), logged(2, 0.8), logged(3, 0.7, Drop.K, keyword=0.3), logged(4, 0.2, Drop.BELOW_THRESHOLD)
)


def returned(asked: Question, **changes: Any) -> list[int]:
    """Answer again by what differs from then, and number what is returned."""
    return [one.int for one in again(asked, **changes).returned]


def again(asked: Question, **changes: Any) -> Reranked:
    policy = THEN
    for path, value in changes.items():
        policy = with_(policy, path.replace("__", "."), value)
    return rerank(asked, policy, then=THEN)


def reason(asked: Question, **changes: Any) -> str:
    with pytest.raises(NotReplayable) as refused:
        again(asked, **changes)
    return refused.value.reason


def test_the_version_that_answered_answers_the_same() -> None:
    assert returned(FOUR) == [3, 1]


def test_each_number_of_a_policy_moves_the_answer() -> None:
    assert returned(FOUR, weights__keyword=0.0) == [1, 2]
    assert returned(FOUR, k__default=3) == [3, 1, 2]
    assert returned(FOUR, k__default=50, minimum_score=0.2) == [3, 1, 2, 4]
    assert returned(FOUR, minimum_score=0.95) == [3]
    assert returned(FOUR, token_budget__default=15) == [3]
    assert again(FOUR, token_budget__default=15).drops[UUID(int=1)] == Drop.BUDGET


def test_what_was_asked_for_stays_asked_for() -> None:
    asked = question(*FOUR.logged, k=1, min_score=0.5, token_budget=500)

    assert returned(asked, k__default=3) == [3]
    assert returned(asked, minimum_score=0.0) == [3]
    assert again(asked, k__default=1, k__maximum=1).asks_too_much is False
    assert again(question(*FOUR.logged, k=4), k__default=1, k__maximum=3).asks_too_much is True


def test_a_half_life_is_read_back_from_the_recency() -> None:
    # Half after 30 days is a quarter after 15: 0.05 · (0.7071 − 0.5) more for twice the half-life.
    asked = question(logged(1, 0.5), logged(2, 0.5, recency=0.25))

    scores = again(asked, half_life_days=60).scores

    assert scores[UUID(int=1)] == pytest.approx(0.5 + 0.05 * 0.707107)
    assert scores[UUID(int=2)] == pytest.approx(0.5 + 0.05 * 0.5)


def test_more_trust_leaves_out_what_lacks_it_and_less_would_need_others() -> None:
    asked = question(logged(1, 0.9, confidence=0.9), logged(2, 0.8, confidence=0.1))

    assert returned(asked, other_purposes__minimum_confidence=0.5) == [1]
    strict = with_(THEN, "other_purposes.minimum_confidence", 0.5)
    with pytest.raises(NotReplayable, match=reranking.NEEDS_OTHERS):
        rerank(asked, THEN, then=strict)


def test_more_candidates_matter_only_where_not_everything_was_scored() -> None:
    assert returned(FOUR, candidates__vector=500) == returned(FOUR)
    many = question(*FOUR.logged, considered=THEN.candidates.vector)
    assert reason(many, candidates__vector=500) == reranking.NEEDS_OTHERS
    assert reason(FOUR, candidates__vector=2) == reranking.NEEDS_OTHERS


def test_what_the_log_has_no_line_about_is_not_guessed() -> None:
    unseen = question(logged(1, 0.9), logged(2, 0.85), logged(3, 0.4, Drop.K), considered=90)

    assert returned(unseen, weights__importance=0.15) == [1, 2]  # nothing unseen rises from 0.4 to 0.85
    assert reason(unseen, weights__keyword=0.5, weights__recency=0.9) == reranking.NEEDS_OTHERS
    assert reason(unseen, k__default=4) == reranking.NEEDS_OTHERS
    assert returned(unseen, minimum_score=0.88) == [1]


def test_pairs_sources_lift_and_what_was_looked_up_are_not_guessed_either() -> None:
    twin = question(logged(1, 0.9), logged(2, 0.85, Drop.DUPLICATE))
    shared = question(logged(1, 0.9), logged(2, 0.85, Drop.SOURCE_SHARE))
    turn = question(logged(1, 0.9, kind="event", session=0.7))
    profile = question(logged(1, 0.9, parts=None))

    assert returned(twin) == [1]
    assert reason(twin, weights__keyword=0.5) == reranking.PAIRS_UNKNOWN
    # The twin was worse and the better one lower: where that falls away, or has no room, the twin may stay.
    swapped = question(logged(1, 0.9, Drop.DUPLICATE), logged(2, 0.8), logged(3, 0.7))
    assert returned(swapped) == [2, 3]
    assert reason(swapped, minimum_score=0.85) == reranking.PAIRS_UNKNOWN
    assert reason(swapped, k__default=1) == reranking.PAIRS_UNKNOWN
    assert (
        reason(
            question(logged(1, 0.9, confidence=0.9), logged(2, 0.8), logged(3, 0.85, Drop.DUPLICATE, confidence=0.9)),
            other_purposes__minimum_confidence=0.5,
        )
        == reranking.PAIRS_UNKNOWN
    )
    assert reason(FOUR, near_duplicate=0.9) == reranking.PAIRS_UNKNOWN
    assert reason(shared, k__default=5) == reranking.SOURCES_UNKNOWN
    assert reason(FOUR, source_share__maximum=0.1) == reranking.SOURCES_UNKNOWN
    assert reason(turn, weights__keyword=0.5) == reranking.LIFT_UNKNOWN
    assert reason(turn, lift__session=0.1) == reranking.LIFT_UNKNOWN
    assert reason(profile) == reranking.LOOKED_UP
    assert reason(question(logged(1, 0.5)), minimum_score=0.9) == reranking.LOOKED_UP  # a summary would take its place
    assert reason(question(logged(1, 0.5, recency=0.0)), half_life_days=90) == reranking.RECENCY_UNKNOWN


weights = st.fixed_dictionaries(
    {name: st.sampled_from([0.0, 0.05, 0.3, 1.0]) for name in type(THEN.weights).model_fields}
).filter(lambda given: any(given.values()))
share = st.integers(0, 1000).map(lambda thousandths: thousandths / 1000)
measured = st.tuples(share, share, share, share, share, st.sampled_from([0.0, 1.0]))


@given(st.lists(measured, max_size=12), weights, st.integers(1, 6), share, st.integers(1, 12))
def test_what_is_answered_from_a_part_of_the_log_is_what_all_of_it_answers(
    candidates: list[tuple[float, ...]], changed: dict[str, float], k: int, threshold: float, listed: int
) -> None:
    """The log keeps the best few under the old weights; either they tell the new answer, or nobody does."""
    content = THEN.model_dump(mode="json")
    content |= {"weights": changed, "minimum_score": threshold, "k": {"default": k, "maximum": 50}}
    content["summary_fallback"] = False
    policy = RetrievalPolicy.model_validate(content)
    scoring = scoring_of(THEN)
    every = [
        logged(
            at,
            one[0],
            **dict(zip(("keyword", "recency", "importance", "confidence", "confirmed"), one[1:], strict=True)),
        )
        for at, one in enumerate(candidates, start=1)
    ]
    best = sorted(every, key=lambda one: (-score(one.parts, scoring=scoring), one.memory_id))  # type: ignore[arg-type]
    fates = [None if at < THEN.k.default else Drop.K for at in range(len(best))]
    whole = [logged_as(one, fate) for one, fate in zip(best, fates, strict=True)]
    kept = whole[: THEN.k.default + listed]

    full = rerank(question(*whole), policy, then=THEN)
    try:
        part = rerank(question(*kept, considered=len(whole)), policy, then=THEN)
    except NotReplayable:
        assert len(kept) < len(whole)
        return

    assert part.returned == full.returned


def logged_as(one: Logged, drop: Drop | None) -> Logged:
    return Logged(**{**{name: getattr(one, name) for name in Logged.__slots__}, "drop": drop})
