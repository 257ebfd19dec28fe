"""What an erasure takes out of the log; called by it, in its transaction."""

from __future__ import annotations

from collections.abc import Collection
from uuid import UUID

from memory_admin.retrieval.models import Retrieval, RetrievalCandidate


def forget(*, memory_ids: Collection[UUID], subject_id: UUID) -> int:
    """Take memories out of the log, and the texts of every question about their subject; tell how many rows went.

    A question may repeat what was erased, so none about this subject keeps its words.
    """
    gone, _ = RetrievalCandidate.objects.filter(memory_id__in=memory_ids).delete()
    asked = Retrieval.objects.filter(subject_ids__contains=[subject_id], query_text__isnull=False)
    asked.update(query_text=None, query_text_until=None)
    _forget_watched({str(at) for at in memory_ids}, subject_id=subject_id)
    return gone


def _forget_watched(memory_ids: set[str], *, subject_id: UUID) -> None:
    """Take memories out of what versions that only watch would have answered."""
    watched = Retrieval.objects.filter(subject_ids__contains=[subject_id]).exclude(watched=[])
    changed = []
    for asked in watched.only("tenant_id", "id", "watched"):
        notes = [
            {
                name: [at for at in held if at not in memory_ids] if isinstance(held, list) else held
                for name, held in note.items()
            }
            for note in asked.watched
        ]
        if notes != asked.watched:
            asked.watched = notes
            changed.append(asked)
    Retrieval.objects.bulk_update(changed, ["watched"], batch_size=500)


def forget_subject(*, subject_id: UUID) -> int:
    """Take everything about a subject out of the log; tell how many rows went.

    An answer about several subjects stays, without this one's candidates.
    """
    gone, _ = RetrievalCandidate.objects.filter(subject_id=subject_id).delete()
    alone, _ = Retrieval.objects.filter(subject_ids=[subject_id]).delete()
    shared = Retrieval.objects.filter(subject_ids__contains=[subject_id])
    shared.update(query_text=None, query_text_until=None, watched=[])
    return gone + alone
