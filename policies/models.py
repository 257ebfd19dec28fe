"""Policies as rows: families, versions, where and when each is in force, and requests to change one."""

from __future__ import annotations

from django.contrib.postgres.constraints import ExclusionConstraint
from django.contrib.postgres.fields import DateTimeRangeField, RangeOperators
from django.db import models
from django.db.models import F, Q

from accounts.models import Agent, Subject
from accounts.vocabulary import Channel
from memory_admin.tenancy.models import TenantForeignKey, TenantModel

EVERYWHERE = "*"


class FamilyKey(models.TextChoices):
    """What a policy decides."""

    WRITE = "write"
    RETENTION = "retention"
    RETRIEVAL = "retrieval"
    ACCESS = "access"
    PROCEDURE = "procedure"


class RiskClass(models.TextChoices):
    """How much harm a wrong version can do; it decides what an approval needs."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"


class VersionState(models.TextChoices):
    """Where the text of a version stands."""

    DRAFT = "draft"
    IN_REVIEW = "in_review"
    APPROVED = "approved"
    REJECTED = "rejected"
    WITHDRAWN = "withdrawn"


class ActivationState(models.TextChoices):
    """Where one use of a version stands."""

    SCHEDULED = "scheduled"
    EFFECTIVE = "effective"
    SUPERSEDED = "superseded"
    REVOKED = "revoked"
    ENDED = "ended"


class Lane(models.TextChoices):
    """Whether an activation decides or is only watched."""

    ENFORCE = "enforce"
    SHADOW = "shadow"


class Mode(models.TextChoices):
    """What an activation does with its decision."""

    SHADOW = "shadow"
    WARN = "warn"
    ENFORCE = "enforce"


class RequestStatus(models.TextChoices):
    """What became of a request to change a policy."""

    OPEN = "open"
    DISMISSED = "dismissed"
    DRAFTED = "drafted"


class PolicyFamily(TenantModel):
    """One of the five things that policies decide, in one tenant."""

    key = models.TextField(choices=FamilyKey.choices)
    title = models.TextField()
    owner_team = models.TextField()
    risk_class = models.TextField(choices=RiskClass.choices)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["tenant_id", "key"], name="policy_family_once")]


class PolicyVersion(TenantModel):
    """The content of a policy at one number; frozen from the moment it leaves draft (a trigger holds that)."""

    family_id = models.UUIDField()
    family = TenantForeignKey(PolicyFamily, "family_id", on_delete=models.PROTECT, related_name="versions")
    number = models.PositiveIntegerField()
    content = models.JSONField()
    content_sha256 = models.TextField()
    base_version_id = models.UUIDField(null=True)
    base_version = TenantForeignKey("self", "base_version_id", on_delete=models.PROTECT, null=True, related_name="+")
    state = models.TextField(choices=VersionState.choices, default=VersionState.DRAFT)
    created_by = models.TextField()
    created_at = models.DateTimeField()
    approved_by = models.TextField(null=True)
    approved_at = models.DateTimeField(null=True)
    approval_note = models.TextField(blank=True, default="")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["tenant_id", "family_id", "number"], name="policy_version_number_once"),
            models.CheckConstraint(name="policy_version_numbers_from_one", condition=Q(number__gte=1)),
            models.CheckConstraint(
                name="policy_version_digest_is_sha256", condition=Q(content_sha256__regex=r"^[0-9a-f]{64}$")
            ),
            models.CheckConstraint(
                name="policy_version_approved_by_somebody",
                condition=~Q(state=VersionState.APPROVED) | Q(approved_by__isnull=False, approved_at__isnull=False),
            ),
        ]


class PolicyActivation(TenantModel):
    """One use of a version: for whom, how, from when until when."""

    version_id = models.UUIDField()
    version = TenantForeignKey(PolicyVersion, "version_id", on_delete=models.PROTECT, related_name="activations")
    region = models.TextField(null=True)
    agent_id = models.UUIDField(null=True)
    agent_scope = TenantForeignKey(Agent, "agent_id", on_delete=models.PROTECT, null=True, related_name="+")
    lane = models.TextField(choices=Lane.choices, default=Lane.ENFORCE)
    mode = models.TextField(choices=Mode.choices, default=Mode.ENFORCE)
    effective_from = models.DateTimeField(null=True)
    effective_until = models.DateTimeField(null=True)
    state = models.TextField(choices=ActivationState.choices, default=ActivationState.SCHEDULED)
    activation_sha256 = models.TextField()

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="policy_activation_runs_forward",
                condition=Q(effective_until=None) | Q(effective_until__gt=F("effective_from")),
            ),
            models.CheckConstraint(
                name="policy_activation_mode_fits_lane",
                condition=Q(lane=Lane.SHADOW, mode=Mode.SHADOW) | Q(lane=Lane.ENFORCE) & ~Q(mode=Mode.SHADOW),
            ),
            models.CheckConstraint(
                name="policy_activation_effective_since",
                condition=~Q(state=ActivationState.EFFECTIVE) | Q(effective_from__isnull=False),
            ),
        ]


class EffectiveWindow(TenantModel):
    """A stretch of time in which one activation is in force; two never overlap in one scope and lane."""

    family_id = models.UUIDField()
    family = TenantForeignKey(PolicyFamily, "family_id", on_delete=models.PROTECT, related_name="windows")
    activation_id = models.UUIDField()
    activation = TenantForeignKey(PolicyActivation, "activation_id", on_delete=models.PROTECT, related_name="windows")
    scope = models.TextField(default=EVERYWHERE)
    lane = models.TextField(choices=Lane.choices, default=Lane.ENFORCE)
    effective = DateTimeRangeField()

    class Meta:
        constraints = [
            # Its index also answers what is in force at an instant.
            ExclusionConstraint(
                name="policy_window_never_overlaps",
                index_type="gist",
                expressions=[
                    ("tenant_id", RangeOperators.EQUAL),
                    ("family_id", RangeOperators.EQUAL),
                    ("scope", RangeOperators.EQUAL),
                    ("lane", RangeOperators.EQUAL),
                    ("effective", RangeOperators.OVERLAPS),
                ],
            ),
            models.CheckConstraint(name="policy_window_is_not_empty", condition=Q(effective__isempty=False)),
        ]


class PolicyChangeRequest(TenantModel):
    """Words of a subject that asked to waive a control: kept for the policy editors, never as a memory."""

    subject_id = models.UUIDField()
    subject = TenantForeignKey(Subject, "subject_id", on_delete=models.PROTECT, related_name="policy_change_requests")
    agent_id = models.UUIDField(null=True)
    agent = TenantForeignKey(Agent, "agent_id", on_delete=models.PROTECT, null=True, related_name="+")
    channel = models.TextField(choices=Channel.choices)
    words = models.TextField()
    rule_id = models.TextField()
    policy_version = models.TextField()
    status = models.TextField(choices=RequestStatus.choices, default=RequestStatus.OPEN)
    created_at = models.DateTimeField()

    class Meta:
        indexes = [
            # The policy queue lists the open ones, oldest first.
            models.Index(fields=["tenant_id", "status", "created_at"], name="policy_request_queue"),
            # Erasure and a repeated request look them up by subject.
            models.Index(fields=["tenant_id", "subject_id"], name="policy_request_of_subject"),
        ]


def scope_name(*, region: str | None = None, agent_id: object | None = None) -> str:
    """Name the scope of an activation, one name per scope: ``*``, ``region:eu``, ``agent:…``, ``region:eu/agent:…``."""
    parts = [f"region:{region}"] if region else []
    if agent_id:
        parts.append(f"agent:{agent_id}")
    return "/".join(parts) or EVERYWHERE
