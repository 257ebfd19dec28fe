"""The numbers of a scoring form, as a policy gives them. Pure."""

from __future__ import annotations

from datetime import timedelta

from memory_admin.retrieval.ranking import Anchor, Form, Scoring
from policies.documents import RetrievalPolicy


def scoring_of(policy: RetrievalPolicy) -> Scoring:
    """Read the numbers of the scoring form from a policy."""
    return Scoring(
        form=Form(policy.form),
        similarity=policy.weights.similarity,
        keyword=policy.weights.keyword,
        recency=policy.weights.recency,
        importance=policy.weights.importance,
        confidence=policy.weights.confidence,
        confirmed=policy.weights.confirmed,
        half_life=timedelta(days=policy.half_life_days),
        anchor=Anchor(policy.recency_anchor),
        lift_neighbour=policy.lift.neighbour,
        lift_session=policy.lift.session,
        lift_kinds=policy.lift.kinds,
    )
