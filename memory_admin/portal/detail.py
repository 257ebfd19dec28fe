"""What the page of one memory tells: its sources, uses, versions, and what was made from it."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from uuid import UUID

from accounts.actors import Actor
from accounts.models import Agent, ApiKey
from accounts.vocabulary import Channel
from memory_admin.memories import queries
from memory_admin.memories.models import Evidence, Link, Memory, MemoryQuerySet, MemoryRevision, Source
from memory_admin.memories.vocabulary import Relation, Status
from memory_admin.retrieval.models import RetrievalCandidate
from memory_admin.retrieval.queries import uses_of
from memory_admin.retrieval.reasons import Grounds, sentence
from memory_admin.web import words

USES_SHOWN = 20

#: What an agent did to make a memory of each origin.
BEGAN = {"stated": "wrote down what you said", "inferred": "concluded it", "observed": "noted it"}

#: How each change of status is told: the sentence, its icon and its tone.
BECAME = {
    Status.PROPOSED: ("{who} asked you about it", "open", "wait"),
    Status.QUARANTINED: ("{who} put it on hold for a check", "lock", "wait"),
    Status.ACTIVE: ("{who} put it back into use", "check", "done"),
    Status.DISPUTED: ("{who} said that it is wrong", "flag", "wait"),
    Status.SUPERSEDED: ("Something newer replaced it", "right", "next"),
    Status.REJECTED: ("{who} did not keep it", "x", "next"),
    Status.EXPIRED: ("Its time ran out", "clock", "next"),
    Status.ARCHIVED: ("It was put to rest, for it was not used", "pause", "next"),
    Status.ERASED: ("{who} had it erased", "trash", "next"),
}


@dataclass(frozen=True, slots=True)
class SourceLine:
    """One source in words; the quote is empty when the exact words were not kept."""

    quote: str
    said: str
    at: datetime
    place: str


@dataclass(frozen=True, slots=True)
class Step:
    """One version in the history, with the text before and after where it changed."""

    title: str
    icon: str
    tone: str
    at: datetime
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Use:
    """One time the memory was given to an agent, at which place of the answer and why."""

    agent: str
    purpose: str
    at: datetime
    rank: int
    reason: str


def categories(memory: Memory) -> str:
    """Name the categories in words."""
    return ", ".join(name.replace("_", " ").capitalize() for name in memory.categories)


def writer(memory: Memory) -> tuple[str, str]:
    """Name who wrote the memory down, and by which key: ("Travel assistant", "key ending in 3f9a")."""
    key = _keys({memory.asserted_by}).get(memory.asserted_by)
    if key is None:
        return ("You" if memory.channel == Channel.PORTAL else _of_the_house(memory.asserted_by)), ""
    return key.agent.name, f"key ending in {key.last_four}"


def sources(memory: Memory) -> list[SourceLine]:
    """List every source a memory rests on, the first one first."""
    rested_on = list(Evidence.objects.filter(memory_id=memory.id).select_related("source").order_by("created_at", "id"))
    keys = _keys({evidence.asserted_by for evidence in rested_on})
    return [
        SourceLine(
            quote=evidence.source.quote,
            said=_said(evidence, keys[evidence.asserted_by].agent.name if evidence.asserted_by in keys else ""),
            at=evidence.source.occurred_at or evidence.source.created_at,
            place=_place(evidence.source),
        )
        for evidence in rested_on
    ]


def _said(evidence: Evidence, agent: str) -> str:
    if not agent:
        return "You, on this page" if evidence.channel == Channel.PORTAL else "Your organisation"
    if evidence.channel == Channel.USER_MESSAGE:
        return f"{evidence.source.speaker or 'You'}, to {agent}"
    speaker = f"{evidence.source.speaker}, " if evidence.source.speaker else ""
    words = f"{speaker}{'brought in' if evidence.channel == Channel.IMPORT else 'noted'} by {agent}"
    return words[0].upper() + words[1:]


def _place(source: Source) -> str:
    return f"Conversation “{source.trace_id}”" if source.trace_id else source.uri


def uses(memory: Memory) -> list[Use]:
    """List the latest times the memory was given to an agent, the newest first."""
    given = list(uses_of(memory.id)[:USES_SHOWN])
    agents = dict(Agent.objects.filter(id__in={one.retrieval.agent_id for one in given}).values_list("id", "name"))
    return [
        Use(
            agent=agents.get(one.retrieval.agent_id, "your organisation"),
            purpose=one.retrieval.purpose.replace("_", " ").capitalize(),
            at=one.retrieval.created_at,
            rank=one.rank,
            reason=_reason(one, memory),
        )
        for one in given
    ]


def _reason(use: RetrievalCandidate, memory: Memory) -> str:
    """Say to the person why the memory was given out, from the parts of its score."""
    at = use.retrieval.created_at
    grounds = Grounds(
        origin=use.origin,
        similarity=use.parts.get("similarity", 0.0),
        keyword=use.parts.get("keyword", 0.0),
        session=use.parts.get("session", 0.0),
        confirmed_at=memory.confirmed_at if memory.confirmed_at and memory.confirmed_at <= at else None,
        is_profile=not use.parts and memory.key is not None,
        is_fallback=not use.parts and memory.key is None,
    )
    return sentence(grounds, now=at, to_the_person=True)


def derived(memory: Memory, *, by: Actor) -> list[Memory]:
    """List the memories that were made from this one, directly or through others."""
    return list(made_from([memory.id], by=by))


def made_from(memory_ids: Iterable[UUID], *, by: Actor) -> MemoryQuerySet:
    """Give the other memories that were made from these, directly or through others, the newest first."""
    wanted = set(memory_ids)
    found: set[UUID] = set(wanted)
    step = found
    while step:
        links = Link.objects.filter(to_id__in=step, relation=Relation.DERIVED_FROM)
        step = set(links.values_list("from_id", flat=True)) - found
        found = found | step
    return queries.visible_to(by).filter(id__in=found - wanted).order_by("-recorded_at", "-id")


def history(memory: Memory, *, by: Actor) -> list[Step]:
    """Tell every change, the latest first."""
    versions = queries.history(memory.id, by=by)
    names = _names({version.changed_by for version in versions}, by)
    steps = [_first(version, names[version.changed_by]) for version in versions[:1]]
    steps += [_change(before, after, names[after.changed_by]) for before, after in pairwise(versions)]
    return steps[::-1]


def _first(version: MemoryRevision, who: str) -> Step:
    did = "added it" if who == "You" else BEGAN.get(version.origin, "recorded it")
    icon = words.ORIGINS[version.origin].icon
    return Step(f"{who} {did}", icon, "", version.recorded_from, before="", after=version.statement)


def _change(before: MemoryRevision, after: MemoryRevision, who: str) -> Step:
    if before.statement != after.statement:
        return Step(f"{who} corrected it", "pencil", "done", after.recorded_from, before.statement, after.statement)
    if after.reason == "confirmed":
        title, icon, tone = "{who} confirmed it", "check", "done"
    elif before.status == after.status:
        title, icon, tone = "{who} changed it", "pencil", "done"
    else:
        title, icon, tone = BECAME[Status(after.status)]
    return Step(title.format(who=who), icon, tone, after.recorded_from, before="", after="")


def _names(refs: set[str], by: Actor) -> dict[str, str]:
    """Name whoever is behind each reference: the person as "You", a key by its agent, staff and the system as such."""
    keys = _keys(refs)
    named = {ref: key.agent.name for ref, key in keys.items()} | {by.ref: "You"}
    return {ref: named.get(ref) or _of_the_house(ref) for ref in refs}


def _keys(refs: set[str]) -> dict[str, ApiKey]:
    ids = [ref.removeprefix("key:") for ref in refs if ref.startswith("key:")]
    return {f"key:{key.id}": key for key in ApiKey.objects.filter(id__in=ids).select_related("agent")}


def _of_the_house(ref: str) -> str:
    return "Your organisation" if ref.startswith("user:") else "memory_admin"
