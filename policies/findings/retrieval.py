"""What to notice about a retrieval policy. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from policies import wording
from policies.documents import CHANNELS, ORIGINS, Purpose, RetrievalPolicy
from policies.engine import is_trusted_for
from policies.findings.finding import Finding


def retrieval_findings(document: RetrievalPolicy, effective: RetrievalPolicy | None) -> Iterator[Finding]:
    """Look at a retrieval policy, and at how its scores compare with those of the version in force."""
    best = _best_score(document)
    if document.minimum_score > best:
        sentence = (
            f"Nothing is handed out: a memory can score {wording.number(best)} at most, and the lowest score is above."
        )
        yield Finding("refuses_everything", "warning", "minimum_score", sentence)
    if effective and best > _best_score(effective) and document.minimum_score <= effective.minimum_score:
        sentence = "Memories can score higher than in the version in force, so more of them reach the lowest score."
        yield Finding("scores_rise", "warning", "minimum_score", sentence)
    for name, times in Counter(one.name for one in document.purposes).items():
        if times > 1:
            sentence = f"The purpose {wording.quoted(name)} is listed more than once; only the first counts."
            yield Finding("purpose_listed_twice", "error", f"purposes[{name}]", sentence)
    for purpose in document.purposes:
        if not _serves_anything(purpose):
            sentence = f"No memory can serve the purpose {wording.quoted(purpose.name)}."
            yield Finding("serves_nothing", "warning", f"purposes[{purpose.name}]", sentence)
    if not _serves_anything(document.other_purposes):
        sentence = "No memory can serve a purpose without rules of its own."
        yield Finding("serves_nothing", "warning", "other_purposes", sentence)


def _best_score(document: RetrievalPolicy) -> float:
    """Return the most a memory can score: every part is at most 1, and importance counts from its middle."""
    weights = document.weights
    base = 1.5
    if document.form == "weighted_sum":
        base = sum(dict(weights).values()) - weights.importance / 2
    lift = 2 * document.lift.neighbour + document.lift.session if document.lift.kinds else 0.0
    return round(base * (1 + lift), 6)


def _serves_anything(purpose: Purpose) -> bool:
    return any(
        is_trusted_for(purpose, origin=origin, channel=channel, confidence=1.0, is_confirmed=True)
        for origin in ORIGINS
        for channel in CHANNELS
    )
