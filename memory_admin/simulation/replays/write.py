"""Writes: what each would have come to."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Any, cast
from uuid import UUID

from django.db.models import QuerySet

from memory_admin.memories.models import WriteDecision
from memory_admin.simulation.replays.replay import DECIDED_OTHERWISE, ERASED, FACTS_MISSING, Replay
from memory_admin.simulation.tally import UNCHANGED, Case, Flip, Reason, Tally
from policies.documents import WritePolicy
from policies.engine import WriteFacts, WriteVerdict, confidence_cap, decide_write

CONFIDENCE_UNKNOWN: Reason = "confidence_unknown"
"""A higher cap would have let more confidence through than was kept of it."""

FLIPS: dict[str, Flip] = {
    "accept": "newly_stored",
    "propose": "newly_queued",
    "quarantine": "newly_queued",
    "policy_change": "newly_queued",
    "refuse": "newly_refused",
}


class WriteReplay(Replay):
    """Decides writes again. What stopped a write outside the policy (a pause, a tombstone, a rate) is left aside."""

    blind = ("dedupe", "judge", "origin_ranks", "rates")

    def events(self) -> QuerySet[WriteDecision]:
        """Give the decisions of the window."""
        return WriteDecision.objects.filter(self.within("decided_at"))

    def decide(self, ids: Collection[UUID], tally: Tally) -> None:
        """Decide writes again, each combination of facts once."""
        known: dict[tuple[str, str, WriteFacts], Case | Reason] = {}
        for row in WriteDecision.objects.filter(id__in=ids).order_by("id").values(*_COLUMNS):
            facts = _facts(row)
            if isinstance(facts, str):
                tally.leave_out(facts)
                continue
            key = (row["policy_version"], row["outcome"], facts)
            if key not in known:
                known[key] = self._case(*key)
            case = known[key]
            if isinstance(case, str):
                tally.leave_out(case)
            else:
                tally.add(case)

    def _case(self, label: str, outcome: str, facts: WriteFacts) -> Case | Reason:
        then = self.document_of(label)
        if not isinstance(then, WritePolicy) or decide_write(then, facts).outcome != outcome:
            return DECIDED_OTHERWISE
        return compare(facts, cast(WritePolicy, self.baseline), cast(WritePolicy, self.candidate), then=then)


def compare(facts: WriteFacts, baseline: WritePolicy, candidate: WritePolicy, *, then: WritePolicy) -> Case | Reason:
    """Decide one write by two versions, from the facts by which another decided it then.

    :return: the reason where that cannot be done
    """
    before_facts, after_facts = (facts_under(document, facts, then=then) for document in (baseline, candidate))
    if before_facts is None or after_facts is None:
        return CONFIDENCE_UNKNOWN
    before, after = decide_write(baseline, before_facts), decide_write(candidate, after_facts)
    return Case(
        flip=_flip(before, after),
        agent=facts.agent or "",
        kind=facts.kind,
        categories=tuple(sorted(facts.categories)),
        channel=facts.channel,
        facts=_given(after_facts),
        before=_shown(baseline, before),
        after=_shown(candidate, after),
    )


def facts_under(document: WritePolicy, facts: WriteFacts, *, then: WritePolicy) -> WriteFacts | None:
    """Give the facts as they would have been under a document, whose cap on confidence may be another one.

    :return: None where that cannot be told, and a rule tells such confidences apart
    """
    cap, cap_then = (confidence_cap(one, facts.origin) for one in (document, then))
    if facts.confidence < cap_then:
        return replace(facts, confidence=min(facts.confidence, cap))
    asked = [rule.match.confidence for rule in document.rules if rule.match.confidence is not None]
    bounds = [end for one in asked for end in (one.at_least, one.below) if end is not None]
    if any(cap_then < end <= cap for end in bounds):
        return None
    return replace(facts, confidence=cap)


def _flip(before: WriteVerdict, after: WriteVerdict) -> Flip:
    if before.outcome != after.outcome:
        return FLIPS[after.outcome]
    if before.redact != after.redact and before.outcome != "refuse":
        return "redaction_changed"
    return UNCHANGED if before.keep_text_days == after.keep_text_days else "refused_text_changed"


def _facts(row: dict[str, Any]) -> WriteFacts | Reason:
    if not row["rule_ids"]:
        return ERASED
    if row["length"] is None or row["confidence"] is None or row["importance"] is None:
        return FACTS_MISSING
    return WriteFacts(
        kind=row["kind"],
        origin=row["origin"],
        channel=row["channel"],
        length=row["length"],
        confidence=row["confidence"],
        importance=row["importance"],
        categories=frozenset(row["categories"]),
        findings=frozenset(row["findings"]),
        agent=row["agent_name"] or None,
        subject_kind=row["subject_kind"],
        is_test=row["is_test"],
    )


def _given(facts: WriteFacts) -> dict[str, Any]:
    given = {name: getattr(facts, name) for name in WriteFacts.__dataclass_fields__}
    return {**given, "categories": sorted(facts.categories), "findings": sorted(facts.findings)}


def _shown(document: WritePolicy, verdict: WriteVerdict) -> dict[str, Any]:
    return {
        "outcome": verdict.outcome,
        "rules": [{"id": one, "title": document.title_of(one) or verdict.title} for one in verdict.rule_ids],
        "redact": sorted(verdict.redact),
        "keep_text_days": verdict.keep_text_days,
    }


_COLUMNS = (
    "kind",
    "origin",
    "channel",
    "length",
    "confidence",
    "importance",
    "categories",
    "findings",
    "agent_name",
    "subject_kind",
    "is_test",
    "rule_ids",
    "outcome",
    "policy_version",
)
