"""What a person wishes about everything that is remembered about them: a shorter life, and no conclusions. Pure."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from accounts.models import Subject


@dataclass(frozen=True, slots=True)
class Wishes:
    """How long what is remembered about a person is kept at most, and whether agents may conclude anything.

    :ivar days_of_kind: days from when it was recorded, by kind
    :ivar days_of_category: the same by category; the fewest of all that apply count
    """

    days_of_kind: Mapping[str, int] = field(default_factory=dict)
    days_of_category: Mapping[str, int] = field(default_factory=dict)
    objects_to_inference: bool = False

    def end(self, *, kind: str, categories: Collection[str], at: datetime) -> datetime | None:
        """Tell when a memory recorded at some time ends by these wishes; None where there is none about it."""
        days = [self.days_of_category[name] for name in categories if name in self.days_of_category]
        days += [self.days_of_kind[kind]] if kind in self.days_of_kind else []
        return at + timedelta(days=min(days)) if days else None

    def as_json(self) -> dict[str, Any]:
        """Give what is stored on a subject."""
        return {
            "days_of_kind": dict(self.days_of_kind),
            "days_of_category": dict(self.days_of_category),
            "objects_to_inference": self.objects_to_inference,
        }


def wishes_of(subject: Subject) -> Wishes:
    """Read the wishes of a subject."""
    return Wishes(**subject.preferences)


def soonest(*times: datetime | None) -> datetime | None:
    """Give the first of several times, of which some may be never."""
    return min((at for at in times if at is not None), default=None)
