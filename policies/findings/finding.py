"""One thing to notice about a draft, and what it is held against. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Severity = Literal["error", "security", "warning", "suggestion"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing to notice: ``error`` keeps a draft from review, the others are for whoever decides.

    ``path`` names the place (``rules[W-400].match.agents``); ``sentence`` is for a policy editor.
    """

    code: str
    severity: Severity
    path: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What exists in the tenant: names of agents and regions, and the categories in use."""

    agents: frozenset[str]
    regions: frozenset[str]
    categories: frozenset[str]
