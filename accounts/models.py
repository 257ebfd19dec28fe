"""Who: tenants, users, memberships, subjects, agents, keys."""

from __future__ import annotations

from typing import Any, ClassVar

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Lower
from django.utils import timezone

from accounts.vocabulary import Channel, MemoryMode, Role, Scope, SecurityEventKind
from memory_admin.tenancy.models import TenantForeignKey, TenantModel
from memory_admin.tenancy.scope import uuid7


class Tenant(models.Model):
    """An organisation; nothing crosses from one to another."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    slug = models.SlugField(unique=True, max_length=63)
    name = models.TextField()
    region = models.TextField(default="eu")
    status = models.TextField(choices=[("active", "active"), ("offboarding", "offboarding")], default="active")
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


class Membership(TenantModel):
    """The roles of one user in one tenant."""

    user = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    roles = ArrayField(models.TextField(choices=Role.choices), default=list)
    created_at = models.DateTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["tenant_id", "user"], name="membership_once")]


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
