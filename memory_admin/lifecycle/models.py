"""Forgetting: what was asked to be erased, and what came of it."""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q

from accounts.models import Subject
from memory_admin.tenancy.models import TenantForeignKey, TenantModel


class ErasureRequest(TenantModel):
    """One request to erase memories of a subject; it covers what existed at its own time, and holds no words."""

    subject_id = models.UUIDField()
    subject = TenantForeignKey(Subject, "subject_id", on_delete=models.PROTECT, related_name="+")
    scope = models.TextField(choices=[("memories", "memories"), ("subject", "subject")])
    memory_ids = ArrayField(models.UUIDField(), default=list)
    state = models.TextField(choices=[("erased", "erased")], default="erased")
    epoch = models.BigIntegerField()
    requested_by = models.TextField()
    requested_at = models.DateTimeField()
    erased_at = models.DateTimeField(null=True)
    counts = models.JSONField(default=dict)
    audit_seq = models.BigIntegerField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="erasure_done_at_a_time", condition=~Q(state="erased") | Q(erased_at__isnull=False)
            )
        ]
        # The person's receipts, the newest first.
        indexes = [models.Index(fields=["tenant_id", "subject_id", "-requested_at"], name="erasure_of_subject")]
