"""Forgetting: what was asked to be erased, and what came of it."""

from __future__ import annotations

from datetime import timedelta

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q

from accounts.models import Subject
from memory_admin.tenancy.models import TenantForeignKey, TenantModel


class State(models.TextChoices):
    """How far an erasure is. Nothing serves the words in any of them but the last."""

    WAITING = "waiting"  # it can be taken back until its time
    ERASING = "erasing"
    ERASED = "erased"
    TAKEN_BACK = "taken_back"


SCOPES = ("memories", "filter", "source", "agent", "subject")
UNFINISHED = (State.WAITING, State.ERASING)


class ErasureRequest(TenantModel):
    """One request to erase memories of a subject; it covers what existed at its own time, and holds no words.

    :ivar done: how many of the memories are erased; they go in the order of their ids
    :ivar due_at: when the erasing begins, by the clock of the database; until then it can be taken back
    :ivar verified_at: when nothing was found of it any more: it is complete
    :ivar looks: how often it was looked for
    :ivar trouble: the code of what went wrong when it was looked for last, and ``next_look_at`` when it is tried again
    :ivar keeps_out: what is erased is not to be learned again
    """

    subject_id = models.UUIDField()
    subject = TenantForeignKey(Subject, "subject_id", on_delete=models.PROTECT, related_name="+")
    scope = models.TextField(choices=[(name, name) for name in SCOPES])
    # A keyed digest of what the scope names; none where the memories were named themselves.
    scope_digest = models.BinaryField(max_length=32, null=True)
    memory_ids = ArrayField(models.UUIDField(), default=list)
    done = models.IntegerField(default=0)
    state = models.TextField(choices=State.choices, default=State.ERASED)
    keeps_out = models.BooleanField(default=True)
    epoch = models.BigIntegerField()
    requested_by = models.TextField()
    requested_at = models.DateTimeField()
    due_at = models.DateTimeField(null=True)
    erased_at = models.DateTimeField(null=True)
    taken_back_at = models.DateTimeField(null=True)
    counts = models.JSONField(default=dict)
    audit_seq = models.BigIntegerField(null=True)
    verified_at = models.DateTimeField(null=True)
    looks = models.IntegerField(default=0)
    trouble = models.TextField(blank=True, default="")
    next_look_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="erasure_done_at_a_time", condition=~Q(state="erased") | Q(erased_at__isnull=False)
            ),
            models.CheckConstraint(
                name="erasure_taken_back_at_a_time",
                condition=Q(state="taken_back", taken_back_at__isnull=False)
                | (~Q(state="taken_back") & Q(taken_back_at=None)),
            ),
            models.CheckConstraint(
                name="erasure_waits_until_a_time",
                condition=~Q(state__in=["waiting", "erasing"]) | Q(due_at__isnull=False),
            ),
        ]
        indexes = [
            # The person's receipts, the newest first.
            models.Index(fields=["tenant_id", "subject_id", "-requested_at"], name="erasure_of_subject"),
            # The page of a memory and every list ask what is being erased.
            models.Index(
                fields=["tenant_id", "subject_id"],
                condition=Q(state__in=["waiting", "erasing"]),
                name="erasure_unfinished",
            ),
        ]

    @property
    def time_left(self) -> timedelta:
        """Tell how long it can still be taken back, as `lifecycle.queries` has read it by the clock of the database."""
        left: timedelta | None = getattr(self, "left", None)
        return left or timedelta(0)

    @property
    def is_unfinished(self) -> bool:
        """Tell whether words are still to be erased."""
        return self.state in UNFINISHED

    @property
    def is_partly_done(self) -> bool:
        """Tell whether the words are erased, and a stage after that has failed."""
        return self.state == State.ERASED and bool(self.trouble)

    @property
    def can_be_taken_back(self) -> bool:
        """Tell whether its time is not over yet."""
        return self.state == State.WAITING and self.time_left > timedelta(0)


class Sweep(TenantModel):
    """One hour's sweep through what is stored: what ended, what was put to rest, what was purged.

    :ivar hour: hours since 1970
    :ivar counts: how many memories, by what became of them
    """

    hour = models.BigIntegerField()
    began_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)
    counts = models.JSONField(default=dict)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["tenant_id", "hour"], name="sweep_once_an_hour")]


class ExportScope(models.TextChoices):
    """How much of what is remembered an export holds."""

    ALL = "all", "Everything"
    PORTABLE = "portable", "What you said or did yourself"
    CATEGORY = "category", "One category"


class ExportState(models.TextChoices):
    """How far an export is; its content is there while it is ready, and at no other time."""

    PENDING = "pending"
    READY = "ready"
    ENDED = "ended"
    WITHDRAWN = "withdrawn"  # something of what it held was erased since


class Export(TenantModel):
    """A copy of everything that is remembered about a subject, for them to take away.

    It lies in the database and nowhere else, so that an erasure takes it along in its own transaction.

    :ivar category: of an export of one category
    :ivar ends_at: until when it can be fetched
    :ivar content: a ZIP archive
    """

    subject_id = models.UUIDField()
    subject = TenantForeignKey(Subject, "subject_id", on_delete=models.PROTECT, related_name="+")
    scope = models.TextField(choices=ExportScope.choices)
    category = models.TextField(blank=True, default="")
    state = models.TextField(choices=ExportState.choices, default=ExportState.PENDING)
    asked_by = models.TextField()
    asked_at = models.DateTimeField()
    ready_at = models.DateTimeField(null=True)
    ends_at = models.DateTimeField(null=True)
    memories = models.IntegerField(null=True)
    size = models.IntegerField(null=True)
    sha256 = models.BinaryField(max_length=32, null=True)
    content = models.BinaryField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["tenant_id", "subject_id"], condition=Q(state="pending"), name="export_one_at_a_time"
            ),
            models.CheckConstraint(
                name="export_has_content_while_ready",
                condition=Q(state="ready", content__isnull=False) | (~Q(state="ready") & Q(content=None)),
            ),
        ]
        indexes = [models.Index(fields=["tenant_id", "subject_id", "-asked_at"], name="export_of_subject")]
