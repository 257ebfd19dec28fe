"""What a case may give and expect, family by family. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator

from policies.documents import (
    Channel,
    Code,
    Count,
    Days,
    Family,
    Kind,
    Origin,
    Outcome,
    Part,
    RuleId,
    Share,
    StaffSight,
    SubjectKind,
)


class Expected(Part):
    """What is expected; something must be, and what is left out or null is not."""

    @model_validator(mode="after")
    def _expects_something(self) -> Self:
        if not self.wanted:
            raise ValueError("a case must expect something")
        return self

    @property
    def wanted(self) -> dict[str, Any]:
        """Give what is expected, by name."""
        return {name: value for name, value in self if value is not None}


class ByRule(Expected):
    """Which rule applies: ``rule`` makes a positive case of it, ``not_rule`` a negative one."""

    rule: RuleId | None = None
    not_rule: RuleId | None = None

    @model_validator(mode="after")
    def _is_possible(self) -> Self:
        if self.rule is not None and self.rule == self.not_rule:
            raise ValueError("a rule cannot both apply and not apply")
        return self


class WriteGiven(Part):
    """One write; what is left out is what an ordinary statement has."""

    kind: Kind
    origin: Origin
    channel: Channel
    length: Annotated[int, Field(ge=0)] = 40
    confidence: Share = 0.7
    importance: Share = 0.5
    categories: tuple[Code, ...] = ()
    findings: tuple[Code, ...] = ()
    """Groups and codes of screening findings."""
    agent: str | None = None
    subject_kind: SubjectKind = "user"
    is_test: bool = False


class WriteExpected(ByRule):
    """What becomes of a write, and the findings whose words are replaced."""

    outcome: Outcome | None = None
    redact: tuple[Code, ...] | None = None


class ReadGiven(Part):
    """One memory, and the agent that asks for it."""

    kind: Kind
    purpose: Code
    categories: tuple[Code, ...] = ()
    agent: str | None = None
    scopes: tuple[Code, ...] = ()


class ReadExpected(ByRule):
    """Whether the agent may read it."""

    allowed: bool | None = None


class ActionGiven(Part):
    """One action, and the agent that asks whether it may; without kinds, memories of every kind are meant."""

    action: Code
    purpose: Code
    kinds: tuple[Kind, ...] = ()
    categories: tuple[Code, ...] = ()
    agent: str | None = None
    scopes: tuple[Code, ...] = ()


class ActionExpected(ByRule):
    """Whether it may, may not, or has to ask the person first."""

    decision: Literal["allow", "deny", "ask_person"] | None = None


class StaffGiven(Part):
    """A role of staff."""

    role: Literal["developer", "reviewer", "policy_editor", "policy_approver", "privacy_officer", "auditor", "admin"]


class StaffExpected(Expected):
    """What the role sees of other people's content."""

    sight: StaffSight


class RetentionGiven(Part):
    """A memory of one kind and origin, in a region, with the days that somebody asked for."""

    kind: Kind
    origin: Origin
    region: Code | None = None
    asked_days: Days | None = None


class RetentionExpected(Expected):
    """How many days it is kept; null is no limit."""

    days: Days | None

    @property
    def wanted(self) -> dict[str, Any]:
        """Give the days, though they be without a limit."""
        return {"days": self.days}


class TrustGiven(Part):
    """A memory, and the purpose that it is to serve."""

    purpose: Code
    origin: Origin
    channel: Channel
    confidence: Share
    is_confirmed: bool = False


class TrustExpected(Expected):
    """Whether it may."""

    trusted: bool


class Nothing(Part):
    """Nothing is given where limits are expected."""


class LimitsExpected(Expected):
    """Limits of an answer: ``k`` and ``token_budget`` are what holds when nothing is asked for."""

    k: Count | None = None
    k_maximum: Count | None = None
    token_budget: Count | None = None
    token_budget_maximum: Count | None = None
    minimum_score: float | None = None
    query_text_days: int | None = None


class ProcedureGiven(Part):
    """A procedure by name, and the agent that reads it."""

    name: Code
    agent: str | None = None


class ProcedureExpected(Expected):
    """Whether the agent finds it, and words that it holds."""

    found: bool | None = None
    contains: str | None = None


Form = tuple[type[Part], type[Expected]]


def form_of(family: Family, given: Mapping[str, Any]) -> Form:
    """Choose what a case of a family may give and expect, by what it gives."""
    if family == "access" and "action" in given:
        return (ActionGiven, ActionExpected)
    if family == "access":
        return (StaffGiven, StaffExpected) if "role" in given else (ReadGiven, ReadExpected)
    if family == "retrieval":
        return (TrustGiven, TrustExpected) if given else (Nothing, LimitsExpected)
    return _FORMS[family]


_FORMS: dict[str, Form] = {
    "write": (WriteGiven, WriteExpected),
    "retention": (RetentionGiven, RetentionExpected),
    "procedure": (ProcedureGiven, ProcedureExpected),
}
