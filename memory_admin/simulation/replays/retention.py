"""Lives: how long what was stored in the window would be kept, and what would end at once."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import asdict
from typing import Any, cast
from uuid import UUID

from django.db.models import QuerySet

from accounts.models import Tenant
from memory_admin.memories.models import WriteDecision
from memory_admin.memories.services.apply_retention import Effect, foresee_by_kind
from memory_admin.memories.vocabulary import WriteResult
from memory_admin.simulation.replays.replay import Replay
from memory_admin.simulation.tally import UNCHANGED, Case, Flip, Tally
from memory_admin.tenancy.scope import required_tenant
from policies import standing
from policies.documents import RetentionPolicy
from policies.engine import days_kept

KEPT = (WriteResult.STORED, WriteResult.PROPOSED, WriteResult.QUARANTINED)
NOTHING = Effect(ends_now=0, shortened=0, lengthened=0)


class RetentionReplay(Replay):
    """Compares how long each memory of the window would be kept, and counts what would end among all that is stored."""

    blind = ("archive", "decay", "consolidation", "unanswered_days")

    def __init__(self, *given: Any, **documents: Any) -> None:
        super().__init__(*given, **documents)
        self.planned = standing.planned(self.simulation.candidate)
        scoped = self.planned.region if self.planned else None
        self.region = scoped or Tenant.objects.values_list("region", flat=True).get(id=required_tenant())

    def events(self) -> QuerySet[WriteDecision]:
        """Give the decisions of the window that a memory came of."""
        return WriteDecision.objects.filter(self.within("decided_at"), result__in=KEPT)

    def decide(self, ids: Collection[UUID], tally: Tally) -> None:
        """Compare the days of each."""
        named = ("kind", "origin", "channel", "agent_name", "categories")
        for row in WriteDecision.objects.filter(id__in=ids).order_by("id").values(*named):
            tally.add(self._case(row))

    def _case(self, row: dict[str, Any]) -> Case:
        before, after = (self._days(one, row) for one in (self.baseline, self.candidate))
        return Case(
            flip=_flip(before, after),
            agent=row["agent_name"],
            kind=row["kind"],
            categories=tuple(sorted(row["categories"])),
            channel=row["channel"],
            facts={"kind": row["kind"], "origin": row["origin"], "region": self.region},
            before={"days": before},
            after={"days": after},
        )

    def _days(self, document: Any, row: dict[str, Any]) -> int | None:
        return days_kept(document, kind=row["kind"], origin=row["origin"], region=self.region)

    def finish(self, tally: Tally) -> None:
        """Count in everything stored what would be past its time at once, and what would end sooner or later."""
        super().finish(tally)
        before, after = (self._foresee(cast(RetentionPolicy, one)) for one in (self.baseline, self.candidate))
        rows = [
            {
                "kind": kind,
                "origin": origin,
                "before": asdict(before.get((kind, origin), NOTHING)),
                "after": asdict(after.get((kind, origin), NOTHING)),
            }
            for kind, origin in sorted({*before, *after})
        ]
        tally.counts["stored"] = {
            "before": asdict(sum(before.values(), NOTHING)),
            "after": asdict(sum(after.values(), NOTHING)),
            "by_kind_and_origin": [row for row in rows if row["before"] != row["after"]],
        }

    def _foresee(self, document: RetentionPolicy) -> dict[tuple[str, str], Effect]:
        agent_id = self.planned.agent_id if self.planned else None
        return foresee_by_kind(document, region=self.region, agent_id=agent_id, now=self.simulation.asked_at)


def _flip(before: int | None, after: int | None) -> Flip:
    if before == after:
        return UNCHANGED
    return "ttl_shorter" if before is None or (after is not None and after < before) else "ttl_longer"
