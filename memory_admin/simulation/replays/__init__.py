"""How the events of each family are decided again."""

from __future__ import annotations

from collections.abc import Mapping

from memory_admin.simulation.replays.access import AccessReplay
from memory_admin.simulation.replays.replay import Replay
from memory_admin.simulation.replays.retention import RetentionReplay
from memory_admin.simulation.replays.retrieval import RetrievalReplay
from memory_admin.simulation.replays.write import WriteReplay

REPLAYS: Mapping[str, type[Replay]] = {
    "write": WriteReplay,
    "retention": RetentionReplay,
    "retrieval": RetrievalReplay,
    "access": AccessReplay,
}
"""A procedure decides about nothing that happened, so it has none."""

__all__ = ["REPLAYS", "Replay"]
