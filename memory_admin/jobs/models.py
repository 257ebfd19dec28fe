"""The outbox table."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from memory_admin.tenancy.models import TenantModel


class Job(TenantModel):
    """Something to be done in the background, once, for one object: ids only, never text."""

    name = models.TextField()
    object_id = models.UUIDField()
    epoch = models.BigIntegerField(default=0)
    due_at = models.DateTimeField()
    attempts = models.IntegerField(default=0)
    done_at = models.DateTimeField(null=True)
    failed_at = models.DateTimeField(null=True)
    error = models.TextField(default="")

    class Meta:
        constraints = [
            # The same job is not queued twice. One that has begun may have read too early: behind it another may wait.
            models.UniqueConstraint(
                fields=["tenant_id", "name", "object_id", "epoch"],
                condition=Q(done_at=None, failed_at=None, attempts=0),
                name="job_waits_once",
            ),
        ]
        indexes = [
            # The relay looks for what is overdue, over all tenants.
            models.Index(fields=["due_at"], condition=Q(done_at=None, failed_at=None), name="job_overdue"),
        ]
