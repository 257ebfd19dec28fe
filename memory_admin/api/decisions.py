"""Past decisions."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from rest_framework import serializers
from rest_framework.response import Response

from accounts.vocabulary import Channel, Scope
from memory_admin.api.views import AgentRequest, AgentView
from memory_admin.memories import queries
from memory_admin.memories.deciding import BY_THE_SUBJECT
from memory_admin.memories.models import WriteDecision
from memory_admin.memories.vocabulary import WriteResult

TAKEN = "taken"


class DecisionOut(serializers.Serializer[Any]):
    """What was decided about a write, as far as its writer may know."""

    id = serializers.UUIDField()
    subject = serializers.CharField()
    result = serializers.ChoiceField([TAKEN, *WriteResult.values], help_text="`taken`: nothing more is told.")
    memory_id = serializers.UUIDField(allow_null=True)
    kind = serializers.CharField()
    origin = serializers.CharField()
    channel = serializers.CharField()
    rule_ids = serializers.ListField(child=serializers.CharField())
    policy_version = serializers.CharField()
    decided_at = serializers.DateTimeField()


class ReadDecision(AgentView):
    """GET /decisions/{id}: read a decision about a write of this agent, with the rules that decided.

    Where the write itself was answered without telling what became of it, so is this.
    """

    scope = Scope.DECISIONS_READ
    answers = {200: DecisionOut}

    def get(self, request: AgentRequest, decision_id: UUID) -> Response:
        return Response(show_decision(queries.decision(decision_id, by=request.actor)))


def show_decision(decision: WriteDecision) -> dict[str, Any]:
    """Show a decision; reads its subject."""
    is_told = _is_told(decision)
    return {
        "id": decision.id,
        "subject": decision.subject.ref,
        "result": decision.result if is_told else TAKEN,
        "memory_id": decision.memory_id if is_told else None,
        "kind": decision.kind,
        "origin": decision.origin,
        "channel": decision.channel,
        "rule_ids": decision.rule_ids if is_told else [],
        "policy_version": decision.policy_version,
        "decided_at": decision.decided_at,
    }


def _is_told(decision: WriteDecision) -> bool:
    if Channel(decision.channel).is_the_persons:
        return decision.result in (WriteResult.STORED, WriteResult.REFUSED, WriteResult.DUPLICATE)
    return decision.result == WriteResult.REFUSED and BY_THE_SUBJECT not in decision.rule_ids
