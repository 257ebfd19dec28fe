"""Readings: who would have got what."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any
from uuid import UUID

from django.db.models import IntegerField, QuerySet, Sum
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Cast, Coalesce

from accounts.models import Agent, ApiKey
from memory_admin.memories.models import MemoryRevision
from memory_admin.retrieval.filters import BY_THE_PERSON
from memory_admin.retrieval.models import Retrieval, RetrievalCandidate
from memory_admin.simulation.replays.replay import DECIDED_OTHERWISE, ERASED, FACTS_MISSING, Replay
from memory_admin.simulation.tally import UNCHANGED, Case, Flip, Reason, Tally
from policies.documents import AccessPolicy
from policies.engine import AccessMatrix, AccessVerdict, ReadFacts, access_matrix


class AccessReplay(Replay):
    """Decides again about each memory that was weighed for an agent. What a rule kept away was never weighed."""

    blind = ("actions", "staff")

    def __init__(self, *given: Any, **documents: Any) -> None:
        super().__init__(*given, **documents)
        self._agents = dict(Agent.objects.values_list("id", "name"))
        self._scopes = dict(ApiKey.objects.values_list("id", "scopes"))
        self._matrices: dict[tuple[int, str | None, str, frozenset[str]], AccessMatrix] = {}

    def events(self) -> QuerySet[RetrievalCandidate]:
        """Give the memories weighed in the window, those left out that people read about themselves."""
        asked = self.within("retrieval__created_at", agent="retrieval__agent_id")
        return RetrievalCandidate.objects.filter(asked).exclude(access_rule=BY_THE_PERSON)

    def decide(self, ids: Collection[UUID], tally: Tally) -> None:
        """Decide about memories again, as they were then."""
        rows = list(RetrievalCandidate.objects.filter(id__in=ids).select_related("retrieval").order_by("id"))
        categories = categories_of(rows)
        for row in rows:
            facts = self._facts(row, categories.get((row.memory_id, row.memory_version)))
            case = facts if isinstance(facts, str) else self._case(row, facts)
            if isinstance(case, str):
                tally.leave_out(case)
            else:
                tally.add(case)

    def _facts(self, row: RetrievalCandidate, categories: frozenset[str] | None) -> ReadFacts | Reason:
        asked = row.retrieval
        if categories is None:
            return ERASED
        kind, _, key_id = asked.asked_by.partition(":")
        scopes = self._scopes.get(UUID(key_id)) if kind == "key" else []
        agent = self._agents.get(asked.agent_id) if asked.agent_id else None
        if scopes is None or (asked.agent_id and agent is None):
            return FACTS_MISSING
        return ReadFacts(
            kind=row.kind, purpose=asked.purpose, categories=categories, agent=agent, scopes=frozenset(scopes)
        )

    def _case(self, row: RetrievalCandidate, facts: ReadFacts) -> Case | Reason:
        then = self.document_of(row.retrieval.access_version)
        if not isinstance(then, AccessPolicy) or self._verdict(then, facts) != AccessVerdict(True, row.access_rule):
            return DECIDED_OTHERWISE
        before, after = self._verdict(self.baseline, facts), self._verdict(self.candidate, facts)
        flip: Flip = UNCHANGED
        if before.allowed != after.allowed:
            flip = "newly_allowed" if after.allowed else "newly_denied"
        return Case(
            flip=flip,
            agent=facts.agent or "",
            kind=facts.kind,
            categories=tuple(sorted(facts.categories)),
            channel=row.channel,
            facts={
                "kind": facts.kind,
                "purpose": facts.purpose,
                "categories": sorted(facts.categories),
                "agent": facts.agent,
                "scopes": sorted(facts.scopes),
            },
            before=_shown(self.baseline, before),
            after=_shown(self.candidate, after),
        )

    def _verdict(self, document: Any, facts: ReadFacts) -> AccessVerdict:
        key = (id(document), facts.agent, facts.purpose, facts.scopes)
        if key not in self._matrices:
            self._matrices[key] = access_matrix(document, agent=facts.agent, purpose=facts.purpose, scopes=facts.scopes)
        return self._matrices[key].verdict(facts.kind, facts.categories)

    def finish(self, tally: Tally) -> None:
        """Count what rules of access kept away from every score: the log has no line about it."""
        super().finish(tally)
        asked = Retrieval.objects.filter(self.within("created_at"))
        kept_away = asked.aggregate(**{name: _sum_of(name) for name in ("access", "sensitive")})
        tally.counts["never_weighed"] = sum(kept_away.values())


def _sum_of(name: str) -> Coalesce:
    return Coalesce(Sum(Cast(KeyTextTransform(name, "left_out"), IntegerField())), 0)


def categories_of(rows: Collection[RetrievalCandidate]) -> dict[tuple[UUID, int], frozenset[str]]:
    """Read the categories that memories had in the version that was weighed."""
    found = MemoryRevision.objects.filter(memory_id__in={row.memory_id for row in rows})
    return {
        (memory_id, version): frozenset(categories)
        for memory_id, version, categories in found.values_list("memory_id", "version", "categories")
    }


def _shown(document: Any, verdict: AccessVerdict) -> dict[str, Any]:
    title = document.title_of(verdict.rule_id) or ""
    return {"allowed": verdict.allowed, "rules": [{"id": verdict.rule_id, "title": title}]}
