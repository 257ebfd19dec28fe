"""What the API itself must remember between two requests: never a word of what was sent."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q

from accounts.models import ApiKey
from memory_admin.tenancy.models import TenantForeignKey, TenantModel


class IdempotencyRecord(TenantModel):
    """One POST that a key marked as its own: digests of the mark and of the request, and the ids of what it did."""

    key_id = models.UUIDField()
    key = TenantForeignKey(ApiKey, "key_id", on_delete=models.CASCADE, related_name="+")
    digest = models.BinaryField(max_length=32)
    request_digest = models.BinaryField(max_length=32)
    status = models.SmallIntegerField(null=True)
    results = models.JSONField(default=dict)
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField()

    class Meta:
        constraints = [
            # A second request with the same mark waits here until the first has committed.
            models.UniqueConstraint(fields=["tenant_id", "key_id", "digest"], name="idempotency_mark_once"),
            models.CheckConstraint(
                name="idempotency_ends_after_it_begins", condition=Q(expires_at__gt=F("created_at"))
            ),
        ]
        # The purge looks for what has expired.
        indexes = [models.Index("tenant_id", "expires_at", name="idempotency_expired")]


class RateWindow(models.Model):
    """How many requests a key has made in the running minute; asked before a tenant is known to be right."""

    pk = models.CompositePrimaryKey("key_id", "about")
    key_id = models.UUIDField()
    about = models.TextField()  # empty for all requests, else a digest of the subject that was read
    started_at = models.DateTimeField()
    used = models.IntegerField()

    def __str__(self) -> str:
        return f"{self.used} since {self.started_at:%H:%M:%S}"
