"""The log of answered questions."""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.functions import RandomUUID
from django.db import models
from django.db.models import Q

from memory_admin.retrieval.ranking import Drop
from memory_admin.tenancy.models import TenantForeignKey, TenantModel

LEAF_BYTES = 32


class Retrieval(TenantModel):
    """One answered question: who asked for what, by which policy, and what became of the candidates.

    ``left_out`` counts what each hard filter kept away (``paused`` ``disputed`` ``expired`` ``superseded``
    ``sensitive`` ``access`` ``mode``), ``dropped`` what was scored and not returned, by reason. ``stages`` are
    milliseconds.
    """

    subject_ids = ArrayField(models.UUIDField())
    asked_by = models.TextField()
    agent_id = models.UUIDField(null=True)
    purpose = models.TextField()
    # A keyed digest tells equal questions apart from others for as long as the row lives; the text goes by its time.
    query_digest = models.BinaryField(max_length=32)
    query_text = models.TextField(null=True)
    query_text_until = models.DateTimeField(null=True)
    model = models.TextField()
    used_vector = models.BooleanField()
    k = models.IntegerField()
    min_score = models.FloatField()
    token_budget = models.IntegerField()
    valid_at = models.DateTimeField(null=True)
    recorded_at = models.DateTimeField(null=True)
    policy_version = models.TextField()
    access_version = models.TextField()
    considered = models.IntegerField()
    returned = models.IntegerField()
    tokens = models.IntegerField()
    left_out = models.JSONField(default=dict)
    dropped = models.JSONField(default=dict)
    stages = models.JSONField(default=dict)
    # What versions that only watch would have answered.
    watched = models.JSONField(default=list)
    created_at = models.DateTimeField()
    # Set when the uses in this answer were added to their memories.
    counted_at = models.DateTimeField(null=True)
    # Random, so that what a seal commits to cannot be guessed once the row is gone.
    salt = models.UUIDField(db_default=RandomUUID())
    # No foreign key: a seal stays when the row goes.
    sealed_in = models.UUIDField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="retrieval_keeps_its_text_for_a_time",
                condition=Q(query_text=None) | Q(query_text_until__isnull=False),
            ),
        ]
        indexes = [
            # The log is listed newest first, for a tenant and for one agent.
            models.Index(fields=["tenant_id", "-created_at", "-id"], name="retrieval_newest"),
            models.Index(fields=["tenant_id", "agent_id", "-created_at"], name="retrieval_of_agent"),
            # The purge and an erasure look for texts that are still kept.
            models.Index(
                fields=["tenant_id", "query_text_until"],
                condition=Q(query_text__isnull=False),
                name="retrieval_with_text",
            ),
            # The count of uses looks for what it has not counted.
            models.Index(fields=["tenant_id", "created_at"], condition=Q(counted_at=None), name="retrieval_uncounted"),
            # The sealing looks for what it has not sealed; a check of the seals reads the answers of each.
            models.Index(fields=["tenant_id", "created_at"], condition=Q(sealed_in=None), name="retrieval_unsealed"),
            models.Index(fields=["tenant_id", "sealed_in"], name="retrieval_of_seal"),
        ]


class RetrievalCandidate(TenantModel):
    """One memory that was returned, or was among the next best and was not; with all that its score was made of.

    It holds no words of the memory: ``reason`` names what spoke for it, ``parts`` its numbers to six digits.
    """

    retrieval_id = models.UUIDField()
    retrieval = TenantForeignKey(Retrieval, "retrieval_id", on_delete=models.CASCADE, related_name="candidates")
    # No foreign key: the log says what was handed out also after a memory is gone.
    memory_id = models.UUIDField()
    subject_id = models.UUIDField()
    memory_version = models.IntegerField()
    kind = models.TextField()
    origin = models.TextField()
    channel = models.TextField()
    asserted_by = models.TextField()
    age_days = models.IntegerField()
    expires_at = models.DateTimeField(null=True)
    access_rule = models.TextField()
    rank = models.IntegerField()
    returned = models.BooleanField()
    drop_reason = models.TextField(null=True, choices=[(drop.value, drop.value) for drop in Drop])
    score = models.FloatField()
    parts = models.JSONField()
    reason = models.TextField()
    salt = models.UUIDField(db_default=RandomUUID())

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="candidate_is_returned_or_dropped_for_a_reason",
                condition=Q(returned=True, drop_reason=None) | Q(returned=False, drop_reason__isnull=False),
            ),
        ]
        indexes = [
            # One retrieval is read whole.
            models.Index(fields=["tenant_id", "retrieval_id"], name="candidates_of_retrieval"),
            # The person asks who used a memory, the latest first; an erasure looks for what was not returned as well.
            models.Index(fields=["tenant_id", "memory_id", "-id"], name="weighings_of_memory"),
            models.Index(fields=["tenant_id", "subject_id"], name="candidates_of_subject"),
        ]


class Seal(TenantModel):
    """A batch of answers, hashed into one root that an event of the audit trail names.

    ``leaves`` has 32 bytes for each row that was sealed, also for those that are erased: they tell nothing without the
    salt of the row.
    """

    root = models.BinaryField()
    leaves = models.BinaryField()
    answers = models.IntegerField()
    audit_seq = models.BigIntegerField()
    sealed_at = models.DateTimeField()

    def every_leaf(self) -> list[bytes]:
        """Give the leaves one by one, in the order in which they were hashed."""
        leaves = bytes(self.leaves)
        return [leaves[at : at + LEAF_BYTES] for at in range(0, len(leaves), LEAF_BYTES)]
