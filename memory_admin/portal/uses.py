"""When a memory was weighed for an answer: who asked, what came of it, and what its score was made of."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import groupby
from uuid import UUID

from django.utils import timezone
from django.utils.text import capfirst

from accounts.models import Agent
from accounts.vocabulary import Channel
from memory_admin.memories.models import Memory
from memory_admin.portal.detail import spoken
from memory_admin.retrieval.models import RetrievalCandidate
from memory_admin.retrieval.queries import weighings_of
from memory_admin.retrieval.ranking import Drop, Parts, Scoring, contributions
from memory_admin.retrieval.reasons import Grounds, is_of_the_fallback, is_of_the_profile, sentence
from memory_admin.retrieval.scoring import scoring_of
from memory_admin.web.words import several
from policies.documents import RetrievalPolicy
from policies.queries import document_of

SHOWN = 10
READ = 50

#: What the uses can be narrowed to, and whether an agent was given the memory.
OUTCOMES = {"given": True, "considered": False}

#: Channels whose words no agent is given before a person confirmed them.
NEEDS_CONFIRMATION = (Channel.AGENT, Channel.TOOL, Channel.DOCUMENT, Channel.PEER_AGENT)

#: Each part of a score: its word, what it means, and how a memory without it is spoken of.
PARTS = {
    "similarity": (
        "Close in meaning",
        "how near its sense is to the question",
        "been close in meaning to the question",
    ),
    "keyword": ("Same words", "how much of the question’s words it holds", "held words of the question"),
    "recency": ("Recent", "how lately it was made or used", "been made or used lately"),
    "importance": ("Important", "more or less than an average memory", "been more important than most"),
    "confidence": ("Certain", "how sure it is", "been so sure"),
    "confirmed": ("You confirmed it", "whether you said that it is right", "been confirmed by you"),
    "neighbour": ("Beside a match", "what was said next to it fits too", "stood beside something that fits"),
    "session": ("Same conversation", "its conversation fits the question", "been said in a conversation that fits"),
}


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a score, and what it adds."""

    label: str
    meaning: str
    adds: float


@dataclass(frozen=True, slots=True)
class Use:
    """One time the memory was weighed: whether an agent was given it, at which place of the answer, and why.

    :ivar times: how often that came of the same question on the same day, one time after the other; this is the last
    """

    id: UUID
    agent: str
    was_given: bool
    purpose: str
    at: datetime
    rank: int
    reason: str
    parts: Sequence[Part]
    score: float
    needed: float
    otherwise: str
    policy_versions: Sequence[str]
    times: int = 1


@dataclass(frozen=True, slots=True)
class Uses:
    """One page of the uses, the agents they can be narrowed to, and where the next page begins."""

    shown: Sequence[Use]
    agents: Sequence[tuple[str, str]]
    agent: str
    outcome: str
    is_continued: bool
    next: UUID | None


def uses_of(memory: Memory, *, agent: str = "", outcome: str = "", before: UUID | None = None) -> Uses:
    """Read the latest times the memory was weighed, the newest first.

    :param agent: the id of one agent; any other text narrows nothing
    :param outcome: "given" or "considered"; any other text narrows nothing
    :param before: only what is older than this use
    """
    weighings = weighings_of(memory.id)
    ids = weighings.order_by().values_list("retrieval__agent_id", flat=True).distinct()
    names: dict[UUID | None, str] = dict(
        Agent.objects.filter(id__in=list(ids)).order_by("name", "id").values_list("id", "name")
    )
    agents = [(str(agent_id), name) for agent_id, name in names.items()]
    agent = agent if agent in dict(agents) else ""
    if agent:
        weighings = weighings.filter(retrieval__agent_id=agent)
    outcome = outcome if outcome in OUTCOMES else ""
    if outcome:
        weighings = weighings.filter(returned=OUTCOMES[outcome])
    if before is not None:
        weighings = weighings.filter(id__lt=before)
    found = list(weighings[: READ + 1])
    alike = [list(times) for _, times in groupby(found[:READ], key=lambda one: _what_came_of_it(one, memory))][:SHOWN]
    scorings = {label: _scoring(label) for label in {one.retrieval.policy_version for one, *_ in alike}}
    shown = [
        replace(_use(last, memory, names, scorings[last.retrieval.policy_version]), times=1 + len(earlier))
        for last, *earlier in alike
    ]
    is_more = sum(map(len, alike)) < len(found)
    return Uses(shown, agents, agent, outcome, before is not None, alike[-1][-1].id if is_more else None)


def _what_came_of_it(one: RetrievalCandidate, memory: Memory) -> tuple[object, ...]:
    """Tell what two uses have in common that the person would read twice: the question, its day, and the outcome."""
    asked = one.retrieval
    question = (bytes(asked.query_digest), asked.agent_id, asked.purpose, timezone.localdate(asked.created_at))
    return (*question, one.returned, one.rank, _why(one, memory), asked.policy_version, asked.access_version)


def _why(one: RetrievalCandidate, memory: Memory) -> str:
    return _reason(one, memory) if one.returned else _why_not(one)


def _scoring(label: str) -> Scoring | None:
    policy = document_of(label)
    return scoring_of(policy) if isinstance(policy, RetrievalPolicy) else None


def _use(one: RetrievalCandidate, memory: Memory, names: dict[UUID | None, str], scoring: Scoring | None) -> Use:
    retrieval = one.retrieval
    adds = contributions(Parts(**one.parts), scoring=scoring) if one.parts and scoring else {}
    return Use(
        id=one.id,
        agent=names.get(retrieval.agent_id, "your organisation"),
        was_given=one.returned,
        purpose=capfirst(retrieval.purpose.replace("_", " ")),
        at=retrieval.created_at,
        rank=one.rank,
        reason=_why(one, memory),
        parts=[Part(*PARTS[name][:2], adds=value) for name, value in adds.items() if round(value, 2)],
        score=one.score,
        needed=retrieval.min_score,
        otherwise=_otherwise(one, memory, adds) if one.returned else "",
        policy_versions=[spoken(retrieval.policy_version), spoken(retrieval.access_version)],
    )


def _reason(one: RetrievalCandidate, memory: Memory) -> str:
    """Say to the person why the memory was given out, from the parts of its score."""
    grounds = Grounds(
        origin=one.origin,
        similarity=one.parts.get("similarity", 0.0),
        keyword=one.parts.get("keyword", 0.0),
        session=one.parts.get("session", 0.0),
        confirmed_at=_confirmed_by_then(one, memory),
        is_profile=is_of_the_profile(one.reason),
        is_fallback=is_of_the_fallback(one.reason),
    )
    return sentence(grounds, now=one.retrieval.created_at, to_the_person=True)


def _confirmed_by_then(one: RetrievalCandidate, memory: Memory) -> datetime | None:
    at = memory.confirmed_at
    return at if at is not None and at <= one.retrieval.created_at else None


def _why_not(one: RetrievalCandidate) -> str:
    match one.drop_reason:
        case Drop.BELOW_THRESHOLD:
            return "It did not fit the question well enough."
        case Drop.K:
            return f"{several(one.retrieval.k, 'memory was', 'memories were')} asked for, and others fitted better."
        case Drop.DUPLICATE:
            return "Another memory that was given says the same, or something newer."
        case Drop.SOURCE_SHARE:
            return "Its source had filled its share of the answer."
    return "The answer had no room left for it."


def _otherwise(one: RetrievalCandidate, memory: Memory, adds: dict[str, float]) -> str:
    """Say without what the memory would not have been given: what a filter asks, and each part that decided."""
    if one.retrieval.agent_id is None or one.retrieval.valid_at or one.retrieval.recorded_at:
        return ""
    unless = ["you had paused it", "you had disputed it"]
    if one.channel in NEEDS_CONFIRMATION and _confirmed_by_then(one, memory):
        unless.append("it had not been confirmed")
    # Without a part that adds more than there was to spare, the score is below the threshold.
    spare = math.inf if is_of_the_profile(one.reason) else one.score - one.retrieval.min_score
    unless += [f"it had not {PARTS[name][2]}" for name, value in adds.items() if value > spare + 1e-9]
    return f"It would not have been used if {', '.join(unless[:-1])}, or if {unless[-1]}."
