"""A test case of a policy, and what came of it. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

Status = Literal["pass", "fail", "error", "skipped"]


@dataclass(frozen=True, slots=True)
class Case:
    """Facts and what is expected of them, both JSON as a policy editor typed it; see :mod:`policies.cases.forms`."""

    name: str
    given: Mapping[str, Any]
    expect: Mapping[str, Any]
    tags: tuple[str, ...] = ()
    skip_reason: str = ""


@dataclass(frozen=True, slots=True)
class CaseResult:
    """What a document makes of a case.

    ``rule_ids`` are the rules, or the places of the document, that decided; ``got`` is JSON to hold against what was
    expected; ``sentence`` is for a policy editor. A case that cannot be read is an error, and one with a reason to be
    skipped is skipped; neither has decided anything.
    """

    name: str
    status: Status
    rule_ids: tuple[str, ...]
    got: Mapping[str, Any]
    sentence: str
