"""What every replay has in common: the events of a simulation, and a way to decide a part of them again."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection
from functools import cached_property
from typing import Any, ClassVar
from uuid import UUID

from django.db.models import Q, QuerySet, TextField, Value
from django.db.models.functions import MD5, Cast, Concat

from memory_admin.simulation.tally import Reason, Tally
from policies.compare import changes
from policies.documents import PolicyDocument
from policies.models import PolicySimulation
from policies.queries import agents_with_own, document_of

ERASED: Reason = "erased"
FACTS_MISSING: Reason = "facts_missing"
DECIDED_OTHERWISE: Reason = "decided_otherwise"
"""The version that decided it then does not decide so again: another engine, or facts that have changed since."""


class Replay(ABC):
    """Decides the events of one simulation again, by its baseline and by its candidate.

    A decision is taken from its facts, never from what is stored of its outcome; the stored outcome is the check that
    the facts are all there.

    :cvar blind: the fields of a document of which no event tells anything
    """

    blind: ClassVar[tuple[str, ...]]

    def __init__(self, simulation: PolicySimulation, *, baseline: PolicyDocument, candidate: PolicyDocument) -> None:
        self.simulation = simulation
        self.baseline, self.candidate = baseline, candidate
        self._documents: dict[str, PolicyDocument | None] = {}

    @abstractmethod
    def events(self) -> QuerySet[Any]:
        """Give the events of the window."""

    @abstractmethod
    def decide(self, ids: Collection[UUID], tally: Tally) -> None:
        """Decide some events again and count what came of it."""

    def finish(self, tally: Tally) -> None:
        """Add what is told once, at the end: the changes that no event of the past tells anything of, in words."""
        changed = self.baseline.model_copy(update={name: getattr(self.candidate, name) for name in self.blind})
        family = self.simulation.candidate.family.key
        if untold := [one.sentence for one in changes(family, self.baseline, changed)]:
            tally.counts["untold"] = untold

    def part(self, *, since: int, most: int) -> list[UUID]:
        """Choose the next events: their order is random and the same for the same seed, so any first part is a sample.

        :param since: how many went before
        """
        seeded = Concat(Cast("id", TextField()), Value(f":{self.simulation.seed}"), output_field=TextField())
        ordered = self.events().order_by(MD5(seeded), "id")
        return list(ordered.values_list("id", flat=True)[since : since + most])

    def document_of(self, label: str) -> PolicyDocument | None:
        """Read the version that a decision is stamped with, once."""
        if label not in self._documents:
            self._documents[label] = document_of(label)
        return self._documents[label]

    def within(self, moment: str, agent: str = "agent_id") -> Q:
        """Limit rows to the window and to whom the candidate would decide about."""
        window = Q(**{f"{moment}__gte": self.simulation.since, f"{moment}__lt": self.simulation.until})
        if self.simulation.agent_id is not None:
            return window & Q(**{agent: self.simulation.agent_id})
        return window & (Q(**{agent: None}) | ~Q(**{f"{agent}__in": self._elsewhere}))

    @cached_property
    def _elsewhere(self) -> list[UUID]:
        family = self.simulation.candidate.family.key
        return agents_with_own(family, now=self.simulation.asked_at)
