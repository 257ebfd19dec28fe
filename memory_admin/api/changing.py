"""Changing memories: correct, confirm, dispute, supersede, erase."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.utils import timezone
from rest_framework.response import Response

from accounts.vocabulary import Scope
from memory_admin.api.idempotency import Done
from memory_admin.api.inputs import In, Moment, OneOf, Text, Value, Words
from memory_admin.api.preconditions import etag, named_version, required_version
from memory_admin.api.problems import nothing_here
from memory_admin.api.shapes import DisputeOut, MemoryOut, show_dispute, show_memory
from memory_admin.api.views import AgentRequest, AgentView, EffectView
from memory_admin.api.writing import NewerIn, StoredOut, TakenOut, claim_of, tell_write, told
from memory_admin.memories import queries
from memory_admin.memories import services as memories
from memory_admin.memories.models import Dispute, Memory
from memory_admin.memories.services import Prepared
from memory_admin.memories.services.correct import CorrectionRefused, NothingChanged
from memory_admin.memories.vocabulary import GONE, CorrectionReason, DisputeReason


class CorrectionIn(In):
    """What a memory should say."""

    statement = Words()
    value = Value(required=False)
    reason = OneOf(CorrectionReason.choices, required=False, default=CorrectionReason.WRONG)
    changed_at = Moment(required=False, help_text="Since when the new words hold, for the reason `changed`.")


class DisputeIn(In):
    """Why a memory is not right."""

    reason = OneOf(DisputeReason.choices)
    words = Text(required=False, default="", allow_blank=True, max_length=2000)


class ConfirmationIn(In):
    """Nothing needs to be said."""


class CorrectMemory(AgentView):
    """PATCH /memories/{id}: put right what a memory says.

    The reason `wrong` (default) or `needs_context` makes a new version of it; `changed` ends it and answers with the
    memory that now holds. A key that does not relay the person's words is answered alike whatever becomes of it.
    """

    scope = Scope.MEMORIES_WRITE
    reads = CorrectionIn
    answers = {200: MemoryOut, 202: TakenOut}
    example = {"statement": "Prefers an aisle seat on short flights.", "reason": "needs_context"}
    needs_version = True

    def patch(self, request: AgentRequest, memory_id: UUID) -> Response:
        version = required_version(request)
        asked, by, now = CorrectionIn.read(request), request.actor, timezone.now()
        before = queries.one_in_use(memory_id, by=by, now=now)
        is_the_persons, is_repeated = by.channel.is_the_persons, asked["statement"] == before.statement
        try:
            held = memories.correct(memory_id=memory_id, by=by, now=now, version=version, **asked)
        except CorrectionRefused as blocked:
            # No rule refused it: what it says was erased.
            if is_the_persons or blocked.rule_ids:
                raise
            return _taken(before)
        except NothingChanged:
            if is_the_persons or is_repeated:
                raise
            return _taken(before)
        if not is_the_persons:
            return _taken(before)
        if held.status in queries.HIDDEN_FROM_AGENTS:
            return _taken(held)
        return Response(show_memory(held), headers={"ETag": etag(held.version)})


class ConfirmMemory(EffectView):
    """POST /memories/{id}/confirm: say for the person that a memory is right.

    Only a key trusted to relay the person's words may.
    """

    scope = Scope.MEMORIES_WRITE
    reads = ConfirmationIn
    answers = {200: MemoryOut}
    example = {}

    def act(self, request: AgentRequest, **kwargs: Any) -> Done:
        ConfirmationIn.read(request)
        queries.one_in_use(kwargs["memory_id"], by=request.actor, now=timezone.now())
        memories.confirm(
            memory_id=kwargs["memory_id"], by=request.actor, now=timezone.now(), version=named_version(request)
        )
        return Done(200)

    def tell(self, request: AgentRequest, done: Done, **kwargs: Any) -> Response:
        memory = queries.one_in_use(kwargs["memory_id"], by=request.actor, now=timezone.now())
        return Response(show_memory(memory), headers={"ETag": etag(memory.version)})


class DisputeMemory(EffectView):
    """POST /memories/{id}/dispute: stop using a memory until it has been checked."""

    scope = Scope.MEMORIES_WRITE
    reads = DisputeIn
    answers = {201: DisputeOut}
    example = {"reason": "out_of_date", "words": "They moved last month."}

    def act(self, request: AgentRequest, **kwargs: Any) -> Done:
        asked, now = DisputeIn.read(request), timezone.now()
        queries.one_in_use(kwargs["memory_id"], by=request.actor, now=now)
        opened = memories.dispute(
            memory_id=kwargs["memory_id"], by=request.actor, now=now, version=named_version(request), **asked
        )
        return Done(201, {"dispute_id": str(opened.id)})

    def tell(self, request: AgentRequest, done: Done, **kwargs: Any) -> Response:
        opened = Dispute.objects.select_related("memory").filter(id=done.results["dispute_id"]).first()
        if opened is None or opened.memory.status in GONE:
            raise nothing_here()
        return Response(show_dispute(opened), status=201)


class SupersedeMemory(EffectView):
    """POST /memories/{id}/supersede: write a newer statement that ends the validity of this one.

    Answers as a write does. Where the writer ranks below whoever stands behind the old one, the new one waits.
    """

    scope = Scope.MEMORIES_WRITE
    reads = NewerIn
    answers = {201: StoredOut, 200: StoredOut, 202: TakenOut}
    example = {"kind": "preference", "statement": "Prefers an aisle seat on all flights.", "origin": "stated"}
    prepared: Prepared

    def prepare(self, request: AgentRequest, **kwargs: Any) -> None:
        self.prepared = memories.prepare([claim_of(NewerIn.read(request))], by=request.actor)[0]

    def act(self, request: AgentRequest, **kwargs: Any) -> Done:
        queries.one_in_use(kwargs["memory_id"], by=request.actor, now=timezone.now())
        outcome = memories.supersede(
            memory_id=kwargs["memory_id"],
            claim=self.prepared,
            by=request.actor,
            now=timezone.now(),
            version=named_version(request),
        )
        return told(outcome, channel=self.prepared.claim.channel or request.actor.channel)

    def tell(self, request: AgentRequest, done: Done, **kwargs: Any) -> Response:
        return tell_write(done, by=request.actor)


def _taken(memory: Memory) -> Response:
    names = ("decision_id", "policy_version")
    return Response({"memory_id": memory.id, **{name: getattr(memory, name) for name in names}}, status=202)
