"""What the person has paused, as every page needs it: everything, agents, categories, single memories."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from accounts.actors import Actor
from memory_admin.memories import queries
from memory_admin.memories.models import Memory, MemoryPause
from memory_admin.memories.vocabulary import PauseMode, PauseTarget

#: How each pause of everything is told at the top of every page.
SAID = {
    PauseMode.BOTH: ("Memory is paused", "No agent uses what it remembers, and none saves anything."),
    PauseMode.USE: ("Memory is not used", "Agents save new things and use nothing."),
    PauseMode.SAVE: ("Nothing new is saved", "Agents use what they remember and save nothing."),
}


@dataclass(frozen=True)
class Pauses:
    """The open pauses of one person, by what they stop."""

    everything: MemoryPause | None
    agents: dict[UUID, MemoryPause]
    categories: dict[str, MemoryPause]
    memories: dict[UUID, MemoryPause]

    @property
    def said(self) -> tuple[str, str] | None:
        """Tell what is paused for all agents, in a few words and in a sentence."""
        return SAID[PauseMode(self.everything.mode)] if self.everything else None

    @property
    def closes_all(self) -> bool:
        """Tell whether no agent is given anything."""
        return self.everything is not None and self.everything.mode != PauseMode.SAVE

    def of(self, memory: Memory) -> MemoryPause | None:
        """Find what keeps this memory out of use: its own pause, or that of one of its categories."""
        if memory.id in self.memories:
            return self.memories[memory.id]
        return next((self.categories[name] for name in memory.categories if name in self.categories), None)


NONE = Pauses(everything=None, agents={}, categories={}, memories={})


def pauses_of(by: Actor, *, now: datetime) -> Pauses:
    """Read what is paused for the person who signed in."""
    found = queries.open_pauses([by.subject_id], now=now) if by.subject_id else []
    return Pauses(
        everything=next((pause for pause in found if pause.target == PauseTarget.ALL), None),
        agents={pause.agent_id: pause for pause in found if pause.agent_id},
        categories={pause.category: pause for pause in found if pause.category},
        memories={pause.memory_id: pause for pause in found if pause.memory_id},
    )
