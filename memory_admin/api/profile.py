"""The profile: keyed facts of a subject, exact, read without any similarity."""

from __future__ import annotations

from typing import Any

from django.utils import timezone
from rest_framework import serializers
from rest_framework.response import Response

from accounts.actors import Actor
from accounts.queries import subject_for
from accounts.vocabulary import Channel, Scope
from memory_admin.api.erasing import ErasureOut, show_taken
from memory_admin.api.idempotency import Done
from memory_admin.api.inputs import LONGEST_STATEMENT, In, Moment, OneOf, Value, Words, refuse_bad_name
from memory_admin.api.preconditions import etag, named_version, refuse_named_version, required_version
from memory_admin.api.problems import nothing_here
from memory_admin.api.renderers import dump
from memory_admin.api.shapes import MemoryOut, show_memory
from memory_admin.api.views import AgentRequest, AgentView
from memory_admin.api.writing import SourceGiven, StoredOut, TakenOut, claim_of, tell_write, told
from memory_admin.lifecycle import services as lifecycle
from memory_admin.memories import queries
from memory_admin.memories import services as memories
from memory_admin.memories.judge import is_same_value
from memory_admin.memories.models import Memory
from memory_admin.memories.services import Prepared
from memory_admin.memories.vocabulary import Kind, Origin


class ProfileOut(serializers.Serializer[Any]):
    """The current profile of a subject, by key."""

    items = MemoryOut(many=True)


class EntryIn(In):
    """The value of one key, and the sentence that says it; without a sentence one is made."""

    value = Value()
    statement = Words(required=False)
    kind = OneOf(Kind.choices, required=False, default=Kind.FACT)
    origin = OneOf(Origin.choices, required=False, default=Origin.STATED)
    channel = OneOf(Channel.choices, required=False)
    valid_from = Moment(required=False)
    expires_at = Moment(required=False)

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        # Not a class attribute: every field already has one of this name.
        return {**super().get_fields(), "source": SourceGiven(required=False)}


class ReadProfile(AgentView):
    """GET /subjects/{ref}/profile: read every current keyed fact of a subject."""

    scope = Scope.PROFILE_READ
    answers = {200: ProfileOut}

    def prepare(self, request: AgentRequest, **kwargs: Any) -> None:
        self.count_read_of(request, [kwargs["ref"]])

    def get(self, request: AgentRequest, ref: str) -> Response:
        subject = subject_for(ref, by=request.actor)
        entries = queries.profile(subject.id, by=request.actor, now=timezone.now())
        return Response({"items": [show_memory(entry) for entry in entries]})


class ReadProfileEntry(AgentView):
    """GET /subjects/{ref}/profile/{key}: read one keyed fact; its ETag names the version."""

    scope = Scope.PROFILE_READ
    answers = {200: MemoryOut}

    def get(self, request: AgentRequest, ref: str, key: str) -> Response:
        entry = _entry(ref, key, by=request.actor)
        if entry is None:
            raise nothing_here()
        return Response(show_memory(entry), headers={"ETag": etag(entry.version)})


class PutProfileEntry(AgentView):
    """PUT /subjects/{ref}/profile/{key}: say what a keyed fact is now.

    The entry that held until now is superseded, and must be named by If-Match. Answers as a write does. A key that may
    not know what is there names nothing, and what it puts is weighed against it as any other write.
    """

    scope = Scope.PROFILE_WRITE
    reads = EntryIn
    answers = {201: StoredOut, 200: StoredOut, 202: TakenOut}
    example = {"value": "Europe/Oslo", "statement": "Lives in the time zone Europe/Oslo."}
    needs_version = True
    prepared: Prepared

    def prepare(self, request: AgentRequest, **kwargs: Any) -> None:
        ref, key = kwargs["ref"], kwargs["key"]
        refuse_bad_name(key, field="key")
        asked = EntryIn.read(request)
        asked.setdefault("statement", _sentence(key, asked["value"]))
        claim = claim_of({**asked, "subject": ref, "key": key})
        self.prepared = memories.prepare([claim], by=request.actor)[0]

    def put(self, request: AgentRequest, ref: str, key: str) -> Response:
        claim, by, now = self.prepared.claim, request.actor, timezone.now()
        # Before it is looked up: of several first values at once, one is the first and the others find it.
        memories.locked_subject(ref, by=by, now=now)
        held = _entry(ref, key, by=by)
        if held is None:
            refuse_named_version(request)
            outcome = memories.capture(claim=self.prepared, by=by, now=now)
        elif is_same_value(held.value, claim.value) and held.statement == claim.statement:
            return tell_write(Done(200, {"memory_id": str(held.id)}), by=by)
        else:
            version = required_version(request)
            outcome = memories.supersede(memory_id=held.id, claim=self.prepared, by=by, now=now, version=version)
        return tell_write(told(outcome, channel=claim.channel or by.channel), by=by)


class EraseProfileEntry(AgentView):
    """DELETE /subjects/{ref}/profile/{key}: erase a keyed fact, as any memory."""

    scope = Scope.PROFILE_WRITE
    answers = {202: ErasureOut}

    def delete(self, request: AgentRequest, ref: str, key: str) -> Response:
        held = _entry(ref, key, by=request.actor)
        if held is None:
            raise nothing_here()
        erasure = lifecycle.erase(
            memory_ids=[held.id], by=request.actor, now=timezone.now(), version=named_version(request)
        )
        return show_taken(erasure)


def _entry(ref: str, key: str, *, by: Actor) -> Memory | None:
    """Find an entry, for whoever may know of it: a key is guessed, unlike an id."""
    subject = subject_for(ref, by=by)
    if not (by.channel.is_the_persons or by.has(Scope.PROFILE_READ) or by.has(Scope.MEMORIES_READ)):
        return None
    return queries.profile(subject.id, by=by, now=timezone.now()).filter(key=key).first()


def _sentence(key: str, value: object) -> str:
    return f"{key.replace('_', ' ').capitalize()}: {_in_words(value)}."[:LONGEST_STATEMENT]


def _in_words(value: object) -> str:
    match value:
        case str():
            return value
        case bool():
            return "yes" if value else "no"
        case list() if value and not any(isinstance(one, list | dict) for one in value):
            return ", ".join(_in_words(one) for one in value)
    return dump(value).decode()
