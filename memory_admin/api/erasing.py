"""Erasing, and following an erasure."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.utils import timezone
from rest_framework import serializers
from rest_framework.response import Response

from accounts.actors import Actor
from accounts.models import Agent
from accounts.queries import subject_for
from accounts.vocabulary import Scope
from memory_admin.api.idempotency import Done
from memory_admin.api.inputs import In, Name, OneOf, SubjectRef, Text
from memory_admin.api.preconditions import named_version
from memory_admin.api.views import AgentRequest, AgentView, EffectView
from memory_admin.errors import NotFound
from memory_admin.lifecycle import queries, scopes, services
from memory_admin.lifecycle.models import SCOPES, ErasureRequest
from memory_admin.lifecycle.scopes import FromSource, Matching, WholeSubject, WrittenBy
from memory_admin.memories.vocabulary import Kind, Origin


class ErasureOut(serializers.Serializer[Any]):
    """An erasure and how far it is; it holds no words."""

    id = serializers.UUIDField()
    subject = serializers.CharField()
    scope = serializers.ChoiceField(SCOPES)
    state = serializers.CharField(help_text="From `erased` on nothing serves the words any more.")
    memory_ids = serializers.ListField(child=serializers.UUIDField())
    requested_at = serializers.DateTimeField()
    erased_at = serializers.DateTimeField(allow_null=True)
    counts = serializers.DictField()
    verified_at = serializers.DateTimeField(
        allow_null=True, help_text="From then on it is complete: nothing of it was found any more."
    )
    looks = serializers.IntegerField(help_text="How often it was looked for.")
    trouble = serializers.CharField(
        help_text="What went wrong when it was looked for last: it is partly done. Or empty."
    )
    next_look_at = serializers.DateTimeField(allow_null=True, help_text="When that is tried again.")
    audit_seq = serializers.IntegerField(allow_null=True, help_text="The number of its event in the audit trail.")


class EraseMemory(AgentView):
    """DELETE /memories/{id}: erase a memory, everything made from it, and keep it from being learned again.

    There is no grace. A key that does not relay the person's words may erase only what its own agent concluded and
    nobody confirmed.
    """

    scope = Scope.ERASURES_WRITE
    answers = {202: ErasureOut}

    def delete(self, request: AgentRequest, memory_id: UUID) -> Response:
        erasure = services.erase(
            memory_ids=[memory_id], by=request.actor, now=timezone.now(), version=named_version(request)
        )
        return show_taken(erasure)


class EraseSubject(AgentView):
    """DELETE /subjects/{ref}: erase everything about a subject that exists at this moment."""

    scope = Scope.ERASURES_WRITE
    answers = {202: ErasureOut}

    def delete(self, request: AgentRequest, ref: str) -> Response:
        return show_taken(services.erase_subject(ref=ref, by=request.actor, now=timezone.now()))


class SourceNamed(In):
    """The conversation, message or page that a source is known by; what is given must all fit."""

    trace_id = Text(required=False, default="", allow_blank=True)
    message_id = Text(required=False, default="", allow_blank=True)
    uri = Text(required=False, default="", allow_blank=True, max_length=2000)


class ErasureIn(In):
    """What is to be erased about a subject, by one of five scopes."""

    subject = SubjectRef()
    scope = OneOf([(name, name) for name in SCOPES])
    memory_ids = serializers.ListField(
        child=serializers.UUIDField(), required=False, max_length=500, help_text="For scope `memories`."
    )
    agent = Text(required=False, help_text="For scope `agent`: whose writes; left out, those of this agent.")
    kinds = serializers.ListField(child=OneOf(Kind.choices), required=False, help_text="For scope `filter`.")
    origins = serializers.ListField(child=OneOf(Origin.choices), required=False, help_text="For scope `filter`.")
    categories = serializers.ListField(
        child=Name(), required=False, max_length=32, help_text="For scope `filter`: of any of these."
    )

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        # Not a class attribute: every field already has one of this name.
        return {**super().get_fields(), "source": SourceNamed(required=False, help_text="For scope `source`.")}

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        wanted = _NAMED_BY[attrs["scope"]]
        for name in {name for names in _NAMED_BY.values() for name in names} - set(wanted):
            if name in attrs:
                raise serializers.ValidationError({name: f"This belongs to another scope than {attrs['scope']}."})
        if attrs["scope"] != "agent" and wanted and not any(attrs.get(name) for name in wanted):
            raise serializers.ValidationError({wanted[0]: "Name what is to be erased."})
        if attrs["scope"] == "source" and not FromSource(**attrs["source"]).is_named:
            raise serializers.ValidationError({"source": "Name a conversation, a message or a page."})
        return attrs


_NAMED_BY: dict[str, tuple[str, ...]] = {
    "memories": ("memory_ids",),
    "filter": ("kinds", "origins", "categories"),
    "source": ("source",),
    "agent": ("agent",),
    "subject": (),
}


class Erase(EffectView):
    """POST /erasures: erase by scope: `memories`, `filter`, `source`, `agent` (its writes) or `subject` (everything).

    It covers what exists at this moment and is out of every use when this answers; a job then erases the words. There
    is no grace. The same scope asked for again while it runs is answered with the erasure that runs. A key that does
    not relay the person's words may erase only what its own agent concluded and nobody confirmed.
    """

    scope = Scope.ERASURES_WRITE
    reads = ErasureIn
    answers = {202: ErasureOut}
    example = {"subject": "user:u-817", "scope": "source", "source": {"trace_id": "chat-2207"}}

    def act(self, request: AgentRequest, **kwargs: Any) -> Done:
        asked, by, now = ErasureIn.read(request), request.actor, timezone.now()
        if asked["scope"] == "memories":
            subject = subject_for(asked["subject"], by=by)
            erasure = services.erase(memory_ids=asked["memory_ids"], by=by, now=now, subject_id=subject.id)
        else:
            erasure = services.request_scope(ref=asked["subject"], scope=_scope_of(asked, by), by=by, now=now)
        return Done(202, {"id": str(erasure.id)})

    def tell(self, request: AgentRequest, done: Done, **kwargs: Any) -> Response:
        return show_taken(queries.erasure(UUID(done.results["id"]), by=request.actor))


def _scope_of(asked: dict[str, Any], by: Actor) -> scopes.Scope:
    match asked["scope"]:
        case "source":
            return FromSource(**asked["source"])
        case "agent":
            named = asked.get("agent")
            agent_id = Agent.objects.filter(name=named).values_list("id", flat=True).first() if named else by.agent_id
            if agent_id is None:
                raise NotFound
            return WrittenBy(agent_id=agent_id)
        case "filter":
            return Matching(**{name: tuple(sorted(asked.get(name, ()))) for name in _NAMED_BY["filter"]})
        case _:
            return WholeSubject()


class ReadErasure(AgentView):
    """GET /erasures/{id}: follow an erasure that this key asked for.

    Any key may: it finds its own erasures alone.
    """

    scope = None
    answers = {200: ErasureOut}

    def get(self, request: AgentRequest, erasure_id: UUID) -> Response:
        return Response(show_erasure(queries.erasure(erasure_id, by=request.actor)))


def show_taken(erasure: ErasureRequest) -> Response:
    """Answer that an erasure was taken, and where to follow it."""
    return Response(show_erasure(erasure), status=202, headers={"Location": f"/api/v1/erasures/{erasure.id}"})


def show_erasure(erasure: ErasureRequest) -> dict[str, Any]:
    """Show an erasure; reads its subject."""
    return {"subject": erasure.subject.ref, **{name: getattr(erasure, name) for name in _OWN}}


_OWN = tuple(name for name in ErasureOut().get_fields() if name != "subject")
