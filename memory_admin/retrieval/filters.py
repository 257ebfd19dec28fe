"""The hard filters: what may be found at all, before anything is scored, and counts of what they keep away."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from accounts.actors import Actor
from memory_admin.memories.vocabulary import Kind, Status
from memory_admin.retrieval import queries
from memory_admin.retrieval.answers import Ask
from memory_admin.retrieval.queries import Facts, Scope, Weighed
from policies.documents import CHANNELS, ORIGINS, Purpose
from policies.engine import AccessMatrix, access_matrix, is_trusted_for
from policies.queries import PoliciesInForce

EVERY_KIND = frozenset(Kind.values)
BY_THE_PERSON = "own"
"""Stands for the access rule where somebody reads what is about themselves: no rule of agents applies."""


@dataclass
class HardFilters:
    """What one question may find.

    :ivar kinds: the kinds that are asked for and open to the asker
    :ivar left_out: how many memories each filter kept away
    :ivar paused: the categories that each subject keeps out of use
    """

    ask: Ask
    by: Actor
    policies: PoliciesInForce
    left_out: Counter[str] = field(default_factory=Counter)
    excluded: dict[UUID, frozenset[UUID]] = field(default_factory=dict)
    paused: dict[UUID, frozenset[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.matrix: AccessMatrix | None = None
        if not self.by.is_person:
            self.matrix = access_matrix(
                self.policies.access.document,
                agent=self.by.agent_name or None,
                purpose=self.ask.purpose,
                scopes=frozenset(str(scope) for scope in self.by.scopes),
            )
        self.open_kinds = frozenset(self.matrix.open_kinds) if self.matrix is not None else EVERY_KIND
        self.kinds = self.open_kinds & set(self.ask.kinds) if self.ask.kinds else self.open_kinds
        self.trust: Purpose = self.policies.retrieval.document.purpose(self.ask.purpose)
        self._verdicts: dict[tuple[str, tuple[str, ...]], tuple[bool, str]] = {}

    def scopes(self, *, now: datetime) -> list[Scope]:
        """Read the subjects asked for, and settle for each what is closed in it.

        :return: the subjects that may be searched
        :raises NotFound: one does not exist for the asker
        """
        special = self.matrix.special if self.matrix is not None else {}
        self.subjects = queries.scopes_of(
            self.ask.subjects,
            by=self.by,
            now=now,
            categories={category for (_, category), verdict in special.items() if not verdict.allowed},
            closed_kinds=EVERY_KIND - self.open_kinds,
        )
        searched = [scope for scope in self.subjects if self._is_open(scope)]
        self.excluded = {scope.subject_id: self._closed_in(scope) for scope in searched}
        return searched

    def _is_open(self, scope: Scope) -> bool:
        for status in (Status.DISPUTED, Status.EXPIRED, Status.SUPERSEDED):
            self.left_out[status] += scope.by_status.get(status, 0)
        if self.by.is_person:
            return True
        if not scope.is_used:
            self.left_out["mode"] += queries.findable_in(scope.subject_id)
            return False
        if any(
            pause.target == "all" or (pause.target == "agent" and pause.agent_id == self.by.agent_id)
            for pause in scope.pauses
        ):
            self.left_out["paused"] += queries.findable_in(scope.subject_id)
            return False
        self.left_out[Status.EXPIRED] += scope.expired
        self.left_out["access"] += scope.of_closed_kind
        return True

    def _closed_in(self, scope: Scope) -> frozenset[UUID]:
        if self.by.is_person:
            return frozenset()
        paused = {pause.memory_id for pause in scope.pauses if pause.memory_id is not None}
        categories = frozenset(pause.category for pause in scope.pauses if pause.category is not None)
        self.paused[scope.subject_id] = categories
        paused |= {one.memory_id for one in scope.closed if one.categories & categories}
        self.left_out["paused"] += len(paused)
        sensitive = frozenset(self.policies.access.document.sensitive_categories)
        closed = set(paused)
        for one in scope.closed:
            if one.memory_id not in paused and one.kind in self.open_kinds:
                allowed, _ = self.verdict(one.kind, sorted(one.categories))
                if not allowed:
                    self.left_out["sensitive" if one.categories & sensitive else "access"] += 1
                    closed.add(one.memory_id)
        return frozenset(closed)

    def verdict(self, kind: str, categories: Sequence[str]) -> tuple[bool, str]:
        """Tell whether the asker may read a memory of this kind and these categories, and the rule that says so."""
        if self.matrix is None:
            return True, BY_THE_PERSON
        key = (kind, tuple(categories))
        if key not in self._verdicts:
            verdict = self.matrix.verdict(kind, categories)
            self._verdicts[key] = (verdict.allowed, verdict.rule_id)
        return self._verdicts[key]

    def only(self) -> tuple[str, dict[str, Any]] | None:
        """Write the filters that only the memories themselves can answer, as SQL for their ids; None without any."""
        conditions: list[str] = []
        if self.ask.origins:
            conditions.append("m.origin = ANY(%(asked_origins)s)")
        if self.ask.categories:
            conditions.append("m.categories && %(asked_categories)s::text[]")
        if self.ask.scopes:
            conditions.append("(m.scopes = '{}' OR m.scopes && %(asked_scopes)s::text[])")
        if self.trust.minimum_confidence > 0:
            conditions.append("m.confidence >= %(trusted_confidence)s")
        if set(self.trust.origins) != set(ORIGINS) or set(self.trust.channels) != set(CHANNELS):
            confirmed = " OR m.confirmed_at IS NOT NULL" if self.trust.confirmed_suffices else ""
            trusted = "m.origin = ANY(%(trusted_origins)s) AND m.channel = ANY(%(trusted_channels)s)"
            conditions.append(f"(({trusted}){confirmed})")
        if not conditions:
            return None
        return (
            "SELECT m.id FROM memories_memory m WHERE m.tenant_id = %(tenant)s AND m.subject_id = %(subject)s "  # noqa: S608
            f"AND m.status = 'active' AND {' AND '.join(conditions)}",
            {
                "asked_origins": list(self.ask.origins),
                "asked_categories": list(self.ask.categories),
                "asked_scopes": list(self.ask.scopes),
                "trusted_confidence": self.trust.minimum_confidence,
                "trusted_origins": list(self.trust.origins),
                "trusted_channels": list(self.trust.channels),
            },
        )

    def passes(self, one: Weighed | Facts) -> bool:
        """Apply every filter once more to a memory as it was read: nothing closed enters a score."""
        confirmed = one.is_confirmed if isinstance(one, Weighed) else one.confirmed_at is not None
        return (
            one.kind in self.kinds
            and one.memory_id not in self.excluded.get(one.subject_id, ())
            # A version of the past may be about something else than its memory is now.
            and self.paused.get(one.subject_id, frozenset()).isdisjoint(one.categories)
            and self.verdict(one.kind, one.categories)[0]
            and (not self.ask.origins or one.origin in self.ask.origins)
            and _shares(one.categories, self.ask.categories)
            and (not one.scopes or _shares(one.scopes, self.ask.scopes))
            and is_trusted_for(
                self.trust, origin=one.origin, channel=one.channel, confidence=one.confidence, is_confirmed=confirmed
            )
        )


def _shares(held: Iterable[str], asked: Sequence[str]) -> bool:
    return not asked or not set(asked).isdisjoint(held)
