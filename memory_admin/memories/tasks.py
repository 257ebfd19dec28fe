"""Jobs about memories: ids in, one service call."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from memory_admin import jobs
from memory_admin.memories.services.apply_retention import apply_retention
from memory_admin.memories.services.embed import embed
from memory_admin.memories.services.purge import purge_sealed_texts


@jobs.job(jobs.EMBED_MEMORY)
def embed_memory(*, object_id: UUID, epoch: int, now: datetime) -> None:
    """Give a memory the vector that the model could not give it when it was written."""
    embed(memory_id=object_id)


@jobs.job(jobs.PURGE_SEALED_TEXTS)
def purge_texts(*, object_id: UUID, epoch: int, now: datetime) -> None:
    """Remove the refused texts whose time is over."""
    purge_sealed_texts(now=now)


@jobs.job(jobs.APPLY_RETENTION)
def apply_policy(*, object_id: UUID, epoch: int, now: datetime) -> None:
    """Bring the end of every memory in line with the retention policy that took effect."""
    apply_retention(now=now)
