"""The rows of one or more writes, gathered and written together."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from accounts.actors import Actor
from memory_admin.memories import changes
from memory_admin.memories.models import Evidence, Link, Memory, MemoryRevision, Source, WriteDecision
from memory_admin.memories.vocabulary import Status


@dataclass
class Rows:
    """Rows that wait to be written; ``vectors`` has one for each memory."""

    sources: list[Source] = field(default_factory=list)
    memories: list[Memory] = field(default_factory=list)
    vectors: list[NDArray[np.float32] | None] = field(default_factory=list)
    evidence: list[Evidence] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    decisions: list[WriteDecision] = field(default_factory=list)

    def write(self, *, by: Actor) -> None:
        """Write them, each table in one statement, and be empty again."""
        Source.objects.bulk_create(self.sources)
        Memory.objects.bulk_create(self.memories)
        MemoryRevision.objects.bulk_create(changes.revision_of(memory, by=by) for memory in self.memories)
        active = [at for at, memory in enumerate(self.memories) if memory.status == Status.ACTIVE]
        changes.make_findable([self.memories[at] for at in active], [self.vectors[at] for at in active])
        Evidence.objects.bulk_create(self.evidence, ignore_conflicts=True)
        Link.objects.bulk_create(self.links, ignore_conflicts=True)
        WriteDecision.objects.bulk_create(self.decisions)
        for kind in (self.sources, self.memories, self.vectors, self.evidence, self.links, self.decisions):
            kind.clear()
