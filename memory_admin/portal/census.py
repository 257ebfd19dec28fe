"""How many memories there are about one person, by everything the list counts and offers; in one statement."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Count, Max

from memory_admin.memories.models import MemoryQuerySet


@dataclass(frozen=True, slots=True)
class Census:
    """Every memory counted once, so that all figures on a page are of the same instant."""

    total: int
    by_origin: Counter[str]
    by_status: Counter[str]
    by_category: Counter[str]
    agents: Collection[UUID]
    changed_at: datetime | None


def census_of(everything: MemoryQuerySet) -> Census:
    """Count the memories that a reader sees."""
    by_origin: Counter[str] = Counter()
    by_status: Counter[str] = Counter()
    by_category: Counter[str] = Counter()
    agents: set[UUID] = set()
    changes: list[datetime] = []
    groups = everything.order_by().values_list("origin", "status", "agent_id", "categories")
    for origin, status, agent_id, categories, count, changed_at in groups.annotate(n=Count("id"), at=Max("changed_at")):
        by_origin[origin] += count
        by_status[status] += count
        by_category.update(dict.fromkeys(categories, count))
        agents |= {agent_id} - {None}
        changes.append(changed_at)
    return Census(by_origin.total(), by_origin, by_status, by_category, agents, max(changes, default=None))
