"""The log of answered questions, as the agent that asked may read it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from django.utils import timezone
from rest_framework import serializers
from rest_framework.response import Response

from accounts.models import Subject
from accounts.vocabulary import Scope
from memory_admin.api.paging import PageFilters, PageOut, page
from memory_admin.api.views import AgentRequest, AgentView
from memory_admin.memories import queries as memories
from memory_admin.retrieval import queries
from memory_admin.retrieval.models import Retrieval, RetrievalCandidate


class RetrievalOut(serializers.Serializer[Any]):
    """One answered question. Of the question itself only a digest is kept for good."""

    id = serializers.UUIDField()
    subjects = serializers.ListField(child=serializers.CharField())
    purpose = serializers.CharField()
    k = serializers.IntegerField()
    min_score = serializers.FloatField()
    token_budget = serializers.IntegerField()
    valid_at = serializers.DateTimeField(allow_null=True)
    recorded_at = serializers.DateTimeField(allow_null=True)
    policy_version = serializers.CharField()
    access_version = serializers.CharField()
    used_vector = serializers.BooleanField(help_text="False while the model could not be reached.")
    considered = serializers.IntegerField()
    returned = serializers.IntegerField()
    tokens = serializers.IntegerField()
    left_out = serializers.DictField(child=serializers.IntegerField(), help_text="By each hard filter.")
    dropped = serializers.DictField(child=serializers.IntegerField(), help_text="Scored and not returned, by reason.")
    stages = serializers.DictField(child=serializers.FloatField(), help_text="Milliseconds.")
    created_at = serializers.DateTimeField()


class CandidateOut(serializers.Serializer[Any]):
    """One memory that was returned, or was among the next best; with all that its score was made of."""

    memory_id = serializers.UUIDField()
    memory_version = serializers.IntegerField()
    kind = serializers.CharField()
    origin = serializers.CharField()
    channel = serializers.CharField()
    asserted_by = serializers.CharField()
    age_days = serializers.IntegerField()
    expires_at = serializers.DateTimeField(allow_null=True)
    access_rule = serializers.CharField()
    rank = serializers.IntegerField()
    returned = serializers.BooleanField()
    drop_reason = serializers.CharField(allow_null=True)
    score = serializers.FloatField()
    parts = serializers.DictField()
    reason = serializers.CharField()


class LogEntryOut(RetrievalOut):
    """One answered question with its candidates, by rank."""

    candidates = CandidateOut(many=True)


class RetrievalsOut(PageOut):
    """A page of the log."""

    items = RetrievalOut(many=True)


class UseOut(serializers.Serializer[Any]):
    """One time that a memory was handed out."""

    retrieval_id = serializers.UUIDField()
    agent_id = serializers.UUIDField(allow_null=True)
    purpose = serializers.CharField()
    used_at = serializers.DateTimeField()
    memory_version = serializers.IntegerField()
    rank = serializers.IntegerField()
    access_rule = serializers.CharField()


class UsesOut(PageOut):
    """A page of uses."""

    items = UseOut(many=True)


class ListRetrievals(AgentView):
    """GET /retrievals: list the questions that this key asked, the newest first."""

    scope = Scope.RETRIEVALS_READ
    filters = PageFilters
    answers = {200: RetrievalsOut}
    example = {"limit": 10}

    def get(self, request: AgentRequest) -> Response:
        asked = PageFilters.read(request)
        rows = queries.retrievals(by=request.actor)
        listed = page(rows, order="created_at", request=request, asked=asked, show=_own, count=False)
        refs = _refs({subject_id for item in listed["items"] for subject_id in item["subjects"]})
        for item in listed["items"]:
            item["subjects"] = [refs[subject_id] for subject_id in item["subjects"] if subject_id in refs]
        return Response(listed)


class ReadRetrieval(AgentView):
    """GET /retrievals/{id}: read the log of one question: candidates, scores, reasons, drops."""

    scope = Scope.RETRIEVALS_READ
    answers = {200: LogEntryOut}

    def get(self, request: AgentRequest, retrieval_id: UUID) -> Response:
        found, candidates = queries.one(retrieval_id, by=request.actor)
        refs = _refs(found.subject_ids)
        return Response(
            {
                **_own(found),
                "subjects": [refs[subject_id] for subject_id in found.subject_ids if subject_id in refs],
                "candidates": [{name: getattr(one, name) for name in _CANDIDATE} for one in candidates],
            }
        )


class ListUses(AgentView):
    """GET /memories/{id}/uses: list who was handed a memory, the newest first."""

    scope = Scope.MEMORIES_READ
    filters = PageFilters
    answers = {200: UsesOut}
    example = {"limit": 10}

    def get(self, request: AgentRequest, memory_id: UUID) -> Response:
        asked = PageFilters.read(request)
        memories.one_in_use(memory_id, by=request.actor, now=timezone.now())
        rows = queries.uses_of(memory_id)
        return Response(page(rows, order=None, request=request, asked=asked, show=_use, count=True))


def _own(retrieval: Retrieval) -> dict[str, Any]:
    return {**{name: getattr(retrieval, name) for name in _OWN}, "subjects": retrieval.subject_ids}


def _use(use: RetrievalCandidate) -> dict[str, Any]:
    return {
        "retrieval_id": use.retrieval_id,
        "agent_id": use.retrieval.agent_id,
        "purpose": use.retrieval.purpose,
        "used_at": use.retrieval.created_at,
        "memory_version": use.memory_version,
        "rank": use.rank,
        "access_rule": use.access_rule,
    }


def _refs(subject_ids: Iterable[UUID]) -> dict[UUID, str]:
    return dict(Subject.objects.filter(id__in=list(subject_ids)).values_list("id", "ref"))


_OWN = tuple(name for name in RetrievalOut().get_fields() if name != "subjects")
_CANDIDATE = tuple(CandidateOut().get_fields())
