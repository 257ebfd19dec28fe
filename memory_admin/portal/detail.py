"""What the page of one memory tells: its sources, its versions, who may use it, what it is tied to."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise
from uuid import UUID

from django.db.models import Q

from accounts.actors import Actor
from accounts.models import Agent
from accounts.vocabulary import Channel
from memory_admin.memories import queries
from memory_admin.memories.models import (
    DataRequest,
    Dispute,
    Evidence,
    Link,
    Memory,
    MemoryQuerySet,
    MemoryRevision,
    Source,
)
from memory_admin.memories.vocabulary import Relation, Status
from memory_admin.portal.agents import READS, keys_behind, scopes_of
from memory_admin.portal.pauses import Pauses
from memory_admin.web import words
from policies.engine import access_matrix, days_kept, is_trusted_for
from policies.queries import PoliciesInForce, in_force

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
    Status.ERASING: ("{who} had it deleted", "trash", "next"),
    Status.ERASED: ("{who} had it erased", "trash", "next"),
}

#: Changes that are told by their reason.
DID = {
    "confirmed": ("{who} confirmed it", "check", "done"),
    "released": ("{who} checked it, and now asks you about it", "open", "wait"),
    "retired": ("{who} agreed that it holds no longer", "check", "next"),
    "deletion taken back": ("{who} deleted it and took that back", "check", "done"),
    "its end was chosen": ("{who} chose when it ends", "clock", "done"),
    "faded": ("It was put to rest: it was a guess that nobody has confirmed for long", "pause", "next"),
    "unanswered": ("Nobody answered, so it is not kept", "x", "next"),
    "dispute not upheld": ("It is in use again: it was checked and stays as it is", "check", "done"),
}


#: How another memory stands to this one, by a tie that begins here, and by one that ends here.
FROM_HERE = {
    Relation.SUPERSEDES: "This took the place of",
    Relation.DERIVED_FROM: "This was made from",
    Relation.CONTRADICTS: "This differs from",
    Relation.FOLLOWS: "This came after",
    Relation.RELATES_TO: "This goes with",
}
TO_HERE = {
    Relation.SUPERSEDES.value: "This was replaced by",
    Relation.CONTRADICTS.value: "This differs from",
    Relation.FOLLOWS.value: "This came before",
    Relation.RELATES_TO.value: "This goes with",
}

LOST = ("An earlier version was erased, text removed", "Earlier versions were erased, text removed")


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
class Related:
    """Another memory that stands in a relation to this one, in words."""

    says: str
    memory: Memory


@dataclass(frozen=True, slots=True)
class Readers:
    """The agents that may be given a memory, those that may for some purposes only, and the rule that says so."""

    names: Sequence[str]
    exceptions: Sequence[str]
    rule: str


def categories(memory: Memory) -> str:
    """Name the categories in words."""
    return ", ".join(name.replace("_", " ").capitalize() for name in memory.categories)


def writer(memory: Memory) -> tuple[str, str]:
    """Name who wrote the memory down, and by which key: ("Travel assistant", "key ending in 3f9a")."""
    key = keys_behind({memory.asserted_by}).get(memory.asserted_by)
    if key is None:
        return ("You" if memory.channel == Channel.PORTAL else _of_the_house(memory.asserted_by)), ""
    return key.agent.name, f"key ending in {key.last_four}"


def sources(memory: Memory) -> list[SourceLine]:
    """List every source a memory rests on, the first one first."""
    rested_on = list(Evidence.objects.filter(memory_id=memory.id).select_related("source").order_by("created_at", "id"))
    keys = keys_behind({evidence.asserted_by for evidence in rested_on})
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


def related(memory: Memory, *, by: Actor) -> list[Related]:
    """List the memories that stand in some other relation to this one, the newest tie first."""
    ties = Link.objects.filter(Q(from_id=memory.id) | Q(to_id=memory.id)).order_by("-created_at", "-id")
    ends = [(tie.to_id, FROM_HERE[Relation(tie.relation)]) for tie in ties if tie.from_id == memory.id]
    ends += [(tie.from_id, TO_HERE[tie.relation]) for tie in ties if tie.to_id == memory.id and tie.relation in TO_HERE]
    found = {other.id: other for other in queries.visible_to(by).filter(id__in=[end for end, _ in ends])}
    return [Related(says, found[end]) for end, says in ends if end in found]


def readers(
    memory: Memory,
    *,
    policies: PoliciesInForce,
    with_own: Collection[UUID],
    by: Actor,
    pauses: Pauses,
    now: datetime,
) -> Readers:
    """Name the agents that the policies in force let have this memory, were it asked for now.

    What is paused, disputed or over is out of use for all of them, whatever this says.

    :param policies: those in force everywhere
    :param with_own: the agents for which others are in force
    """
    scopes = scopes_of(by, now=now)
    agents = Agent.objects.filter(status="active").exclude(id__in=list(pauses.agents)).order_by("name", "id")
    names, closed, rule = [], set(), ""
    for agent in agents:
        held = frozenset(scopes.get(agent.id, set()))
        if not held & READS:
            continue
        decide = in_force(now, agent_id=agent.id) if agent.id in with_own else policies
        access, retrieval = decide.access.document, decide.retrieval.document
        named = {purpose for rule in access.rules for purpose in rule.match.purposes}
        named |= {purpose.name for purpose in retrieval.purposes}
        open_for = set()
        for purpose in ("", *named):
            matrix = access_matrix(access, agent=agent.name, purpose=purpose, scopes=held)
            verdict = matrix.verdict(memory.kind, memory.categories)
            is_trusted = is_trusted_for(
                retrieval.purpose(purpose),
                origin=memory.origin,
                channel=memory.channel,
                confidence=memory.confidence,
                is_confirmed=memory.confirmed_at is not None,
            )
            if verdict.allowed and is_trusted:
                open_for.add(purpose)
                rule = f"{access.title_of(verdict.rule_id)}. {spoken(decide.access.version_label).capitalize()}."
        if open_for:
            names.append(agent.name)
            closed |= named - open_for
    exceptions = [purpose.replace("_", " ") for purpose in sorted(closed)]
    return Readers(names, exceptions, rule)


def kept(memory: Memory, *, policies: PoliciesInForce) -> str:
    """Say how long the retention policy in force keeps such a memory, and whether this one has an end of its own.

    :param policies: those in force for the agent that wrote it
    """
    policy = policies.retention
    what = f"{words.ORIGINS[memory.origin].text.lower()} {words.KINDS[memory.kind].lower()}"
    days = days_kept(policy.document, kind=memory.kind, origin=memory.origin, region=policies.region)
    says = f"Such a memory ({what}) is kept {f'{days} days' if days else 'until you delete it'}: "
    says += f"{spoken(policy.version_label)}."
    usual = timedelta(days=days) if days else None
    begins = (memory.recorded_at, memory.changed_at, memory.confirmed_at)
    is_usual = memory.expires_at is None if usual is None else memory.expires_at in {at + usual for at in begins if at}
    return says if is_usual else f"{says} This one has an end of its own."


def last_dispute(memory: Memory) -> tuple[Dispute, DataRequest] | None:
    """Find the latest dispute about the memory, with its request."""
    found = memory.disputes.order_by("-opened_at", "-id").first()
    return (found, DataRequest.objects.get(object_id=found.id)) if found else None


def history(memory: Memory, *, by: Actor) -> list[Step]:
    """Tell every change, the latest first; of a version whose words were erased, that there was one."""
    versions = queries.history(memory.id, by=by)
    names = _names({version.changed_by for version in versions}, by)
    steps: list[Step] = []
    for before, after in pairwise([None, *versions]):
        assert after is not None
        who = names[after.changed_by]
        if lost := after.version - (before.version if before else 0) - 1:
            steps.append(Step(LOST[lost > 1], "trash", "next", after.recorded_from, before="", after=""))
        if after.version == 1:
            steps.append(_first(after, who))
        elif before is None or lost:
            steps.append(Step(f"{who} changed it", "pencil", "done", after.recorded_from, "", after.statement))
        else:
            steps.append(_change(before, after, who))
    return steps[::-1]


def _first(version: MemoryRevision, who: str) -> Step:
    did = "added it" if who == "You" else BEGAN.get(version.origin, "recorded it")
    icon = words.ORIGINS[version.origin].icon
    return Step(f"{who} {did}", icon, "", version.recorded_from, before="", after=version.statement)


def _change(before: MemoryRevision, after: MemoryRevision, who: str) -> Step:
    if before.statement != after.statement:
        return Step(f"{who} corrected it", "pencil", "done", after.recorded_from, before.statement, after.statement)
    if after.reason in DID:
        title, icon, tone = DID[after.reason]
    elif before.status == after.status:
        title, icon, tone = "{who} changed it", "pencil", "done"
    else:
        title, icon, tone = BECAME[Status(after.status)]
    return Step(title.format(who=who), icon, tone, after.recorded_from, before="", after="")


def _names(refs: set[str], by: Actor) -> dict[str, str]:
    """Name whoever is behind each reference: the person as "You", a key by its agent, staff and the system as such."""
    keys = keys_behind(refs)
    named = {ref: key.agent.name for ref, key in keys.items()} | {by.ref: "You"}
    return {ref: named.get(ref) or _of_the_house(ref) for ref in refs}


def spoken(label: str) -> str:
    """Name a policy version: "retention/3" is "retention policy, version 3"."""
    family, _, number = label.partition("/")
    return f"{family} policy, version {number}"


def _of_the_house(ref: str) -> str:
    return "Your organisation" if ref.startswith("user:") else "memory_admin"
