"""How candidates become a ranked, cut list: pure functions over values, every number of which can be recomputed.

A *part* is one input of a score, rounded to six digits before it is used: a logged score follows from its logged parts.
"""

import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from uuid import UUID

DIGITS = 6


class Form(StrEnum):
    """How the parts become a score."""

    WEIGHTED_SUM = "weighted_sum"
    PRODUCT = "product"


class Anchor(StrEnum):
    """Where a memory's age is counted from."""

    LAST_USE = "last_use"
    CREATION = "creation"


class Drop(StrEnum):
    """Why a candidate was not returned."""

    BELOW_THRESHOLD = "below_threshold"
    DUPLICATE = "duplicate"
    SOURCE_SHARE = "source_share"
    K = "k"
    BUDGET = "budget"


@dataclass(frozen=True, slots=True, kw_only=True)
class Scoring:
    """The numbers of one scoring form; the defaults are the ones measured best on long conversations.

    ``importance_centre`` is taken from importance before it is weighed: ½ keeps an average memory neutral.
    """

    form: Form = Form.WEIGHTED_SUM
    similarity: float = 1.0
    keyword: float = 1.0
    recency: float = 0.05
    importance: float = 0.1
    confidence: float = 0.05
    confirmed: float = 0.05
    importance_centre: float = 0.5
    half_life: timedelta = timedelta(days=30)
    anchor: Anchor = Anchor.LAST_USE
    lift_neighbour: float = 0.1
    lift_session: float = 0.4
    lift_kinds: Collection[str] = ("event",)


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Where a ranked list is cut.

    ``source_share`` is the most of ``k`` that one source may fill, among candidates whose source is shown to the cut.
    """

    k: int = 10
    min_score: float | None = None
    source_share: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """What the score of one memory depends on.

    ``similarity`` is the cosine with the query, -1..1, 0 without a vector; ``keyword`` the share 0..1 of the query's
    weight of words that the memory mentions. ``thread`` and ``position`` place a turn in its conversation.
    """

    memory_id: UUID
    subject_id: UUID
    kind: str
    similarity: float
    keyword: float
    importance: float
    confidence: float
    is_confirmed: bool
    created_at: datetime
    last_used_at: datetime | None = None
    thread: str | None = None
    position: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """The inputs of one score, to six digits; ``neighbour`` and ``session`` are the evidence lift."""

    similarity: float
    keyword: float
    recency: float
    importance: float
    confidence: float
    confirmed: float
    neighbour: float = 0.0
    session: float = 0.0

    def as_dict(self) -> dict[str, float]:
        """List the parts by name, as answers and the log show them."""
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """One scored candidate."""

    candidate: Candidate
    parts: Parts
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """What the cut needs to know of a candidate besides its score.

    ``trust`` orders provenance, higher is better; ``source`` is None where no share applies.
    """

    statement: str
    trust: tuple[float, ...]
    source: str | None = None


@dataclass(frozen=True, slots=True)
class Cut:
    """A ranked list after the cut: what stays, best first, and why the rest does not."""

    kept: Sequence[Ranked]
    dropped: Mapping[UUID, Drop]
    conflicts: Mapping[UUID, Sequence[UUID]] = field(default_factory=dict)


def rank(candidates: Iterable[Candidate], *, scoring: Scoring, now: datetime) -> list[Ranked]:
    """Score candidates, lift the ones whose conversation supports them, and order them best first, ties by id.

    The product form leaves out whatever is not similar at all.
    """
    measured = [(candidate, parts_of(candidate, scoring=scoring, now=now)) for candidate in candidates]
    if scoring.form is Form.PRODUCT:
        measured = [(candidate, parts) for candidate, parts in measured if parts.similarity > 0]
    ranked = [Ranked(candidate=c, parts=p, score=score(p, scoring=scoring)) for c, p in measured]
    return sorted(_lifted(ranked, scoring=scoring), key=lambda one: (-one.score, one.candidate.memory_id))


def parts_of(candidate: Candidate, *, scoring: Scoring, now: datetime) -> Parts:
    """Measure the parts of one candidate, the evidence lift left at nothing."""
    anchor = candidate.created_at
    if scoring.anchor is Anchor.LAST_USE and candidate.last_used_at is not None:
        anchor = max(anchor, candidate.last_used_at)
    return Parts(
        similarity=round(candidate.similarity, DIGITS),
        keyword=round(candidate.keyword, DIGITS),
        recency=round(recency(now - anchor, half_life=scoring.half_life), DIGITS),
        importance=round(candidate.importance, DIGITS),
        confidence=round(candidate.confidence, DIGITS),
        confirmed=float(candidate.is_confirmed),
    )


def recency(age: timedelta, *, half_life: timedelta) -> float:
    """Halve once per half-life: 1 at age nothing, ½ at one half-life; what lies in the future counts as new."""
    return float(0.5 ** (max(age, timedelta()) / half_life))


def score(parts: Parts, *, scoring: Scoring) -> float:
    """Compute the score that the parts add up to, rounded to six digits; the lift is part of it."""
    if scoring.form is Form.PRODUCT:
        base = parts.similarity * parts.recency * (0.5 + parts.importance)
    else:
        base = (
            scoring.similarity * parts.similarity
            + scoring.keyword * parts.keyword
            + scoring.recency * parts.recency
            + scoring.importance * (parts.importance - scoring.importance_centre)
            + scoring.confidence * parts.confidence
            + scoring.confirmed * parts.confirmed
        )
    return round(base + scoring.lift_neighbour * parts.neighbour + scoring.lift_session * parts.session, DIGITS)


def contributions(parts: Parts, *, scoring: Scoring) -> dict[str, float]:
    """Give what each part adds to a weighted sum: together they are the score. A product has no such terms.

    Importance takes away what it lacks to its centre.
    """
    if scoring.form is Form.PRODUCT:
        return {}
    return {
        "similarity": scoring.similarity * parts.similarity,
        "keyword": scoring.keyword * parts.keyword,
        "recency": scoring.recency * parts.recency,
        "importance": scoring.importance * (parts.importance - scoring.importance_centre),
        "confidence": scoring.confidence * parts.confidence,
        "confirmed": scoring.confirmed * parts.confirmed,
        "neighbour": scoring.lift_neighbour * parts.neighbour,
        "session": scoring.lift_session * parts.session,
    }


def cut(
    ranked: Sequence[Ranked],
    *,
    shown: Mapping[UUID, Shown],
    limits: Limits,
    alike: Collection[tuple[UUID, UUID]] = (),
    contradictions: Collection[tuple[UUID, UUID]] = (),
) -> Cut:
    """Keep the best ``k`` that clear the threshold, one of each set of near-duplicates, and no source's flood.

    Of two near-duplicates (a pair that is ``alike`` and says the same numbers and negations) the one with the better
    provenance stays, in the better one's place. Two statements that contradict each other are never duplicates; where
    both are kept, both are marked. Candidates without an entry in ``shown`` are dropped as beyond ``k``.
    """
    opposed = {frozenset(pair) for pair in contradictions}
    twins = {frozenset(pair) for pair in alike} - opposed
    dropped: dict[UUID, Drop] = {}
    kept: list[Ranked] = []
    from_source: Counter[str] = Counter()
    most_of_one = max(1, math.ceil(limits.source_share * limits.k))

    for one in ranked:
        at = one.candidate.memory_id
        if limits.min_score is not None and one.score < limits.min_score:
            dropped[at] = Drop.BELOW_THRESHOLD
            continue
        if at not in shown:
            dropped[at] = Drop.K
            continue
        twin = _twin(one, kept, shown=shown, twins=twins)
        if twin is not None:
            stays = kept[twin]
            better = shown[at].trust > shown[stays.candidate.memory_id].trust
            dropped[stays.candidate.memory_id if better else at] = Drop.DUPLICATE
            if better:
                kept[twin] = one
            continue
        source = shown[at].source
        if len(kept) >= limits.k:
            dropped[at] = Drop.K
        elif source is not None and from_source[source] >= most_of_one:
            dropped[at] = Drop.SOURCE_SHARE
        else:
            from_source.update([source] if source is not None else [])
            kept.append(one)

    kept.sort(key=lambda one: (-one.score, one.candidate.memory_id))
    return Cut(kept=kept, dropped=dropped, conflicts=_conflicts(kept, opposed))


def _lifted(ranked: Sequence[Ranked], *, scoring: Scoring) -> list[Ranked]:
    # Turns of one conversation support each other; facts never do.
    if not (scoring.lift_neighbour or scoring.lift_session):
        return list(ranked)
    turns = [one for one in ranked if one.candidate.kind in scoring.lift_kinds and one.candidate.thread is not None]
    best: dict[tuple[UUID, str | None], float] = {}
    placed: dict[tuple[UUID, str | None, int], float] = {}
    for one in turns:
        thread = (one.candidate.subject_id, one.candidate.thread)
        best[thread] = max(best.get(thread, -math.inf), one.score)
        if one.candidate.position is not None:
            placed[(*thread, one.candidate.position)] = one.score

    lifted = {}
    for one in turns:
        thread = (one.candidate.subject_id, one.candidate.thread)
        at = one.candidate.position
        beside = 0.0 if at is None else placed.get((*thread, at - 1), 0.0) + placed.get((*thread, at + 1), 0.0)
        parts = _with_lift(one.parts, neighbour=round(beside, DIGITS), session=round(best[thread], DIGITS))
        lifted[one.candidate.memory_id] = Ranked(
            candidate=one.candidate, parts=parts, score=score(parts, scoring=scoring)
        )
    return [lifted.get(one.candidate.memory_id, one) for one in ranked]


def _with_lift(parts: Parts, *, neighbour: float, session: float) -> Parts:
    # Not dataclasses.replace, which takes longer than all the rest of the ranking.
    return Parts(
        similarity=parts.similarity,
        keyword=parts.keyword,
        recency=parts.recency,
        importance=parts.importance,
        confidence=parts.confidence,
        confirmed=parts.confirmed,
        neighbour=neighbour,
        session=session,
    )


def _twin(
    one: Ranked, kept: Sequence[Ranked], *, shown: Mapping[UUID, Shown], twins: Collection[frozenset[UUID]]
) -> int | None:
    for place, other in enumerate(kept):
        ids = one.candidate.memory_id, other.candidate.memory_id
        if frozenset(ids) in twins and len({_telling(shown[at].statement) for at in ids}) == 1:
            return place
    return None


# Vectors hardly tell "gate 12" from "gate 21" or "is" from "is not": what differs in these is never a duplicate.
_TELLING = re.compile(r"\d+|\b(?:not|no|never|none|without|cannot)\b|n['’]t\b", re.IGNORECASE)


def _telling(statement: str) -> tuple[str, ...]:
    return tuple(sorted(found if found.isdigit() else "not" for found in _TELLING.findall(statement)))


def _conflicts(kept: Sequence[Ranked], opposed: Collection[frozenset[UUID]]) -> dict[UUID, list[UUID]]:
    ids = [one.candidate.memory_id for one in kept]
    found = {at: [other for other in ids if frozenset((at, other)) in opposed] for at in ids}
    return {at: others for at, others in found.items() if others}
