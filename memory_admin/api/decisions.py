"""What policy says of an action, and past decisions."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.utils import timezone
from drf_spectacular.utils import PolymorphicProxySerializer
from rest_framework import serializers
from rest_framework.response import Response

from accounts.queries import subject_for
from accounts.vocabulary import Channel, Scope
from memory_admin.api.idempotency import Done
from memory_admin.api.inputs import In, Name, SubjectRef
from memory_admin.api.problems import nothing_here
from memory_admin.api.views import AgentRequest, AgentView, EffectView
from memory_admin.errors import NotFound
from memory_admin.memories import queries
from memory_admin.memories.deciding import BY_THE_SUBJECT
from memory_admin.memories.models import WriteDecision
from memory_admin.memories.vocabulary import Kind, WriteResult
from policies.models import ActionChoice, ActionDecision
from policies.queries import action_decision
from policies.services import decide_action

TAKEN = "taken"


class ActionIn(In):
    """What an agent wants to do, for what purpose, and with what kind of memories about whom."""

    action = Name(help_text="One of the actions that the access policy lists; any other is denied.")
    purpose = Name()
    subject = SubjectRef(required=False, help_text="Left out, the one that the key is bound to, if it is to one.")
    kinds = serializers.ListField(
        child=serializers.ChoiceField(Kind.choices),
        required=False,
        max_length=len(Kind),
        help_text="Of the memories in question; every kind, if left out.",
    )
    categories = serializers.ListField(child=Name(), required=False, max_length=32)


class ActionVerdictOut(serializers.Serializer[Any]):
    """What the access policy in force says about an action."""

    decision = serializers.ChoiceField(ActionChoice.choices, help_text="`ask_person`: not without asking them first.")
    rule_ids = serializers.ListField(child=serializers.CharField())
    reason = serializers.CharField()
    policy_version = serializers.CharField()
    decision_id = serializers.UUIDField()


class WatchedOut(serializers.Serializer[Any]):
    """What a version of the write policy that only watched would have decided."""

    policy_version = serializers.CharField()
    mode = serializers.ChoiceField(["shadow", "warn"])
    outcome = serializers.CharField()
    rule_ids = serializers.ListField(child=serializers.CharField())
    reason = serializers.CharField()


class WriteDecisionOut(serializers.Serializer[Any]):
    """What was decided about a write, as far as its writer may know."""

    about = serializers.ChoiceField(["write"])
    id = serializers.UUIDField()
    subject = serializers.CharField()
    result = serializers.ChoiceField([TAKEN, *WriteResult.values], help_text="`taken`: nothing more is told.")
    memory_id = serializers.UUIDField(allow_null=True)
    kind = serializers.CharField()
    origin = serializers.CharField()
    channel = serializers.CharField()
    rule_ids = serializers.ListField(child=serializers.CharField())
    policy_version = serializers.CharField()
    watched = WatchedOut(many=True)
    decided_at = serializers.DateTimeField()


class ActionDecisionOut(serializers.Serializer[Any]):
    """What was said about an action that this agent asked about."""

    about = serializers.ChoiceField(["action"])
    id = serializers.UUIDField()
    action = serializers.CharField()
    purpose = serializers.CharField()
    subject = serializers.CharField(allow_null=True)
    kinds = serializers.ListField(child=serializers.CharField())
    categories = serializers.ListField(child=serializers.CharField())
    decision = serializers.ChoiceField(ActionChoice.choices)
    rule_ids = serializers.ListField(child=serializers.CharField())
    reason = serializers.CharField()
    policy_version = serializers.CharField()
    decided_at = serializers.DateTimeField()


DecisionOut = PolymorphicProxySerializer(
    component_name="Decision",
    serializers={"write": WriteDecisionOut, "action": ActionDecisionOut},
    resource_type_field_name="about",
)


class DecideAction(EffectView):
    """POST /decisions: ask whether this agent may do something; policy alone answers, never a memory.

    An action that the policy does not list is denied. The strictest of what holds for each kind and category counts.
    """

    scope = Scope.DECISIONS_READ
    reads = ActionIn
    answers = {200: ActionVerdictOut}
    example = {
        "action": "share_outside",
        "subject": "user:u-817",
        "purpose": "planning_a_trip",
        "kinds": ["preference"],
    }

    def act(self, request: AgentRequest, **kwargs: Any) -> Done:
        asked = ActionIn.read(request)
        ref = asked.pop("subject", None)
        subject_id = subject_for(ref, by=request.actor).id if ref else request.actor.subject_id
        decided = decide_action(subject_id=subject_id, by=request.actor, now=timezone.now(), **asked)
        return Done(200, {"decision_id": str(decided.id)})

    def tell(self, request: AgentRequest, done: Done, **kwargs: Any) -> Response:
        decided = ActionDecision.objects.filter(id=done.results["decision_id"]).first()
        if decided is None:  # its subject was erased since
            raise nothing_here()
        told = {name: getattr(decided, name) for name in ("decision", "rule_ids", "reason", "policy_version")}
        return Response({**told, "decision_id": decided.id})


class ReadDecision(AgentView):
    """GET /decisions/{id}: read a decision about a write or an action of this agent, with the rules that decided.

    Where a write was answered without telling what became of it, so is this. What watching versions say rests on the
    write alone, and tells nothing of what is remembered.
    """

    scope = Scope.DECISIONS_READ
    answers = {200: DecisionOut}

    def get(self, request: AgentRequest, decision_id: UUID) -> Response:
        try:
            return Response(show_decision(queries.decision(decision_id, by=request.actor)))
        except NotFound:
            return Response(show_action_decision(action_decision(decision_id, by=request.actor)))


def show_decision(decision: WriteDecision) -> dict[str, Any]:
    """Show a decision; reads its subject."""
    is_told = _is_told(decision)
    return {
        "about": "write",
        "id": decision.id,
        "subject": decision.subject.ref,
        "result": decision.result if is_told else TAKEN,
        "memory_id": decision.memory_id if is_told else None,
        "kind": decision.kind,
        "origin": decision.origin,
        "channel": decision.channel,
        "rule_ids": decision.rule_ids if is_told else [],
        "policy_version": decision.policy_version,
        "watched": decision.watched,
        "decided_at": decision.decided_at,
    }


def show_action_decision(decision: ActionDecision) -> dict[str, Any]:
    """Show what was said about an action; reads its subject."""
    subject = decision.subject.ref if decision.subject else None
    return {"about": "action", **{name: getattr(decision, name) for name in _ACTION}, "subject": subject}


def _is_told(decision: WriteDecision) -> bool:
    if Channel(decision.channel).is_the_persons:
        return decision.result in (WriteResult.STORED, WriteResult.REFUSED, WriteResult.DUPLICATE)
    return decision.result == WriteResult.REFUSED and BY_THE_SUBJECT not in decision.rule_ids


_ACTION = tuple(name for name in ActionDecisionOut().get_fields() if name not in ("about", "subject"))
