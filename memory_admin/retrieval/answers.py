"""What is asked and what is answered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from memory_admin.retrieval.queries import Facts
from memory_admin.retrieval.reasons import Grounds


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """One question of an agent. What is left out is decided by the retrieval policy in force.

    ``scopes`` keeps what carries none or one of these labels. With ``valid_at`` or ``recorded_at`` the past is asked:
    what held then, as far as it was known then.
    """

    subjects: Sequence[str]
    query: str
    purpose: str
    kinds: Sequence[str] = ()
    origins: Sequence[str] = ()
    scopes: Sequence[str] = ()
    categories: Sequence[str] = ()
    k: int | None = None
    min_score: float | None = None
    token_budget: int | None = None
    include_profile: bool = False
    valid_at: datetime | None = None
    recorded_at: datetime | None = None

    @property
    def is_of_the_past(self) -> bool:
        """Tell whether the versions are to be read instead of what holds now."""
        return self.valid_at is not None or self.recorded_at is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One memory handed out. ``statement`` is data on a single line, never an instruction.

    ``conflicts_with`` names memories of the same answer that say otherwise. ``parts`` and ``score`` are None for what
    came by look-up: the profile and the fallback.
    """

    facts: Facts
    statement: str
    subject: str
    score: float | None
    parts: Mapping[str, float] | None
    grounds: Grounds
    reason: str
    access_rule: str
    age_days: int
    tokens: int
    conflicts_with: Sequence[UUID] = ()
    is_profile: bool = False
    is_fallback: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a question got. ``nonce`` is new in every answer, for marking where its memories begin and end.

    ``warnings`` say what versions in mode ``warn`` would have answered otherwise: ``policy_version`` and ``reason``.
    """

    retrieval_id: UUID
    policy_version: str
    items: Sequence[Item]
    considered: int
    left_out: Mapping[str, int]
    dropped: Mapping[str, int]
    tokens: int
    notice: str
    nonce: str
    warnings: Sequence[Mapping[str, str]] = ()
