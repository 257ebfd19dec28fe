"""Writing a memory: screen, decide by policy, compare with what exists, store. Every write by every way comes here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from itertools import groupby
from typing import Any
from uuid import UUID

import numpy as np
from django.db import transaction
from django.db.models import Count, Q
from numpy.typing import NDArray

from accounts import services as accounts
from accounts.actors import Actor
from accounts.models import Subject
from accounts.queries import may_see_subject
from accounts.vocabulary import Channel, MemoryMode
from memory_admin import audit
from memory_admin.audit import Action
from memory_admin.errors import Invalid, NotFound
from memory_admin.indexing.queries import nearest
from memory_admin.memories import changes, queries
from memory_admin.memories.claims import Claim, Screened, SourceIn, default_importance, screen_claim, settled_origin
from memory_admin.memories.digests import source_digest, statement_digest
from memory_admin.memories.judge import ExistingStatement, NewStatement, Verdict, judge, may_supersede
from memory_admin.memories.models import (
    Evidence,
    Link,
    Memory,
    MemoryPause,
    MemoryRevision,
    Source,
    Tombstone,
    WriteDecision,
)
from memory_admin.memories.vocabulary import Kind, PauseMode, PauseTarget, Relation, Status, WriteResult
from memory_admin.tenancy.scope import required_tenant, uuid7
from policies import engine
from policies.queries import PoliciesInForce, in_force
from policies.services import request_change

# Compared with nothing: a turn of a conversation neither repeats nor replaces another.
UNJUDGED = (Kind.EVENT, Kind.EPISODE, Kind.SUMMARY)
# What a new statement is compared with.
COMPARED = (Status.ACTIVE, Status.PROPOSED, Status.QUARANTINED, Status.DISPUTED)

BY_THE_SUBJECT = "P-001"  # the subject's own setting decided, not a policy
BY_TOMBSTONE = "T-001"
BY_RATE = "L-001"


class ChannelTooHigh(Invalid):
    """A write claims a more trusted channel than the actor has."""

    code = "channel_too_high"
    sentence = "This key may not claim that channel."


class BatchTooLarge(Invalid):
    code = "batch_too_large"
    sentence = "A batch holds at most 500 memories."


@dataclass(frozen=True)
class Prepared:
    """A claim that was screened and embedded, before any transaction."""

    claim: Claim
    screened: Screened
    embedded: str
    vector: NDArray[np.float32] | None


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What came of one write.

    :ivar memory_id: reserved for the memory, whether one came of it or not
    :ivar memory: the stored, waiting or repeated memory; None when nothing is kept
    :ivar is_own: the caller may be told what exists: it wrote it, or speaks for the person
    """

    result: WriteResult
    decision_id: UUID
    memory_id: UUID
    memory: Memory | None
    rule_ids: tuple[str, ...]
    policy_version: str
    reason: str
    hint: str | None = None
    is_own: bool = True


def prepare(claims: Sequence[Claim], *, by: Actor) -> list[Prepared]:
    """Screen and embed claims. Reads no database and holds no lock, so call it before a transaction is opened.

    :raises ChannelTooHigh: a claim names a more trusted channel than the actor's
    """
    settled = [_settle(claim, by) for claim in claims]
    screened = [screen_claim(claim) for claim in settled]
    texts = [_embedded(claim, found, redact=False) for claim, found in zip(settled, screened, strict=True)]
    vectors = changes.embed_or_none(texts)
    return [Prepared(*parts) for parts in zip(settled, screened, texts, vectors, strict=True)]


def capture(*, claim: Claim | Prepared, by: Actor, now: datetime) -> Outcome:
    """Write one memory, or say why not.

    A refusal is an answer, not an error: it is recorded with its rules like any other decision.

    :raises ChannelTooHigh: the claim names a more trusted channel than the actor's
    :raises NotFound: the subject is outside what the actor may write about
    """
    return capture_many(claims=[claim], by=by, now=now)[0]


@transaction.atomic
def capture_many(*, claims: Sequence[Claim | Prepared], by: Actor, now: datetime) -> list[Outcome]:
    """Write memories, each by its own decision, in the order given; see :func:`capture`.

    :raises BatchTooLarge: more than 500 claims
    """
    if len(claims) > 500:
        raise BatchTooLarge
    unprepared = iter(prepare([claim for claim in claims if isinstance(claim, Claim)], by=by))
    ready = [claim if isinstance(claim, Prepared) else next(unprepared) for claim in claims]
    policies = in_force(now, agent_id=by.agent_id)
    outcomes: dict[int, Outcome] = {}
    entries: list[audit.Entry] = []
    # Subjects are locked in one order, whatever order a batch names them in; and all of them before the first event is
    # recorded (of a new subject, of a request to change a policy), which locks the audit trail.
    numbered = sorted(enumerate(ready), key=lambda pair: (pair[1].claim.subject_ref, pair[0]))
    if len(refs := {one.claim.subject_ref for one in ready}) > 1:
        for known in Subject.objects.filter(ref__in=refs).order_by("ref"):
            changes.lock_subject(known.id)
    for ref, group in groupby(numbered, key=lambda pair: pair[1].claim.subject_ref):
        subject = _subject(ref, by=by, now=now)
        desk = _Desk(subject=subject, policies=policies, by=by, now=now)
        pairs = list(group)
        for (number, _), outcome in zip(pairs, desk.decide([one for _, one in pairs]), strict=True):
            outcomes[number] = outcome
        entries += desk.audited
    audit.record_many(entries)
    return [outcomes[number] for number in range(len(ready))]


def check(*, claim: Claim, by: Actor, now: datetime) -> tuple[engine.WriteVerdict, str]:
    """Tell the verdict of the policy in force on a claim, and the policy's version; nothing is stored or compared."""
    settled = _settle(claim, by)
    policies = in_force(now, agent_id=by.agent_id)
    facts = facts_of(settled, screen_claim(settled), policies, by, subject_kind=claim.subject_ref.partition(":")[0])
    return engine.decide_write(policies.write.document, facts), policies.write.version_label


# ── before the decision ──


def _settle(claim: Claim, by: Actor) -> Claim:
    channel = by.channel if claim.channel is None else Channel(claim.channel)
    if not by.channel.may_claim(channel):
        raise ChannelTooHigh(fields={"channel": [ChannelTooHigh.sentence]})
    return replace(claim, channel=channel, origin=settled_origin(claim.origin, channel))


def _embedded(claim: Claim, screened: Screened, *, redact: bool) -> str:
    speaker = claim.source.speaker if claim.source else ""
    statement = screened.statement.redacted if redact else claim.statement
    return changes.spoken(statement, kind=claim.kind, speaker=screened.redacted["speaker"] if redact else speaker)


def _subject(ref: str, *, by: Actor, now: datetime) -> Subject:
    subject = Subject.objects.filter(ref=ref).first()
    if subject is None:
        if by.is_person or by.subject_id is not None:
            raise NotFound
        subject = accounts.ensure_subject(ref=ref, by=by, now=now)
    if not may_see_subject(subject, by=by):
        raise NotFound
    return changes.lock_subject(subject.id)


def _confidence(claim: Claim, policies: PoliciesInForce) -> float:
    cap = engine.confidence_cap(policies.write.document, claim.origin)
    return cap if claim.confidence is None else min(claim.confidence, cap)


def _importance(claim: Claim) -> float:
    if claim.importance is not None:
        return claim.importance
    return default_importance(claim.kind, claim.origin, claim.statement)


def facts_of(
    claim: Claim, screened: Screened, policies: PoliciesInForce, by: Actor, *, subject_kind: str
) -> engine.WriteFacts:
    return engine.WriteFacts(
        kind=claim.kind,
        origin=claim.origin,
        channel=str(claim.channel),
        length=screened.length,
        confidence=_confidence(claim, policies),
        importance=_importance(claim),
        categories=frozenset(screened.categories),
        findings=screened.findings,
        agent=by.agent_name or None,
        subject_kind=subject_kind,
        is_test=by.is_test,
    )


# ── the decision ──


@dataclass
class _Known:
    """What exists of one subject that a batch of claims may run into."""

    tombstones: set[bytes]
    sources: dict[bytes, Source]
    by_digest: dict[bytes, list[Memory]]
    said: set[tuple[bytes, bytes]]  # (source digest, statement digest) of events


@dataclass
class _Rows:
    """Rows to be written together."""

    sources: list[Source] = field(default_factory=list)
    memories: list[Memory] = field(default_factory=list)
    vectors: list[NDArray[np.float32] | None] = field(default_factory=list)
    evidence: list[Evidence] = field(default_factory=list)
    decisions: list[WriteDecision] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)


@dataclass(frozen=True)
class _Digests:
    statement: bytes
    source: bytes | None


class _Desk:
    """Decides the writes about one subject, under its lock, and keeps what they need to know of each other."""

    def __init__(self, *, subject: Subject, policies: PoliciesInForce, by: Actor, now: datetime) -> None:
        self.subject, self.policies, self.by, self.now = subject, policies, by, now
        self.tenant_id = required_tenant()
        self.rows = _Rows()
        self.audited: list[audit.Entry] = []
        self.taken_by_subject = self.taken_by_agent = 0

    def decide(self, ready: Sequence[Prepared]) -> list[Outcome]:
        """Decide each claim in turn and store what is to be stored."""
        digests = [self._digest(one) for one in ready]
        self.known = self._look_up(digests)
        self.pauses = queries.open_pauses([self.subject.id], now=self.now)
        self._count_taken()
        outcomes = [self._one(one, marks) for one, marks in zip(ready, digests, strict=True)]
        self._flush()
        return outcomes

    def _one(self, ready: Prepared, digests: _Digests) -> Outcome:
        claim, screened = ready.claim, ready.screened
        facts = facts_of(claim, screened, self.policies, self.by, subject_kind=self.subject.kind)
        verdict = engine.decide_write(self.policies.write.document, facts)
        if not self._is_saving(claim, screened):
            return self._refuse(ready, verdict, rules=(BY_THE_SUBJECT,), reason="This person has paused saving.")
        if verdict.outcome == "refuse":
            return self._refuse(ready, verdict, rules=verdict.rule_ids, reason=verdict.reason, keep=True)
        if self._exceeds_rate(claim):
            return self._refuse(ready, verdict, rules=(BY_RATE,), reason="Too many writes in a short time.")
        if verdict.redact:
            ready = self._redacted(ready)
            digests = self._digest(ready)
        if verdict.outcome == "policy_change":
            return self._ask_for_policy_change(ready, verdict)
        if claim.channel != Channel.PORTAL and self._is_entombed(digests):
            return self._block(ready, verdict)
        return self._store(ready, digests, verdict)

    # what exists

    def _digest(self, ready: Prepared) -> _Digests:
        claim, owner = ready.claim, {"tenant_id": self.tenant_id, "subject_id": self.subject.id}
        source = claim.source
        return _Digests(
            statement=statement_digest(claim.statement, **owner),
            source=source_digest(trace_id=source.trace_id, message_id=source.message_id, uri=source.uri, **owner)
            if source is not None and source.is_named
            else None,
        )

    def _look_up(self, digests: Sequence[_Digests]) -> _Known:
        statements = {marks.statement for marks in digests}
        sources = {marks.source for marks in digests if marks.source is not None}
        entombed = Tombstone.objects.filter(
            subject_id=self.subject.id, digest__in=statements | sources, lifted_at=None
        ).values_list("digest", flat=True)
        found = {bytes(s.digest): s for s in Source.objects.filter(subject_id=self.subject.id, digest__in=sources)}
        by_digest: dict[bytes, list[Memory]] = {}
        said: set[tuple[bytes, bytes]] = set()
        digest_of_source = {source.id: digest for digest, source in found.items()}
        for memory in Memory.objects.filter(subject_id=self.subject.id, digest__in=statements, status__in=COMPARED):
            memory.subject = self.subject
            by_digest.setdefault(bytes(memory.digest), []).append(memory)
            if memory.source_id in digest_of_source:
                said.add((digest_of_source[memory.source_id], bytes(memory.digest)))
        return _Known({bytes(digest) for digest in entombed}, found, by_digest, said)

    def _count_taken(self) -> None:
        """Count the writes of the window, unless the actor's channel is exempt anyway."""
        rates = self.policies.write.document.rates
        if self.by.channel in rates.exempt_channels:
            return
        since = self.now - timedelta(seconds=rates.window_seconds)
        recent = WriteDecision.objects.filter(decided_at__gt=since)
        mine, everybodys = Q(agent_id=self.by.agent_id, agent_id__isnull=False), Q(subject_id=self.subject.id)
        taken = recent.filter(mine | everybodys).aggregate(
            by_subject=Count("id", filter=everybodys), by_agent=Count("id", filter=mine)
        )
        self.taken_by_subject, self.taken_by_agent = taken["by_subject"], taken["by_agent"]

    def _exceeds_rate(self, claim: Claim) -> bool:
        exceeded = engine.exceeded_rate(
            self.policies.write.document,
            channel=str(claim.channel),
            by_subject=self.taken_by_subject,
            by_agent=self.taken_by_agent,
        )
        self.taken_by_subject += 1
        self.taken_by_agent += 1
        return exceeded is not None

    def _is_saving(self, claim: Claim, screened: Screened) -> bool:
        """Tell whether the subject lets this be saved; what a person types themselves always is."""
        if claim.channel == Channel.PORTAL:
            return True
        mode, until = MemoryMode(self.subject.memory_mode), self.subject.paused_until
        if not mode.saves and (until is None or until > self.now):
            return False
        return not any(self._stops(pause, screened) for pause in self.pauses)

    def _stops(self, pause: MemoryPause, screened: Screened) -> bool:
        if pause.mode == PauseMode.USE:
            return False
        return (
            pause.target == PauseTarget.ALL
            or (pause.target == PauseTarget.AGENT and pause.agent_id == self.by.agent_id)
            or (pause.target == PauseTarget.CATEGORY and pause.category in screened.categories)
        )

    def _is_entombed(self, digests: _Digests) -> bool:
        return digests.statement in self.known.tombstones or digests.source in self.known.tombstones

    def _redacted(self, ready: Prepared) -> Prepared:
        """Replace personal data by placeholders in every text; the vector is made anew from what is kept."""
        redacted = ready.screened.redacted
        claim = replace(
            ready.claim,
            statement=ready.screened.statement.redacted,
            key=redacted["key"],
            value=redacted["value"],
            aliases=tuple(redacted["aliases"]),
            scopes=tuple(redacted["scopes"]),
            source=replace(ready.claim.source, quote=redacted["quote"], speaker=redacted["speaker"])
            if ready.claim.source
            else None,
        )
        text = _embedded(claim, ready.screened, redact=True)
        vector = ready.vector if text == ready.embedded else changes.embed_or_none([text])[0]
        return replace(ready, claim=claim, embedded=text, vector=vector)

    # nothing is stored

    def _refuse(
        self,
        ready: Prepared,
        verdict: engine.WriteVerdict,
        *,
        rules: tuple[str, ...],
        reason: str,
        keep: bool = False,
    ) -> Outcome:
        days = verdict.keep_text_days if keep else 0
        words = ready.screened.statement.redacted if days else None
        decision = self._decision(
            ready, WriteResult.REFUSED, rules, sealed=(words, self.now + timedelta(days=days)) if words else None
        )
        self._record(Action.WRITE_REFUSED, decision, {"rules": list(rules)})
        return self._outcome(decision, None, reason=reason, hint=verdict.hint if keep else None)

    def _block(self, ready: Prepared, verdict: engine.WriteVerdict) -> Outcome:
        decision = self._decision(ready, WriteResult.BLOCKED, (BY_TOMBSTONE,))
        self._record(Action.WRITE_REFUSED, decision, {"rules": [BY_TOMBSTONE]})
        return self._outcome(decision, None, reason=verdict.reason)

    def _ask_for_policy_change(self, ready: Prepared, verdict: engine.WriteVerdict) -> Outcome:
        self._flush()
        decision = self._decision(ready, WriteResult.POLICY_CHANGE, verdict.rule_ids)
        request_change(
            subject_id=self.subject.id,
            words=ready.claim.statement,
            rule_id=verdict.rule_ids[-1],
            policy_version=self.policies.write.version_label,
            channel=str(ready.claim.channel),
            by=self.by,
            now=self.now,
        )
        self._record(Action.WRITE_REFUSED, decision, {"rules": list(verdict.rule_ids)})
        return self._outcome(decision, None, reason=verdict.reason, hint=verdict.hint)

    # something is stored

    def _store(self, ready: Prepared, digests: _Digests, verdict: engine.WriteVerdict) -> Outcome:
        claim = ready.claim
        if claim.kind in UNJUDGED:
            if digests.source is not None and (digests.source, digests.statement) in self.known.said:
                return self._repeat(ready, digests, verdict, self.known.by_digest[digests.statement][0])
            return self._add(ready, digests, verdict)
        self._flush()  # what this batch stored before is compared with as well
        relation, target = self._compare(ready, digests)
        if target is not None and relation == "duplicate":
            return self._repeat(ready, digests, verdict, target)
        return self._add(ready, digests, verdict, target=target, relation=relation)

    def _compare(self, ready: Prepared, digests: _Digests) -> tuple[str, Memory | None]:
        """Ask the judge what the claim does to what exists; a memory named by the caller is replaced if it may be."""
        claim = ready.claim
        if claim.supersedes is not None:
            named = queries.visible_to(self.by).filter(id=claim.supersedes, subject_id=self.subject.id).first()
            if named is None:
                raise Invalid(fields={"supersedes": ["There is no such memory of this subject."]})
            return "update", named
        similar = {}
        if ready.vector is not None:
            neighbours = self.policies.write.document.dedupe.neighbours
            similar = dict(nearest(subject_id=self.subject.id, vector=ready.vector, limit=neighbours))
        same = {memory.id for memory in self.known.by_digest.get(digests.statement, ())}
        rows = Memory.objects.filter(subject_id=self.subject.id, status__in=COMPARED).exclude(kind__in=UNJUDGED)
        wanted = rows.filter(id__in=[*similar, *same])
        if claim.key is not None:
            wanted = wanted | rows.filter(key=claim.key)
        found = {memory.id: memory for memory in wanted}
        existing = [
            ExistingStatement(
                id=memory.id,
                statement=memory.statement,
                key=memory.key,
                value=memory.value,
                is_same_text=bytes(memory.digest) == digests.statement,
                cosine=similar.get(memory.id),
                kind=memory.kind,
                valid_from=memory.valid_from,
            )
            for memory in sorted(found.values(), key=lambda m: (m.status != Status.ACTIVE, m.recorded_at, m.id))
            if self._overlaps(memory, claim)
        ]
        dedupe = self.policies.write.document.dedupe
        said: Verdict = judge(
            NewStatement(statement=claim.statement, key=claim.key, value=claim.value, kind=claim.kind),
            existing,
            near_identical=dedupe.near_identical,
            token_overlap=dedupe.token_overlap,
        )
        return said.relation, found.get(said.memory_id) if said.memory_id else None

    def _overlaps(self, memory: Memory, claim: Claim) -> bool:
        """Tell whether both hold at some time: two disjoint periods are two memories."""
        starts = claim.valid_from or self.now
        return (memory.valid_to is None or memory.valid_to > starts) and (
            claim.valid_to is None or claim.valid_to > memory.valid_from
        )

    def _repeat(self, ready: Prepared, digests: _Digests, verdict: engine.WriteVerdict, memory: Memory) -> Outcome:
        """Store nothing new: count the source as evidence if it is an independent one."""
        decision = self._decision(
            ready, WriteResult.DUPLICATE, verdict.rule_ids, memory_id=memory.id, relation="duplicate"
        )
        source = self._source(ready, digests)
        if source is not None:
            self.rows.evidence.append(self._evidence(memory, source, ready))
        return self._outcome(decision, memory, reason="It is remembered already.")

    def _add(
        self,
        ready: Prepared,
        digests: _Digests,
        verdict: engine.WriteVerdict,
        *,
        target: Memory | None = None,
        relation: str = "unrelated",
    ) -> Outcome:
        result, status = _RESULTS[verdict.outcome]
        rules = verdict.rule_ids
        if target is not None and status == Status.ACTIVE and not self._may_replace(ready.claim, target):
            result, status, rules = WriteResult.PROPOSED, Status.PROPOSED, (*rules, "J-001")
        decision = self._decision(ready, result, rules, relation=relation if target else "")
        memory = self._memory(ready, digests, decision, status)
        if target is not None and status == Status.ACTIVE:
            self._flush()
            self._close(target, memory)
        self._queue(memory, ready, digests)
        if target is not None:
            tie = Relation.SUPERSEDES if status == Status.ACTIVE else Relation.CONTRADICTS
            self.rows.links.append(self._link(memory, target.id, tie))
        self._derive(memory, ready.claim)
        self._record(_ACTIONS[status], decision, {"rules": list(rules), "decision": str(decision.id)})
        return self._outcome(decision, memory, reason=verdict.reason, hint=verdict.hint)

    def _may_replace(self, claim: Claim, target: Memory) -> bool:
        return target.status == Status.ACTIVE and may_supersede(
            new_origin=claim.origin,
            new_channel=str(claim.channel),
            old_origin=target.origin,
            old_confirmed=target.confirmed_at is not None,
            rank=engine.origin_ranks(self.policies.write.document),
        )

    def _close(self, old: Memory, new: Memory) -> None:
        """End the validity of what a newer statement replaces; one from before ends where the other begins."""
        if new.valid_from < old.valid_from:
            new.valid_to = min(new.valid_to or old.valid_from, old.valid_from)
            new.status = Status.SUPERSEDED
            return
        changes.close(old, at=new.valid_from, by=self.by, now=self.now)
        self.audited.append(
            audit.Entry(
                action=Action.MEMORY_SUPERSEDED,
                by=self.by,
                target=("memory", old.id),
                at=self.now,
                policy_version=self.policies.write.version_label,
                payload={"by": str(new.id)},
            )
        )

    def _derive(self, memory: Memory, claim: Claim) -> None:
        if not claim.derived_from:
            return
        known = set(
            queries.visible_to(self.by)
            .filter(id__in=claim.derived_from, subject_id=self.subject.id)
            .values_list("id", flat=True)
        )
        if missing := set(claim.derived_from) - known:
            raise Invalid(fields={"derived_from": [f"{len(missing)} of these are no memories of this subject."]})
        self.rows.links += [self._link(memory, source, Relation.DERIVED_FROM) for source in sorted(known)]

    # rows

    def _memory(self, ready: Prepared, digests: _Digests, decision: WriteDecision, status: Status) -> Memory:
        claim, screened = ready.claim, ready.screened
        starts = claim.valid_from or self.now
        expires = engine.expires_at(
            self.policies.retention.document, kind=claim.kind, origin=claim.origin, at=self.now, asked=claim.expires_at
        )
        memory = Memory(
            id=decision.memory_id,
            subject=self.subject,
            kind=claim.kind,
            key=claim.key,
            scopes=list(claim.scopes),
            aliases=list(claim.aliases),
            pinned=claim.pinned,
            status=status,
            origin=claim.origin,
            channel=str(claim.channel),
            asserted_by=self.by.ref,
            agent_id=self.by.agent_id,
            confidence=_confidence(claim, self.policies),
            importance=_importance(claim),
            categories=list(screened.categories),
            statement=claim.statement,
            value=claim.value,
            language=screened.statement.language,
            digest=digests.statement,
            valid_from=starts,
            valid_to=claim.valid_to,
            expires_at=expires,
            recorded_at=self.now,
            changed_at=self.now,
            decision_id=decision.id,
            policy_version=decision.policy_version,
            rule_ids=list(decision.rule_ids),
        )
        # What a person types about themselves is confirmed by that.
        if claim.channel == Channel.PORTAL and status == Status.ACTIVE:
            memory.confirmed_at, memory.confirmed_by = self.now, self.by.ref
        return memory

    def _queue(self, memory: Memory, ready: Prepared, digests: _Digests) -> None:
        source = self._source(ready, digests)
        if source is not None:
            memory.source = source
            self.rows.evidence.append(self._evidence(memory, source, ready))
            if digests.source is not None:
                self.known.said.add((digests.source, digests.statement))
        self.rows.memories.append(memory)
        self.rows.vectors.append(ready.vector)
        self.known.by_digest.setdefault(digests.statement, []).append(memory)

    def _source(self, ready: Prepared, digests: _Digests) -> Source | None:
        """Give the source of a claim, made once for each message or page that names itself."""
        given = ready.claim.source
        if given is None or given == SourceIn():
            return None
        if digests.source is not None and (known := self.known.sources.get(digests.source)):
            return known
        made = Source(
            subject=self.subject,
            digest=digests.source
            or statement_digest(given.quote, tenant_id=self.tenant_id, subject_id=self.subject.id),
            trace_id=given.trace_id.strip(),
            message_id=given.message_id.strip(),
            position=given.position,
            uri=given.uri.strip(),
            quote=given.quote,
            speaker=given.speaker,
            occurred_at=given.occurred_at,
            created_at=self.now,
        )
        if digests.source is None:
            existing = Source.objects.filter(subject_id=self.subject.id, digest=made.digest).first()
            if existing is not None:
                return existing
            self.known.sources[bytes(made.digest)] = made
        else:
            self.known.sources[digests.source] = made
        self.rows.sources.append(made)
        return made

    def _evidence(self, memory: Memory, source: Source, ready: Prepared) -> Evidence:
        return Evidence(
            memory_id=memory.id,
            source_id=source.id,
            asserted_by=self.by.ref,
            channel=str(ready.claim.channel),
            created_at=self.now,
        )

    def _link(self, memory: Memory, to_id: UUID, relation: Relation) -> Link:
        return Link(from_id=memory.id, to_id=to_id, relation=relation, created_at=self.now)

    def _decision(
        self,
        ready: Prepared,
        result: WriteResult,
        rules: tuple[str, ...],
        *,
        memory_id: UUID | None = None,
        relation: str = "",
        sealed: tuple[str, datetime] | None = None,
    ) -> WriteDecision:
        decision = WriteDecision(
            subject=self.subject,
            result=result,
            kind=ready.claim.kind,
            origin=ready.claim.origin,
            channel=str(ready.claim.channel),
            agent_id=self.by.agent_id,
            asserted_by=self.by.ref,
            findings=sorted(ready.screened.findings),
            categories=list(ready.screened.categories),
            rule_ids=list(rules),
            policy_version=self.policies.write.version_label,
            relation=relation,
            sealed_text=sealed[0] if sealed else None,
            sealed_until=sealed[1] if sealed else None,
            decided_at=self.now,
        )
        decision.memory_id = memory_id or uuid7()
        self.rows.decisions.append(decision)
        return decision

    def _record(self, action: Action, decision: WriteDecision, payload: dict[str, Any]) -> None:
        self.audited.append(
            audit.Entry(
                action=action,
                by=self.by,
                target=("memory", decision.memory_id),
                at=self.now,
                policy_version=decision.policy_version,
                payload=payload,
            )
        )

    def _outcome(
        self, decision: WriteDecision, memory: Memory | None, *, reason: str, hint: str | None = None
    ) -> Outcome:
        return Outcome(
            result=WriteResult(decision.result),
            decision_id=decision.id,
            memory_id=decision.memory_id,
            memory=memory,
            rule_ids=tuple(decision.rule_ids),
            policy_version=decision.policy_version,
            reason=reason,
            hint=hint,
            is_own=memory is None or queries.is_own(memory, self.by),
        )

    def _flush(self) -> None:
        """Write the rows gathered so far."""
        rows, self.rows = self.rows, _Rows()
        if rows.sources:
            Source.objects.bulk_create(rows.sources, batch_size=500)
        if rows.memories:
            Memory.objects.bulk_create(rows.memories, batch_size=500)
            MemoryRevision.objects.bulk_create(
                [changes.revision_of(memory, by=self.by, now=self.now) for memory in rows.memories], batch_size=500
            )
            found = [pair for pair in zip(rows.memories, rows.vectors, strict=True) if pair[0].status == Status.ACTIVE]
            changes.make_findable([memory for memory, _ in found], [vector for _, vector in found])
        if rows.evidence:
            Evidence.objects.bulk_create(rows.evidence, batch_size=500, ignore_conflicts=True)
        if rows.links:
            Link.objects.bulk_create(rows.links, ignore_conflicts=True)
        if rows.decisions:
            WriteDecision.objects.bulk_create(rows.decisions, batch_size=500)


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
