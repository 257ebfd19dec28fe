"""Reading memories: a list, one, its versions, and the graph around it."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.db.models import Q
from django.utils import timezone
from rest_framework import serializers
from rest_framework.response import Response

from accounts.queries import subject_for
from accounts.vocabulary import Scope
from memory_admin.api.inputs import Filters, Moment, Name, OneOf, SubjectRef, Text, Whole
from memory_admin.api.paging import PageFilters, page
from memory_admin.api.preconditions import etag
from memory_admin.api.shapes import (
    HistoryOut,
    LinksOut,
    MemoriesOut,
    MemoryOut,
    show_as_it_was,
    show_memory,
    show_revision,
)
from memory_admin.api.views import AgentRequest, AgentView
from memory_admin.memories import queries
from memory_admin.memories.models import MemoryQuerySet
from memory_admin.memories.vocabulary import Kind, Origin, Status

DEEPEST_WALK = 5


class MemoryFilters(PageFilters):
    """What a list of memories is narrowed by."""

    subject = SubjectRef(required=False)
    kind = OneOf(Kind.choices, required=False)
    origin = OneOf(Origin.choices, required=False)
    status = OneOf(Status.choices, required=False)
    key = Name(required=False)
    category = Name(required=False)
    changed_since = Moment(required=False)
    valid_at = Moment(required=False, help_text="What held then.")
    recorded_at = Moment(required=False, help_text="As we knew it then.")

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        # Not a class attribute: every field already has one of this name.
        source = Text(required=False, help_text="A trace, a message or an address.")
        return {**super().get_fields(), "source": source}


class LinkFilters(Filters):
    """How far to walk."""

    depth = Whole(required=False, default=1, min_value=1, max_value=DEEPEST_WALK)


class ListMemories(AgentView):
    """GET /memories: list memories, the newest first.

    With `valid_at` or `recorded_at` the list is of what we held true then, as far as we knew it then.
    """

    scope = Scope.MEMORIES_READ
    filters = MemoryFilters
    answers = {200: MemoriesOut}
    example = {"subject": "user:u-817", "kind": "preference"}

    asked: dict[str, Any]

    def prepare(self, request: AgentRequest, **kwargs: Any) -> None:
        self.asked = MemoryFilters.read(request)
        self.count_read_of(request, [self.asked["subject"]] if "subject" in self.asked else [])

    def get(self, request: AgentRequest) -> Response:
        asked = self.asked
        seen = queries.in_use(request.actor, now=timezone.now()).select_related("agent", "source")
        if "subject" in asked:
            subject = subject_for(asked["subject"], by=request.actor)
            seen = seen.filter(subject_id=subject.id)
        is_of_the_past = "valid_at" in asked or "recorded_at" in asked
        return Response(_past(request, asked, seen) if is_of_the_past else _present(request, asked, seen))


class ReadMemory(AgentView):
    """GET /memories/{id}: read one memory with its provenance; its ETag names the version."""

    scope = Scope.MEMORIES_READ
    answers = {200: MemoryOut}

    def get(self, request: AgentRequest, memory_id: UUID) -> Response:
        memory = queries.one_in_use(memory_id, by=request.actor, now=timezone.now())
        return Response(show_memory(memory), headers={"ETag": etag(memory.version)})


class ReadHistory(AgentView):
    """GET /memories/{id}/history: list the versions of a memory, the oldest first."""

    scope = Scope.MEMORIES_READ
    answers = {200: HistoryOut}

    def get(self, request: AgentRequest, memory_id: UUID) -> Response:
        queries.one_in_use(memory_id, by=request.actor, now=timezone.now())
        versions = queries.history(memory_id, by=request.actor)
        return Response({"items": [show_revision(version) for version in versions]})


class ReadLinks(AgentView):
    """GET /memories/{id}/links: walk the graph around a memory, at most five steps."""

    scope = Scope.MEMORIES_READ
    filters = LinkFilters
    answers = {200: LinksOut}
    example = {"depth": 2}

    def get(self, request: AgentRequest, memory_id: UUID) -> Response:
        asked = LinkFilters.read(request)
        links = queries.linked(memory_id, depth=asked["depth"], by=request.actor, now=timezone.now())
        return Response({"items": links})


def _present(request: AgentRequest, asked: dict[str, Any], seen: MemoryQuerySet) -> dict[str, Any]:
    is_cheap = "subject" in asked
    rows = seen.filter(_narrowed(asked))
    return page(rows, order="recorded_at", request=request, asked=asked, show=show_memory, count=is_cheap)


def _past(request: AgentRequest, asked: dict[str, Any], seen: MemoryQuerySet) -> dict[str, Any]:
    now, is_cheap = timezone.now(), "subject" in asked
    valid_at, recorded_at = asked.get("valid_at", now), asked.get("recorded_at", now)
    held = queries.as_of(seen, valid_at=valid_at, recorded_at=recorded_at, by=request.actor)
    rows = held.filter(_narrowed(asked, "memory__"))
    return page(rows, order="valid_from", request=request, asked=asked, show=show_as_it_was, count=is_cheap)


def _narrowed(asked: dict[str, Any], of: str = "") -> Q:
    """Turn the filters into a condition; on a list of the past, what can change is asked of the version held then."""
    found = Q()
    for name in ("kind", "origin", "status", "key"):
        if name in asked:
            found &= Q(**{name: asked[name]})
    if "category" in asked:
        found &= Q(categories__contains=[asked["category"]])
    if "changed_since" in asked:
        found &= Q(**{f"{of}changed_at__gte": asked["changed_since"]})
    if "source" in asked:
        names = ("trace_id", "message_id", "uri")
        found &= Q(*(Q(**{f"{of}source__{name}": asked["source"]}) for name in names), _connector=Q.OR)
    return found
