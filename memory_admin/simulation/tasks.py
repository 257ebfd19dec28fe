"""Jobs of simulations: ids in, one service call."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from memory_admin import jobs
from memory_admin.simulation import services


@jobs.job(jobs.RUN_SIMULATION)
def run_simulation(*, object_id: UUID, epoch: int, now: datetime) -> None:
    """Decide the next part of the events of a simulation again."""
    services.run(simulation_id=object_id, now=now)
