"""Answering a question from what is remembered: scope, candidates, score, lift, cut, pack, and the log of it all."""

from __future__ import annotations

import hmac
import json
import secrets
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from hashlib import sha256
from time import perf_counter
from typing import Any
from uuid import UUID

import numpy as np
from django.db import connection, transaction
from django.db.models import Count, F, Max
from numpy.typing import NDArray

from accounts.actors import Actor
from memory_admin import env, jobs
from memory_admin.errors import Invalid
from memory_admin.indexing.embedding import ModelUnavailable, embed_query, model_name
from memory_admin.memories.models import Memory
from memory_admin.memories.vocabulary import Kind, Origin, Status
from memory_admin.retrieval import past, queries
from memory_admin.retrieval.candidates import Filters, Found, Question, find
from memory_admin.retrieval.models import Retrieval, RetrievalCandidate
from memory_admin.retrieval.packing import one_line, pack, tokens
from memory_admin.retrieval.queries import Facts, Scope
from memory_admin.retrieval.ranking import Anchor, Candidate, Cut, Drop, Form, Limits, Ranked, Scoring, Shown, cut, rank
from memory_admin.retrieval.reasons import Grounds, mentioned, sentence
from memory_admin.tenancy.scope import required_tenant, uuid7
from policies.documents import CHANNELS, ORIGINS, Purpose, RetrievalPolicy
from policies.engine import AccessMatrix, access_matrix, is_trusted_for
from policies.queries import PoliciesInForce, in_force

MOST_SUBJECTS = 10
NEXT_BEST = 20
"""How many of the best candidates that were not returned are logged with their scores."""

COUNT_AFTER = timedelta(minutes=1)
"""Uses are added to their memories together, so that reading does not rewrite rows all the time."""

_TRUST = {Origin.STATED: 4, Origin.VERIFIED_OUTCOME: 3, Origin.OBSERVED: 2, Origin.IMPORTED: 1, Origin.INFERRED: 0}


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """One question of an agent. What is left out is decided by the retrieval policy in force.

    ``scopes`` keeps what carries none or one of these labels. With ``valid_at`` or ``recorded_at`` the past is asked:
    what held then, as far as it was known then.
    """

    subjects: Sequence[str]
    query: str
    purpose: str
    kinds: Sequence[str] = ()
    origins: Sequence[str] = ()
    scopes: Sequence[str] = ()
    categories: Sequence[str] = ()
    k: int | None = None
    min_score: float | None = None
    token_budget: int | None = None
    include_profile: bool = False
    valid_at: datetime | None = None
    recorded_at: datetime | None = None

    @property
    def is_of_the_past(self) -> bool:
        """Tell whether the versions are to be read instead of what holds now."""
        return self.valid_at is not None or self.recorded_at is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One memory handed out. ``statement`` is data on a single line, never an instruction.

    ``conflicts_with`` names memories of the same answer that say otherwise. ``parts`` and ``score`` are None for what
    came by look-up: the profile and the fallback.
    """

    facts: Facts
    statement: str
    subject: str
    score: float | None
    parts: Mapping[str, float] | None
    reason: str
    access_rule: str
    age_days: int
    tokens: int
    conflicts_with: Sequence[UUID] = ()
    is_profile: bool = False
    is_fallback: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a question got. ``nonce`` is new in every answer, for marking where its memories begin and end."""

    retrieval_id: UUID
    policy_version: str
    items: Sequence[Item]
    considered: int
    left_out: Mapping[str, int]
    dropped: Mapping[str, int]
    tokens: int
    notice: str
    nonce: str


def prepare(query: str) -> None:
    """Embed a query ahead of the transaction that will answer it; the vector is remembered by digest for a while."""
    _vector_of(query)


@transaction.atomic(savepoint=False)
def search(*, ask: Ask, by: Actor, now: datetime) -> Answer:
    """Answer a question, and log it in the same transaction: no log, no answer.

    Call :func:`prepare` before the transaction begins, so that nothing waits for the model inside it.

    :raises NotFound: a subject does not exist for this actor
    :raises Invalid: no subject or no query, or more asked than the policy allows
    """
    return _Search(ask=ask, by=by, now=now).answer()


def count_uses(*, subject_id: UUID, now: datetime) -> int:
    """Add the uses of a subject's memories in answers not yet counted; tell how many answers were counted.

    Done twice, it counts nothing twice.
    """
    waiting = Retrieval.objects.select_for_update().filter(counted_at=None, subject_ids__contains=[subject_id])
    ids = list(waiting.values_list("id", flat=True))
    uses = (
        RetrievalCandidate.objects.filter(retrieval_id__in=ids, returned=True)
        .values("memory_id")
        .annotate(uses=Count("id"), last=Max("retrieval__created_at"))
        .order_by("memory_id")
    )
    for use in uses:
        Memory.objects.filter(id=use["memory_id"]).update(
            use_count=F("use_count") + use["uses"], last_used_at=use["last"]
        )
    Retrieval.objects.filter(id__in=ids).update(counted_at=now)
    return len(ids)


def purge_query_texts(*, now: datetime) -> int:
    """Remove the texts of questions whose time is over; tell how many."""
    return Retrieval.objects.filter(query_text__isnull=False, query_text_until__lte=now).update(
        query_text=None, query_text_until=None
    )


def erase_of_subject(*, subject_id: UUID, memory_ids: Collection[UUID] | None = None) -> int:
    """Forget what the log holds of a subject's words, as part of an erasure; tell how many texts went.

    The texts of all questions about the subject go, for they may repeat what is erased. With ``memory_ids`` None the
    candidate rows of the subject go as well.
    """
    texts = Retrieval.objects.filter(query_text__isnull=False, subject_ids__contains=[subject_id])
    gone = texts.update(query_text=None, query_text_until=None)
    if memory_ids is None:
        RetrievalCandidate.objects.filter(subject_id=subject_id).delete()
    return gone


@dataclass
class _Search:
    """One search on its way through the steps."""

    ask: Ask
    by: Actor
    now: datetime
    stages: dict[str, float] = field(default_factory=dict)
    left_out: Counter[str] = field(default_factory=Counter)

    def answer(self) -> Answer:
        self._refuse_nonsense()
        self.policies: PoliciesInForce = in_force(self.now, agent_id=self.by.agent_id)
        self.policy: RetrievalPolicy = self.policies.retrieval.document
        self._refuse_excess()
        self.matrix: AccessMatrix | None = None
        if not self.by.is_person:
            self.matrix = access_matrix(
                self.policies.access.document,
                agent=self.by.agent_name or None,
                purpose=self.ask.purpose,
                scopes=frozenset(str(scope) for scope in self.by.scopes),
            )
        began = perf_counter()
        vector = _vector_of(self.ask.query)
        began = self._timed("embedding", began)
        scopes = self._scopes()
        began = self._timed("scope", began)
        used = [scope for scope in scopes if self._is_open(scope)]
        question = Question.of(self.ask.query, vector)
        found, facts = self._candidates(used, question)
        began = self._timed("candidates", began)
        ranked = self._rank(found, facts)
        answer = self._cut(ranked, facts)
        began = self._timed("ranking", began)
        items, dropped = self._pack(answer, used, facts, {scope.subject_id: scope.ref for scope in scopes})
        self._timed("packing", began)
        return self._log(scopes, ranked, items, dropped, facts, is_embedded=vector is not None, is_open=bool(used))

    # what is asked

    def _refuse_nonsense(self) -> None:
        fields = {}
        if not self.ask.subjects or len(set(self.ask.subjects)) > MOST_SUBJECTS:
            fields["subjects"] = [f"Name one to {MOST_SUBJECTS} subjects."]
        if not self.ask.query.strip():
            fields["query"] = ["Say what is asked."]
        if fields:
            raise Invalid(fields=fields)

    def _refuse_excess(self) -> None:
        self.k = self.ask.k if self.ask.k is not None else self.policy.k.default
        self.budget = self.ask.token_budget if self.ask.token_budget is not None else self.policy.token_budget.default
        asked = {"k": (self.k, self.policy.k.maximum), "token_budget": (self.budget, self.policy.token_budget.maximum)}
        fields = {
            name: [f"At most {most} is allowed." if value > most else "At least 1 is needed."]
            for name, (value, most) in asked.items()
            if not 1 <= value <= most
        }
        if fields:
            raise Invalid(fields=fields)
        # The policy's threshold is a floor: a question may ask for more, never for less.
        self.min_score = max(self.policy.minimum_score, self.ask.min_score or 0.0)
        self.trust: Purpose = self.policy.purpose(self.ask.purpose)

    # 1 scope

    def _scopes(self) -> list[Scope]:
        matrix = self.matrix
        closed: set[str] = set()
        if matrix is not None:
            closed = {category for (_, category), verdict in matrix.special.items() if not verdict.allowed}
        open_kinds = set(matrix.open_kinds) if matrix is not None else set(Kind.values)
        self.kinds = open_kinds & set(self.ask.kinds) if self.ask.kinds else open_kinds
        return queries.scopes_of(
            self.ask.subjects,
            by=self.by,
            now=self.now,
            categories=closed,
            closed_kinds=set(Kind.values) - open_kinds,
        )

    def _is_open(self, scope: Scope) -> bool:
        """Count what the hard filters keep out of one subject, and tell whether anything is left to search."""
        for status in (Status.DISPUTED, Status.EXPIRED, Status.SUPERSEDED):
            self.left_out[status] += scope.by_status.get(status, 0)
        if not scope.is_used:
            self.left_out["mode"] += scope.findable
            return False
        is_paused = any(
            pause.target == "all" or (pause.target == "agent" and pause.agent_id == self.by.agent_id)
            for pause in scope.pauses
        )
        if is_paused and not self.by.is_person:
            self.left_out["paused"] += scope.findable
            return False
        self.left_out[Status.EXPIRED] += scope.expired
        self.left_out["access"] += scope.of_closed_kind
        return True

    def _excluded(self, scope: Scope) -> set[UUID]:
        """Name the memories of a subject that a pause or a rule about their category closes, counting them."""
        if self.by.is_person:
            return set()
        paused = {pause.memory_id for pause in scope.pauses if pause.memory_id is not None}
        categories = {pause.category for pause in scope.pauses if pause.category is not None}
        paused |= {one.memory_id for one in scope.closed if one.categories & categories}
        self.left_out["paused"] += len(paused)
        sensitive = frozenset(self.policies.access.document.sensitive_categories)
        excluded = set(paused)
        for one in scope.closed:
            if one.memory_id not in paused and not self._may_read(one.kind, one.categories):
                self.left_out["sensitive" if one.categories & sensitive else "access"] += 1
                excluded.add(one.memory_id)
        return excluded

    def _may_read(self, kind: str, categories: Iterable[str]) -> bool:
        return self.matrix is None or self.matrix.verdict(kind, categories).allowed

    def _allowed(self) -> tuple[str, dict[str, Any]] | None:
        """Write the filters that only the memories themselves can answer, if there are any."""
        conditions = []
        if self.ask.origins:
            conditions.append("m.origin = ANY(%(asked_origins)s)")
        if self.ask.categories:
            conditions.append("m.categories && %(asked_categories)s::text[]")
        if self.ask.scopes:
            conditions.append("(m.scopes = '{}' OR m.scopes && %(asked_scopes)s::text[])")
        trust = self.trust
        if trust.minimum_confidence > 0:
            conditions.append("m.confidence >= %(trusted_confidence)s")
        if set(trust.origins) != set(ORIGINS) or set(trust.channels) != set(CHANNELS):
            confirmed = " OR m.confirmed_at IS NOT NULL" if trust.confirmed_suffices else ""
            conditions.append(
                f"((m.origin = ANY(%(trusted_origins)s) AND m.channel = ANY(%(trusted_channels)s)){confirmed})"
            )
        if not conditions:
            return None
        return (
            "SELECT m.id FROM memories_memory m WHERE m.tenant_id = %(tenant)s AND m.subject_id = %(subject)s "
            f"AND m.status = 'active' AND {' AND '.join(conditions)}",
            {
                "asked_origins": list(self.ask.origins),
                "asked_categories": list(self.ask.categories),
                "asked_scopes": list(self.ask.scopes),
                "trusted_confidence": trust.minimum_confidence,
                "trusted_origins": list(trust.origins),
                "trusted_channels": list(trust.channels),
            },
        )

    # 2 candidates

    def _candidates(self, scopes: Sequence[Scope], question: Question) -> tuple[list[Found], dict[UUID, Facts]]:
        self.excluded = {scope.subject_id: self._excluded(scope) for scope in scopes}
        if self.ask.is_of_the_past:
            found, facts = past.candidates(
                subject_ids=[scope.subject_id for scope in scopes],
                question=question,
                valid_at=self.ask.valid_at or self.now,
                recorded_at=self.ask.recorded_at or self.now,
                by=self.by,
                limit=self.policy.candidates.vector,
            )
        else:
            every_kind = self.kinds == set(Kind.values)
            found = [
                one
                for scope in scopes
                for one in find(
                    subject_id=scope.subject_id,
                    question=question,
                    filters=Filters(
                        at=self.now,
                        kinds=None if every_kind else self.kinds,
                        excluded=self.excluded[scope.subject_id],
                        allowed=self._allowed(),
                    ),
                    nearest=self.policy.candidates.vector,
                    richest=self.policy.candidates.lexical,
                )
            ]
            facts = queries.facts_of([one.memory_id for one in found])
        # The same filters once more, over what was read: nothing closed enters a score.
        facts = {at: one for at, one in facts.items() if self._passes(one)}
        found = [one for one in found if one.memory_id in facts]
        self.considered = len(found)
        return found, facts

    def _passes(self, facts: Facts) -> bool:
        return (
            facts.kind in self.kinds
            and facts.memory_id not in self.excluded.get(facts.subject_id, ())
            and self._may_read(facts.kind, facts.categories)
            and (not self.ask.origins or facts.origin in self.ask.origins)
            and (not self.ask.categories or bool(set(facts.categories) & set(self.ask.categories)))
            and (not self.ask.scopes or not facts.scopes or bool(set(facts.scopes) & set(self.ask.scopes)))
            and is_trusted_for(
                self.trust,
                origin=facts.origin,
                channel=facts.channel,
                confidence=facts.confidence,
                is_confirmed=facts.confirmed_at is not None,
            )
        )

    # 3 score and 4 lift

    def _rank(self, found: Sequence[Found], facts: Mapping[UUID, Facts]) -> list[Ranked]:
        return rank(
            (_candidate(one, facts[one.memory_id]) for one in found), scoring=scoring_of(self.policy), now=self.now
        )

    # 5 cut

    def _cut(self, ranked: Sequence[Ranked], facts: Mapping[UUID, Facts]) -> Cut:
        shown = [one.candidate.memory_id for one in ranked[: self.k + 2 * NEXT_BEST] if one.score >= self.min_score]
        alike, contradictions = (
            queries.pairs_of(shown, near_duplicate=self.policy.near_duplicate) if len(shown) > 1 else ([], [])
        )
        answer = cut(
            ranked,
            shown={at: self._shown(facts[at]) for at in shown},
            limits=Limits(k=self.k, min_score=self.min_score, source_share=self.policy.source_share.maximum),
            alike=alike,
            contradictions=contradictions,
        )
        if self.policy.conflicts == "newest_only":
            return _without_older(answer, facts)
        return answer

    def _shown(self, facts: Facts) -> Shown:
        counted = facts.kind in self.policy.source_share.kinds
        return Shown(
            statement=facts.statement,
            trust=(facts.confirmed_at is not None, _TRUST[Origin(facts.origin)], facts.confidence),
            source=(facts.trace_id or facts.uri or None) if counted else None,
        )

    # 6 pack

    def _pack(
        self, answer: Cut, scopes: Sequence[Scope], facts: dict[UUID, Facts], refs: Mapping[UUID, str]
    ) -> tuple[list[Item], dict[UUID, Drop]]:
        subject_ids = [scope.subject_id for scope in scopes]
        at = self.ask.valid_at or self.now
        profile: list[Item] = []
        if self.ask.include_profile and subject_ids and not self.ask.is_of_the_past:
            keyed = [one for one in queries.profile_of(subject_ids, at=at) if self._passes(one)]
            facts.update((one.memory_id, one) for one in keyed)
            profile = [self._item(one, refs, is_profile=True) for one in keyed]
        in_profile = {item.facts.memory_id for item in profile}
        memories = [
            self._item(facts[one.candidate.memory_id], refs, ranked=one, conflicts=answer.conflicts)
            for one in answer.kept
            if one.candidate.memory_id not in in_profile
        ]
        if not memories and not profile and subject_ids and self.policy.summary_fallback:
            gists = [one for one in queries.gist_of(subject_ids, at=at) if self._passes(one)]
            facts.update((one.memory_id, one) for one in gists)
            memories = [self._item(one, refs, is_fallback=True) for one in gists]
        packed = pack(
            [(item, item.tokens) for item in memories],
            budget=self.budget,
            first=[(item, item.tokens) for item in profile],
            share=self.policy.profile_share,
        )
        dropped = dict(answer.dropped) | {item.facts.memory_id: Drop.BUDGET for item in packed.left_out}
        return list(packed.items), dropped

    def _item(
        self,
        facts: Facts,
        refs: Mapping[UUID, str],
        *,
        ranked: Ranked | None = None,
        conflicts: Mapping[UUID, Sequence[UUID]] | None = None,
        is_profile: bool = False,
        is_fallback: bool = False,
    ) -> Item:
        line = one_line(facts.statement)
        return Item(
            facts=facts,
            statement=line,
            subject=refs[facts.subject_id],
            score=ranked.score if ranked else None,
            parts=ranked.parts.as_dict() if ranked else None,
            reason=sentence(
                replace(
                    _grounds(facts, ranked, is_profile=is_profile, is_fallback=is_fallback),
                    mentions=mentioned(self.ask.query, facts.statement) if ranked else (),
                ),
                now=self.now,
                to_the_person=self.by.is_person,
            ),
            access_rule=self.matrix.verdict(facts.kind, facts.categories).rule_id if self.matrix else "own",
            age_days=max(0, (self.now - facts.recorded_at).days),
            tokens=tokens(line),
            conflicts_with=(conflicts or {}).get(facts.memory_id, ()),
            is_profile=is_profile,
            is_fallback=is_fallback,
        )

    # the log

    def _log(
        self,
        scopes: Sequence[Scope],
        ranked: Sequence[Ranked],
        items: Sequence[Item],
        dropped: Mapping[UUID, Drop],
        facts: Mapping[UUID, Facts],
        *,
        is_embedded: bool,
        is_open: bool,
    ) -> Answer:
        retrieval_id = uuid7()
        used = sum(item.tokens for item in items)
        left_out = {name: count for name, count in sorted(self.left_out.items()) if count}
        reasons = dict(sorted(Counter(str(drop) for drop in dropped.values()).items()))
        by_id = {one.candidate.memory_id: one for one in ranked}
        returned = {item.facts.memory_id for item in items}
        # In a set order: what the profile or the budget moved stays traceable by its rank.
        next_best = [one.candidate.memory_id for one in ranked if one.candidate.memory_id not in returned][:NEXT_BEST]
        rows = [
            self._candidate_row(retrieval_id, facts[at], by_id.get(at), rank=place, item=item, drop=dropped.get(at))
            for place, (at, item) in enumerate(
                [*((item.facts.memory_id, item) for item in items), *((at, None) for at in next_best)], start=1
            )
        ]
        keeps_text = self.policy.query_text_days > 0
        # A measurement is no use: it leaves neither a count nor a younger memory behind.
        is_use = self.by.kind != "system"
        record = {
            "id": retrieval_id,
            "subject_ids": [scope.subject_id for scope in scopes],
            "asked_by": self.by.ref,
            "agent_id": self.by.agent_id,
            "purpose": self.ask.purpose,
            "query_digest": query_digest(self.ask.query, tenant_id=required_tenant()),
            "query_text": self.ask.query if keeps_text else None,
            "query_text_until": self.now + timedelta(days=self.policy.query_text_days) if keeps_text else None,
            "model": model_name(),
            "used_vector": is_embedded,
            "k": self.k,
            "min_score": self.min_score,
            "token_budget": self.budget,
            "valid_at": self.ask.valid_at,
            "recorded_at": self.ask.recorded_at,
            "policy_version": self.policies.retrieval.version_label,
            "access_version": self.policies.access.version_label,
            "considered": self.considered,
            "returned": len(items),
            "tokens": used,
            "left_out": json.dumps(left_out),
            "dropped": json.dumps(reasons),
            "stages": json.dumps({name: round(value, 3) for name, value in self.stages.items()}),
            "created_at": self.now,
            "counted_at": None if is_use else self.now,
        }
        _write(record, rows)
        if returned and is_use:
            for subject_id in {item.facts.subject_id for item in items}:
                jobs.after_commit(jobs.COUNT_USES, object_id=subject_id, at=self.now + COUNT_AFTER)
        return Answer(
            retrieval_id=retrieval_id,
            policy_version=self.policies.retrieval.version_label,
            items=items,
            considered=self.considered,
            left_out=left_out,
            dropped=reasons,
            tokens=used,
            notice=_notice(is_open=is_open, is_embedded=is_embedded, items=items),
            nonce=secrets.token_hex(8),
        )

    def _candidate_row(
        self,
        retrieval_id: UUID,
        facts: Facts,
        ranked: Ranked | None,
        *,
        rank: int,
        item: Item | None,
        drop: Drop | None,
    ) -> dict[str, Any]:
        grounds = _grounds(
            facts,
            ranked,
            is_profile=item is not None and item.is_profile,
            is_fallback=item is not None and item.is_fallback,
        )
        return {
            "id": uuid7(),
            "retrieval_id": retrieval_id,
            "memory_id": facts.memory_id,
            "subject_id": facts.subject_id,
            "memory_version": facts.version,
            "kind": facts.kind,
            "origin": facts.origin,
            "channel": facts.channel,
            "asserted_by": facts.asserted_by,
            "age_days": max(0, (self.now - facts.recorded_at).days),
            "expires_at": facts.expires_at,
            "access_rule": self.matrix.verdict(facts.kind, facts.categories).rule_id if self.matrix else "own",
            "rank": rank,
            "returned": item is not None,
            "drop_reason": None if item is not None else str(drop or Drop.K),
            "score": ranked.score if ranked else 0.0,
            "parts": json.dumps(ranked.parts.as_dict() if ranked else {}),
            "reason": sentence(grounds, now=self.now),
        }

    def _timed(self, stage: str, began: float) -> float:
        ended = perf_counter()
        self.stages[stage] = (ended - began) * 1000
        return ended


def scoring_of(policy: RetrievalPolicy) -> Scoring:
    """Read the numbers of the scoring form from a policy."""
    return Scoring(
        form=Form(policy.form),
        similarity=policy.weights.similarity,
        keyword=policy.weights.keyword,
        recency=policy.weights.recency,
        importance=policy.weights.importance,
        confidence=policy.weights.confidence,
        confirmed=policy.weights.confirmed,
        half_life=timedelta(days=policy.half_life_days),
        anchor=Anchor(policy.recency_anchor),
        lift_neighbour=policy.lift.neighbour,
        lift_session=policy.lift.session,
        lift_kinds=policy.lift.kinds,
    )


def query_digest(query: str, *, tenant_id: UUID) -> bytes:
    """Digest a query text under a key of the tenant: 32 bytes that tell equal questions, and nothing to a reader."""
    # Derived for this purpose from the secret that also keys the tombstones.
    key = hmac.digest(env.key("TOMBSTONE_KEY"), b"query\x1f" + tenant_id.bytes, sha256)
    return hmac.digest(key, query.encode("utf-8", "surrogatepass"), sha256)


def _vector_of(query: str) -> NDArray[np.float32] | None:
    try:
        return embed_query(query)
    except ModelUnavailable:
        return None


def _candidate(found: Found, facts: Facts) -> Candidate:
    return Candidate(
        memory_id=found.memory_id,
        subject_id=facts.subject_id,
        kind=facts.kind,
        similarity=found.similarity,
        keyword=found.keyword,
        importance=facts.importance,
        confidence=facts.confidence,
        is_confirmed=facts.confirmed_at is not None,
        created_at=facts.recorded_at,
        last_used_at=facts.last_used_at,
        thread=facts.trace_id or None,
        position=facts.position,
    )


def _grounds(facts: Facts, ranked: Ranked | None, *, is_profile: bool, is_fallback: bool) -> Grounds:
    return Grounds(
        origin=facts.origin,
        similarity=ranked.parts.similarity if ranked else 0.0,
        keyword=ranked.parts.keyword if ranked else 0.0,
        session=ranked.parts.session if ranked else 0.0,
        confirmed_at=facts.confirmed_at,
        is_profile=is_profile,
        is_fallback=is_fallback,
    )


def _without_older(answer: Cut, facts: Mapping[UUID, Facts]) -> Cut:
    """Keep the newest of statements that contradict each other."""
    older = {
        at
        for at, others in answer.conflicts.items()
        if any((facts[other].valid_from, other) > (facts[at].valid_from, at) for other in others)
    }
    kept = [one for one in answer.kept if one.candidate.memory_id not in older]
    return Cut(kept=kept, dropped={**answer.dropped, **dict.fromkeys(older, Drop.DUPLICATE)})


def _notice(*, is_open: bool, is_embedded: bool, items: Sequence[Item]) -> str:
    if not is_open:
        return "The use of these memories is paused."
    if not is_embedded:
        return "The embedding model could not be reached; memories were found by their words only."
    if any(item.is_fallback for item in items):
        return "Nothing was close enough; this is the summary."
    return ""


def _write(record: dict[str, Any], rows: Sequence[dict[str, Any]]) -> None:
    """Write the log of one answer as one statement: the read pays for one round trip."""
    tenant_id = required_tenant()
    record = {"tenant_id": tenant_id, **record}
    parameters: list[Any] = list(record.values())
    sql = f"INSERT INTO retrieval_retrieval ({', '.join(record)}) VALUES ({', '.join(['%s'] * len(record))})"
    if rows:
        columns = ["tenant_id", *rows[0]]
        one = f"({', '.join(['%s'] * len(columns))})"
        sql = (
            f"WITH retrieval AS ({sql}) INSERT INTO retrieval_retrievalcandidate ({', '.join(columns)}) "
            f"VALUES {', '.join([one] * len(rows))}"
        )
        for row in rows:
            parameters += [tenant_id, *row.values()]
    with connection.cursor() as cursor:
        cursor.execute(sql, parameters)
