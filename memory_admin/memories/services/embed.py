"""Giving a memory the vector it was stored without."""

from __future__ import annotations

from uuid import UUID

from django.db import transaction

from memory_admin.indexing import embedding
from memory_admin.indexing.services import fill_vectors
from memory_admin.memories import changes
from memory_admin.memories.models import Memory
from memory_admin.memories.vocabulary import Status


@transaction.atomic
def embed(*, memory_id: UUID) -> bool:
    """Embed an active memory that search knows by its words only; tell whether it was done.

    The words are read as they are now, under the subject's lock: after an erasure there is nothing to embed.

    :raises ModelUnavailable: the model still cannot be reached; the job comes again
    """
    subject_id = Memory.objects.filter(id=memory_id).values_list("subject_id", flat=True).first()
    if subject_id is None:
        return False
    changes.lock_subject(subject_id)
    memory = Memory.objects.select_related("source").filter(id=memory_id, status=Status.ACTIVE).first()
    if memory is None:
        return False
    vector = embedding.embed([changes.embedded_text(memory)])[0]
    return fill_vectors({memory_id: vector}) > 0
