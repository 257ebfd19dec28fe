"""How much of what answers a question search brings back. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from math import ceil

EVIDENCE_AT = (1, 5, 10, 20)
SESSIONS_AT = (5, 10)


@dataclass(frozen=True, slots=True)
class Hit:
    """One memory of an answer: the turn and session it came from, and the tokens it takes."""

    turn_id: str
    session: str
    tokens: int


@dataclass(frozen=True, slots=True)
class Asked:
    """One question that was answered: what should have come, what came, best first, and how long it took."""

    category: str
    evidence: Collection[str]
    sessions: Collection[str]
    hits: Sequence[Hit]
    milliseconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """Means over questions. Recall is the share of a question's evidence, or of its sessions, among the first k."""

    questions: int
    recall: dict[int, float]
    session_recall: dict[int, float]
    tokens_of_ten: float
    p50: float
    p95: float


def measure(asked: Sequence[Asked]) -> Measured:
    """Measure questions together; there must be at least one."""
    times = sorted(one.milliseconds for one in asked)
    return Measured(
        questions=len(asked),
        recall={
            k: _mean(_share(one.evidence, [hit.turn_id for hit in one.hits][:k]) for one in asked) for k in EVIDENCE_AT
        },
        session_recall={k: _mean(_share(one.sessions, _sessions(one.hits)[:k]) for one in asked) for k in SESSIONS_AT},
        tokens_of_ten=_mean(float(sum(hit.tokens for hit in one.hits[:10])) for one in asked),
        p50=_quantile(times, 0.5),
        p95=_quantile(times, 0.95),
    )


def _share(wanted: Collection[str], got: Collection[str]) -> float:
    return len(set(wanted) & set(got)) / len(set(wanted))


def _sessions(hits: Sequence[Hit]) -> list[str]:
    return list(dict.fromkeys(hit.session for hit in hits))


def _mean(values: Iterable[float]) -> float:
    listed = list(values)
    return sum(listed) / len(listed)


def _quantile(ordered: Sequence[float], share: float) -> float:
    return ordered[max(0, ceil(share * len(ordered)) - 1)]
