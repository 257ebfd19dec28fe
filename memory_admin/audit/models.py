"""The audit trail as it is stored. The database's own functions write these tables; the app role reads them."""

from django.db import models
from django.db.models import F, Func, GeneratedField, Q

from memory_admin.tenancy.models import TenantModel


class Reading(Func):
    """One value out of canonical bytes, as text; nothing for what is not told."""

    template = "audit_told(%(expressions)s, '%(path)s')"


def told(path: str) -> GeneratedField:
    """Make a column that the database itself reads from the canonical bytes, so that it says what is hashed."""
    return GeneratedField(
        expression=Reading(F("canonical"), path=path, output_field=models.TextField()),
        output_field=models.TextField(null=True),
        db_persist=True,
    )


class Chain(TenantModel):
    """How long one tenant's chain is, and the hash of its last event."""

    pk = None
    id = None  # type: ignore[assignment]
    tenant_id = models.UUIDField(primary_key=True, editable=False)
    size = models.BigIntegerField()
    head = models.BinaryField()

    class Meta:
        constraints = [models.CheckConstraint(name="chain_is_never_negative", condition=Q(size__gte=0))]

    def __str__(self) -> str:
        return f"chain of {self.size}"


class Event(TenantModel):
    """One thing that somebody did: metadata only, hashed onto the event before it."""

    pk = models.CompositePrimaryKey("tenant_id", "seq")
    id = None  # type: ignore[assignment]
    seq = models.BigIntegerField()
    canonical = models.BinaryField()
    prev_hash = models.BinaryField()
    hash = models.BinaryField()
    action = told("{action}")
    actor = told("{by}")
    target_id = told("{target,id}")

    class Meta:
        constraints = [models.CheckConstraint(name="event_numbers_start_at_one", condition=Q(seq__gte=1))]
        # The trail of one memory, subject, agent or policy, oldest first.
        indexes = [
            models.Index("tenant_id", "target_id", "seq", name="event_of_target"),
            # The list is narrowed to one action or one actor, newest first; the last check is looked up on every page.
            models.Index("tenant_id", "action", "seq", name="event_of_action"),
            models.Index("tenant_id", "actor", "seq", name="event_by_actor"),
        ]

    def __str__(self) -> str:
        return f"event {self.seq}"


class Payload(TenantModel):
    """The particulars of one event, as canonical JSON text; the chain commits to it, so it can be erased alone."""

    pk = models.CompositePrimaryKey("tenant_id", "seq")
    id = None  # type: ignore[assignment]
    seq = models.BigIntegerField()
    salt = models.BinaryField()
    body = models.TextField()

    def __str__(self) -> str:
        return f"payload of event {self.seq}"
