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
    # RFC 3339 in UTC to the microsecond, so that the order of the texts is that of the times.
    at = told("{at}")
    policy_version = told("{policy_version}")
    request_id = told("{request_id}")

    class Meta:
        constraints = [models.CheckConstraint(name="event_numbers_start_at_one", condition=Q(seq__gte=1))]
        # The trail of one memory, subject, agent or policy, oldest first.
        indexes = [
            models.Index("tenant_id", "target_id", "seq", name="event_of_target"),
            # The list is narrowed to one action or one actor, newest first; the last check is looked up on every page.
            models.Index("tenant_id", "action", "seq", name="event_of_action"),
            models.Index("tenant_id", "actor", "seq", name="event_by_actor"),
            # A stretch of time becomes a stretch of numbers, and events are counted by day.
            models.Index("tenant_id", "at", "seq", name="event_at"),
            models.Index("tenant_id", "policy_version", "seq", name="event_under_policy"),
            # The page of an event lists what else its request did.
            models.Index("tenant_id", "request_id", "seq", name="event_of_request"),
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


class Check(TenantModel):
    """One check of the chain: who asked for it, how long the chain was then, and what was found.

    :ivar agreed: the size of the longest checkpoint that the chain agrees with; 0 when none was compared
    :ivar checkpoint_at: when the last checkpoint was written, as of the check
    """

    asked_by = models.TextField()
    asked_at = models.DateTimeField()
    size = models.BigIntegerField()
    done_at = models.DateTimeField(null=True)
    events = models.BigIntegerField(default=0)
    head = models.BinaryField(default=b"")
    agreed = models.BigIntegerField(default=0)
    checkpoint_at = models.DateTimeField(null=True)
    first_bad = models.BigIntegerField(null=True)
    problem = models.TextField(default="")
    findings = models.IntegerField(default=0)

    class Meta:
        # The last one stands on every page of the console; the one that runs on that of the trail.
        indexes = [
            models.Index("tenant_id", "done_at", name="check_done"),
            models.Index("tenant_id", "asked_at", name="check_asked"),
        ]

    def __str__(self) -> str:
        return f"check of {self.size}"

    @property
    def holds(self) -> bool:
        return self.first_bad is None
