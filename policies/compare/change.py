"""One difference between two documents, and what it does to strictness. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

Direction = Literal["loosens", "tightens", "neutral"]


@dataclass(frozen=True, slots=True)
class Change:
    """One difference by meaning.

    ``path`` names the place (``days.preference.inferred``, ``rules[W-400].outcome``); ``sentence`` is for a policy
    editor; ``before`` and ``after`` are JSON values, None where nothing stood.
    """

    path: str
    sentence: str
    direction: Direction
    before: Any
    after: Any
