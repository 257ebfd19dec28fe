"""What agents remember: memories with their versions, sources, links, decisions, disputes and pauses."""

from __future__ import annotations

from datetime import datetime
from typing import ClassVar

from django.contrib.postgres.constraints import ExclusionConstraint
from django.contrib.postgres.fields import ArrayField, DateTimeRangeField, RangeBoundary, RangeOperators
from django.db import models
from django.db.models import F, Func, Q
from pgvector.django import BitField

from accounts.models import Agent, Subject
from accounts.vocabulary import Channel
from memory_admin.memories.likeness import BITS
from memory_admin.memories.vocabulary import (
    GONE,
    DisputeReason,
    DisputeResult,
    Kind,
    Origin,
    PauseMode,
    PauseTarget,
    Relation,
    Remedy,
    RequestKind,
    ReviewResult,
    Status,
    WriteResult,
)
from memory_admin.tenancy.models import TenantForeignKey, TenantManager, TenantModel


class Period(Func):
    """A range of time, closed at its start and open at its end; no end is for ever."""

    function = "TSTZRANGE"
    output_field = DateTimeRangeField()


class MemoryQuerySet(models.QuerySet["Memory"]):
    """Memories by what they are."""

    def living(self) -> MemoryQuerySet:
        """Keep those that are neither erased nor about to be: everything a person finds on their page."""
        return self.exclude(status__in=GONE)

    def current(self, at: datetime) -> MemoryQuerySet:
        """Keep those that hold now: active, valid and unexpired."""
        return self.filter(
            Q(valid_to=None) | Q(valid_to__gt=at),
            Q(expires_at=None) | Q(expires_at__gt=at),
            status=Status.ACTIVE,
            valid_from__lte=at,
        )


class Source(TenantModel):
    """Where words came from: one message, page or row of an outer system."""

    subject_id = models.UUIDField()
    subject = TenantForeignKey(Subject, "subject_id", on_delete=models.PROTECT, related_name="+")
    # A keyed digest of the reference: the same source read again is recognised, also after its erasure.
    digest = models.BinaryField(max_length=32)
    trace_id = models.TextField(blank=True, default="")
    message_id = models.TextField(blank=True, default="")
    position = models.IntegerField(null=True)
    uri = models.TextField(blank=True, default="")
    quote = models.TextField(blank=True, default="")
    speaker = models.TextField(blank=True, default="")
    occurred_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["tenant_id", "subject_id", "digest"], name="source_of_subject_once")
        ]
        # The page and the importer look for what came from one conversation.
        indexes = [models.Index(fields=["tenant_id", "subject_id", "trace_id", "position"], name="source_of_trace")]


class Memory(TenantModel):
    """One self-contained statement about one subject."""

    subject_id = models.UUIDField()
    subject = TenantForeignKey(Subject, "subject_id", on_delete=models.PROTECT, related_name="+")
    kind = models.TextField(choices=Kind.choices)
    level = models.TextField(null=True, choices=[("thread", "thread"), ("week", "week"), ("gist", "gist")])
    key = models.TextField(null=True)
    scopes = ArrayField(models.TextField(), default=list)
    aliases = ArrayField(models.TextField(), default=list)
    pinned = models.BooleanField(default=False)
    status = models.TextField(choices=Status.choices)
    origin = models.TextField(choices=Origin.choices)
    channel = models.TextField(choices=Channel.choices)
    asserted_by = models.TextField()
    agent_id = models.UUIDField(null=True)
    agent = TenantForeignKey(Agent, "agent_id", on_delete=models.PROTECT, null=True, related_name="+")
    source_id = models.UUIDField(null=True)
    source = TenantForeignKey(Source, "source_id", on_delete=models.PROTECT, null=True, related_name="+")
    confidence = models.FloatField()
    importance = models.FloatField()
    categories = ArrayField(models.TextField(), default=list)
    statement = models.TextField()
    value = models.JSONField(null=True)
    language = models.TextField(default="und")
    digest = models.BinaryField(max_length=32)
    valid_from = models.DateTimeField()
    valid_to = models.DateTimeField(null=True)
    # The soonest of what the retention policy and its subject's wishes say, both counted from `kept_from`, and of what
    # somebody asked for this memory alone.
    expires_at = models.DateTimeField(null=True)
    kept_from = models.DateTimeField()
    asked_expiry = models.DateTimeField(null=True)
    wished_expiry = models.DateTimeField(null=True)
    # Until when the confidence is that of an inference nobody has confirmed; null while it has not faded.
    faded_at = models.DateTimeField(null=True)
    confirmed_at = models.DateTimeField(null=True)
    confirmed_by = models.TextField(null=True)
    recorded_at = models.DateTimeField()
    changed_at = models.DateTimeField()
    last_used_at = models.DateTimeField(null=True)
    use_count = models.IntegerField(default=0)
    version = models.IntegerField(default=1)
    decision_id = models.UUIDField()
    policy_version = models.TextField()
    rule_ids = ArrayField(models.TextField(), default=list)

    objects: ClassVar[TenantManager[Memory]] = TenantManager.from_queryset(MemoryQuerySet)()  # type: ignore[assignment]

    class Meta:
        constraints = [
            # An empty validity is allowed: it is what remains of a statement that never held.
            models.CheckConstraint(
                name="memory_validity_runs_forward", condition=Q(valid_to=None) | Q(valid_to__gte=F("valid_from"))
            ),
            models.CheckConstraint(
                name="memory_has_words_until_erased",
                condition=(Q(status="erased") & Q(statement="") & Q(value=None))
                | (~Q(status="erased") & ~Q(statement="")),
            ),
            models.CheckConstraint(
                name="memory_confirmed_by_somebody",
                condition=Q(confirmed_at=None, confirmed_by=None)
                | Q(confirmed_at__isnull=False, confirmed_by__isnull=False),
            ),
            models.CheckConstraint(
                name="memory_shares_within_bounds",
                condition=Q(confidence__gte=0, confidence__lte=1, importance__gte=0, importance__lte=1),
            ),
            models.CheckConstraint(
                name="memory_from_untrusted_channel_confirmed_first",
                condition=~Q(status__in=["active", "disputed"])
                | ~Q(channel__in=["agent", "tool", "document", "peer_agent"])
                | Q(confirmed_at__isnull=False),
            ),
            ExclusionConstraint(
                name="memory_one_value_per_key",
                index_type="gist",
                expressions=[
                    ("tenant_id", RangeOperators.EQUAL),
                    ("subject_id", RangeOperators.EQUAL),
                    ("key", RangeOperators.EQUAL),
                    (Period("valid_from", "valid_to", RangeBoundary()), RangeOperators.OVERLAPS),
                ],
                condition=Q(key__isnull=False, status="active"),
            ),
        ]
        indexes = [
            # The page and the API list the memories of one subject, newest first.
            models.Index(fields=["tenant_id", "subject_id", "-recorded_at", "-id"], name="memory_of_subject"),
            # An agent may list those of all its subjects.
            models.Index(fields=["tenant_id", "-recorded_at", "-id"], name="memory_newest"),
            # The write path looks for the same statement; the hard filters count what they leave out.
            models.Index(fields=["tenant_id", "subject_id", "digest"], name="memory_by_digest"),
            models.Index(fields=["tenant_id", "subject_id", "status"], name="memory_by_status"),
            # Reviewers read what is held for a check, the oldest first.
            models.Index(
                fields=["tenant_id", "recorded_at", "id"],
                condition=Q(status=Status.QUARANTINED),
                name="memory_held",
            ),
            # The sweep looks for what is past its time, for what nobody answered, and for what is to be purged.
            models.Index(
                fields=["tenant_id", "expires_at"],
                condition=Q(expires_at__isnull=False) & ~Q(status__in=[Status.EXPIRED, *GONE]),
                name="memory_ending",
            ),
            models.Index(
                fields=["tenant_id", "recorded_at"], condition=Q(status=Status.PROPOSED), name="memory_unanswered"
            ),
            models.Index(fields=["tenant_id", "expires_at"], condition=Q(status=Status.EXPIRED), name="memory_expired"),
            # Erasing a source finds what was learned from it.
            models.Index(fields=["tenant_id", "source_id"], name="memory_of_source"),
            # Every search looks for what a rule or a pause about its category closes.
            models.Index(
                fields=["tenant_id", "subject_id"],
                condition=Q(status=Status.ACTIVE) & ~Q(categories=[]),
                name="memory_with_categories",
            ),
        ]


class MemoryRevision(TenantModel):
    """How one memory read, and what held, during one recorded period; the last one is open."""

    memory_id = models.UUIDField()
    memory = TenantForeignKey(Memory, "memory_id", on_delete=models.CASCADE, related_name="revisions")
    subject_id = models.UUIDField()
    version = models.IntegerField()
    kind = models.TextField()
    key = models.TextField(null=True)
    status = models.TextField(choices=Status.choices)
    origin = models.TextField(choices=Origin.choices)
    confidence = models.FloatField()
    # Of these words: what they were about stays closed, also when the memory says something else by now.
    categories = ArrayField(models.TextField(), default=list)
    statement = models.TextField()
    value = models.JSONField(null=True)
    digest = models.BinaryField(max_length=32, default=b"")
    valid_from = models.DateTimeField()
    valid_to = models.DateTimeField(null=True)
    recorded_from = models.DateTimeField()
    recorded_to = models.DateTimeField(null=True)
    changed_by = models.TextField()
    reason = models.TextField(blank=True, default="")
    policy_version = models.TextField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["tenant_id", "memory_id", "version"], name="revision_number_once"),
            models.CheckConstraint(
                name="revision_record_runs_forward",
                condition=Q(recorded_to=None) | Q(recorded_to__gte=F("recorded_from")),
            ),
            ExclusionConstraint(
                name="revision_one_value_per_key",
                index_type="gist",
                expressions=[
                    ("tenant_id", RangeOperators.EQUAL),
                    ("subject_id", RangeOperators.EQUAL),
                    ("key", RangeOperators.EQUAL),
                    (Period("valid_from", "valid_to", RangeBoundary()), RangeOperators.OVERLAPS),
                    (Period("recorded_from", "recorded_to", RangeBoundary()), RangeOperators.OVERLAPS),
                ],
                condition=Q(key__isnull=False, status__in=["active", "superseded"]),
            ),
        ]
        # Questions about the past read what was recorded of one subject.
        indexes = [
            models.Index(fields=["tenant_id", "subject_id", "recorded_from"], name="revision_of_subject"),
            # An erasure looks for what once said the same.
            models.Index(fields=["tenant_id", "subject_id", "digest"], name="revision_by_digest"),
        ]


class Evidence(TenantModel):
    """One independent source that says the same as a memory."""

    memory_id = models.UUIDField()
    memory = TenantForeignKey(Memory, "memory_id", on_delete=models.CASCADE, related_name="evidence")
    source_id = models.UUIDField()
    source = TenantForeignKey(Source, "source_id", on_delete=models.CASCADE, related_name="+")
    asserted_by = models.TextField()
    channel = models.TextField(choices=Channel.choices)
    created_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["tenant_id", "memory_id", "source_id"], name="evidence_counted_once")
        ]
        # Erasing a source finds what rests on it.
        indexes = [models.Index(fields=["tenant_id", "source_id"], name="evidence_of_source")]


class Link(TenantModel):
    """A typed edge between two memories."""

    from_id = models.UUIDField()
    from_memory = TenantForeignKey(Memory, "from_id", on_delete=models.CASCADE, related_name="links_out")
    to_id = models.UUIDField()
    to_memory = TenantForeignKey(Memory, "to_id", on_delete=models.CASCADE, related_name="links_in")
    relation = models.TextField(choices=Relation.choices)
    created_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["tenant_id", "from_id", "to_id", "relation"], name="link_once"),
            models.CheckConstraint(name="link_joins_two", condition=~Q(from_id=F("to_id"))),
        ]
        # The graph is walked both ways.
        indexes = [models.Index(fields=["tenant_id", "to_id"], name="link_into")]


class WriteDecision(TenantModel):
    """What was decided about one write, by which rules of which policy version."""

    subject_id = models.UUIDField()
    subject = TenantForeignKey(Subject, "subject_id", on_delete=models.PROTECT, related_name="+")
    # Reserved for the memory, whether one came of it or not.
    memory_id = models.UUIDField()
    result = models.TextField(choices=WriteResult.choices)
    kind = models.TextField()
    origin = models.TextField()
    channel = models.TextField()
    agent_id = models.UUIDField(null=True)
    asserted_by = models.TextField()
    findings = ArrayField(models.TextField(), default=list)
    categories = ArrayField(models.TextField(), default=list)
    rule_ids = ArrayField(models.TextField(), default=list)
    policy_version = models.TextField()
    relation = models.TextField(blank=True, default="")
    # With the above all that a write rule may ask about, so that another version can decide it again; no words.
    agent_name = models.TextField(blank=True, default="")
    length = models.IntegerField(null=True)
    confidence = models.FloatField(null=True)
    importance = models.FloatField(null=True)
    subject_kind = models.TextField(blank=True, default="")
    is_test = models.BooleanField(default=False)
    # The verdict of the policy alone, and what the versions that only watch would have said.
    outcome = models.TextField(blank=True, default="")
    watched = models.JSONField(default=list)
    # What was refused, for its subject alone and for some days only; never a secret or an inferred sensitive trait.
    sealed_text = models.TextField(null=True)
    sealed_until = models.DateTimeField(null=True)
    sealed_digest = models.BinaryField(max_length=32, null=True)
    decided_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="decision_seals_for_a_time", condition=Q(sealed_text=None) | Q(sealed_until__isnull=False)
            )
        ]
        # "Not saved" lists the refusals of one subject; the rates count its latest writes.
        indexes = [
            models.Index(fields=["tenant_id", "subject_id", "-decided_at"], name="decision_of_subject"),
            models.Index(fields=["tenant_id", "agent_id", "-decided_at"], name="decision_of_agent"),
            # A simulation decides again what was decided in a stretch of time.
            models.Index(fields=["tenant_id", "decided_at"], name="decision_by_time"),
            # An erasure empties what was decided about a memory.
            models.Index(fields=["tenant_id", "memory_id"], name="decision_of_memory"),
            # An erasure looks for what was refused and says the same.
            models.Index(
                fields=["tenant_id", "subject_id", "sealed_digest"],
                condition=Q(sealed_text__isnull=False),
                name="decision_by_sealed_digest",
            ),
        ]


class Dispute(TenantModel):
    """Somebody says that a memory is not right; it is out of use until that is answered."""

    memory_id = models.UUIDField()
    memory = TenantForeignKey(Memory, "memory_id", on_delete=models.CASCADE, related_name="disputes")
    reason = models.TextField(choices=DisputeReason.choices)
    words = models.TextField(blank=True, default="")
    opened_by = models.TextField()
    opened_at = models.DateTimeField()
    due_at = models.DateTimeField()
    result = models.TextField(choices=DisputeResult.choices, null=True)
    # What was done about it when a reviewer upheld it.
    remedy = models.TextField(choices=Remedy.choices, null=True)
    answer = models.TextField(blank=True, default="")
    closed_by = models.TextField(null=True)
    closed_at = models.DateTimeField(null=True)
    # Not upheld: until then the person can act on the answer, and no agent uses the memory.
    lifts_at = models.DateTimeField(null=True)
    # Not upheld: what the person puts beside the memory.
    statement = models.TextField(blank=True, default="")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["tenant_id", "memory_id"], condition=Q(closed_at=None), name="dispute_open_once"
            ),
            models.CheckConstraint(
                name="dispute_closed_with_a_result",
                condition=Q(closed_at=None, closed_by=None, result=None)
                | Q(closed_at__isnull=False, closed_by__isnull=False, result__isnull=False),
            ),
            models.CheckConstraint(
                name="dispute_remedied_when_upheld",
                condition=Q(remedy=None) | Q(result__isnull=False, result=DisputeResult.UPHELD),
            ),
            models.CheckConstraint(
                name="dispute_lifts_when_not_upheld",
                condition=Q(result=DisputeResult.NOT_UPHELD, lifts_at__isnull=False)
                | (Q(lifts_at=None, statement="") & (Q(result=None) | ~Q(result=DisputeResult.NOT_UPHELD))),
            ),
        ]
        indexes = [
            # Its page and its erasure look for those of a memory, the closed ones too.
            models.Index(fields=["tenant_id", "memory_id"], name="dispute_of_memory"),
            # Reviewers read the open ones, the first due first.
            models.Index(fields=["tenant_id", "due_at", "id"], condition=Q(closed_at=None), name="dispute_open_by_due"),
        ]


class RefusalReview(TenantModel):
    """Somebody asks to look again at a write about them that was refused; each refusal is looked at again once."""

    decision_id = models.UUIDField()
    decision = TenantForeignKey(WriteDecision, "decision_id", on_delete=models.PROTECT, related_name="reviews")
    subject_id = models.UUIDField()
    subject = TenantForeignKey(Subject, "subject_id", on_delete=models.PROTECT, related_name="+")
    words = models.TextField(blank=True, default="")
    opened_by = models.TextField()
    opened_at = models.DateTimeField()
    due_at = models.DateTimeField()
    result = models.TextField(choices=ReviewResult.choices, null=True)
    answer = models.TextField(blank=True, default="")
    # What came of it when it was let in.
    memory_id = models.UUIDField(null=True)
    closed_by = models.TextField(null=True)
    closed_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["tenant_id", "decision_id"], name="review_of_refusal_once"),
            models.CheckConstraint(
                name="review_closed_with_a_result",
                condition=Q(closed_at=None, closed_by=None, result=None)
                | Q(closed_at__isnull=False, closed_by__isnull=False, result__isnull=False),
            ),
        ]
        indexes = [
            # An erasure empties those of its subject.
            models.Index(fields=["tenant_id", "subject_id"], name="review_of_subject"),
            # Reviewers read the open ones, the first due first.
            models.Index(fields=["tenant_id", "due_at", "id"], condition=Q(closed_at=None), name="review_open_by_due"),
        ]


class DataRequest(TenantModel):
    """One thing that was asked for about a subject, with a number to read out; how it stands is told by its object."""

    number = models.TextField()
    kind = models.TextField(choices=RequestKind.choices)
    subject_id = models.UUIDField()
    subject = TenantForeignKey(Subject, "subject_id", on_delete=models.PROTECT, related_name="+")
    object_id = models.UUIDField()
    opened_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["tenant_id", "number"], name="request_number_once"),
            models.UniqueConstraint(fields=["tenant_id", "object_id"], name="request_of_object_once"),
        ]
        indexes = [
            # The person reads their own, the newest first; privacy officers those of all.
            models.Index(fields=["tenant_id", "subject_id", "-opened_at", "-id"], name="request_of_subject"),
            models.Index(fields=["tenant_id", "-opened_at", "-id"], name="request_newest"),
        ]

    @property
    def spoken(self) -> str:
        """Give the number in groups, as it is read out: "482-719-305"."""
        return "-".join(self.number[at : at + 3] for at in range(0, len(self.number), 3))


class MemoryPause(TenantModel):
    """Something is out of use for a while: one memory, a category, an agent, or everything."""

    subject_id = models.UUIDField()
    subject = TenantForeignKey(Subject, "subject_id", on_delete=models.PROTECT, related_name="+")
    target = models.TextField(choices=PauseTarget.choices)
    memory_id = models.UUIDField(null=True)
    memory = TenantForeignKey(Memory, "memory_id", on_delete=models.CASCADE, null=True, related_name="pauses")
    agent_id = models.UUIDField(null=True)
    agent = TenantForeignKey(Agent, "agent_id", on_delete=models.PROTECT, null=True, related_name="+")
    category = models.TextField(null=True)
    mode = models.TextField(choices=PauseMode.choices, default=PauseMode.BOTH)
    until = models.DateTimeField(null=True)
    paused_by = models.TextField()
    paused_at = models.DateTimeField()
    resumed_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="pause_names_its_target",
                condition=Q(target="all", memory_id=None, agent_id=None, category=None)
                | Q(target="memory", memory_id__isnull=False, agent_id=None, category=None)
                | Q(target="agent", memory_id=None, agent_id__isnull=False, category=None)
                | Q(target="category", memory_id=None, agent_id=None, category__isnull=False),
            )
        ]
        # Every read and every write asks what is paused for the subject.
        indexes = [
            models.Index(fields=["tenant_id", "subject_id"], condition=Q(resumed_at=None), name="pause_of_subject")
        ]


class Tombstone(TenantModel):
    """A content-free keyed digest that keeps an erased statement, or its source, from being learned again."""

    subject_id = models.UUIDField()
    subject = TenantForeignKey(Subject, "subject_id", on_delete=models.PROTECT, related_name="+")
    digest = models.BinaryField(max_length=32)
    of = models.TextField(choices=[("statement", "statement"), ("source", "source")])
    canonical_version = models.IntegerField()
    # The erasure it was set by; none of what was turned down or corrected.
    erasure_id = models.UUIDField(null=True)
    # The keyed signature of its vector, and the model that the vector was of.
    likeness = BitField(length=BITS, null=True)
    model = models.TextField(null=True)
    created_at = models.DateTimeField()
    lifted_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["tenant_id", "subject_id", "digest"], condition=Q(lifted_at=None), name="tombstone_once"
            ),
            models.CheckConstraint(
                name="tombstone_likeness_of_a_model",
                condition=Q(likeness=None, model=None) | Q(likeness__isnull=False, model__isnull=False),
            ),
        ]
        # Every write by an agent asks whether something like it was erased.
        indexes = [
            models.Index(
                fields=["tenant_id", "subject_id", "model"],
                condition=Q(lifted_at=None, likeness__isnull=False),
                name="tombstone_by_likeness",
            )
        ]
