"""What can happen in the demo's story, each as long ago as `ago` says. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from accounts.vocabulary import Role


@dataclass(frozen=True, slots=True)
class Event:
    """Something happened."""

    ago: timedelta


@dataclass(frozen=True, slots=True)
class Written(Event):
    """An agent, a person or the system wrote something down.

    :ivar by: the name of an agent or of a person; `CONSOLIDATION` for the system
    :ivar about: the reference of the subject
    :ivar made_from: the statements that it sums up
    """

    by: str
    about: str
    statement: str
    kind: str = "preference"
    origin: str = "stated"
    quote: str = ""
    made_from: tuple[str, ...] = ()
    source: Mapping[str, Any] = field(default_factory=dict)
    claim: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Did(Event):
    """Somebody did something about a memory: `confirm`, `reject`, `correct`, `dispute`, `archive`, `erase`, or
    `take_back` after they had erased it.

    :ivar who: the name of a person about themselves, or `CONSOLIDATION`
    :ivar statement: what the memory said at that time
    :ivar words: what it is to say instead, or what is wrong with it
    :ivar reason: why it is corrected or disputed
    """

    who: str
    what: str
    statement: str
    words: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Paused(Event):
    """A person paused everything, an agent, a category or a memory, for some days or until they change it.

    :ivar name: the agent's name, the category, or the statement; nothing where everything is paused
    """

    who: str
    target: str
    name: str = ""
    mode: str = "both"
    days: float | None = None


@dataclass(frozen=True, slots=True)
class Resumed(Event):
    """A person ended the pause of everything."""

    who: str


@dataclass(frozen=True, slots=True)
class Asked(Event):
    """An agent asked what is remembered.

    :ivar more: limits of its own: `k`, `token_budget`, `min_score`, `kinds`, `include_profile`
    """

    by: str
    about: str
    query: str
    purpose: str
    more: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class AskedForReview(Event):
    """A person asked that somebody looks again at a write about them that was refused.

    :ivar statement: what was refused
    """

    who: str
    statement: str
    words: str = ""


@dataclass(frozen=True, slots=True)
class Answered(Event):
    """A reviewer read and answered a dispute (`retired`, `turned_down`), a review (`let_in`) or a hold (`rejected`).

    :ivar statement: what the memory says, or what was refused
    """

    who: str
    statement: str
    result: str
    answer: str = ""


@dataclass(frozen=True, slots=True)
class Looked(Event):
    """A privacy officer read the texts of the latest question about somebody."""

    who: str
    about: str
    reason: str


@dataclass(frozen=True, slots=True)
class Verified(Event):
    """An auditor had the audit trail checked."""

    who: str


@dataclass(frozen=True, slots=True)
class Rotated(Event):
    """An administrator gave an agent a new key in place of its old one."""

    who: str
    agent: str


@dataclass(frozen=True, slots=True)
class Invited(Event):
    """An administrator invited an address."""

    who: str
    email: str
    roles: tuple[Role, ...]


@dataclass(frozen=True, slots=True)
class MadeSteward(Event):
    """An administrator let a member look after the memories of a team or another subject."""

    who: str
    member: str
    about: str


@dataclass(frozen=True, slots=True)
class ProposedRoles(Event):
    """An administrator proposed roles that a second one has to agree to."""

    who: str
    member: str
    roles: tuple[Role, ...]


@dataclass(frozen=True, slots=True)
class ReadNotices(Event):
    """A member read all that they had been told."""

    who: str


CONSOLIDATION = "consolidation"
"""Stands for the system, which sums up and puts to rest."""
