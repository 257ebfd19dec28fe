"""The search table: below the memories, so that a write and its entry share one transaction."""

from __future__ import annotations

from django.db import models
from pgvector.django import BitField, HalfVectorField, SparseVectorField

from accounts.models import Subject
from memory_admin.indexing.embedding import DIMENSIONS
from memory_admin.indexing.lexemes import SPACE
from memory_admin.tenancy.models import TenantForeignKey, TenantModel


class Entry(TenantModel):
    """What search reads of one retrievable memory, by one embedding model; a memory that may not be found has none.

    ``embedding`` is null until the model could be reached; the memory is then found by its words.
    """

    memory_id = models.UUIDField()
    subject_id = models.UUIDField()
    subject = TenantForeignKey(Subject, "subject_id", on_delete=models.PROTECT, related_name="+")
    model = models.TextField()
    kind = models.TextField()
    valid_from = models.DateTimeField()
    valid_to = models.DateTimeField(null=True)
    expires_at = models.DateTimeField(null=True)
    embedding = HalfVectorField(dimensions=DIMENSIONS, null=True)
    # The signs of the embedding: comparing them is enough to find the few hundred whose embedding is worth reading.
    embedding_bits = BitField(length=DIMENSIONS, null=True)
    # A one at the hash of each lexeme. A question is a sparse vector of powers of two, and the inner product of both
    # tells which of its words an entry holds: one call in C for each row, far cheaper than comparing arrays.
    lexemes = SparseVectorField(dimensions=SPACE)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["tenant_id", "memory_id", "model"], name="entry_of_memory_once"),
            models.CheckConstraint(
                name="entry_bits_come_with_the_embedding",
                condition=models.Q(embedding=None, embedding_bits=None)
                | models.Q(embedding__isnull=False, embedding_bits__isnull=False),
            ),
        ]
        # The candidate query reads all entries of a subject from this index alone, without visiting the table.
        indexes = [
            models.Index(
                fields=["tenant_id", "subject_id", "model"],
                include=["memory_id", "kind", "valid_from", "valid_to", "expires_at", "embedding_bits", "lexemes"],
                name="entries_of_subject",
            ),
            # Every search counts what is past its time and not swept away yet.
            models.Index(
                fields=["tenant_id", "subject_id", "expires_at"],
                condition=models.Q(expires_at__isnull=False),
                name="entries_by_expiry",
            ),
        ]
