"""Deciding the writes about one subject: what lets a claim in, keeps it waiting, sends it elsewhere or refuses it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db.models import Count, Q

from accounts.actors import Actor
from accounts.models import Subject
from accounts.vocabulary import Channel, MemoryMode
from memory_admin import audit, jobs
from memory_admin.audit import Action
from memory_admin.memories import changes, queries
from memory_admin.memories.claims import Claim, Prepared, Screened, default_importance, embedded_text_of
from memory_admin.memories.known import Marks, look_up, marks_of
from memory_admin.memories.models import Memory, MemoryPause, WriteDecision
from memory_admin.memories.storing import Shelf
from memory_admin.memories.vocabulary import Origin, PauseMode, PauseTarget, Status, WriteResult
from memory_admin.memories.wishes import soonest, wishes_of
from memory_admin.tenancy.scope import uuid7
from policies import engine
from policies.documents import WritePolicy
from policies.queries import PoliciesInForce
from policies.services import request_change

# Rules that stand in no policy.
BY_THE_SUBJECT = "P-001"  # the subject has paused saving
BY_OBJECTION = "P-002"  # the subject wants nothing concluded about them
BY_TOMBSTONE = "T-001"  # it was erased or turned down
BY_LIKENESS = "T-002"  # it says in other words what was erased, so it waits for the person
BY_RATE = "L-001"  # too many writes in the window
BY_RANK = "J-001"  # it contradicts what ranks higher, so it waits for the person

TELLS_OF_AN_ERASURE = frozenset({BY_TOMBSTONE, BY_LIKENESS})


def tellable(rule_ids: Sequence[str]) -> list[str]:
    """Leave out of rules what would tell an agent that something was erased or turned down."""
    return [rule_id for rule_id in rule_ids if rule_id not in TELLS_OF_AN_ERASURE]


_RESULTS: dict[str, tuple[WriteResult, Status]] = {
    "accept": (WriteResult.STORED, Status.ACTIVE),
    "propose": (WriteResult.PROPOSED, Status.PROPOSED),
    "quarantine": (WriteResult.QUARANTINED, Status.QUARANTINED),
}
_ACTIONS = {
    Status.ACTIVE: Action.MEMORY_STORED,
    Status.PROPOSED: Action.MEMORY_PROPOSED,
    Status.QUARANTINED: Action.MEMORY_QUARANTINED,
}


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What came of one write.

    :ivar memory_id: the memory, or the id reserved for it when none came of it
    :ivar reserved_id: an id made with the decision, which tells nothing of what exists
    :ivar memory: the stored, waiting or repeated memory; None when nothing is kept
    :ivar warnings: what a version in mode ``warn`` would have decided otherwise: its version, outcome, rules and reason
    :ivar is_own: the caller may be told what exists: it wrote it, or speaks for the person
    """

    result: WriteResult
    decision_id: UUID
    memory_id: UUID
    memory: Memory | None
    rule_ids: tuple[str, ...]
    policy_version: str
    reason: str
    reserved_id: UUID
    hint: str | None = None
    is_own: bool = True
    warnings: tuple[Mapping[str, Any], ...] = ()


def facts_of(
    claim: Claim, screened: Screened, policies: PoliciesInForce, by: Actor, *, subject_kind: str
) -> engine.WriteFacts:
    """Gather what a write rule may ask about a claim. Left out, confidence is the origin's cap, and never above it."""
    cap = engine.confidence_cap(policies.write.document, claim.origin)
    importance = default_importance(claim.kind, claim.origin, claim.statement)
    return engine.WriteFacts(
        kind=claim.kind,
        origin=claim.origin,
        channel=str(claim.channel),
        length=screened.length,
        confidence=cap if claim.confidence is None else min(claim.confidence, cap),
        importance=importance if claim.importance is None else claim.importance,
        categories=frozenset(screened.categories),
        findings=screened.findings,
        agent=by.agent_name or None,
        subject_kind=subject_kind,
        is_test=by.is_test,
    )


def watched_by(policies: PoliciesInForce, facts: engine.WriteFacts) -> list[dict[str, Any]]:
    """Note what a version that only watches says about a write; it changes nothing."""
    watching = policies.watching.get("write")
    if watching is None:
        return []
    assert isinstance(watching.document, WritePolicy)  # it is of the family
    verdict = engine.decide_write(watching.document, facts)
    return [
        {
            "policy_version": watching.version_label,
            "mode": watching.mode,
            "outcome": verdict.outcome,
            "rule_ids": list(verdict.rule_ids),
            "reason": verdict.reason,
        }
    ]


def warnings_among(watched: Sequence[Mapping[str, Any]], *, outcome: str) -> tuple[Mapping[str, Any], ...]:
    """Pick what the writer is told as well: what a version in mode ``warn`` decides otherwise than the policy."""
    return tuple(one for one in watched if one["mode"] == "warn" and one["outcome"] != outcome)


@dataclass(frozen=True)
class _Case:
    """One claim with all that its decision rests on."""

    ready: Prepared
    marks: Marks
    facts: engine.WriteFacts
    verdict: engine.WriteVerdict

    @property
    def claim(self) -> Claim:
        return self.ready.claim


class Desk:
    """Decides the writes about one subject, under its lock.

    :ivar audited: what is to be recorded, last in the transaction
    """

    def __init__(self, *, subject: Subject, policies: PoliciesInForce, by: Actor, now: datetime) -> None:
        self.subject, self.policies, self.by, self.now = subject, policies, by, now
        self.audited: list[audit.Entry] = []
        self.by_subject = self.by_agent = 0

    def decide(self, prepared: Sequence[Prepared]) -> list[Outcome]:
        """Decide each claim in turn, and store what is to be stored."""
        self.known = look_up(self.subject, prepared)
        self.shelf = Shelf(self.subject, self.known, self.policies, self.by, self.now)
        self.pauses = queries.open_pauses([self.subject.id], now=self.now)
        self.shelf.refuse_foreign([one.claim for one in prepared])
        self._count_taken()
        outcomes = [self._decide(self._case(ready)) for ready in prepared]
        self.shelf.write()
        return outcomes

    def _case(self, ready: Prepared) -> _Case:
        facts = facts_of(ready.claim, ready.screened, self.policies, self.by, subject_kind=self.subject.kind)
        verdict = engine.decide_write(self.policies.write.document, facts)
        if verdict.redact and verdict.outcome != "refuse":
            ready = _redacted(ready)
        return _Case(ready, marks_of(ready.claim, subject=self.subject), facts, verdict)

    def _decide(self, case: _Case) -> Outcome:
        if not self._is_saving(case):
            return self._refuse(case, rules=(BY_THE_SUBJECT,), reason="This person has paused saving.")
        if case.claim.origin == Origin.INFERRED and wishes_of(self.subject).objects_to_inference:
            return self._refuse(case, rules=(BY_OBJECTION,), reason="This person wants nothing concluded about them.")
        if case.verdict.outcome == "refuse":
            return self._refuse_by_policy(case)
        if self._exceeds_rate(case.claim):
            return self._refuse(case, rules=(BY_RATE,), reason="Too many writes in a short time.")
        # What a person types anew, by hand, is new.
        if case.claim.channel != Channel.PORTAL and self.known.is_entombed(case.marks):
            return self._block(case)
        if case.verdict.outcome == "policy_change":
            return self._ask_for_policy_change(case)
        return self._store(case)

    # may it be saved at all?

    def _is_saving(self, case: _Case) -> bool:
        """Tell whether the subject lets this be saved; what a person types themselves always is."""
        if case.claim.channel == Channel.PORTAL:
            return True
        until = self.subject.paused_until
        if not MemoryMode(self.subject.memory_mode).saves and (until is None or until > self.now):
            return False
        return not any(self._stops(pause, case.ready.screened) for pause in self.pauses)

    def _stops(self, pause: MemoryPause, screened: Screened) -> bool:
        if pause.mode == PauseMode.USE:
            return False
        return (
            pause.target == PauseTarget.ALL
            or (pause.target == PauseTarget.AGENT and pause.agent_id == self.by.agent_id)
            or (pause.target == PauseTarget.CATEGORY and pause.category in screened.categories)
        )

    def _count_taken(self) -> None:
        """Count the writes of the window, unless the actor's channel is exempt anyway."""
        rates = self.policies.write.document.rates
        if self.by.channel in rates.exempt_channels:
            return
        since = self.now - timedelta(seconds=rates.window_seconds)
        mine, everybodys = Q(agent_id=self.by.agent_id, agent_id__isnull=False), Q(subject_id=self.subject.id)
        recent = WriteDecision.objects.exclude(channel__in=rates.exempt_channels)
        taken = recent.filter(mine | everybodys, decided_at__gt=since).aggregate(
            by_subject=Count("id", filter=everybodys), by_agent=Count("id", filter=mine)
        )
        self.by_subject, self.by_agent = taken["by_subject"], taken["by_agent"]

    def _exceeds_rate(self, claim: Claim) -> bool:
        exceeded = engine.exceeded_rate(
            self.policies.write.document,
            channel=str(claim.channel),
            by_subject=self.by_subject,
            by_agent=self.by_agent,
        )
        self.by_subject += 1
        self.by_agent += 1
        return exceeded is not None

    # nothing is stored

    def _refuse(self, case: _Case, *, rules: tuple[str, ...], reason: str) -> Outcome:
        decision = self._decision(case, WriteResult.REFUSED, rules)
        self._record(Action.WRITE_REFUSED, decision)
        return self._outcome(decision, None, reason=reason)

    def _refuse_by_policy(self, case: _Case) -> Outcome:
        """Refuse by the policy's rules; what may be shown to the person for a while is kept for them alone."""
        verdict = case.verdict
        decision = self._decision(case, WriteResult.REFUSED, verdict.rule_ids)
        redacted = case.ready.screened.redacted
        is_entombed = self.known.is_entombed(case.marks) or self.known.is_entombed(
            marks_of(redacted, subject=self.subject)
        )
        if verdict.keep_text_days and not is_entombed:
            decision.sealed_text = redacted.statement
            decision.sealed_digest = marks_of(redacted, subject=self.subject).statement
            decision.sealed_until = self.now + timedelta(days=verdict.keep_text_days)
            jobs.purge_later(jobs.PURGE_SEALED_TEXTS, until=decision.sealed_until)
        self._record(Action.WRITE_REFUSED, decision)
        return self._outcome(decision, None, reason=verdict.reason, hint=verdict.hint)

    def _block(self, case: _Case) -> Outcome:
        decision = self._decision(case, WriteResult.BLOCKED, (BY_TOMBSTONE,))
        self._record(Action.WRITE_REFUSED, decision)
        return self._outcome(decision, None, reason=case.verdict.reason)

    def _ask_for_policy_change(self, case: _Case) -> Outcome:
        decision = self._decision(case, WriteResult.POLICY_CHANGE, case.verdict.rule_ids)
        request_change(
            subject_id=self.subject.id,
            words=case.claim.statement,
            rule_id=case.verdict.rule_ids[-1],
            policy_version=self.policies.write.version_label,
            channel=str(case.claim.channel),
            by=self.by,
            now=self.now,
        )
        self._record(Action.WRITE_REFUSED, decision)
        return self._outcome(decision, None, reason=case.verdict.reason, hint=case.verdict.hint)

    # something is stored

    def _store(self, case: _Case) -> Outcome:
        result, status = _RESULTS[case.verdict.outcome]
        rules = case.verdict.rule_ids
        if status != Status.QUARANTINED and self.known.is_like_what_is_entombed(case.marks):
            result, status, rules = WriteResult.PROPOSED, Status.PROPOSED, (*rules, BY_LIKENESS)
        relation, targets = self.shelf.compare(case.ready, case.marks)
        if relation == "duplicate" and not _answers(status, targets[0]):
            return self._repeat(case, targets[0])
        replaced = self.shelf.replaced_by(case.claim, targets) if status == Status.ACTIVE else []
        if not all(self.shelf.may_replace(case.claim, old) for old in replaced):
            result, status, rules = WriteResult.PROPOSED, Status.PROPOSED, (*rules, BY_RANK)
        decision = self._decision(case, result, rules, relation=relation)
        memory, closed = self.shelf.add(
            case.ready,
            case.marks,
            facts=case.facts,
            decision=decision,
            status=status,
            targets=targets,
            replaced=replaced,
        )
        for old in closed:
            self._record(Action.MEMORY_SUPERSEDED, decision, memory_id=old.id, by=str(memory.id))
        self._record(_ACTIONS[status], decision, decision=str(decision.id))
        return self._outcome(decision, memory, reason=case.verdict.reason, hint=case.verdict.hint)

    def _repeat(self, case: _Case, memory: Memory) -> Outcome:
        """Store nothing new: the source counts as evidence, once, and what the person limits is limited."""
        decision = self._decision(case, WriteResult.DUPLICATE, case.verdict.rule_ids, relation="duplicate")
        reserved_id, decision.memory_id = decision.memory_id, memory.id
        source = self.shelf.add_evidence(memory, case.ready, case.marks)
        if source is not None and source.id != memory.source_id:
            self._record(Action.MEMORY_EVIDENCED, decision, source=str(source.id))
        if Channel(str(case.claim.channel)).is_the_persons:
            self._tighten(memory, case)
        return replace(self._outcome(decision, memory, reason="It is remembered already."), reserved_id=reserved_id)

    def _tighten(self, memory: Memory, case: _Case) -> None:
        """Take over a category that closes the memory further, and an earlier end of its life."""
        categories = sorted({*memory.categories, *case.ready.screened.categories})
        asked = soonest(case.claim.expires_at, memory.asked_expiry)
        wished = wishes_of(self.subject).end(kind=memory.kind, categories=categories, at=memory.kept_from)
        if (categories, asked) == (sorted(memory.categories), memory.asked_expiry):
            return
        self.shelf.write()  # it may be one of this batch
        changes.revise(
            memory,
            by=self.by,
            now=self.now,
            reason="said again, with narrower limits",
            categories=categories,
            expires_at=soonest(asked, wished, memory.expires_at),
            asked_expiry=asked,
            wished_expiry=wished,
        )

    # what is told of it

    def _decision(
        self, case: _Case, result: WriteResult, rules: tuple[str, ...], *, relation: str = ""
    ) -> WriteDecision:
        decision = WriteDecision(
            subject=self.subject,
            memory_id=uuid7(),
            result=result,
            kind=case.claim.kind,
            origin=case.claim.origin,
            channel=str(case.claim.channel),
            agent_id=self.by.agent_id,
            asserted_by=self.by.ref,
            findings=sorted(case.ready.screened.findings),
            categories=list(case.ready.screened.categories),
            rule_ids=list(rules),
            policy_version=self.policies.write.version_label,
            relation=relation,
            agent_name=case.facts.agent or "",
            length=case.facts.length,
            confidence=case.facts.confidence,
            importance=case.facts.importance,
            subject_kind=case.facts.subject_kind,
            is_test=case.facts.is_test,
            outcome=case.verdict.outcome,
            watched=watched_by(self.policies, case.facts),
            decided_at=self.now,
        )
        self.shelf.rows.decisions.append(decision)
        return decision

    def _record(
        self, action: Action, decision: WriteDecision, /, *, memory_id: UUID | None = None, **payload: Any
    ) -> None:
        self.audited.append(
            audit.Entry(
                action=action,
                by=self.by,
                target=("memory", memory_id or decision.memory_id),
                at=self.now,
                policy_version=decision.policy_version,
                payload={"rules": list(decision.rule_ids), **payload},
            )
        )

    def _outcome(
        self, decision: WriteDecision, memory: Memory | None, *, reason: str, hint: str | None = None
    ) -> Outcome:
        return Outcome(
            result=WriteResult(decision.result),
            decision_id=decision.id,
            memory_id=decision.memory_id,
            reserved_id=decision.memory_id,
            memory=memory,
            rule_ids=tuple(decision.rule_ids),
            policy_version=decision.policy_version,
            reason=reason,
            hint=hint,
            is_own=memory is None or queries.is_own(memory, self.by),
            warnings=warnings_among(decision.watched, outcome=decision.outcome),
        )


def _redacted(ready: Prepared) -> Prepared:
    """Take the claim with placeholders for personal data; its vector is made anew from what is kept."""
    claim = ready.screened.redacted
    text = embedded_text_of(claim)
    vector = ready.vector if text == ready.embedded else changes.embed_or_none([text])[0]
    return replace(ready, claim=claim, embedded=text, vector=vector)


def _answers(status: Status, target: Memory) -> bool:
    """Tell whether a claim that comes in says itself what was still waiting for an answer."""
    return status == Status.ACTIVE and target.status in (Status.PROPOSED, Status.QUARANTINED)
