"""What a policy keeps of ranked candidates: its limits for a question, its cut, and its budget."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from memory_admin.errors import Invalid
from memory_admin.retrieval import queries
from memory_admin.retrieval.answers import Ask
from memory_admin.retrieval.queries import Facts
from memory_admin.retrieval.ranking import Cut, Drop, Limits, Ranked, Shown, cut
from policies.documents import RetrievalPolicy

NEXT_BEST = 20
"""How many of the best candidates that were not returned are logged with their scores."""


@dataclass(frozen=True, slots=True)
class Terms:
    """A policy and what it gives to one question; ``ranks`` order origins as the write policy does."""

    policy: RetrievalPolicy
    ranks: Mapping[str, int]
    k: int
    budget: int
    min_score: float

    @classmethod
    def of(cls, ask: Ask, policy: RetrievalPolicy, *, ranks: Mapping[str, int]) -> Terms:
        """Read what a question asks for and a policy allows.

        :raises Invalid: more is asked than the policy allows
        """
        k = policy.k.default if ask.k is None else ask.k
        budget = policy.token_budget.default if ask.token_budget is None else ask.token_budget
        fields = {
            name: [f"Between 1 and {most} is allowed."]
            for name, value, most in (("k", k, policy.k.maximum), ("token_budget", budget, policy.token_budget.maximum))
            if not 1 <= value <= most
        }
        if fields:
            raise Invalid(fields=fields)
        # The policy's threshold is a floor: a question may ask for more, never for less.
        return cls(policy, ranks, k, budget, max(policy.minimum_score, ask.min_score or 0.0))

    def best(self, ranked: Sequence[Ranked]) -> list[UUID]:
        """List the candidates that may be handed out or logged."""
        return [one.candidate.memory_id for one in ranked[: self.k + 2 * NEXT_BEST]]

    def choose(self, ranked: Sequence[Ranked], shown: queries.Shown) -> Cut:
        """Cut a ranked list; what is not among the best is beyond ``k``."""
        best = [at for at in self.best(ranked) if at in shown.facts]
        chosen = cut(
            ranked,
            shown={at: self._shown(shown.facts[at]) for at in best},
            limits=Limits(k=self.k, min_score=self.min_score, source_share=self.policy.source_share.maximum),
            alike=shown.alike,
            contradictions=shown.opposed,
        )
        return _without_older(chosen, shown.facts) if self.policy.conflicts == "newest_only" else chosen

    def _shown(self, facts: Facts) -> Shown:
        is_counted = facts.kind in self.policy.source_share.kinds
        return Shown(
            statement=facts.statement,
            trust=(facts.confirmed_at is not None, self.ranks[facts.origin], facts.confidence),
            source=(facts.trace_id or facts.uri or None) if is_counted else None,
        )


def _without_older(chosen: Cut, facts: Mapping[UUID, Facts]) -> Cut:
    """Keep the newest of statements that contradict each other."""
    older = {
        at
        for at, others in chosen.conflicts.items()
        if any((facts[other].valid_from, other) > (facts[at].valid_from, at) for other in others)
    }
    kept = [one for one in chosen.kept if one.candidate.memory_id not in older]
    return Cut(kept=kept, dropped={**chosen.dropped, **dict.fromkeys(older, Drop.DUPLICATE)})
