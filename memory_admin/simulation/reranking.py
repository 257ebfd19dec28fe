"""An answered question, ranked and cut again by another policy from what the log kept of it. Pure.

The log keeps what was returned and the twenty next best. Where the other policy could bring in something beyond that,
the question is not decided again: either the new answer certainly holds none of it, or no answer is given. What the log
cannot tell is taken as it was: a near-duplicate stays one, what was never compared is none, a word weighs what it did
among all that was trusted then, and a number that equals the default of its time was not asked for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from math import inf
from uuid import UUID

from memory_admin.retrieval.packing import pack
from memory_admin.retrieval.ranking import DIGITS, Drop, Form, Parts, Scoring, score
from memory_admin.retrieval.scoring import scoring_of
from memory_admin.simulation.tally import Reason
from policies.documents import Limit, Purpose, RetrievalPolicy
from policies.engine import asks_no_less, is_trusted_for

LOOKED_UP: Reason = "looked_up"
"""The profile or a summary was part of the answer, or would be."""
NEEDS_OTHERS: Reason = "needs_other_candidates"
"""Something might be found that the log has no line about."""
PAIRS_UNKNOWN: Reason = "near_duplicates_unknown"
SOURCES_UNKNOWN: Reason = "sources_unknown"
LIFT_UNKNOWN: Reason = "lift_unknown"
RECENCY_UNKNOWN: Reason = "recency_unknown"

_BESIDE = {Drop.DUPLICATE: PAIRS_UNKNOWN, Drop.SOURCE_SHARE: SOURCES_UNKNOWN}
"""Drops that depend on others in the answer; on which, nobody wrote down."""

FAINT = 0.001
"""A recency below this was rounded too coarsely to tell the age it came from."""


class NotReplayable(Exception):
    """The log does not hold what the other policy would need; ``reason`` says what."""

    def __init__(self, reason: Reason) -> None:
        self.reason = reason
        super().__init__(reason)


@dataclass(frozen=True, slots=True, kw_only=True)
class Logged:
    """One candidate as the log has it; ``tokens`` are those of its words, ``parts`` None for what was looked up."""

    memory_id: UUID
    kind: str
    origin: str
    channel: str
    parts: Parts | None
    drop: Drop | None
    tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One answered question as the log has it."""

    purpose: str
    k: int
    min_score: float
    token_budget: int
    considered: int
    used_vector: bool
    logged: Sequence[Logged]

    @property
    def is_complete(self) -> bool:
        """Tell whether everything that was scored is in the log."""
        return len(self.logged) >= self.considered


@dataclass(frozen=True, slots=True, kw_only=True)
class Reranked:
    """What a policy makes of a question: what it returns, best first, and the score and the fate of all that is logged.

    ``asks_too_much`` is a question that the policy would not have answered.
    """

    returned: Sequence[UUID] = ()
    tokens: int = 0
    scores: Mapping[UUID, float]
    drops: Mapping[UUID, Drop]
    asks_too_much: bool = False


def rerank(question: Question, policy: RetrievalPolicy, *, then: RetrievalPolicy) -> Reranked:
    """Answer a logged question by another policy than the one that answered it ``then``.

    :raises NotReplayable: the log does not hold what it takes
    """
    k = _limit(question.k, policy.k, then.k)
    budget = _limit(question.token_budget, policy.token_budget, then.token_budget)
    if k > policy.k.maximum or budget > policy.token_budget.maximum:
        return Reranked(scores={}, drops={}, asks_too_much=True)
    if any(one.parts is None for one in question.logged):
        raise NotReplayable(LOOKED_UP)
    # A question may ask for a higher threshold than the policy's, never for a lower one.
    asked = question.min_score if question.min_score > then.minimum_score else 0.0
    threshold = max(policy.minimum_score, asked)
    trusted = _trusted(question, policy, then)
    _refuse_other_cut(question, policy, then, is_other_k=k != question.k)
    scored, ceiling = _scored(question, trusted, policy, then)
    ranked = sorted(scored, key=lambda one: (-one[1], one[0].memory_id))
    clear = {one.memory_id for one, number in scored if number >= threshold}
    # What stood before a near-duplicate, or filled the share of its source, stands there still.
    is_settled = (
        scoring_of(policy) == scoring_of(then)
        and k >= question.k
        and all(one.memory_id in clear for one in question.logged if one.drop in (None, Drop.BUDGET))
    )
    kept, drops = _cut(ranked, k=k, threshold=threshold, is_settled=is_settled)
    _refuse_unseen(kept, k=k, threshold=threshold, ceiling=ceiling)
    packed = pack([(one, one.tokens) for one, _ in kept], budget=budget)
    if not packed.items and policy.summary_fallback and not (then.summary_fallback and not _returned(question)):
        raise NotReplayable(LOOKED_UP)
    drops |= {one.memory_id: Drop.BUDGET for one in packed.left_out}
    return Reranked(
        returned=[one.memory_id for one in packed.items],
        tokens=packed.tokens,
        scores={one.memory_id: number for one, number in ranked},
        drops=drops,
    )


def _limit(asked: int, now: Limit, then: Limit) -> int:
    return now.default if asked == then.default else asked


def _returned(question: Question) -> list[Logged]:
    return [one for one in question.logged if one.drop is None]


# --- what may be found -----------------------------------------------------------------------------------------------


def _trusted(question: Question, policy: RetrievalPolicy, then: RetrievalPolicy) -> list[Logged]:
    needs, needed = policy.purpose(question.purpose), then.purpose(question.purpose)
    # Everything of the subject was scored: no other number of candidates and no other filter finds more among it.
    is_whole = question.is_complete and question.used_vector and question.considered < then.candidates.vector
    is_fewer = question.considered > min(policy.candidates.vector, policy.candidates.lexical)
    if policy.candidates != then.candidates and (not is_whole or is_fewer):
        raise NotReplayable(NEEDS_OTHERS)
    if not _is_same_trust(needs, needed) and not (is_whole and asks_no_less(needs, needed)):
        raise NotReplayable(NEEDS_OTHERS)
    return [one for one in question.logged if _is_trusted(one, needs)]


def _is_same_trust(one: Purpose, other: Purpose) -> bool:
    return one.model_copy(update={"name": other.name}) == other


def _is_trusted(one: Logged, needs: Purpose) -> bool:
    assert one.parts is not None  # what was looked up is refused before
    return is_trusted_for(
        needs,
        origin=one.origin,
        channel=one.channel,
        confidence=one.parts.confidence,
        is_confirmed=bool(one.parts.confirmed),
    )


def _refuse_other_cut(question: Question, policy: RetrievalPolicy, then: RetrievalPolicy, *, is_other_k: bool) -> None:
    """Refuse what depends on pairs and sources, of which the log has no line."""
    if len(question.logged) > 1 and (policy.near_duplicate, policy.conflicts) != (then.near_duplicate, then.conflicts):
        raise NotReplayable(PAIRS_UNKNOWN)
    counted = {*policy.source_share.kinds, *then.source_share.kinds}
    is_shared = any(one.drop is Drop.SOURCE_SHARE for one in question.logged)
    if policy.source_share != then.source_share and any(one.kind in counted for one in question.logged):
        raise NotReplayable(SOURCES_UNKNOWN)
    if is_other_k and is_shared:
        raise NotReplayable(SOURCES_UNKNOWN)


# --- scores ----------------------------------------------------------------------------------------------------------


def _scored(
    question: Question, trusted: Sequence[Logged], policy: RetrievalPolicy, then: RetrievalPolicy
) -> tuple[list[tuple[Logged, float]], float]:
    """Score what is logged anew, and give the highest score that anything else could reach."""
    new, old = scoring_of(policy), scoring_of(then)
    _refuse_other_lift(question, new, old)
    if old.form is Form.PRODUCT and new.form is not Form.PRODUCT:
        raise NotReplayable(NEEDS_OTHERS)  # the product never scored what is not similar at all
    scored = []
    for one in trusted:
        assert one.parts is not None  # what was looked up is refused before
        parts = _parts(one.parts, new, old)
        if new.form is not Form.PRODUCT or parts.similarity > 0:
            scored.append((one, score(parts, scoring=new)))
    if question.is_complete:
        return scored, -inf
    missed = [score(one.parts, scoring=old) for one in question.logged if one.drop is not None and one.parts]
    rise = _rise(new, old)
    # What a turn gains it also gives to its neighbours and its session.
    return scored, min(missed, default=inf) + rise * (1 + 2 * new.lift_neighbour + new.lift_session)


def _refuse_other_lift(question: Question, new: Scoring, old: Scoring) -> None:
    if new == old:
        return
    lifting = (new.lift_neighbour, new.lift_session, tuple(new.lift_kinds))
    is_other_lift = lifting != (old.lift_neighbour, old.lift_session, tuple(old.lift_kinds))
    lifted = any(one.kind in {*new.lift_kinds, *old.lift_kinds} for one in question.logged)
    if (lifted or not question.is_complete) and is_other_lift:
        raise NotReplayable(LIFT_UNKNOWN)
    # The lift is made of the scores of others, which move with the weights.
    if any(one.parts and (one.parts.neighbour or one.parts.session) for one in question.logged):
        raise NotReplayable(LIFT_UNKNOWN)


def _parts(parts: Parts, new: Scoring, old: Scoring) -> Parts:
    """Give the parts under another half-life; an age is read back from what it was halved to."""
    matters = new.form is Form.PRODUCT or new.recency > 0
    if not matters or (new.half_life, new.anchor) == (old.half_life, old.anchor):
        return parts
    if new.anchor != old.anchor or parts.recency < FAINT:
        raise NotReplayable(RECENCY_UNKNOWN)
    return replace(parts, recency=round(parts.recency ** (_days(old.half_life) / _days(new.half_life)), DIGITS))


def _days(time: timedelta) -> float:
    return time / timedelta(days=1)


def _rise(new: Scoring, old: Scoring) -> float:
    """Bound by how much the score of something unknown could rise, its lift left aside."""
    if new == old:
        return 0.0
    is_other_age = (new.half_life, new.anchor) != (old.half_life, old.anchor)
    if new.form is not old.form or (new.form is Form.PRODUCT and is_other_age):
        return inf
    if new.form is Form.PRODUCT:
        return 0.0
    return (
        abs(new.similarity - old.similarity)
        + max(0.0, new.keyword - old.keyword)
        + max(0.0, new.recency if is_other_age else new.recency - old.recency)
        + abs(new.importance - old.importance) / 2
        + max(0.0, new.confidence - old.confidence)
        + max(0.0, new.confirmed - old.confirmed)
    )


# --- the cut ---------------------------------------------------------------------------------------------------------


def _cut(
    ranked: Sequence[tuple[Logged, float]], *, k: int, threshold: float, is_settled: bool
) -> tuple[list[tuple[Logged, float]], dict[UUID, Drop]]:
    kept: list[tuple[Logged, float]] = []
    drops: dict[UUID, Drop] = {}
    for one, number in ranked:
        if number < threshold:
            drops[one.memory_id] = Drop.BELOW_THRESHOLD
        elif one.drop in _BESIDE and is_settled:
            drops[one.memory_id] = one.drop
        elif len(kept) >= k:
            drops[one.memory_id] = Drop.K
        elif one.drop in _BESIDE:
            raise NotReplayable(_BESIDE[one.drop])
        else:
            kept.append((one, number))
    return kept, drops


def _refuse_unseen(kept: Sequence[tuple[Logged, float]], *, k: int, threshold: float, ceiling: float) -> None:
    """Refuse where something without a line in the log might be in the answer."""
    is_full = len(kept) == k and kept[-1][1] >= ceiling
    if ceiling >= threshold and not is_full:
        raise NotReplayable(NEEDS_OTHERS)
