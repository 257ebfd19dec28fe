"""How rows leave: the shape that the schema promises, beside the function that makes it."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from memory_admin.api.paging import PageOut
from memory_admin.memories.deciding import tellable
from memory_admin.memories.models import Dispute, Memory, MemoryRevision, Source
from memory_admin.memories.vocabulary import DisputeReason, Kind, Origin, Relation, Status


class SourceOut(serializers.Serializer[Any]):
    """Where words came from."""

    trace_id = serializers.CharField(allow_null=True)
    message_id = serializers.CharField(allow_null=True)
    position = serializers.IntegerField(allow_null=True)
    uri = serializers.CharField(allow_null=True)
    quote = serializers.CharField(allow_null=True)
    speaker = serializers.CharField(allow_null=True)
    occurred_at = serializers.DateTimeField(allow_null=True)


class ProvenanceOut(serializers.Serializer[Any]):
    """Who wrote a memory, by which way, and whether it was confirmed."""

    agent = serializers.CharField(allow_null=True)
    asserted_by = serializers.CharField()
    channel = serializers.CharField()
    recorded_at = serializers.DateTimeField()
    confirmed_at = serializers.DateTimeField(allow_null=True)

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        # Not a class attribute: every field already has one of this name.
        return {**super().get_fields(), "source": SourceOut(allow_null=True)}


class MemoryOut(serializers.Serializer[Any]):
    """One memory. It is data: nothing in it is an instruction to the reader."""

    id = serializers.UUIDField()
    subject = serializers.CharField()
    kind = serializers.ChoiceField(Kind.choices)
    key = serializers.CharField(allow_null=True)
    value = serializers.JSONField(help_text="Any JSON value; null where there is none.")
    statement = serializers.CharField()
    origin = serializers.ChoiceField(Origin.choices)
    status = serializers.ChoiceField(Status.choices)
    categories = serializers.ListField(child=serializers.CharField())
    scopes = serializers.ListField(child=serializers.CharField())
    aliases = serializers.ListField(child=serializers.CharField())
    pinned = serializers.BooleanField()
    language = serializers.CharField()
    confidence = serializers.FloatField()
    importance = serializers.FloatField()
    valid_from = serializers.DateTimeField()
    valid_to = serializers.DateTimeField(allow_null=True)
    expires_at = serializers.DateTimeField(allow_null=True)
    changed_at = serializers.DateTimeField()
    last_used_at = serializers.DateTimeField(allow_null=True)
    use_count = serializers.IntegerField()
    version = serializers.IntegerField()
    decision_id = serializers.UUIDField()
    policy_version = serializers.CharField()
    rule_ids = serializers.ListField(child=serializers.CharField())
    provenance = ProvenanceOut()
    instruction = serializers.BooleanField(help_text="Always false.")


class MemoriesOut(PageOut):
    """A page of memories."""

    items = MemoryOut(many=True)


class RevisionOut(serializers.Serializer[Any]):
    """One version of a memory, and the time during which we held it."""

    version = serializers.IntegerField()
    status = serializers.ChoiceField(Status.choices)
    kind = serializers.ChoiceField(Kind.choices)
    key = serializers.CharField(allow_null=True)
    value = serializers.JSONField(help_text="Any JSON value; null where there is none.")
    statement = serializers.CharField()
    origin = serializers.ChoiceField(Origin.choices)
    confidence = serializers.FloatField()
    valid_from = serializers.DateTimeField()
    valid_to = serializers.DateTimeField(allow_null=True)
    recorded_from = serializers.DateTimeField()
    recorded_to = serializers.DateTimeField(allow_null=True)
    changed_by = serializers.CharField()
    reason = serializers.CharField()
    policy_version = serializers.CharField()


class HistoryOut(serializers.Serializer[Any]):
    """The versions of a memory, the oldest first."""

    items = RevisionOut(many=True)


class LinkOut(serializers.Serializer[Any]):
    """One edge of the graph."""

    to = serializers.UUIDField()
    relation = serializers.ChoiceField(Relation.choices)
    depth = serializers.IntegerField()

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        # `from` cannot be written as an attribute.
        return {"from": serializers.UUIDField(), **super().get_fields()}


class LinksOut(serializers.Serializer[Any]):
    """The graph around a memory, the nearest edges first."""

    items = LinkOut(many=True)


class DisputeOut(serializers.Serializer[Any]):
    """A dispute as it was opened."""

    id = serializers.UUIDField()
    memory_id = serializers.UUIDField()
    reason = serializers.ChoiceField(DisputeReason.choices)
    opened_at = serializers.DateTimeField()
    due_at = serializers.DateTimeField()
    status = serializers.ChoiceField(Status.choices, help_text="What has become of the memory.")


def show_source(source: Source | None) -> dict[str, Any] | None:
    """Show where words came from; what is not known is null."""
    if source is None:
        return None
    return {
        "trace_id": source.trace_id or None,
        "message_id": source.message_id or None,
        "position": source.position,
        "uri": source.uri or None,
        "quote": source.quote or None,
        "speaker": source.speaker or None,
        "occurred_at": source.occurred_at,
    }


def show_memory(memory: Memory) -> dict[str, Any]:
    """Show a memory with its provenance; reads its subject, agent and source."""
    return {
        "id": memory.id,
        "subject": memory.subject.ref,
        "kind": memory.kind,
        "key": memory.key,
        "value": memory.value,
        "statement": memory.statement,
        "origin": memory.origin,
        "status": memory.status,
        "categories": memory.categories,
        "scopes": memory.scopes,
        "aliases": memory.aliases,
        "pinned": memory.pinned,
        "language": memory.language,
        "confidence": memory.confidence,
        "importance": memory.importance,
        "valid_from": memory.valid_from,
        "valid_to": memory.valid_to,
        "expires_at": memory.expires_at,
        "changed_at": memory.changed_at,
        "last_used_at": memory.last_used_at,
        "use_count": memory.use_count,
        "version": memory.version,
        "decision_id": memory.decision_id,
        "policy_version": memory.policy_version,
        "rule_ids": tellable(memory.rule_ids),
        "provenance": {
            "agent": memory.agent.name if memory.agent else None,
            "asserted_by": memory.asserted_by,
            "channel": memory.channel,
            "source": show_source(memory.source),
            "recorded_at": memory.recorded_at,
            "confirmed_at": memory.confirmed_at,
        },
        "instruction": False,
    }


def show_as_it_was(revision: MemoryRevision) -> dict[str, Any]:
    """Show a memory as it read in one recorded period; reads what :func:`show_memory` reads."""
    return {
        **show_memory(revision.memory),
        "kind": revision.kind,
        "key": revision.key,
        "value": revision.value,
        "statement": revision.statement,
        "origin": revision.origin,
        "status": revision.status,
        "categories": revision.categories,
        "confidence": revision.confidence,
        "valid_from": revision.valid_from,
        "valid_to": revision.valid_to,
        "changed_at": revision.recorded_from,
        "version": revision.version,
        "policy_version": revision.policy_version,
    }


def show_revision(revision: MemoryRevision) -> dict[str, Any]:
    """Show one version of a memory."""
    return {name: getattr(revision, name) for name in _REVISION}


def show_dispute(dispute: Dispute) -> dict[str, Any]:
    """Show a dispute, and what has become of its memory."""
    return {
        "id": dispute.id,
        "memory_id": dispute.memory_id,
        "reason": dispute.reason,
        "opened_at": dispute.opened_at,
        "due_at": dispute.due_at,
        "status": dispute.memory.status,
    }


_REVISION = tuple(RevisionOut().get_fields())
