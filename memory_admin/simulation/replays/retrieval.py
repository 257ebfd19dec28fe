"""Answers: what each question of the window would have got."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import Any, cast
from uuid import UUID

from django.db.models import QuerySet

from accounts.models import Agent
from memory_admin.memories.models import MemoryRevision
from memory_admin.retrieval.models import Retrieval, RetrievalCandidate
from memory_admin.retrieval.packing import one_line, tokens
from memory_admin.retrieval.ranking import Drop, Parts
from memory_admin.simulation.replays.replay import DECIDED_OTHERWISE, ERASED, Replay
from memory_admin.simulation.reranking import Logged, NotReplayable, Question, Reranked, rerank
from memory_admin.simulation.tally import UNCHANGED, Case, Counted, Tally
from policies.documents import RetrievalPolicy

Words = Mapping[tuple[UUID, int], tuple[int, tuple[str, ...]]]


class RetrievalReplay(Replay):
    """Ranks and cuts the candidates of each answer again, from the parts of their scores."""

    blind = ("profile_share", "query_text_days")

    def __init__(self, *given: Any, **documents: Any) -> None:
        super().__init__(*given, **documents)
        self._agents = dict(Agent.objects.values_list("id", "name"))

    def events(self) -> QuerySet[Retrieval]:
        """Give the questions answered in the window."""
        return Retrieval.objects.filter(self.within("created_at"))

    def decide(self, ids: Collection[UUID], tally: Tally) -> None:
        """Answer questions again."""
        candidates: dict[UUID, list[RetrievalCandidate]] = defaultdict(list)
        for row in RetrievalCandidate.objects.filter(retrieval_id__in=ids).order_by("rank", "id"):
            candidates[row.retrieval_id].append(row)
        words = _words_of([row for rows in candidates.values() for row in rows])
        for asked in Retrieval.objects.filter(id__in=ids).order_by("id"):
            try:
                self._answer(asked, candidates[asked.id], words, tally)
            except NotReplayable as reason:
                tally.leave_out(reason.reason)

    def _answer(self, asked: Retrieval, rows: Sequence[RetrievalCandidate], words: Words, tally: Tally) -> None:
        returned = [row.memory_id for row in rows if row.returned]
        if len(returned) != asked.returned or any(_version(row) not in words for row in rows):
            raise NotReplayable(ERASED)
        then = self.document_of(asked.policy_version)
        if not isinstance(then, RetrievalPolicy):
            raise NotReplayable(DECIDED_OTHERWISE)
        question = _question(asked, rows, words)
        if set(rerank(question, then, then=then).returned) != set(returned):
            raise NotReplayable(DECIDED_OTHERWISE)
        before, after = (
            rerank(question, cast(RetrievalPolicy, one), then=then) for one in (self.baseline, self.candidate)
        )
        _count(before, after, tally)
        for row in rows:
            if (row.memory_id in before.returned) != (row.memory_id in after.returned):
                tally.show(self._case(asked, row, words, before, after))

    def _case(self, asked: Retrieval, row: RetrievalCandidate, words: Words, before: Reranked, after: Reranked) -> Case:
        categories = words[_version(row)][1]
        return Case(
            flip="gained" if row.memory_id in after.returned else "lost",
            agent=self._agents.get(asked.agent_id, "") if asked.agent_id else "",
            kind=row.kind,
            categories=categories,
            channel=row.channel,
            facts={
                # What an answer held of a special category is not to be found here after its erasure.
                "retrieval": None if categories else str(asked.id),
                "purpose": asked.purpose,
                "kind": row.kind,
                "origin": row.origin,
                "channel": row.channel,
            },
            before=_shown(before, row.memory_id),
            after=_shown(after, row.memory_id),
        )

    def finish(self, tally: Tally) -> None:
        """Turn the sum of overlaps into their mean."""
        super().finish(tally)
        compared = tally.counts.get(UNCHANGED, 0) + tally.counts.get("changed", 0)
        overlaps = tally.counts.pop("overlaps", 0.0)
        tally.counts["mean_overlap"] = round(overlaps / compared, 4) if compared else None


def _count(before: Reranked, after: Reranked, tally: Tally) -> None:
    had, has = set(before.returned), set(after.returned)
    is_same = had == has and before.asks_too_much == after.asks_too_much
    tally.count(UNCHANGED if is_same else "changed")
    tally.count("overlaps", len(had & has) / max(len(had), len(has)) if had or has else 1.0)
    counted: tuple[tuple[Counted, float], ...] = (
        ("gained", len(has - had)),
        ("lost", len(had - has)),
        ("reordered", had == has and list(before.returned) != list(after.returned)),
        ("newly_empty", bool(had) and not has),
        ("newly_refused", after.asks_too_much and not before.asks_too_much),
        ("tokens_before", before.tokens),
        ("tokens_after", after.tokens),
    )
    for name, number in counted:
        tally.count(name, int(number))


def _question(asked: Retrieval, rows: Sequence[RetrievalCandidate], words: Words) -> Question:
    return Question(
        purpose=asked.purpose,
        k=asked.k,
        min_score=asked.min_score,
        token_budget=asked.token_budget,
        considered=asked.considered,
        used_vector=asked.used_vector,
        logged=[
            Logged(
                memory_id=row.memory_id,
                kind=row.kind,
                origin=row.origin,
                channel=row.channel,
                parts=Parts(**row.parts) if row.parts else None,
                drop=Drop(row.drop_reason) if row.drop_reason else None,
                tokens=words[_version(row)][0],
            )
            for row in rows
        ],
    )


def _words_of(rows: Collection[RetrievalCandidate]) -> Words:
    """Count the tokens of what was weighed, in the version that was, with its categories."""
    found = MemoryRevision.objects.filter(memory_id__in={row.memory_id for row in rows})
    columns = found.values_list("memory_id", "version", "statement", "categories")
    wanted = {_version(row) for row in rows}
    return {
        (memory_id, version): (tokens(one_line(statement)), tuple(sorted(categories)))
        for memory_id, version, statement, categories in columns
        if (memory_id, version) in wanted
    }


def _version(row: RetrievalCandidate) -> tuple[UUID, int]:
    return row.memory_id, row.memory_version


def _shown(one: Reranked, memory_id: UUID) -> dict[str, Any]:
    drop = one.drops.get(memory_id)
    return {
        "returned": memory_id in one.returned,
        "score": one.scores.get(memory_id),
        "dropped": str(drop) if drop else None,
    }
