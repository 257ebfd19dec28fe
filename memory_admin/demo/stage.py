"""Plays the events of the demo's story, each by its actor, at its time, through the services everybody uses."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from itertools import groupby
from typing import Any
from uuid import UUID

from accounts import invitations, members, notices, stewards
from accounts import queries as accounts_queries
from accounts import services as accounts
from accounts.actors import Actor, system
from accounts.models import Agent, ApiKey, Membership, Subject, User
from accounts.vocabulary import Role
from memory_admin.audit import checking
from memory_admin.demo import council
from memory_admin.demo.events import (
    CONSOLIDATION,
    Answered,
    Asked,
    AskedForReview,
    Did,
    Event,
    Invited,
    Looked,
    MadeSteward,
    Paused,
    ProposedRoles,
    ReadNotices,
    Resumed,
    Rotated,
    Verified,
    Written,
)
from memory_admin.lifecycle import services as lifecycle
from memory_admin.memories import queries
from memory_admin.memories import services as memories
from memory_admin.memories.models import Dispute, Memory, MemoryPause, RefusalReview, WriteDecision
from memory_admin.memories.services import Claim, SourceIn
from memory_admin.memories.vocabulary import CorrectionReason, DisputeReason, PauseMode, PauseTarget, Remedy
from memory_admin.retrieval import services as retrieval
from memory_admin.retrieval.models import Retrieval
from memory_admin.retrieval.services import ViewReason
from memory_admin.reviews import services as reviews


class Stage:
    """The open tenant, whose people and agents are there already.

    :ivar keys: the text of each agent's newest key
    """

    def __init__(self, *, tenant_id: UUID, users: Mapping[str, User], keys: dict[str, str], now: datetime) -> None:
        self.tenant_id, self.users, self.keys, self.now = tenant_id, users, keys, now

    def play(self, events: Iterable[Event]) -> None:
        """Play all events, the oldest first; the uses of a day are counted at its end."""
        told = sorted(events, key=lambda one: one.ago, reverse=True)
        for ago, of_one_day in groupby(told, key=lambda one: one.ago.days):
            for event in of_one_day:
                self._play(event, self.now - event.ago)
                self._note_seen(event, self.now - event.ago)
            for subject_id in Subject.objects.values_list("id", flat=True):
                retrieval.count_uses(subject_id=subject_id, now=self.now - timedelta(days=ago))

    def _play(self, event: Event, at: datetime) -> None:
        match event:
            case Written():
                self._write(event, at)
            case Did():
                self._do(event, at)
            case Paused():
                self._pause(event, at)
            case Resumed():
                self._resume(event, at)
            case Asked():
                self._ask(event, at)
            case AskedForReview():
                by = self._person(event.who)
                refused = WriteDecision.objects.get(subject__user=self.users[event.who], sealed_text=event.statement)
                reviews.ask_for_review(decision_id=refused.id, words=event.words, by=by, now=at)
            case Answered(result="let_in"):
                self._let_in(event, at)
            case Answered(result="rejected"):
                self._reject_held(event, at)
            case Answered():
                self._answer_dispute(event, at)
            case Looked():
                self._look(event, at)
            case Verified():
                check = checking.ask(by=self.staff(event.who), now=at)
                checking.run(check_id=check.id, now=at)
            case Rotated():
                self._rotate(event, at)
            case Invited():
                invitations.invite(email=event.email, roles=event.roles, by=self.staff(event.who), now=at)
            case MadeSteward():
                member_id = self._membership_id(event.member)
                stewards.name(membership_id=member_id, ref=event.about, by=self.staff(event.who), now=at)
            case ProposedRoles():
                self._propose(event, at)
            case council.Drafted() | council.Approved() | council.Released() | council.TurnedDown():
                council.play(event, hall=self, at=at)
            case ReadNotices():
                notices.mark_read(user_id=self.users[event.who].id, now=at)

    def _note_seen(self, event: Event, at: datetime) -> None:
        """Note when a person or one of the staff was last here."""
        by = event.by if isinstance(event, Written) else getattr(event, "who", "")
        if by in self.users:
            members.note_seen(user_id=self.users[by].id, now=at)

    # who

    def staff(self, name: str) -> Actor:
        """Give somebody as one who works for the tenant."""
        return accounts_queries.staff(self.users[name].id, self._membership(name))

    def _person(self, name: str) -> Actor:
        return accounts_queries.person(self.users[name].id, self._membership(name))

    def _membership(self, name: str) -> accounts_queries.MembershipOf:
        memberships = accounts_queries.memberships_of(self.users[name].id)
        (membership,) = (one for one in memberships if one.tenant_id == self.tenant_id)
        return membership

    def _actor(self, name: str, at: datetime) -> Actor:
        if name == CONSOLIDATION:
            return system(CONSOLIDATION, tenant_id=self.tenant_id)
        if name in self.users:
            return self._person(name)
        actor = accounts.authenticate_key(self.keys[name], now=at)
        assert actor is not None  # its key lives
        return actor

    # what they did

    def _write(self, event: Written, at: datetime) -> None:
        by = self._actor(event.by, at)
        source = SourceIn(quote=event.quote, occurred_at=at, **event.source) if event.quote or event.source else None
        claim = Claim(
            subject_ref=event.about,
            kind=event.kind,
            statement=event.statement,
            origin=event.origin,
            source=source,
            derived_from=tuple(self._find(statement, by) for statement in event.made_from),
            **event.claim,
        )
        memories.capture(claim=claim, by=by, now=at)

    def _do(self, event: Did, at: datetime) -> None:
        by = self._actor(event.who, at)
        memory_id = self._find(event.statement, by)
        match event.what:
            case "confirm":
                memories.confirm(memory_id=memory_id, by=by, now=at)
            case "reject":
                memories.reject(memory_id=memory_id, by=by, now=at)
            case "archive":
                memories.archive(memory_id=memory_id, by=by, now=at)
            case "erase":
                erasure = lifecycle.request_erasure(memory_ids=[memory_id], by=by, now=at)
                lifecycle.carry_on(erasure_id=erasure.id, now=at + lifecycle.GRACE)
            case "take_back":
                erasure = lifecycle.request_erasure(memory_ids=[memory_id], by=by, now=at, grace=lifecycle.GRACE)
                lifecycle.take_back(erasure_id=erasure.id, by=by, now=at + lifecycle.GRACE / 2)
            case "correct":
                why = CorrectionReason(event.reason)
                memories.correct(memory_id=memory_id, statement=event.words, reason=why, by=by, now=at)
            case "dispute":
                doubt = DisputeReason(event.reason)
                memories.dispute(memory_id=memory_id, words=event.words, reason=doubt, by=by, now=at)

    def _pause(self, event: Paused, at: datetime) -> None:
        by = self._person(event.who)
        named: dict[str, Any] = {}
        match event.target:
            case PauseTarget.MEMORY:
                named["memory_id"] = self._find(event.name, by)
            case PauseTarget.AGENT:
                named["agent_id"] = Agent.objects.get(name=event.name).id
            case PauseTarget.CATEGORY:
                named["category"] = event.name
        until = at + timedelta(days=event.days) if event.days else None
        memories.pause(
            target=PauseTarget(event.target), mode=PauseMode(event.mode), until=until, by=by, now=at, **named
        )

    def _resume(self, event: Resumed, at: datetime) -> None:
        by = self._person(event.who)
        paused = MemoryPause.objects.filter(target=PauseTarget.ALL, paused_by=by.ref, resumed_at=None)
        pause = paused.get()
        memories.resume(pause_id=pause.id, by=by, now=at)

    def _ask(self, event: Asked, at: datetime) -> None:
        ask = retrieval.Ask(subjects=[event.about], query=event.query, purpose=event.purpose, **event.more)
        retrieval.search(ask=ask, by=self._actor(event.by, at), now=at)

    def _answer_dispute(self, event: Answered, at: datetime) -> None:
        by = self.staff(event.who)
        dispute = Dispute.objects.select_related("memory").get(memory__statement=event.statement, closed_at=None)
        reviews.read_dispute(dispute_id=dispute.id, by=by, now=at)
        asked: dict[str, Any] = {"dispute_id": dispute.id, "version": dispute.memory.version, "answer": event.answer}
        if event.result == "turned_down":
            reviews.turn_down(**asked, by=by, now=at)
        else:
            reviews.uphold(**asked, remedy=Remedy(event.result), by=by, now=at)

    def _let_in(self, event: Answered, at: datetime) -> None:
        by = self.staff(event.who)
        review = RefusalReview.objects.get(decision__sealed_text=event.statement, closed_at=None)
        reviews.read_review(review_id=review.id, by=by, now=at)
        reviews.let_in(review_id=review.id, answer=event.answer, by=by, now=at)

    def _reject_held(self, event: Answered, at: datetime) -> None:
        by = self.staff(event.who)
        held = Memory.objects.get(statement=event.statement)
        reviews.read_held(memory_id=held.id, by=by, now=at)
        reviews.check_held(memory_id=held.id, is_harmless=False, version=held.version, by=by, now=at)

    def _look(self, event: Looked, at: datetime) -> None:
        about = Retrieval.objects.filter(subject_ids__contains=[self._subject(event.about)])
        latest = about.order_by("-created_at", "-id").values_list("id", flat=True)[0]
        retrieval.reveal(retrieval_id=latest, reason=ViewReason(event.reason), by=self.staff(event.who), now=at)

    def _rotate(self, event: Rotated, at: datetime) -> None:
        by = self.staff(event.who)
        old = ApiKey.objects.get(agent__name=event.agent, rotated_from_id=None)
        self.keys[event.agent] = accounts.rotate_key(key_id=old.id, by=by, now=at).text

    def _propose(self, event: ProposedRoles, at: datetime) -> None:
        held = [Role(role) for role in Membership.objects.get(user=self.users[event.member]).roles]
        members.change_roles(
            membership_id=self._membership_id(event.member),
            roles=event.roles,
            read=held,
            by=self.staff(event.who),
            now=at,
        )

    # what they mean

    def _membership_id(self, name: str) -> UUID:
        return Membership.objects.get(user=self.users[name]).id

    def _subject(self, ref: str) -> UUID:
        return Subject.objects.get(ref=ref, is_test=False).id

    def _find(self, statement: str, by: Actor) -> UUID:
        return queries.visible_to(by).get(statement=statement).id
