"""Policies as rows: families, versions, tests, reviews, where and when each is in force, wishes to change one."""

from __future__ import annotations

from django.contrib.postgres.constraints import ExclusionConstraint
from django.contrib.postgres.fields import ArrayField, DateTimeRangeField, RangeOperators
from django.db import models
from django.db.models import F, Q

from accounts.models import Agent, Subject, User
from accounts.vocabulary import Channel, Role
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
    """Where one use of a version stands; planned until its review has approved it and somebody releases it."""

    PLANNED = "planned"
    SCHEDULED = "scheduled"
    EFFECTIVE = "effective"
    SUPERSEDED = "superseded"
    REVOKED = "revoked"
    ENDED = "ended"
    WITHDRAWN = "withdrawn"


class Lane(models.TextChoices):
    """Whether an activation decides or is only watched."""

    ENFORCE = "enforce"
    SHADOW = "shadow"


class Mode(models.TextChoices):
    """What an activation does with its decision: records it, tells it to the writer as well, or carries it out."""

    SHADOW = "shadow"
    WARN = "warn"
    ENFORCE = "enforce"


class ReviewStatus(models.TextChoices):
    """Where one round of review stands."""

    OPEN = "open"
    APPROVED = "approved"
    CHANGES_REQUESTED = "changes_requested"
    REJECTED = "rejected"
    WITHDRAWN = "withdrawn"
    EXPIRED = "expired"


class DecisionKind(models.TextChoices):
    """What a reviewer says; a comment decides nothing."""

    APPROVE = "approve"
    REQUEST_CHANGES = "request_changes"
    REJECT = "reject"
    COMMENT = "comment"


class AuthLevel(models.TextChoices):
    """How surely a reviewer was known when they decided."""

    SECOND_FACTOR = "second_factor"
    PASSWORD = "password"  # noqa: S105  a word, not a secret


class Attention(models.TextChoices):
    """Why no step happens by itself until a person has looked."""

    BASE_MOVED = "base_moved", "Another version took effect since this one was begun"
    APPROVER_LEFT = "approver_left", "Somebody who approved it has left or lost the role"
    TESTS_FAIL = "tests_fail", "Its tests do not pass on the engine in use"
    LATE = "late", "Its time had passed when it was due to take effect"
    STALE = "stale", "It is no longer what was approved"
    FROZEN = "frozen", "Changes are stopped for this stretch of time"
    OFFBOARDING = "offboarding", "The organisation is leaving"
    CONFLICT = "conflict", "Another scheduled version overlaps it"
    REVIEW_OVERDUE = "review_overdue", "It took effect in an emergency and was not reviewed within a day"


class RevocationStatus(models.TextChoices):
    """What became of the wish to take a version out of force."""

    OPEN = "open"
    DONE = "done"
    DECLINED = "declined"


class SimulationState(models.TextChoices):
    """How far a simulation has come."""

    PENDING = "pending"
    RUNNING = "running"
    SUCCEEDED = "succeeded"
    FAILED = "failed"


class RequestStatus(models.TextChoices):
    """What became of a request to change a policy."""

    OPEN = "open"
    DISMISSED = "dismissed"
    DRAFTED = "drafted"


class ActionChoice(models.TextChoices):
    """What is said of an action that an agent asks about."""

    ALLOW = "allow"
    DENY = "deny"
    ASK_PERSON = "ask_person"


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
    restored_from_id = models.UUIDField(null=True)
    restored_from = TenantForeignKey("self", "restored_from_id", on_delete=models.PROTECT, null=True, related_name="+")
    title = models.TextField(blank=True, default="")
    reason = models.TextField(blank=True, default="")
    state = models.TextField(choices=VersionState.choices, default=VersionState.DRAFT)
    # How often it was handed in for review.
    round = models.PositiveIntegerField(default=0)
    created_by = models.TextField()
    created_at = models.DateTimeField()
    edited_at = models.DateTimeField(null=True)
    # `system:…` for what came with the product, else `review:<id>`.
    approved_by = models.TextField(null=True)
    approved_at = models.DateTimeField(null=True)
    approval_note = models.TextField(blank=True, default="")

    @property
    def label(self) -> str:
        """What decisions are stamped with: ``write/1``."""
        return f"{self.family.key}/{self.number}"

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


class PolicyEditor(TenantModel):
    """Somebody who had a hand in a version or in its tests, in whatever round: they never approve it."""

    version_id = models.UUIDField()
    version = TenantForeignKey(PolicyVersion, "version_id", on_delete=models.PROTECT, related_name="editors")
    user = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+", db_index=False)
    since = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["tenant_id", "version_id", "user"], name="policy_editor_once"),
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
    # Its start is the moment of release, which the approval leaves open.
    on_release = models.BooleanField(default=False)
    effective_from = models.DateTimeField(null=True)
    effective_until = models.DateTimeField(null=True)
    # What decided in this scope when it was planned: it takes effect only in place of that.
    base_version_id = models.UUIDField(null=True)
    base_version = TenantForeignKey(
        PolicyVersion, "base_version_id", on_delete=models.PROTECT, null=True, related_name="+"
    )
    state = models.TextField(choices=ActivationState.choices, default=ActivationState.PLANNED)
    activation_sha256 = models.TextField()
    attention = models.TextField(choices=Attention.choices, blank=True, default="")
    # Took effect by one hand, because it only restricts; the review comes after.
    break_glass = models.BooleanField(default=False)
    released_by = models.TextField(blank=True, default="")

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="policy_activation_runs_forward",
                condition=Q(effective_until=None) | Q(effective_until__gt=F("effective_from")),
            ),
            models.CheckConstraint(
                name="policy_activation_mode_fits_lane",
                condition=Q(lane=Lane.SHADOW, mode__in=[Mode.SHADOW, Mode.WARN])
                | Q(lane=Lane.ENFORCE, mode=Mode.ENFORCE),
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


class PolicyTestCase(TenantModel):
    """One example that a version is held against, and every version that is built on it until one takes it out."""

    family_id = models.UUIDField()
    family = TenantForeignKey(PolicyFamily, "family_id", on_delete=models.PROTECT, related_name="test_cases")
    # None for what came with the product.
    added_in_id = models.UUIDField(null=True)
    added_in = TenantForeignKey(
        PolicyVersion, "added_in_id", on_delete=models.PROTECT, null=True, related_name="added_cases"
    )
    name = models.TextField()
    given = models.JSONField()
    expect = models.JSONField()
    tags = ArrayField(models.TextField(), default=list)
    added_for = models.TextField(blank=True, default="")
    skip_reason = models.TextField(blank=True, default="")
    added_by = models.TextField()
    added_at = models.DateTimeField()

    class Meta:
        # A suite is read whole.
        indexes = [models.Index(fields=["tenant_id", "family_id", "name"], name="policy_test_of_family")]


class PolicyTestRetirement(TenantModel):
    """A version takes a test out that it inherited; the versions before it keep theirs."""

    case_id = models.UUIDField()
    case = TenantForeignKey(PolicyTestCase, "case_id", on_delete=models.PROTECT, related_name="retirements")
    version_id = models.UUIDField()
    version = TenantForeignKey(PolicyVersion, "version_id", on_delete=models.PROTECT, related_name="retired_cases")
    retired_by = models.TextField()
    retired_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["tenant_id", "case_id", "version_id"], name="policy_test_retired_once"),
        ]


class PolicyTestRun(TenantModel):
    """What came of holding one version against the tests of its family; never changed afterwards."""

    version_id = models.UUIDField()
    version = TenantForeignKey(PolicyVersion, "version_id", on_delete=models.PROTECT, related_name="test_runs")
    content_sha256 = models.TextField()
    suite_sha256 = models.TextField()
    engine_version = models.TextField()
    passed = models.PositiveIntegerField()
    failed = models.PositiveIntegerField()
    errored = models.PositiveIntegerField()
    skipped = models.PositiveIntegerField()
    # One entry for each case: its name, status, rules and sentence.
    results = models.JSONField()
    # How many cases each rule decided.
    rule_coverage = models.JSONField()
    run_by = models.TextField()
    started_at = models.DateTimeField()
    finished_at = models.DateTimeField()

    class Meta:
        # The newest run of a version is what its guards look at.
        indexes = [models.Index(fields=["tenant_id", "version_id", "-finished_at"], name="policy_run_of_version")]

    @property
    def is_green(self) -> bool:
        """Tell whether something was executed and all of it held; what is skipped holds nothing."""
        return self.passed > 0 and not (self.failed or self.errored or self.skipped)


class PolicySimulation(TenantModel):
    """What a version would have decided about what happened in a stretch of time."""

    candidate_id = models.UUIDField()
    candidate = TenantForeignKey(PolicyVersion, "candidate_id", on_delete=models.PROTECT, related_name="simulations")
    baseline_id = models.UUIDField()
    baseline = TenantForeignKey(PolicyVersion, "baseline_id", on_delete=models.PROTECT, related_name="+")
    # The candidate may be a draft: what it said when it was simulated.
    candidate_sha256 = models.TextField()
    baseline_sha256 = models.TextField()
    engine_version = models.TextField()
    since = models.DateTimeField()
    until = models.DateTimeField()
    agent_id = models.UUIDField(null=True)
    maximum_events = models.PositiveIntegerField()
    seed = models.BigIntegerField(default=0)
    state = models.TextField(choices=SimulationState.choices, default=SimulationState.PENDING)
    # Events of the window, those looked at, and those that could not be decided again.
    events = models.PositiveIntegerField(default=0)
    considered = models.PositiveIntegerField(default=0)
    not_replayable = models.PositiveIntegerField(default=0)
    counts = models.JSONField(default=dict)
    groups = models.JSONField(default=list)
    examples = models.JSONField(default=list)
    error = models.TextField(blank=True, default="")
    asked_by = models.TextField()
    asked_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        indexes = [models.Index(fields=["tenant_id", "candidate_id", "-asked_at"], name="policy_simulation_of_version")]
        constraints = [
            models.CheckConstraint(name="policy_simulation_runs_forward", condition=Q(until__gt=F("since"))),
        ]


class PolicyReview(TenantModel):
    """One round in which others decide about a version and one use of it."""

    version_id = models.UUIDField()
    version = TenantForeignKey(PolicyVersion, "version_id", on_delete=models.PROTECT, related_name="reviews")
    activation_id = models.UUIDField()
    activation = TenantForeignKey(PolicyActivation, "activation_id", on_delete=models.PROTECT, related_name="reviews")
    round = models.PositiveIntegerField()
    # Of everything a reviewer relies on, as it was handed in.
    review_digest = models.TextField()
    required_approvals = models.PositiveSmallIntegerField()
    needs_privacy_officer = models.BooleanField()
    needs_simulation = models.BooleanField()
    requested_reviewers = ArrayField(models.UUIDField(), default=list)
    status = models.TextField(choices=ReviewStatus.choices, default=ReviewStatus.OPEN)
    opened_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+", db_index=False)
    opened_at = models.DateTimeField()
    due_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["tenant_id", "activation_id"],
                condition=Q(status=ReviewStatus.OPEN),
                name="policy_review_open_once",
            ),
            models.UniqueConstraint(fields=["tenant_id", "activation_id", "round"], name="policy_review_round_once"),
            models.CheckConstraint(name="policy_review_needs_somebody", condition=Q(required_approvals__gte=1)),
            models.CheckConstraint(
                name="policy_review_is_open_until_closed",
                condition=Q(status=ReviewStatus.OPEN, closed_at=None)
                | ~Q(status=ReviewStatus.OPEN) & Q(closed_at__isnull=False),
            ),
        ]


class ReviewDecision(TenantModel):
    """What one reviewer said about exactly what they read; it never changes. A trigger keeps editors from approving."""

    review_id = models.UUIDField()
    review = TenantForeignKey(PolicyReview, "review_id", on_delete=models.PROTECT, related_name="decisions")
    reviewer = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+", db_index=False)
    kind = models.TextField(choices=DecisionKind.choices)
    review_digest = models.TextField()
    roles_at_time = ArrayField(models.TextField(choices=Role.choices))
    auth_level = models.TextField(choices=AuthLevel.choices)
    comment = models.TextField(blank=True, default="")
    at = models.DateTimeField()

    class Meta:
        indexes = [models.Index(fields=["tenant_id", "review_id", "at"], name="policy_decision_of_review")]
        constraints = [
            models.CheckConstraint(
                name="policy_approval_takes_second_factor",
                condition=~Q(kind=DecisionKind.APPROVE) | Q(auth_level=AuthLevel.SECOND_FACTOR),
            ),
        ]


class Dismissal(TenantModel):
    """Somebody sets a reviewer's request for changes aside, and says why; the decision itself stays."""

    decision_id = models.UUIDField()
    decision = TenantForeignKey(ReviewDecision, "decision_id", on_delete=models.PROTECT, related_name="dismissals")
    by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+", db_index=False)
    reason = models.TextField()
    at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["tenant_id", "decision_id"], name="policy_dismissal_once")]


class PolicyRevocation(TenantModel):
    """Somebody wants a version out of force; where what takes its place allows more, a second person agrees first."""

    activation_id = models.UUIDField()
    activation = TenantForeignKey(
        PolicyActivation, "activation_id", on_delete=models.PROTECT, related_name="revocations"
    )
    # None where the wider scope decides again.
    fallback_id = models.UUIDField(null=True)
    fallback = TenantForeignKey(PolicyVersion, "fallback_id", on_delete=models.PROTECT, null=True, related_name="+")
    reason = models.TextField()
    loosens = models.BooleanField()
    status = models.TextField(choices=RevocationStatus.choices, default=RevocationStatus.OPEN)
    asked_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+", db_index=False)
    asked_at = models.DateTimeField()
    decided_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+", db_index=False)
    decided_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["tenant_id", "activation_id"], condition=Q(status="open"), name="policy_revocation_open_once"
            ),
            models.CheckConstraint(
                name="policy_revocation_that_loosens_takes_two",
                condition=~Q(status="done", loosens=True) | Q(decided_by__isnull=False) & ~Q(decided_by=F("asked_by")),
            ),
        ]


class PolicyFreeze(TenantModel):
    """A stretch of time in which no policy takes effect by schedule or release."""

    begins_at = models.DateTimeField()
    ends_at = models.DateTimeField()
    reason = models.TextField()
    set_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+", db_index=False)
    set_at = models.DateTimeField()

    class Meta:
        indexes = [models.Index(fields=["tenant_id", "ends_at"], name="policy_freeze_by_end")]
        constraints = [
            models.CheckConstraint(name="policy_freeze_runs_forward", condition=Q(ends_at__gt=F("begins_at"))),
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
    # What became of it: the version it was turned into, or why not.
    draft_id = models.UUIDField(null=True)
    draft = TenantForeignKey(PolicyVersion, "draft_id", on_delete=models.PROTECT, null=True, related_name="+")
    answer = models.TextField(blank=True, default="")
    answered_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+", db_index=False)
    answered_at = models.DateTimeField(null=True)

    class Meta:
        indexes = [
            # The policy queue lists the open ones, oldest first.
            models.Index(fields=["tenant_id", "status", "created_at"], name="policy_request_queue"),
            # Erasure and a repeated request look them up by subject.
            models.Index(fields=["tenant_id", "subject_id"], name="policy_request_of_subject"),
        ]


class ActionDecision(TenantModel):
    """What an agent was told that asked whether it may do something; it never changes."""

    subject_id = models.UUIDField(null=True)
    subject = TenantForeignKey(Subject, "subject_id", on_delete=models.PROTECT, null=True, related_name="+")
    agent_id = models.UUIDField(null=True)
    agent = TenantForeignKey(Agent, "agent_id", on_delete=models.PROTECT, null=True, related_name="+")
    asked_by = models.TextField()
    is_test = models.BooleanField()
    action = models.TextField()
    purpose = models.TextField()
    kinds = ArrayField(models.TextField(), default=list)
    categories = ArrayField(models.TextField(), default=list)
    decision = models.TextField(choices=ActionChoice.choices)
    rule_ids = ArrayField(models.TextField())
    reason = models.TextField()
    policy_version = models.TextField()
    decided_at = models.DateTimeField()

    class Meta:
        # An erasure of the subject takes them along.
        indexes = [models.Index(fields=["tenant_id", "subject_id"], name="action_decision_of_subject")]


def scope_name(*, region: str | None = None, agent_id: object | None = None) -> str:
    """Name the scope of an activation, one name per scope: ``*``, ``region:eu``, ``agent:…``, ``region:eu/agent:…``."""
    parts = [f"region:{region}"] if region else []
    if agent_id:
        parts.append(f"agent:{agent_id}")
    return "/".join(parts) or EVERYWHERE


def scope_names(*, region: str | None, agent_id: object | None) -> list[str]:
    """Name every scope that holds for a region and an agent, the narrowest first: that one decides."""
    names = [
        scope_name(region=region, agent_id=agent_id),
        scope_name(agent_id=agent_id),
        scope_name(region=region),
        scope_name(),
    ]
    return list(dict.fromkeys(names))
