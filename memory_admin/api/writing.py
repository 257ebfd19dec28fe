"""Storing memories. What a caller is told depends on whose words it may bring.

A write by the person's own way is answered in full. Any other is answered alike, whatever became of it, so that nobody
can find out by writing what is remembered, waits, or was erased; only what its own words get it refused for is said.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils import timezone
from rest_framework import serializers
from rest_framework.response import Response

from accounts.actors import Actor
from accounts.models import Subject
from accounts.queries import may_see_subject
from accounts.vocabulary import Channel, Scope
from memory_admin.api.conf import LARGEST_BATCH
from memory_admin.api.idempotency import Done
from memory_admin.api.inputs import In, Moment, Name, OneOf, Share, SubjectRef, Text, Value, Whole, Words
from memory_admin.api.preconditions import etag
from memory_admin.api.problems import Problem, answer, nothing_here
from memory_admin.api.shapes import MemoryOut, show_memory
from memory_admin.api.views import AgentRequest, EffectView
from memory_admin.errors import NotFound
from memory_admin.memories import queries
from memory_admin.memories.claims import Claim, SourceIn
from memory_admin.memories.deciding import BY_RATE, BY_THE_SUBJECT
from memory_admin.memories.services import Outcome, Prepared, capture, capture_many, check, prepare
from memory_admin.memories.vocabulary import Kind, Origin, WriteResult


class SourceGiven(In):
    """Where the words come from."""

    trace_id = Text(required=False, default="", allow_blank=True)
    message_id = Text(required=False, default="", allow_blank=True)
    position = Whole(required=False, default=None, min_value=0, max_value=2**31 - 1)
    uri = Text(required=False, default="", allow_blank=True, max_length=2000)
    quote = Text(required=False, default="", allow_blank=True, max_length=4000)
    speaker = Text(required=False, default="", allow_blank=True)
    occurred_at = Moment(required=False, default=None)


class NewerIn(In):
    """A statement about a subject that is known already."""

    kind = OneOf(Kind.choices)
    statement = Words()
    origin = OneOf(Origin.choices)
    channel = OneOf(Channel.choices, required=False, help_text="Lower than the key's, never higher.")
    key = Name(required=False)
    value = Value(required=False)
    confidence = Share(required=False)
    importance = Share(required=False)
    valid_from = Moment(required=False)
    valid_to = Moment(required=False)
    expires_at = Moment(required=False)
    derived_from = serializers.ListField(child=serializers.UUIDField(), required=False, max_length=100)
    categories = serializers.ListField(child=Name(), required=False, max_length=32)
    scopes = serializers.ListField(child=Name(), required=False, max_length=32)
    aliases = serializers.ListField(child=Text(), required=False, max_length=32)

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        # Not a class attribute: every field already has one of this name.
        return {**super().get_fields(), "source": SourceGiven(required=False)}

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        now = timezone.now()
        if "valid_to" in attrs and attrs["valid_to"] <= attrs.get("valid_from", now):
            raise serializers.ValidationError({"valid_to": "Validity must end after it begins."})
        if "expires_at" in attrs and attrs["expires_at"] <= now:
            raise serializers.ValidationError({"expires_at": "This time has passed."})
        return attrs


class MemoryIn(NewerIn):
    """One statement that an agent asks to be remembered."""

    subject = SubjectRef()
    supersedes = serializers.UUIDField(required=False)


class BatchIn(In):
    """Up to 500 memories."""

    items = MemoryIn(many=True, allow_empty=False, max_length=LARGEST_BATCH)  # type: ignore[call-arg]


class WarningOut(serializers.Serializer[Any]):
    """What a version of the write policy that only warns would have decided."""

    policy_version = serializers.CharField()
    outcome = serializers.CharField()
    rule_ids = serializers.ListField(child=serializers.CharField())
    reason = serializers.CharField()


class TakenOut(serializers.Serializer[Any]):
    """A write that was taken; nothing is told about what became of it."""

    decision_id = serializers.UUIDField()
    memory_id = serializers.UUIDField(help_text="Reserved for the memory, whether one comes of it or not.")
    policy_version = serializers.CharField()
    warnings = WarningOut(many=True, required=False)


class StoredOut(MemoryOut):
    """A stored memory."""

    warnings = WarningOut(many=True, required=False)


class BatchItemOut(TakenOut):
    """What came of one write of a batch: the status that it would have had alone."""

    status = serializers.ChoiceField([200, 201, 202, 422, 429])
    rule_ids = serializers.ListField(child=serializers.CharField(), required=False)
    reason = serializers.CharField(required=False)
    hint = serializers.CharField(required=False)


class BatchOut(serializers.Serializer[Any]):
    """What came of each write, in the order given."""

    items = BatchItemOut(many=True)


class VerdictOut(serializers.Serializer[Any]):
    """What the policy in force says about a write. Nothing was stored, so there is no decision to look up."""

    outcome = serializers.ChoiceField(["accept", "propose", "quarantine", "refuse", "policy_change"])
    rule_ids = serializers.ListField(child=serializers.CharField())
    reason = serializers.CharField()
    hint = serializers.CharField(allow_null=True)
    needs = serializers.CharField(allow_null=True, help_text="Who would have to agree.")
    policy_version = serializers.CharField()
    decision_id = serializers.UUIDField(allow_null=True)
    warnings = WarningOut(many=True, required=False)


_EXAMPLE = {
    "subject": "user:u-817",
    "kind": "preference",
    "statement": "Prefers a window seat on long flights.",
    "origin": "stated",
    "source": {
        "trace_id": "chat-2207",
        "message_id": "m-14",
        "quote": "I always take the window on long flights",
        "occurred_at": "2026-05-08T12:00:00+02:00",
    },
}


class StoreMemory(EffectView):
    """POST /memories: remember one statement about a subject.

    201 stored; 200 it is remembered already; 202 taken, and nothing is told about what becomes of it; 422 refused, with
    the rules that refused it.
    """

    scope = Scope.MEMORIES_WRITE
    reads = MemoryIn
    answers = {201: StoredOut, 200: StoredOut, 202: TakenOut}
    example = _EXAMPLE
    prepared: Prepared

    def prepare(self, request: AgentRequest, **kwargs: Any) -> None:
        claim = claim_of(MemoryIn.read(request))
        self.prepared = prepare([claim], by=request.actor)[0]

    def act(self, request: AgentRequest, **kwargs: Any) -> Done:
        outcome = capture(claim=self.prepared, by=request.actor, now=timezone.now())
        return told(outcome, channel=self.prepared.claim.channel or request.actor.channel)

    def tell(self, request: AgentRequest, done: Done, **kwargs: Any) -> Response:
        return tell_write(done, by=request.actor)


class StoreMemories(EffectView):
    """POST /memories/batch: remember up to 500 statements, each by its own decision.

    A batch that is not well-formed stores nothing; a refused statement does not keep the others from being stored.
    """

    scope = Scope.MEMORIES_WRITE
    reads = BatchIn
    answers = {200: BatchOut}
    example = {"items": [_EXAMPLE, {**_EXAMPLE, "statement": "Flies to Oslo every spring.", "kind": "fact"}]}
    prepared: list[Prepared]

    def prepare(self, request: AgentRequest, **kwargs: Any) -> None:
        claims = [claim_of(item) for item in BatchIn.read(request)["items"]]
        self.prepared = prepare(claims, by=request.actor)

    def act(self, request: AgentRequest, **kwargs: Any) -> Done:
        outcomes = capture_many(claims=self.prepared, by=request.actor, now=timezone.now())
        each = [
            told(outcome, channel=one.claim.channel or request.actor.channel)
            for outcome, one in zip(outcomes, self.prepared, strict=True)
        ]
        return Done(200, {"items": [{"status": one.status, **one.results} for one in each]})

    def tell(self, request: AgentRequest, done: Done, **kwargs: Any) -> Response:
        return Response(done.results, status=done.status)


class CheckMemory(EffectView):
    """POST /memories/check: tell what the policy in force says about a write, without writing."""

    scope = Scope.MEMORIES_WRITE
    reads = MemoryIn
    answers = {200: VerdictOut}
    example = _EXAMPLE

    def act(self, request: AgentRequest, **kwargs: Any) -> Done:
        claim = claim_of(MemoryIn.read(request))
        _refuse_foreign_subject(claim.subject_ref, by=request.actor)
        checked = check(claim=claim, by=request.actor, now=timezone.now())
        verdict = checked.verdict
        verdict_told = {
            "outcome": verdict.outcome,
            "rule_ids": list(verdict.rule_ids),
            "reason": verdict.reason,
            "hint": verdict.hint,
            "needs": verdict.needs,
            "policy_version": checked.policy_version,
            "decision_id": None,
            **_warned(checked.warnings),
        }
        return Done(200, verdict_told)

    def tell(self, request: AgentRequest, done: Done, **kwargs: Any) -> Response:
        return Response(done.results)


# What a writer is told of a version that only warns.
_WARNING = ("policy_version", "outcome", "rule_ids", "reason")


def told(outcome: Outcome, *, channel: str) -> Done:
    """Choose what the caller may know of an outcome.

    :param channel: the one that the write was decided by
    """
    ids: dict[str, Any] = {
        "decision_id": str(outcome.decision_id),
        "memory_id": str(outcome.memory_id),
        "policy_version": outcome.policy_version,
    }
    ids |= _warned(outcome.warnings)
    is_the_persons = Channel(channel).is_the_persons
    match outcome.result:
        case WriteResult.REFUSED if BY_RATE in outcome.rule_ids:
            return Done(429, {**ids, **_why(outcome)})
        case WriteResult.REFUSED if is_the_persons or BY_THE_SUBJECT not in outcome.rule_ids:
            return Done(422, {**ids, **_why(outcome)})
        case WriteResult.STORED if is_the_persons:
            return Done(201, ids)
        case WriteResult.DUPLICATE if outcome.is_own and _is_readable(outcome):
            return Done(200, ids)
        case WriteResult.DUPLICATE:
            # The id of what exists would tell that it exists.
            return Done(202, {**ids, "memory_id": str(outcome.reserved_id)})
    return Done(202, ids)


def _warned(warnings: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    return {"warnings": [{name: one[name] for name in _WARNING} for one in warnings]} if warnings else {}


def tell_write(done: Done, *, by: Actor) -> Response:
    """Answer a write from what it left."""
    if done.status in (422, 429):
        return answer(_problem(done))
    if done.status == 202:
        return Response(done.results, status=202)
    try:
        memory = queries.one_in_use(done.results["memory_id"], by=by, now=timezone.now())
    except NotFound:
        # It is not for this key to read, or has gone since.
        return Response(done.results, status=202)
    headers = {"ETag": etag(memory.version), "Location": f"/api/v1/memories/{memory.id}"}
    warned = {"warnings": done.results["warnings"]} if "warnings" in done.results else {}
    return Response({**show_memory(memory), **warned}, status=done.status, headers=headers)


def _is_readable(outcome: Outcome) -> bool:
    return outcome.memory is not None and outcome.memory.status not in queries.HIDDEN_FROM_AGENTS


def _why(outcome: Outcome) -> dict[str, Any]:
    """Name the rules and repeat their words; those are the policy's, never the caller's."""
    hint = {"hint": outcome.hint} if outcome.hint else {}
    return {"rule_ids": list(outcome.rule_ids), "reason": outcome.reason, **hint}


def _problem(done: Done) -> Problem:
    known: Mapping[str, Any] = done.results
    code = "refused_by_policy" if done.status == 422 else "too_many_writes"
    more = {
        name: known[name] for name in ("decision_id", "policy_version", "rule_ids", "hint", "warnings") if name in known
    }
    return Problem(done.status, code, known["reason"], **more)


def claim_of(asked: dict[str, Any]) -> Claim:
    """Make the claim out of what was read; without a subject the service names it."""
    lists: dict[str, Any] = {
        name: tuple(asked.pop(name, ())) for name in ("derived_from", "categories", "scopes", "aliases")
    }
    source = asked.pop("source", None)
    return Claim(subject_ref=asked.pop("subject", ""), source=SourceIn(**source) if source else None, **lists, **asked)


def _refuse_foreign_subject(ref: str, *, by: Actor) -> None:
    subject = Subject.objects.filter(ref=ref, is_test=by.is_test).first()
    is_foreign = by.subject_id is not None if subject is None else not may_see_subject(subject, by=by)
    if is_foreign:
        raise nothing_here()
