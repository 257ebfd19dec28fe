"""Who: tenants, users, memberships, subjects, agents, keys."""

from __future__ import annotations

from typing import Any, ClassVar

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Lower
from django.utils import timezone

from accounts.vocabulary import GUARDED, ChangeOutcome, Channel, MemoryMode, Role, Scope, SecurityEventKind
from memory_admin.tenancy.models import TenantForeignKey, TenantModel
from memory_admin.tenancy.scope import uuid7


class Tenant(models.Model):
    """An organisation; nothing crosses from one to another."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    slug = models.SlugField(unique=True, max_length=63)
    name = models.TextField()
    region = models.TextField(default="eu")
    status = models.TextField(choices=[("active", "active"), ("offboarding", "offboarding")], default="active")
    # Whether people read the names of staff who looked at their memories, or their roles alone.
    names_staff = models.BooleanField(default=False)
    created_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return self.slug


class UserManager(BaseUserManager["User"]):
    """Makes users; an address is stored in lower case, so that two spellings are one person."""

    def create_user(self, email: str, password: str | None = None, **fields: Any) -> User:
        """Make a user; without a password nobody signs in as them by password."""
        user = self.model(email=email.strip().lower(), **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def get_by_natural_key(self, username: str | None) -> User:
        return self.get(email=(username or "").strip().lower())


class User(AbstractBaseUser):
    """Somebody who can sign in."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    email = models.EmailField(unique=True)
    name = models.TextField(blank=True, default="")
    is_active = models.BooleanField(default=True)
    # Kinds of notices (`NoticeKind`) that are to stay on the page alone.
    unmailed = ArrayField(models.TextField(), default=list)
    created_at = models.DateTimeField(auto_now_add=True)

    USERNAME_FIELD = "email"
    EMAIL_FIELD = "email"

    objects: ClassVar[UserManager] = UserManager()

    class Meta:
        constraints = [models.CheckConstraint(name="user_email_in_lower_case", condition=Q(email=Lower("email")))]

    def __str__(self) -> str:
        return str(self.id)


class SecurityEvent(models.Model):
    """What happened to somebody's sign-in. It belongs to the user, whatever their tenants."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    user = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+", db_index=False)
    kind = models.TextField(choices=SecurityEventKind.choices)
    address = models.GenericIPAddressField(null=True)
    device = models.TextField(blank=True, default="")
    at = models.DateTimeField()

    class Meta:
        indexes = [models.Index(fields=["user", "-at"], name="security_event_of_user")]

    def __str__(self) -> str:
        return f"{self.kind} {self.at}"


class Identity(models.Model):
    """How an identity provider names a user; it belongs to the user, whatever their tenants."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    user = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+", db_index=False)
    issuer = models.TextField()
    subject = models.TextField()
    created_at = models.DateTimeField()
    used_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["issuer", "subject"], name="identity_of_one_user"),
            models.UniqueConstraint(fields=["user", "issuer"], name="identity_once_for_each_issuer"),
        ]

    def __str__(self) -> str:
        return str(self.id)


class Membership(TenantModel):
    """The roles of one user in one tenant."""

    user = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    roles = ArrayField(models.TextField(choices=Role.choices), default=list)
    # A trigger lets a guarded role in only with the change of this instant that two administrators agreed on.
    roles_changed_at = models.DateTimeField(null=True)
    # When they last opened a page of this tenant, to the hour: their sign-in says nothing about a single tenant.
    seen_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["tenant_id", "user"], name="membership_once")]


class RoleChange(TenantModel):
    """A change of one member's roles that one administrator proposes and another one decides.

    The operator, at the shell, needs nobody else: then nobody is named.
    """

    membership_id = models.UUIDField()
    membership = TenantForeignKey(Membership, "membership_id", on_delete=models.PROTECT, related_name="+")
    user = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+", db_index=False)
    before = ArrayField(models.TextField(choices=Role.choices))
    after = ArrayField(models.TextField(choices=Role.choices))
    outcome = models.TextField(choices=ChangeOutcome, default=ChangeOutcome.OPEN)
    proposed_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+", db_index=False)
    proposed_at = models.DateTimeField()
    decided_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+", db_index=False)
    decided_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["tenant_id", "membership_id"], condition=Q(outcome="open"), name="role_change_open_once"
            ),
            models.CheckConstraint(
                name="role_change_is_open_until_decided",
                condition=Q(outcome="open", decided_at=None) | (~Q(outcome="open") & Q(decided_at__isnull=False)),
            ),
            models.CheckConstraint(
                name="role_change_takes_two",
                condition=Q(outcome__in=["open", "withdrawn"], proposed_by__isnull=False)
                | Q(outcome="approved", proposed_by=None, decided_by=None)
                | (
                    Q(outcome__in=["approved", "declined"], proposed_by__isnull=False, decided_by__isnull=False)
                    & ~Q(decided_by=F("proposed_by"))
                    & ~Q(decided_by=F("user"))
                ),
            ),
            models.CheckConstraint(
                name="role_change_is_not_ones_own", condition=Q(proposed_by=None) | ~Q(proposed_by=F("user"))
            ),
        ]
        # The trigger looks for the change behind a role, the page of a member lists them.
        indexes = [models.Index(fields=["tenant_id", "membership_id", "-proposed_at"], name="role_change_of_member")]


class Invitation(TenantModel):
    """A way in for whoever reads the mail of one address. The link is derived from this row and stands nowhere."""

    email = models.EmailField()
    roles = ArrayField(models.TextField(choices=Role.choices), default=list)
    subject_ref = models.TextField(blank=True, default="")
    invited_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+", db_index=False)
    # How often it was sent: only the link of the last e-mail works.
    sendings = models.IntegerField(default=1)
    sent_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    accepted_at = models.DateTimeField(null=True)
    accepted_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+", db_index=False)
    withdrawn_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["tenant_id", "email"],
                condition=Q(accepted_at=None, withdrawn_at=None),
                name="invitation_open_once",
            ),
            models.UniqueConstraint(
                fields=["tenant_id", "subject_ref"],
                condition=Q(accepted_at=None, withdrawn_at=None) & ~Q(subject_ref=""),
                name="invitation_promises_a_subject_once",
            ),
            models.CheckConstraint(name="invitation_email_in_lower_case", condition=Q(email=Lower("email"))),
            models.CheckConstraint(
                name="invitation_gives_no_guarded_role",
                condition=~Q(roles__overlap=sorted(str(role) for role in GUARDED)),
            ),
            models.CheckConstraint(
                name="invitation_ends_one_way",
                condition=Q(accepted_at=None, accepted_by=None)
                | Q(accepted_at__isnull=False, accepted_by__isnull=False, withdrawn_at=None),
            ),
        ]


class Notice(TenantModel):
    """Something that one member is told about; it says where to look and nothing of what is remembered."""

    user = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+", db_index=False)
    kind = models.TextField()
    path = models.TextField()
    told_at = models.DateTimeField()
    mailed_at = models.DateTimeField(null=True)
    read_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            # Nobody is told the same again before they have looked.
            models.UniqueConstraint(
                fields=["tenant_id", "user", "kind", "path"], condition=Q(read_at=None), name="notice_unread_once"
            ),
            models.CheckConstraint(
                name="notice_leads_to_a_page_of_ours",
                condition=Q(path__startswith="/") & ~Q(path__startswith="//") & ~Q(path__contains="\\"),
            ),
        ]
        # The page of notices lists those of one member, the newest first.
        indexes = [models.Index(fields=["tenant_id", "user", "-told_at", "-id"], name="notice_of_user")]


class Subject(TenantModel):
    """Who or what memories are about."""

    ref = models.TextField()
    kind = models.TextField(choices=[("user", "user"), ("entity", "entity"), ("team", "team")], default="user")
    display_name = models.TextField(blank=True, default="")
    user = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")
    memory_mode = models.TextField(choices=MemoryMode.choices, default=MemoryMode.ON)
    paused_until = models.DateTimeField(null=True)
    # Grows with every erasure. What was queued or read under an older epoch is not written any more.
    erasure_epoch = models.BigIntegerField(default=0)
    is_test = models.BooleanField(default=False)
    preferences = models.JSONField(default=dict)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            # What a test writes takes no name from anybody real.
            models.UniqueConstraint(fields=["tenant_id", "ref", "is_test"], name="subject_ref_once"),
            models.UniqueConstraint(fields=["tenant_id", "user"], name="subject_of_user_once"),
            models.CheckConstraint(
                name="subject_ref_names_its_kind",
                condition=Q(kind="user", ref__startswith="user:")
                | Q(kind="entity", ref__startswith="entity:")
                | Q(kind="team", ref__startswith="team:"),
            ),
        ]


class Stewardship(TenantModel):
    """A user stands in for a team or another subject that is nobody's account."""

    user = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+", db_index=False)
    subject_id = models.UUIDField()
    subject = TenantForeignKey(Subject, "subject_id", on_delete=models.PROTECT, related_name="+")
    named_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+", db_index=False)
    named_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            # Also finds whose memories a user looks after.
            models.UniqueConstraint(
                fields=["tenant_id", "user", "subject_id"], condition=Q(ended_at=None), name="stewardship_once"
            ),
            models.CheckConstraint(
                name="stewardship_is_given_by_another", condition=Q(named_by=None) | ~Q(named_by=F("user"))
            ),
        ]
        # The page of a subject lists its stewards.
        indexes = [models.Index(fields=["tenant_id", "subject_id"], name="stewardship_of_subject")]


class Agent(TenantModel):
    """A program that reads and writes memories, by its keys."""

    name = models.TextField()
    purpose = models.TextField(blank=True, default="")
    owner = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")
    status = models.TextField(
        choices=[("active", "active"), ("paused", "paused"), ("retired", "retired")], default="active"
    )
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["tenant_id", "name"], name="agent_name_once")]


class ApiKey(TenantModel):
    """What an agent presents. Only a digest of its secret is kept."""

    agent_id = models.UUIDField()
    agent = TenantForeignKey(Agent, "agent_id", on_delete=models.PROTECT, related_name="keys")
    prefix = models.TextField()
    digest = models.BinaryField(max_length=32)
    last_four = models.TextField()
    scopes = ArrayField(models.TextField(choices=Scope.choices), default=list)
    channel = models.TextField(choices=Channel.choices, default=Channel.AGENT)
    subject_id = models.UUIDField(null=True)
    subject_binding = TenantForeignKey(Subject, "subject_id", on_delete=models.PROTECT, null=True, related_name="+")
    is_test = models.BooleanField(default=False)
    rotated_from_id = models.UUIDField(null=True)
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField(null=True)
    revoked_at = models.DateTimeField(null=True)
    last_used_at = models.DateTimeField(null=True)

    class Meta:
        # Sign-in by key looks the prefix up before the tenant is known.
        indexes = [models.Index(fields=["prefix"], name="api_key_by_prefix")]
        constraints = [
            models.UniqueConstraint(fields=["tenant_id", "prefix"], name="api_key_prefix_once"),
            models.CheckConstraint(
                name="api_key_ends_after_it_begins", condition=Q(expires_at=None) | Q(expires_at__gt=F("created_at"))
            ),
            # The portal's channel is for people who signed in: no key can ever claim it.
            models.CheckConstraint(name="api_key_is_no_portal", condition=~Q(channel="portal")),
        ]
