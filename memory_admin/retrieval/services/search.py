"""Answering a question from what is remembered: scope, candidates, score, lift, cut, pack, and the log of it all."""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from time import perf_counter
from typing import Any
from uuid import UUID

import numpy as np
import orjson
from numpy.typing import NDArray

from accounts.actors import Actor
from memory_admin.errors import Invalid
from memory_admin.indexing.embedding import ModelUnavailable, embed_query, model_name
from memory_admin.memories.claims import SHORT_NAME
from memory_admin.retrieval import past, queries
from memory_admin.retrieval.answers import Answer, Ask, Item
from memory_admin.retrieval.candidates import Filters, Found, Question, find
from memory_admin.retrieval.choosing import NEXT_BEST, Terms
from memory_admin.retrieval.filters import EVERY_KIND, HardFilters
from memory_admin.retrieval.packing import one_line, pack, tokens
from memory_admin.retrieval.queries import Facts, Scope, Weighed
from memory_admin.retrieval.ranking import (
    Candidate,
    Cut,
    Drop,
    Ranked,
    rank,
)
from memory_admin.retrieval.reasons import Grounds, Mentions, sentence
from memory_admin.retrieval.scoring import scoring_of
from memory_admin.retrieval.services import log
from memory_admin.retrieval.watching import Watch, warnings_of
from memory_admin.screening import screen
from memory_admin.tenancy.scope import uuid7
from policies.documents import RetrievalPolicy
from policies.engine import origin_ranks
from policies.queries import in_force

MOST_SUBJECTS = 10


def prepare(query: str) -> None:
    """Embed a query ahead of the transaction that will answer it; the vector is remembered by digest for a while."""
    _vector_of(query)


def search(*, ask: Ask, by: Actor, now: datetime) -> Answer:
    """Answer a question, and log it in the transaction of the open tenant scope: no log, no answer.

    Call :func:`prepare` before the transaction begins, so that nothing waits for the model inside it.

    :raises NotFound: a subject does not exist for this actor
    :raises Invalid: no subject or no query, or more asked than the policy allows
    """
    return _Search(ask=ask, by=by, now=now).answer()


@dataclass
class _Search:
    """One question on its way through the steps."""

    ask: Ask
    by: Actor
    now: datetime
    stages: dict[str, float] = field(default_factory=dict)

    def answer(self) -> Answer:
        _refuse_nonsense(self.ask)
        self.policies = in_force(self.now, agent_id=self.by.agent_id)
        self.policy: RetrievalPolicy = self.policies.retrieval.document
        self.terms = Terms.of(self.ask, self.policy, ranks=origin_ranks(self.policies.write.document))
        days = self.policy.query_text_days
        self.text_until = self.now + timedelta(days=days) if days else None
        self.mentions = Mentions(self.ask.query)
        began = perf_counter()
        vector = _vector_of(self.ask.query)
        self.is_embedded = vector is not None
        began = self._timed("embedding", began)
        self.filters = HardFilters(self.ask, self.by, self.policies)
        scopes = self.filters.scopes(now=self.now)
        self.refs = {scope.subject_id: scope.ref for scope in self.filters.subjects}
        began = self._timed("scope", began)
        found, weighed, known = self._candidates(scopes, Question.of(self.ask.query, vector))
        began = self._timed("candidates", began)
        candidates = [_candidate(one, weighed[one.memory_id]) for one in found]
        ranked = rank(candidates, scoring=scoring_of(self.policy), now=self.now)
        watch = Watch(self.ask, self.policies, self.now)
        shown = self._shown(ranked, known, also=watch.rank(candidates, weighed))
        chosen = self.terms.choose(ranked, shown)
        self.facts = {at: shown.facts[at] for at in self.terms.best(ranked) if at in shown.facts}
        began = self._timed("ranking", began)
        items, dropped = self._pack(chosen, scopes)
        self._timed("packing", began)
        self.watched = watch.notes(shown=shown, profile=self.profile, items=items, filters=self.filters)
        return self._log(ranked, items, dropped, is_open=bool(scopes))

    def _timed(self, stage: str, began: float) -> float:
        ended = perf_counter()
        self.stages[stage] = round((ended - began) * 1000, 3)
        return ended

    # 2 candidates

    def _candidates(
        self, scopes: Sequence[Scope], question: Question
    ) -> tuple[list[Found], dict[UUID, Weighed], dict[UUID, Facts] | None]:
        known: dict[UUID, Facts] | None = None
        if self.ask.is_of_the_past:
            found, weighed, known = past.candidates(
                subject_ids=[scope.subject_id for scope in scopes],
                question=question,
                valid_at=self.ask.valid_at or self.now,
                recorded_at=self.ask.recorded_at or self.now,
                by=self.by,
                now=self.now,
                limit=self.policy.candidates.vector,
            )
        else:
            found = [one for scope in scopes for one in self._find(scope, question)]
            weighed = queries.weighed([one.memory_id for one in found]) if found else {}
        weighed = {at: one for at, one in weighed.items() if self.filters.passes(one)}
        return [one for one in found if one.memory_id in weighed], weighed, known

    def _find(self, scope: Scope, question: Question) -> list[Found]:
        return find(
            subject_id=scope.subject_id,
            question=question,
            filters=Filters(
                at=self.now,
                kinds=None if self.filters.kinds == EVERY_KIND else self.filters.kinds,
                excluded=self.filters.excluded[scope.subject_id],
                allowed=self.filters.only(),
            ),
            nearest=self.policy.candidates.vector,
            richest=self.policy.candidates.lexical,
        )

    # 3 score, 4 lift and 5 cut

    def _shown(
        self, ranked: Sequence[Ranked], known: Mapping[UUID, Facts] | None, *, also: Sequence[UUID]
    ) -> queries.Shown:
        """Read what is known of the best candidates, and of what else a version that watches would hand out."""
        best = list(dict.fromkeys((*self.terms.best(ranked), *also)))
        if known is not None:
            return queries.Shown(facts={at: known[at] for at in best})
        return queries.shown_of(best, near_duplicate=self.policy.near_duplicate) if best else queries.Shown(facts={})

    # 6 pack

    def _pack(self, chosen: Cut, scopes: Sequence[Scope]) -> tuple[list[Item], dict[UUID, Drop]]:
        self.profile = self._profile(scopes)
        profile = [(item, item.tokens) for item in map(self._profiled, self.profile)]
        # What finds no room in the profile's share may still come as what it is: something found.
        in_profile = {
            item.facts.memory_id
            for item in pack([], budget=self.terms.budget, first=profile, share=self.policy.profile_share).items
        }
        memories = [
            self._item(self.facts[one.candidate.memory_id], ranked=one, conflicts=chosen.conflicts)
            for one in chosen.kept
            if one.candidate.memory_id not in in_profile
        ]
        if not memories and not profile:
            memories = self._fallback(scopes)
        packed = pack(
            [(item, item.tokens) for item in memories],
            budget=self.terms.budget,
            first=profile,
            share=self.policy.profile_share,
        )
        returned = {item.facts.memory_id for item in packed.items}
        left_out = {item.facts.memory_id for item in packed.left_out} - returned
        return list(packed.items), {**chosen.dropped, **dict.fromkeys(left_out, Drop.BUDGET)}

    def _profile(self, scopes: Sequence[Scope]) -> list[Facts]:
        if not self.ask.include_profile or self.ask.is_of_the_past or not scopes:
            return []
        keyed = queries.profile_of([scope.subject_id for scope in scopes], at=self.now)
        return [one for one in keyed if self.filters.passes(one)]

    def _profiled(self, facts: Facts) -> Item:
        return self._item(facts, is_profile=True)

    def _fallback(self, scopes: Sequence[Scope]) -> list[Item]:
        if not self.policy.summary_fallback or self.ask.is_of_the_past or not scopes:
            return []
        gists = queries.gist_of([scope.subject_id for scope in scopes], at=self.now)
        return [self._item(one, is_fallback=True) for one in gists if self.filters.passes(one)]

    def _item(
        self,
        facts: Facts,
        *,
        ranked: Ranked | None = None,
        conflicts: Mapping[UUID, Sequence[UUID]] | None = None,
        is_profile: bool = False,
        is_fallback: bool = False,
    ) -> Item:
        self.facts[facts.memory_id] = facts
        grounds = _grounds(facts, ranked, is_profile=is_profile, is_fallback=is_fallback)
        mentions = self.mentions.within(facts.statement) if ranked else ()
        line = one_line(facts.statement)
        return Item(
            facts=facts,
            statement=line,
            subject=self.refs[facts.subject_id],
            score=ranked.score if ranked else None,
            parts=ranked.parts.as_dict() if ranked else None,
            grounds=grounds,
            reason=sentence(replace(grounds, mentions=mentions), now=self.now, to_the_person=self.by.is_person),
            access_rule=self.filters.verdict(facts.kind, facts.categories)[1],
            age_days=self._age_of(facts),
            tokens=tokens(line),
            conflicts_with=(conflicts or {}).get(facts.memory_id, ()),
            is_profile=is_profile,
            is_fallback=is_fallback,
        )

    def _age_of(self, facts: Facts) -> int:
        return max(0, (self.now - facts.recorded_at).days)

    # the log

    def _log(
        self, ranked: Sequence[Ranked], items: Sequence[Item], dropped: Mapping[UUID, Drop], *, is_open: bool
    ) -> Answer:
        answer = Answer(
            retrieval_id=uuid7(),
            policy_version=self.policies.retrieval.version_label,
            items=items,
            considered=len(ranked),
            left_out={str(name): count for name, count in sorted(self.filters.left_out.items()) if count},
            dropped=dict(sorted(Counter(str(drop) for drop in dropped.values()).items())),
            tokens=sum(item.tokens for item in items),
            notice=_notice(is_open=is_open, is_embedded=self.is_embedded, items=items),
            nonce=secrets.token_hex(8),
            warnings=warnings_of(self.watched),
        )
        # A measurement is no use: it leaves neither a count nor a younger memory behind.
        is_use = self.by.kind != "system"
        log.write(self._record(answer, is_use=is_use), self._candidate_rows(answer, ranked, dropped))
        log.follow_up(
            subject_ids={item.facts.subject_id for item in items} if is_use else (),
            text_until=self.text_until,
            now=self.now,
        )
        return answer

    def _record(self, answer: Answer, *, is_use: bool) -> dict[str, Any]:
        return {
            "id": answer.retrieval_id,
            "subject_ids": list(self.refs),
            "asked_by": self.by.ref,
            "agent_id": self.by.agent_id,
            "purpose": self.ask.purpose,
            "query_digest": log.query_digest(self.ask.query),
            "query_text": _keepable(self.ask.query) if self.text_until else None,
            "query_text_until": self.text_until,
            "model": model_name(),
            "used_vector": self.is_embedded,
            "k": self.terms.k,
            "min_score": self.terms.min_score,
            "token_budget": self.terms.budget,
            "valid_at": self.ask.valid_at,
            "recorded_at": self.ask.recorded_at,
            "policy_version": self.policies.retrieval.version_label,
            "access_version": self.policies.access.version_label,
            "considered": answer.considered,
            "returned": len(answer.items),
            "tokens": answer.tokens,
            "left_out": orjson.dumps(answer.left_out).decode(),
            "dropped": orjson.dumps(answer.dropped).decode(),
            "stages": orjson.dumps(self.stages).decode(),
            "watched": orjson.dumps(self.watched).decode(),
            "created_at": self.now,
            "counted_at": None if is_use else self.now,
        }

    def _candidate_rows(
        self, answer: Answer, ranked: Sequence[Ranked], dropped: Mapping[UUID, Drop]
    ) -> list[dict[str, Any]]:
        scored = {one.candidate.memory_id: one for one in ranked}
        returned = {item.facts.memory_id: item for item in answer.items}
        missed = [one.candidate.memory_id for one in ranked if one.candidate.memory_id not in returned]
        missed += [at for at, drop in dropped.items() if drop is Drop.BUDGET and at not in scored]
        listed = [*returned, *[at for at in missed if at in self.facts][:NEXT_BEST]]
        return [
            self._candidate_row(self.facts[at], scored.get(at), returned.get(at), dropped.get(at), rank=place)
            for place, at in enumerate(listed, start=1)
        ]

    def _candidate_row(
        self,
        facts: Facts,
        ranked: Ranked | None,
        item: Item | None,
        drop: Drop | None,
        *,
        rank: int,
    ) -> dict[str, Any]:
        grounds = item.grounds if item else _grounds(facts, ranked)
        return {
            "id": uuid7(),
            "memory_id": facts.memory_id,
            "subject_id": facts.subject_id,
            "memory_version": facts.version,
            "kind": facts.kind,
            "origin": facts.origin,
            "channel": facts.channel,
            "asserted_by": facts.asserted_by,
            "age_days": self._age_of(facts),
            "expires_at": facts.expires_at,
            "access_rule": self.filters.verdict(facts.kind, facts.categories)[1],
            "rank": rank,
            "returned": item is not None,
            "drop_reason": None if item else str(drop or Drop.K),
            "score": ranked.score if ranked else 0.0,
            "parts": ranked.parts.as_dict() if ranked else {},
            "reason": sentence(grounds, now=self.now),  # without the words that the answer's reason names
        }


def _refuse_nonsense(ask: Ask) -> None:
    fields = {}
    if not 1 <= len(set(ask.subjects)) <= MOST_SUBJECTS:
        fields["subjects"] = [f"Name one to {MOST_SUBJECTS} subjects."]
    if not ask.query.strip():
        fields["query"] = ["Say what is asked."]
    if SHORT_NAME.fullmatch(ask.purpose) is None or _keepable(ask.purpose) != ask.purpose:
        # It is logged as it is, for longer than any text.
        fields["purpose"] = ["A purpose is a short name, such as answer or action."]
    if fields:
        raise Invalid(fields=fields)


def _vector_of(query: str) -> NDArray[np.float32] | None:
    try:
        return embed_query(query)
    except ModelUnavailable:
        return None


def _candidate(found: Found, weighed: Weighed) -> Candidate:
    used = weighed.last_used_at
    return Candidate(
        memory_id=found.memory_id,
        subject_id=weighed.subject_id,
        kind=weighed.kind,
        similarity=found.similarity,
        keyword=found.keyword,
        importance=weighed.importance,
        confidence=weighed.confidence,
        is_confirmed=weighed.is_confirmed,
        created_at=datetime.fromtimestamp(weighed.recorded_at, UTC),
        last_used_at=None if used is None else datetime.fromtimestamp(used, UTC),
        thread=weighed.thread,
        position=weighed.position,
    )


def _grounds(facts: Facts, ranked: Ranked | None, *, is_profile: bool = False, is_fallback: bool = False) -> Grounds:
    return Grounds(
        origin=facts.origin,
        similarity=ranked.parts.similarity if ranked else 0.0,
        keyword=ranked.parts.keyword if ranked else 0.0,
        session=ranked.parts.session if ranked else 0.0,
        confirmed_at=facts.confirmed_at,
        is_profile=is_profile,
        is_fallback=is_fallback,
    )


def _notice(*, is_open: bool, is_embedded: bool, items: Sequence[Item]) -> str:
    if not is_open:
        return "The use of these memories is paused."
    if not is_embedded:
        return "The embedding model could not be reached; memories were found by their words only."
    if any(item.is_fallback for item in items):
        return "Nothing was close enough; this is the summary."
    return ""


def _keepable(query: str) -> str | None:
    """Give the text of a question as it may be kept: without personal data, and none that holds a secret."""
    found = screen(query, origin="stated", kind="event")
    return None if found.has("secret") else found.redacted
