"""Why no agent is given a memory, and whether that may end. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from memory_admin.memories.models import Memory
from memory_admin.memories.vocabulary import Status
from memory_admin.portal.pauses import Pauses


@dataclass(frozen=True, slots=True)
class OutOfUse:
    """What keeps a memory from every agent, as the end of a sentence; over for good, or until something changes."""

    why: str
    is_over: bool = False


BY_STATUS = {
    Status.PROPOSED: OutOfUse("it waits for your answer"),
    Status.QUARANTINED: OutOfUse("somebody checks it first"),
    Status.DISPUTED: OutOfUse("it is being checked"),
    Status.ARCHIVED: OutOfUse("it rests until you bring it back"),
    Status.SUPERSEDED: OutOfUse("something newer replaced it", is_over=True),
    Status.REJECTED: OutOfUse("it was not kept", is_over=True),
    Status.EXPIRED: OutOfUse("its time is over", is_over=True),
}


def out_of_use(memory: Memory, *, pauses: Pauses, now: datetime) -> OutOfUse | None:
    """Tell what keeps a memory from every agent by itself; a pause of everything is told at the top of every page."""
    if memory.expires_at is not None and memory.expires_at <= now:
        return BY_STATUS[Status.EXPIRED]
    if memory.status != Status.ACTIVE:
        return BY_STATUS[Status(memory.status)]
    if memory.valid_to is not None and memory.valid_to <= now:
        return OutOfUse("it holds no longer", is_over=True)
    if memory.valid_from > now:
        return OutOfUse("it does not hold yet")
    if pause := pauses.of(memory):
        return OutOfUse("you paused it" if pause.memory_id else "you paused its category")
    return None


def use_from_now_on(memory: Memory, *, pauses: Pauses, now: datetime) -> str:
    """Say to the person that agents use a memory from now on, or what still keeps it from them."""
    if out := out_of_use(memory, pauses=pauses, now=now):
        return f"No agent uses it: {out.why}."
    if pauses.closes_all:
        return "No agent uses it: you paused memory for all of them."
    return "Agents can use it from now on."
