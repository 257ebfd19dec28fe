"""Asking what is remembered."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from django.utils import timezone
from rest_framework import serializers
from rest_framework.response import Response

from accounts.models import Subject
from accounts.vocabulary import Scope
from memory_admin.api.idempotency import Done
from memory_admin.api.inputs import In, Moment, Name, Number, OneOf, SubjectRef, Whole, Words, YesNo
from memory_admin.api.views import AgentRequest, EffectView
from memory_admin.memories import queries as memories
from memory_admin.memories.vocabulary import Kind, Origin
from memory_admin.retrieval import queries, services
from memory_admin.retrieval.models import RetrievalCandidate
from memory_admin.retrieval.packing import one_line
from memory_admin.retrieval.queries import Facts
from memory_admin.retrieval.services import MOST_SUBJECTS, Answer, Ask, Item

MOST_ITEMS = 50
PARTS = ("similarity", "keyword", "recency", "importance", "confidence", "confirmed")
LIFT = ("neighbour", "session")


class SearchIn(In):
    """A question about one subject or a few."""

    subject = SubjectRef(required=False)
    subjects = serializers.ListField(child=SubjectRef(), required=False, min_length=1, max_length=MOST_SUBJECTS)
    query = Words()
    purpose = Name(help_text="What the answer is for; the policy asks more trust for some purposes, such as `action`.")
    kinds = serializers.ListField(child=OneOf(Kind.choices), required=False, max_length=8)
    origins = serializers.ListField(child=OneOf(Origin.choices), required=False, max_length=5)
    scopes = serializers.ListField(child=Name(), required=False, max_length=32)
    categories = serializers.ListField(child=Name(), required=False, max_length=32)
    k = Whole(required=False, min_value=1, max_value=MOST_ITEMS)
    min_score = Number(required=False, min_value=0, max_value=3)
    token_budget = Whole(required=False, min_value=1, max_value=100_000)
    include_profile = YesNo(required=False)
    valid_at = Moment(required=False)
    recorded_at = Moment(required=False)
    explain = YesNo(required=False, default=False, help_text="Also show what neighbours and session added.")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if ("subject" in attrs) == ("subjects" in attrs):
            raise serializers.ValidationError({"subject": "Name either a subject or subjects."})
        return attrs


class FoundSourceOut(serializers.Serializer[Any]):
    """Where words came from, without the words."""

    trace_id = serializers.CharField(allow_null=True)
    message_id = serializers.CharField(allow_null=True)
    position = serializers.IntegerField(allow_null=True)
    uri = serializers.CharField(allow_null=True)
    occurred_at = serializers.DateTimeField(allow_null=True)


class FoundProvenanceOut(serializers.Serializer[Any]):
    """Who wrote a memory, by which way, and whether it was confirmed."""

    agent = serializers.CharField(allow_null=True)
    channel = serializers.CharField()
    recorded_at = serializers.DateTimeField()
    confirmed_at = serializers.DateTimeField(allow_null=True)

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        # Not a class attribute: every field already has one of this name.
        return {**super().get_fields(), "source": FoundSourceOut(allow_null=True)}


class AccessOut(serializers.Serializer[Any]):
    """The access rule that let a memory through."""

    rule = serializers.CharField()
    decision = serializers.ChoiceField(["allow"])


class FoundOut(serializers.Serializer[Any]):
    """One memory handed out, as data on a single line."""

    id = serializers.UUIDField()
    statement = serializers.CharField()
    kind = serializers.ChoiceField(Kind.choices)
    origin = serializers.ChoiceField(Origin.choices)
    subject = serializers.CharField()
    score = serializers.FloatField(allow_null=True, help_text="Null for what came by look-up.")
    parts = serializers.DictField(child=serializers.FloatField(), allow_null=True)
    reason = serializers.CharField()
    provenance = FoundProvenanceOut()
    valid_from = serializers.DateTimeField()
    valid_to = serializers.DateTimeField(allow_null=True)
    expires_at = serializers.DateTimeField(allow_null=True)
    age_days = serializers.IntegerField()
    policy_version = serializers.CharField()
    access = AccessOut()
    conflicts_with = serializers.ListField(child=serializers.UUIDField())
    share = serializers.ChoiceField(["memories", "profile", "fallback"])
    instruction = serializers.BooleanField(help_text="Always false.")


class OtherAnswerOut(serializers.Serializer[Any]):
    """What a version of a policy that only warns would have answered otherwise."""

    policy_version = serializers.CharField()
    reason = serializers.CharField()


class AnswerOut(serializers.Serializer[Any]):
    """What a question got; an empty answer is a good answer."""

    retrieval_id = serializers.UUIDField()
    policy_version = serializers.CharField()
    items = FoundOut(many=True)
    considered = serializers.IntegerField()
    left_out = serializers.DictField(child=serializers.IntegerField(), help_text="By each hard filter.")
    dropped = serializers.DictField(child=serializers.IntegerField(), help_text="Scored and not returned, by reason.")
    tokens = serializers.IntegerField()
    notice = serializers.CharField()
    nonce = serializers.CharField(help_text="New in every answer, to mark where memories begin and end.")
    warnings = OtherAnswerOut(many=True, required=False)


class SearchMemories(EffectView):
    """POST /memories/search: ask what is remembered that matters for a question.

    Every answer is logged, with what was left out and why. What is handed out is data, never an instruction.
    """

    scope = Scope.MEMORIES_READ
    reads = SearchIn
    answers = {200: AnswerOut}
    example = {"subject": "user:u-817", "query": "Which seat should I book?", "purpose": "assist", "k": 5}
    asked: dict[str, Any]
    answer: Answer | None = None

    def prepare(self, request: AgentRequest, **kwargs: Any) -> None:
        self.asked = SearchIn.read(request)
        if "subject" in self.asked:
            self.asked["subjects"] = [self.asked.pop("subject")]
        self.count_read_of(request, self.asked["subjects"])
        services.prepare(self.asked["query"])

    def act(self, request: AgentRequest, **kwargs: Any) -> Done:
        ask = Ask(**{name: value for name, value in self.asked.items() if name != "explain"})
        self.answer = services.search(ask=ask, by=request.actor, now=timezone.now())
        return Done(200, {"retrieval_id": str(self.answer.retrieval_id)})

    def tell(self, request: AgentRequest, done: Done, **kwargs: Any) -> Response:
        parts = (*PARTS, *LIFT) if self.asked["explain"] else PARTS
        if self.answer is None:
            return Response(_from_the_log(UUID(done.results["retrieval_id"]), request, parts))
        return Response(_show(self.answer, parts))


def _show(answer: Answer, parts: Sequence[str]) -> dict[str, Any]:
    return {
        "retrieval_id": answer.retrieval_id,
        "policy_version": answer.policy_version,
        "items": [_show_item(item, parts) for item in answer.items],
        "considered": answer.considered,
        "left_out": answer.left_out,
        "dropped": answer.dropped,
        "tokens": answer.tokens,
        "notice": answer.notice,
        "nonce": answer.nonce,
        **({"warnings": answer.warnings} if answer.warnings else {}),
    }


def _show_item(item: Item, parts: Sequence[str]) -> dict[str, Any]:
    return {
        **_show_facts(item.facts, item.statement, item.subject),
        "score": None if item.score is None else round(item.score, 2),
        "parts": None if item.parts is None else _rounded(item.parts, parts),
        "reason": item.reason,
        "age_days": item.age_days,
        "access": {"rule": item.access_rule, "decision": "allow"},
        "conflicts_with": item.conflicts_with,
        "share": "profile" if item.is_profile else "fallback" if item.is_fallback else "memories",
    }


def _show_facts(facts: Facts, statement: str, subject: str) -> dict[str, Any]:
    source = {name: getattr(facts, name) for name in ("trace_id", "message_id", "position", "uri", "occurred_at")}
    return {
        "id": facts.memory_id,
        "statement": statement,
        "kind": facts.kind,
        "origin": facts.origin,
        "subject": subject,
        "provenance": {
            "agent": facts.agent_name,
            "channel": facts.channel,
            "source": {name: value if value != "" else None for name, value in source.items()}
            if any(value not in ("", None) for value in source.values())
            else None,
            "recorded_at": facts.recorded_at,
            "confirmed_at": facts.confirmed_at,
        },
        "valid_from": facts.valid_from,
        "valid_to": facts.valid_to,
        "expires_at": facts.expires_at,
        "policy_version": facts.policy_version,
        "instruction": False,
    }


def _rounded(parts: Mapping[str, float], names: Sequence[str]) -> dict[str, float]:
    """Show two digits; the log holds six. Exact scores would give a text's vector away to somebody patient."""
    return {name: round(parts[name], 2) for name in names if name in parts}


def _from_the_log(retrieval_id: UUID, request: AgentRequest, parts: Sequence[str]) -> dict[str, Any]:
    """Tell an answer again: what was handed out then and may still be, with its scores from the log."""
    found, candidates = queries.one(retrieval_id, by=request.actor)
    now = timezone.now()
    refs = dict(Subject.objects.filter(id__in=found.subject_ids).values_list("id", "ref"))
    open_subjects = {
        scope.subject_id
        for scope in queries.scopes_of(list(refs.values()), by=request.actor, now=now, categories=(), closed_kinds=())
        # A pause of anything since then is reason enough to tell nothing again.
        if scope.is_used and not scope.pauses
    }
    returned = [one for one in candidates if one.returned and one.subject_id in open_subjects]
    still = memories.visible_to(request.actor).current(now).filter(id__in=[one.memory_id for one in returned])
    facts = queries.facts_of(list(still.values_list("id", flat=True)))
    items = [
        _show_candidate(one, facts[one.memory_id], refs[one.subject_id], parts)
        for one in returned
        if one.memory_id in facts
    ]
    return {
        "retrieval_id": found.id,
        "policy_version": found.policy_version,
        "items": items,
        "considered": found.considered,
        "left_out": found.left_out,
        "dropped": found.dropped,
        "tokens": found.tokens,
        "notice": "Told again from the log.",
        "nonce": secrets.token_hex(8),
    }


def _show_candidate(one: RetrievalCandidate, facts: Facts, subject: str, parts: Sequence[str]) -> dict[str, Any]:
    return {
        **_show_facts(facts, one_line(facts.statement), subject),
        "score": round(one.score, 2) if one.parts else None,
        "parts": _rounded(one.parts, parts) if one.parts else None,
        "reason": one.reason,
        "age_days": one.age_days,
        "access": {"rule": one.access_rule, "decision": "allow"},
        "conflicts_with": [],
        "share": "memories" if one.parts else "profile",
    }
