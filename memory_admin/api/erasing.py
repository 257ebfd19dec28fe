"""Erasing, and following an erasure."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.utils import timezone
from rest_framework import serializers
from rest_framework.response import Response

from accounts.vocabulary import Scope
from memory_admin.api.preconditions import named_version
from memory_admin.api.views import AgentRequest, AgentView
from memory_admin.lifecycle import queries, services
from memory_admin.lifecycle.models import ErasureRequest


class ErasureOut(serializers.Serializer[Any]):
    """An erasure and how far it is; it holds no words."""

    id = serializers.UUIDField()
    subject = serializers.CharField()
    scope = serializers.ChoiceField(["memories", "subject"])
    state = serializers.CharField(help_text="From `erased` on nothing serves the words any more.")
    memory_ids = serializers.ListField(child=serializers.UUIDField())
    requested_at = serializers.DateTimeField()
    erased_at = serializers.DateTimeField(allow_null=True)
    counts = serializers.DictField()
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
