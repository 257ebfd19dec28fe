"""Answering agents that ask whether they may do something: from the policy in force alone, never from memory."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from uuid import UUID

from django.db import transaction

from accounts.actors import Actor
from policies import engine
from policies.models import ActionDecision
from policies.queries import in_force


@transaction.atomic
def decide_action(
    *,
    action: str,
    purpose: str,
    by: Actor,
    now: datetime,
    subject_id: UUID | None = None,
    kinds: Collection[str] = (),
    categories: Collection[str] = (),
) -> ActionDecision:
    """Tell whether an agent may do something with memories of some kinds and categories, and keep what was said.

    It changes nothing, so the record is its only trace. An action that no rule speaks of is denied like any other.

    :param subject_id: whom it is about, whom the actor may name
    :param kinds: every kind, if none is named
    :raises NoPolicyInForce: nothing can allow it
    """
    access = in_force(now, agent_id=by.agent_id).access
    facts = engine.ActionFacts(
        action=action,
        purpose=purpose,
        kinds=frozenset(kinds),
        categories=frozenset(categories),
        agent=by.agent_name or None,
        scopes=frozenset(str(scope) for scope in by.scopes),
    )
    verdict = engine.decide_action(access.document, facts)
    return ActionDecision.objects.create(
        subject_id=subject_id,
        agent_id=by.agent_id,
        asked_by=by.ref,
        is_test=by.is_test,
        action=action,
        purpose=purpose,
        kinds=sorted(facts.kinds),
        categories=sorted(facts.categories),
        decision=verdict.decision,
        rule_ids=list(verdict.rule_ids),
        reason=verdict.reason,
        policy_version=access.version_label,
        decided_at=now,
    )


def erase_action_decisions(*, subject_id: UUID) -> None:
    """Delete what was said about actions that concern a subject; part of an erasure."""
    ActionDecision.objects.filter(subject_id=subject_id).delete()
