"""Storing what was let in: beside what exists, in its place, or as further evidence of it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from accounts.actors import Actor
from accounts.models import Subject
from accounts.vocabulary import Channel
from memory_admin.errors import Invalid
from memory_admin.indexing.queries import nearest
from memory_admin.memories import changes, queries
from memory_admin.memories.claims import Claim, Prepared, SourceIn
from memory_admin.memories.digests import statement_digest
from memory_admin.memories.judge import ExistingStatement, NewStatement, judge, may_supersede
from memory_admin.memories.known import COMPARED, Known, Marks
from memory_admin.memories.models import Evidence, Link, Memory, Source, WriteDecision
from memory_admin.memories.rows import Rows
from memory_admin.memories.vocabulary import UNJUDGED, Relation, Status
from memory_admin.memories.wishes import soonest, wishes_of
from policies import engine
from policies.queries import PoliciesInForce


class Shelf:
    """Where the memories of one subject are put, under its lock."""

    def __init__(self, subject: Subject, known: Known, policies: PoliciesInForce, by: Actor, now: datetime) -> None:
        self.subject, self.known, self.policies, self.by, self.now = subject, known, policies, by, now
        self.rows = Rows()
        self.named: dict[UUID, Memory] = {}

    def write(self) -> None:
        """Write the rows gathered so far."""
        self.rows.write(by=self.by)

    def refuse_foreign(self, claims: Sequence[Claim]) -> None:
        """Check what claims name, before anything is decided: what comes of a claim must not show in how it fails.

        :raises Invalid: a memory to supersede or to derive from is not one of this subject that the actor sees
        """
        named = {claim.supersedes for claim in claims if claim.supersedes is not None}
        sources = {source for claim in claims for source in claim.derived_from}
        if not named | sources:
            return
        seen = queries.visible_to(self.by).filter(subject_id=self.subject.id, id__in=named | sources)
        self.named = {memory.id: memory for memory in seen}
        in_force = {at for at, memory in self.named.items() if memory.status == Status.ACTIVE}
        fields = {}
        if named - in_force:
            fields["supersedes"] = ["There is no such memory of this subject in force."]
        if sources - set(self.named):
            fields["derived_from"] = ["Some of these are no memories of this subject."]
        if fields:
            raise Invalid(fields=fields)

    def compare(self, ready: Prepared, marks: Marks) -> tuple[str, list[Memory]]:
        """Tell what a claim is to what exists: a ``duplicate``, ``update`` or ``contradiction`` of what, or nothing.

        A memory that the claim names to supersede comes beside what the judge finds, never in its place.
        """
        claim = ready.claim
        if claim.kind in UNJUDGED:
            said = self.known.said.get((marks.source, marks.statement)) if marks.source else None
            return ("duplicate", [said]) if said else ("", [])
        self.write()  # what this batch stored before is compared with as well
        named = [self.named[claim.supersedes]] if claim.supersedes is not None else []
        existing, similar = self._comparable(ready, marks)
        # What is in force decides before what waits: a proposal must not hide the memory it contradicts.
        for group in (
            [memory for memory in existing if memory.status == Status.ACTIVE],
            [memory for memory in existing if memory.status != Status.ACTIVE],
        ):
            relation, target = self._judge(claim, marks, group, similar)
            if target is None:
                continue
            if relation == "duplicate":
                # The same words for a time before: that is another period, not the same memory again.
                return ("", named) if self._starts(claim) < target.valid_from else (relation, [target])
            return relation, [*named, *([target] if target not in named else [])]
        return ("update" if named else ""), named

    def replaced_by(self, claim: Claim, targets: Sequence[Memory]) -> list[Memory]:
        """List all that a claim would end if it came into force: its targets and the other values of its key."""
        found = {memory.id: memory for memory in targets if memory.status != Status.DISPUTED}
        if claim.key is not None:
            values = changes.values_of(
                self.subject.id, claim.key, valid_from=self._starts(claim), valid_to=claim.valid_to
            )
            found |= {memory.id: memory for memory in values}
        return sorted(found.values(), key=lambda memory: (memory.valid_from, memory.id))

    def may_replace(self, claim: Claim, old: Memory) -> bool:
        """Tell whether a claim may stand in the place of a memory; one that only waits keeps nothing out."""
        return old.status not in changes.IN_HISTORY or may_supersede(
            new_origin=claim.origin,
            new_channel=str(claim.channel),
            old_origin=old.origin,
            old_confirmed=old.confirmed_at is not None,
            rank=engine.origin_ranks(self.policies.write.document),
        )

    def add(
        self,
        ready: Prepared,
        marks: Marks,
        *,
        facts: engine.WriteFacts,
        decision: WriteDecision,
        status: Status,
        targets: Sequence[Memory],
        replaced: Sequence[Memory],
    ) -> tuple[Memory, list[Memory]]:
        """Put a new memory on the shelf, and give it with those whose validity it ended."""
        memory = self._memory(ready, marks, facts=facts, decision=decision, status=status)
        memory.source = self.add_evidence(memory, ready, marks)
        closed = self._make_room(memory, replaced) if status == Status.ACTIVE else []
        memory.recorded_at = memory.changed_at = changes.recordable_from(memory, self.now)
        self.rows.memories.append(memory)
        self.rows.vectors.append(ready.vector)
        self.known.add(memory, marks)
        self._tie(memory, closed, targets)
        self.rows.links += [self._link(memory.id, source, Relation.DERIVED_FROM) for source in ready.claim.derived_from]
        return memory, closed

    def add_evidence(self, memory: Memory, ready: Prepared, marks: Marks) -> Source | None:
        """Count a claim's source as one that says the same as a memory; the same source counts once."""
        source = self._source(ready.claim.source, marks)
        if source is not None:
            self.rows.evidence.append(
                Evidence(
                    memory_id=memory.id,
                    source_id=source.id,
                    asserted_by=self.by.ref,
                    channel=str(ready.claim.channel),
                    created_at=self.now,
                )
            )
        return source

    # what exists

    def _comparable(self, ready: Prepared, marks: Marks) -> tuple[list[Memory], dict[UUID, float]]:
        """Find what a claim is compared with: the nearest in meaning, the same text, the same key."""
        similar: dict[UUID, float] = {}
        if ready.vector is not None:
            limit = self.policies.write.document.dedupe.neighbours
            similar = dict(nearest(subject_id=self.subject.id, vector=ready.vector, limit=limit, without=UNJUDGED))
        same = {memory.id for memory in self.known.same.get(marks.statement, ())}
        rows = Memory.objects.select_related("subject").filter(subject_id=self.subject.id, status__in=COMPARED)
        rows = rows.exclude(kind__in=UNJUDGED)
        wanted = rows.filter(id__in=[*similar, *same])
        if ready.claim.key is not None:
            wanted = wanted | rows.filter(key=ready.claim.key)
        return [memory for memory in wanted.order_by("recorded_at", "id") if self._meets(memory, ready.claim)], similar

    def _starts(self, claim: Claim) -> datetime:
        return claim.valid_from or self.now

    def _meets(self, memory: Memory, claim: Claim) -> bool:
        """Tell whether both hold at some time: two disjoint periods are two memories, and what expired is over."""
        if memory.expires_at is not None and memory.expires_at <= self.now:
            return False
        return (memory.valid_to is None or memory.valid_to > self._starts(claim)) and (
            claim.valid_to is None or claim.valid_to > memory.valid_from
        )

    def _judge(
        self, claim: Claim, marks: Marks, memories: list[Memory], similar: dict[UUID, float]
    ) -> tuple[str, Memory | None]:
        dedupe = self.policies.write.document.dedupe
        verdict = judge(
            NewStatement(statement=claim.statement, key=claim.key, value=claim.value, kind=claim.kind),
            [
                ExistingStatement(
                    id=memory.id,
                    statement=memory.statement,
                    kind=memory.kind,
                    is_same_text=bytes(memory.digest) == marks.statement,
                    cosine=similar.get(memory.id),
                    key=memory.key,
                    value=memory.value,
                    valid_from=memory.valid_from,
                )
                for memory in memories
            ],
            near_identical=dedupe.near_identical,
            token_overlap=dedupe.token_overlap,
        )
        return verdict.relation, next((one for one in memories if one.id == verdict.memory_id), None)

    # what is stored

    def _make_room(self, memory: Memory, replaced: Sequence[Memory]) -> list[Memory]:
        """End what a new active memory replaces, and give what was ended.

        One that begins earlier than what is in force ends where that begins: it is history.
        """
        closed = []
        for old in replaced:
            if old.status not in changes.IN_HISTORY:
                changes.retire(old, by=self.by, now=self.now)
                closed.append(old)
            elif memory.valid_from < old.valid_from:
                memory.valid_to = min(memory.valid_to or old.valid_from, old.valid_from)
            else:
                changes.close(old, at=memory.valid_from, by=self.by, now=self.now)
                closed.append(old)
        if replaced and memory.valid_to is not None and memory.valid_to <= self.now:
            memory.status = Status.SUPERSEDED
        return closed

    def _tie(self, memory: Memory, closed: Sequence[Memory], targets: Sequence[Memory]) -> None:
        self.rows.links += [self._link(memory.id, old.id, Relation.SUPERSEDES) for old in closed]
        for target in targets:
            if target in closed:
                continue
            if memory.status == Status.SUPERSEDED:
                self.rows.links.append(self._link(target.id, memory.id, Relation.SUPERSEDES))
            else:
                self.rows.links.append(self._link(memory.id, target.id, Relation.CONTRADICTS))

    def _link(self, from_id: UUID, to_id: UUID, relation: Relation) -> Link:
        return Link(from_id=from_id, to_id=to_id, relation=relation, created_at=self.now)

    def _memory(
        self, ready: Prepared, marks: Marks, *, facts: engine.WriteFacts, decision: WriteDecision, status: Status
    ) -> Memory:
        claim, screened = ready.claim, ready.screened
        # What a person types about themselves is confirmed by that.
        is_confirmed = claim.channel == Channel.PORTAL and status == Status.ACTIVE
        wished = wishes_of(self.subject).end(kind=claim.kind, categories=screened.categories, at=self.now)
        return Memory(
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
            confidence=facts.confidence,
            importance=facts.importance,
            categories=list(screened.categories),
            statement=claim.statement,
            value=claim.value,
            language=screened.statement.language,
            digest=marks.statement,
            valid_from=claim.valid_from or self.now,
            valid_to=claim.valid_to,
            expires_at=engine.expires_at(
                self.policies.retention.document,
                kind=claim.kind,
                origin=claim.origin,
                at=self.now,
                asked=soonest(claim.expires_at, wished),
                region=self.policies.region,
            ),
            kept_from=self.now,
            asked_expiry=claim.expires_at,
            wished_expiry=wished,
            confirmed_at=self.now if is_confirmed else None,
            confirmed_by=self.by.ref if is_confirmed else None,
            recorded_at=self.now,
            changed_at=self.now,
            decision_id=decision.id,
            policy_version=decision.policy_version,
            rule_ids=list(decision.rule_ids),
        )

    def _source(self, given: SourceIn | None, marks: Marks) -> Source | None:
        """Give the source of a claim, made once for each message or page, or for each quote that names none."""
        if given is None or given == SourceIn():
            return None
        digest = marks.source or statement_digest(
            given.quote, tenant_id=self.subject.tenant_id, subject_id=self.subject.id
        )
        known = self.known.sources.get(digest)
        if known is None and marks.source is None:
            known = Source.objects.filter(subject_id=self.subject.id, digest=digest).first()
        if known is None:
            known = Source(
                subject=self.subject,
                digest=digest,
                trace_id=given.trace_id.strip(),
                message_id=given.message_id.strip(),
                position=given.position,
                uri=given.uri.strip(),
                quote=given.quote,
                speaker=given.speaker,
                occurred_at=given.occurred_at,
                created_at=self.now,
            )
            self.rows.sources.append(known)
        self.known.sources[digest] = known
        return known
