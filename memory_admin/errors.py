"""What the domain refuses, in plain words. Surfaces turn these into HTTP; nothing below them does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar


class DomainError(Exception):
    """The request cannot be carried out; nothing was changed."""

    code: ClassVar[str] = "refused"
    sentence: ClassVar[str] = "This cannot be done."

    def __init__(self, sentence: str | None = None, *, details: Mapping[str, object] | None = None) -> None:
        self.said = sentence or self.sentence
        self.details = dict(details or {})
        super().__init__(self.said)


class NotAllowed(DomainError):
    """The caller lacks the right."""

    code = "not_allowed"
    sentence = "You may not do this."


class NotFound(DomainError):
    """What is asked for does not exist within what the caller may see."""

    code = "not_found"
    sentence = "There is nothing here."


class Conflict(DomainError):
    """What is asked for does not fit the present state."""

    code = "conflict"
    sentence = "This no longer fits what is stored."


class Invalid(DomainError):
    """The input is not acceptable; ``fields`` says where, and its first sentence stands for all where no other does."""

    code = "invalid"
    sentence = "Something in the request is not valid."

    def __init__(self, sentence: str | None = None, *, fields: Mapping[str, Sequence[str]] | None = None) -> None:
        self.fields = {name: list(problems) for name, problems in (fields or {}).items()}
        first = next((said for problems in self.fields.values() for said in problems), None)
        super().__init__(sentence or (first if self.sentence == Invalid.sentence else None))


class Refused(DomainError):
    """A policy said no; ``rule_ids`` names the rules that decided."""

    code = "refused_by_policy"
    sentence = "A policy does not allow this."

    def __init__(
        self, sentence: str | None = None, *, rule_ids: Sequence[str] = (), policy_version: str | None = None
    ) -> None:
        self.rule_ids = tuple(rule_ids)
        self.policy_version = policy_version
        super().__init__(sentence)
