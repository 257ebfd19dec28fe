"""Memories as the person reads them: who wrote each one, why it is kept, what may be done with it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Count, Q, Window

from accounts.models import Agent
from accounts.vocabulary import Channel
from memory_admin.memories.deciding import BY_LIKENESS
from memory_admin.memories.models import Memory, MemoryPause, RefusalReview, WriteDecision
from memory_admin.memories.queries import may_be_reviewed
from memory_admin.memories.services.correct import is_correctable
from memory_admin.memories.vocabulary import Origin, Status, WriteResult
from memory_admin.portal.out_of_use import OutOfUse, out_of_use
from memory_admin.portal.pauses import NONE, Pauses
from memory_admin.retrieval.models import RetrievalCandidate
from memory_admin.web import words
from policies.models import PolicyVersion

#: How the words came in, after the name of the agent that brought them.
CAME_BY = {
    Channel.USER_MESSAGE: "by {agent}",
    Channel.IMPORT: "brought in by {agent}",
    Channel.CONSOLIDATION: "summed up from what was kept before",
    Channel.AGENT: "by {agent}",
    Channel.TOOL: "by {agent}, from a tool it used",
    Channel.DOCUMENT: "by {agent}, from a document",
    Channel.PEER_AGENT: "by {agent}, from another agent",
}


#: How the title of a rule ends that asks the person; left out once they have answered.
WAITS = ", so it waits for your answer"

#: Rules that stand outside every policy.
BUILT_IN = {
    "J-001": "It differs from something you said or confirmed, so it waits for your answer",
    "L-001": "Too much came in within a short time",
    "P-001": "You had paused saving",
    "P-002": "You want nothing concluded about you",
    "T-001": "You deleted it or said no to it before",
    "T-002": "You removed something like this before, so it waits for your answer",
}


#: What stands for a refused text that is not there to show.
WITHOUT_TEXT: dict[str, str] = {
    WriteResult.POLICY_CHANGE: "A wish to change a rule",
    WriteResult.BLOCKED: "Something that is not to be remembered",
}


@dataclass(frozen=True, slots=True)
class May:
    """What the person may do with a memory as it now is."""

    answer: bool
    confirm: bool
    correct: bool
    dispute: bool
    pause: bool
    restore: bool


@dataclass(frozen=True, slots=True)
class Row:
    """One memory of the list.

    :ivar asks: how it came to be proposed, where it waits for an answer
    :ivar was_removed: it waits because it says in other words what the person had removed
    :ivar uses: how often it was given to an agent, those included that are not counted on the memory yet
    :ivar holds: since or until when it holds, where that is worth telling
    """

    memory: Memory
    writer: str
    written: str
    written_at: datetime
    basis: str
    quote: str
    asks: str
    was_removed: bool
    uses: int
    last_used_at: datetime | None
    last_used_by: str
    holds: tuple[str, datetime] | None
    since: str
    out_of_use: OutOfUse | None
    pause: MemoryPause | None
    may: May


@dataclass(frozen=True, slots=True)
class Refusal:
    """One line of "Not saved".

    :ivar may_ask: the person can ask that somebody looks at it again
    :ivar asked: they have asked
    """

    decision_id: UUID
    text: str
    writer: str
    basis: str
    at: datetime
    may_ask: bool
    asked: bool


def rows_of(memories: Sequence[Memory], *, now: datetime, pauses: Pauses = NONE) -> list[Row]:
    """Make the rows of memories read with their agent and source: three queries more, for rules and uses."""
    titles = _titles(memory.policy_version for memory in memories)
    used = _used({memory.id for memory in memories})
    return [
        Row(
            memory=memory,
            writer=writer_of(memory.channel, memory.agent),
            written=_written(memory),
            written_at=(_is_corrected(memory) and memory.confirmed_at) or memory.recorded_at,
            basis=_basis(memory.rule_ids, memory.policy_version, titles, is_answered=memory.status != Status.PROPOSED),
            quote=_quote(memory),
            asks=_asks(memory),
            was_removed=memory.status == Status.PROPOSED and BY_LIKENESS in memory.rule_ids,
            uses=memory.use_count + (used[memory.id].uncounted if memory.id in used else 0),
            last_used_at=used[memory.id].at if memory.id in used else memory.last_used_at,
            last_used_by=used[memory.id].by if memory.id in used else "",
            holds=_holds(memory, now),
            since=words.since(memory.recorded_at, now),
            out_of_use=out_of_use(memory, pauses=pauses, now=now),
            pause=pauses.of(memory),
            may=_may(memory, pauses, now),
        )
        for memory in memories
    ]


def row_of(memory: Memory, *, now: datetime, pauses: Pauses = NONE) -> Row:
    """Make the row of one memory."""
    return rows_of([memory], now=now, pauses=pauses)[0]


def refusals_of(decisions: Sequence[WriteDecision], *, now: datetime) -> list[Refusal]:
    """Make the lines of writes that were not kept: three queries more, for agents, rules and reviews."""
    titles = _titles(decision.policy_version for decision in decisions)
    agents = {agent.id: agent for agent in Agent.objects.filter(id__in={one.agent_id for one in decisions})}
    reviews = RefusalReview.objects.filter(decision_id__in=[decision.id for decision in decisions])
    asked = set(reviews.values_list("decision_id", flat=True))
    return [
        Refusal(
            decision_id=decision.id,
            text=_refused_text(decision, now),
            writer=writer_of(decision.channel, agents.get(decision.agent_id) if decision.agent_id else None),
            basis=_basis(decision.rule_ids, decision.policy_version, titles),
            at=decision.decided_at,
            may_ask=may_be_reviewed(decision, now=now) and decision.id not in asked,
            asked=decision.id in asked,
        )
        for decision in decisions
    ]


def _refused_text(decision: WriteDecision, now: datetime) -> str:
    if decision.sealed_text and decision.sealed_until and decision.sealed_until > now:
        return decision.sealed_text
    return WITHOUT_TEXT.get(decision.result, "The text was not kept")


def writer_of(channel: str, agent: Agent | None) -> str:
    """Name who wrote a memory down: the person, an agent, or the organisation."""
    if channel == Channel.PORTAL:
        return "You"
    return agent.name if agent else "Your organisation"


def _asks(memory: Memory) -> str:
    """Say how what waits for the person came to be proposed: "Travel assistant concluded this"."""
    if memory.channel == Channel.PORTAL:
        return "You wrote this"
    did = {Origin.INFERRED: "concluded", Origin.STATED: "heard you say"}.get(Origin(memory.origin), "proposed")
    return f"{writer_of(memory.channel, memory.agent)} {did} this"


def _written(memory: Memory) -> str:
    if _is_corrected(memory):
        return "corrected by you"
    if memory.channel == Channel.PORTAL:
        return "by you, on this page"
    agent = memory.agent.name if memory.agent else "your organisation"
    if memory.channel == Channel.USER_MESSAGE and memory.origin == Origin.STATED:
        return f"to {agent}"
    return CAME_BY[Channel(memory.channel)].format(agent=agent)


def _is_corrected(memory: Memory) -> bool:
    """Tell whether the words are the person's, put in place of what an agent had written."""
    return memory.channel == Channel.PORTAL and memory.agent_id is not None


def _basis(
    rule_ids: Sequence[str], policy_version: str, titles: dict[tuple[str, str], str], *, is_answered: bool = False
) -> str:
    """Say why: "You said it yourself. Rule W-310 of write policy version 1."; the last rule is the one that decided."""
    family, _, number = policy_version.partition("/")
    if not rule_ids:
        return f"Decided by {family} policy version {number}."
    if rule_ids[-1] in BUILT_IN:
        title = BUILT_IN[rule_ids[-1]]
        if is_answered:
            title = title.removesuffix(WAITS)
        return f"{title}. Rule {rule_ids[-1]}, which holds always."
    title = titles.get((policy_version, rule_ids[-1]), "")
    if is_answered:
        title = title.removesuffix(WAITS)
    rule = f"Rule {rule_ids[-1]} of {family} policy version {number}."
    return f"{title}. {rule}" if title else rule


def _titles(policy_versions: Iterable[str]) -> dict[tuple[str, str], str]:
    numbers = {int(label.removeprefix("write/")) for label in policy_versions if label.startswith("write/")}
    versions = PolicyVersion.objects.filter(family__key="write", number__in=numbers).values_list("number", "content")
    return {
        (f"write/{number}", rule["id"]): rule["title"]
        for number, content in versions
        for rule in [*content["rules"], content["default"]]
    }


@dataclass(frozen=True, slots=True)
class _Used:
    """The last use of a memory, and how many of its uses are not counted on it yet."""

    at: datetime
    by: str
    uncounted: int


def _used(memory_ids: set[UUID]) -> dict[UUID, _Used]:
    """Read the last use of each memory that was used: two queries, one for the agents."""
    uncounted = Window(Count("id", filter=Q(retrieval__counted_at=None)), partition_by="memory_id")
    latest = (
        RetrievalCandidate.objects.filter(memory_id__in=memory_ids, returned=True)
        .annotate(uncounted=uncounted)
        .order_by("memory_id", "-id")
        .distinct("memory_id")
        .values_list("memory_id", "retrieval__created_at", "retrieval__agent_id", "uncounted")
    )
    given = list(latest)
    agents = Agent.objects.filter(id__in={agent_id for _, _, agent_id, _ in given})
    names: dict[UUID | None, str] = dict(agents.values_list("id", "name"))
    return {memory_id: _Used(at, names.get(agent_id, ""), number) for memory_id, at, agent_id, number in given}


def _quote(memory: Memory) -> str:
    quote = memory.source.quote if memory.source else ""
    return "" if quote == memory.statement else quote


def _holds(memory: Memory, now: datetime) -> tuple[str, datetime] | None:
    if memory.valid_from > now:
        return "True from", memory.valid_from
    if memory.valid_to is not None:
        return ("True until" if memory.valid_to > now else "Was true until"), memory.valid_to
    if memory.expires_at is not None:
        return ("Expires" if memory.expires_at > now else "Expired"), memory.expires_at
    return None


def _may(memory: Memory, pauses: Pauses, now: datetime) -> May:
    is_waiting = memory.status == Status.PROPOSED
    is_unconfirmed = memory.confirmed_at is None and memory.origin != Origin.STATED
    return May(
        answer=is_waiting,
        confirm=is_waiting or (memory.status == Status.ACTIVE and is_unconfirmed),
        correct=is_correctable(memory, now=now),
        dispute=memory.status == Status.ACTIVE,
        pause=memory.status == Status.ACTIVE and memory.id not in pauses.memories,
        restore=memory.status == Status.ARCHIVED,
    )
