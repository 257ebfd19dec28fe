"""What to notice about the numbers of retention and retrieval policies. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from policies import wording
from policies.compare.numbers import region_maximum
from policies.documents import CHANNELS, KINDS, ORIGINS, Purpose, RetentionPolicy, RetrievalPolicy
from policies.engine import is_trusted_for
from policies.findings.finding import Finding


def retention_findings(document: RetentionPolicy) -> Iterator[Finding]:
    """Look at a retention policy."""
    yield from _regions(document)
    for kind in KINDS:
        days = getattr(document.days, kind)
        if days.stated is not None and (days.inferred is None or days.inferred > days.stated):
            sentence = f"Guesses about {wording.KINDS[kind]} are kept longer than what people stated."
            yield Finding("guesses_outlive_statements", "warning", f"days.{kind}.inferred", sentence)
    if document.decay.origins and document.decay.floor >= document.decay.confidence_below:
        sentence = "What begins to fade is put to rest at once, because the floor is not below where fading begins."
        yield Finding("fades_at_once", "warning", "decay.floor", sentence)


def _regions(document: RetentionPolicy) -> Iterator[Finding]:
    for region, times in Counter(one.region for one in document.region_limits).items():
        longest = region_maximum(document, region)
        if times > 1:
            sentence = f"The region {region} is listed more than once; its shortest limit holds."
            yield Finding("region_listed_twice", "warning", f"region_limits[{region}]", sentence)
        days = [getattr(getattr(document.days, kind), origin) for kind in KINDS for origin in ORIGINS]
        above = sum(1 for one in days if longest is not None and (one is None or one > longest))
        if above:
            sentence = (
                f"In the region {region}, {wording.count(above, 'time')} of this policy "
                f"{'is' if above == 1 else 'are'} longer than its limit of {longest} days, which holds instead."
            )
            yield Finding("above_region_maximum", "warning", f"region_limits[{region}]", sentence)


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
