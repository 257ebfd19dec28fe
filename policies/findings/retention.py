"""What to notice about a retention policy. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from policies import wording
from policies.compare.retention import region_maximum
from policies.documents import KINDS, ORIGINS, RetentionPolicy
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
