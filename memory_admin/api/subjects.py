"""Subjects as agents know them."""

from __future__ import annotations

from collections import Counter
from typing import Any

from django.db.models import Count
from rest_framework import serializers
from rest_framework.response import Response

from accounts.queries import subject_for
from accounts.vocabulary import MemoryMode, Scope
from memory_admin.api.views import AgentRequest, AgentView
from memory_admin.memories import queries


class SubjectOut(serializers.Serializer[Any]):
    """A subject, and how many memories of it this key may know of."""

    ref = serializers.CharField()
    kind = serializers.CharField()
    memory_mode = serializers.ChoiceField(MemoryMode.choices)
    paused_until = serializers.DateTimeField(allow_null=True)
    memories = serializers.IntegerField()
    by_kind = serializers.DictField(child=serializers.IntegerField())
    by_status = serializers.DictField(child=serializers.IntegerField())


class ReadSubject(AgentView):
    """GET /subjects/{ref}: sum up a subject."""

    scope = Scope.MEMORIES_READ
    answers = {200: SubjectOut}

    def get(self, request: AgentRequest, ref: str) -> Response:
        subject = subject_for(ref, by=request.actor)
        seen = queries.visible_to(request.actor).filter(subject_id=subject.id).order_by()
        by_kind: Counter[str] = Counter()
        by_status: Counter[str] = Counter()
        for kind, status, number in seen.values_list("kind", "status").annotate(number=Count("id")):
            by_kind[kind] += number
            by_status[status] += number
        return Response(
            {
                "ref": subject.ref,
                "kind": subject.kind,
                "memory_mode": subject.memory_mode,
                "paused_until": subject.paused_until,
                "memories": by_kind.total(),
                "by_kind": dict(sorted(by_kind.items())),
                "by_status": dict(sorted(by_status.items())),
            }
        )
