"""What may be known about accounts before and after the tenant is known."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from django.db import connection

from accounts.actors import Actor
from accounts.models import Membership, Stewardship, Subject, Tenant, User
from accounts.vocabulary import Channel, Role
from memory_admin.errors import NotFound


@dataclass(frozen=True)
class MembershipOf:
    """One tenant that a user belongs to."""

    tenant_id: UUID
    tenant_slug: str
    tenant_name: str
    roles: frozenset[Role]
    subject_id: UUID | None

    @property
    def is_staff(self) -> bool:
        """Tell whether the user works for the tenant, whatever else they are."""
        return bool(self.roles - {Role.PERSON})


def memberships_of(user_id: UUID) -> list[MembershipOf]:
    """List the tenants of a user, by name; asked at sign-in, before the tenant is known."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT tenant_id, slug, name, roles, subject_id FROM memberships_of(%s)", [user_id])
        rows = cursor.fetchall()
    return [
        MembershipOf(tenant, slug, name, frozenset(Role(role) for role in roles), subject)
        for tenant, slug, name, roles, subject in rows
    ]


def tenant_named(slug: str) -> Tenant:
    """Find a tenant by its short name.

    :raises NotFound: there is none
    """
    found = Tenant.objects.filter(slug=slug).first()
    if found is None:
        raise NotFound(f"There is no tenant named {slug}.")
    return found


def working_tenants() -> list[UUID]:
    """List the tenants that are not leaving."""
    return list(Tenant.objects.filter(status="active").order_by("id").values_list("id", flat=True))


def holders_of(*roles: Role) -> list[UUID]:
    """List the users who hold one of the roles in the open tenant now."""
    found = Membership.objects.filter(roles__overlap=[str(role) for role in roles], ended_at=None)
    return list(found.order_by("user_id").values_list("user_id", flat=True))


def names_of_holders(role: Role, *, but: UUID, limit: int = 3) -> list[str]:
    """Name some who hold a role in the open tenant and can sign in, as colleagues know them; `but` asks."""
    holders = Membership.objects.filter(roles__contains=[str(role)], ended_at=None, user__is_active=True)
    found = holders.exclude(user_id=but)
    rows = found.order_by("user__name", "user_id").values_list("user__name", "user__email")[:limit]
    return [name or email for name, email in rows]


def privacy_officers() -> list[User]:
    """List who a person of the open tenant can complain to, by name."""
    return list(User.objects.filter(id__in=holders_of(Role.PRIVACY_OFFICER), is_active=True).order_by("name", "email"))


def who_sees(subject: Subject) -> list[UUID]:
    """List the users who see a subject's memories in the portal: whom it is linked to, or its stewards."""
    held = Stewardship.objects.filter(subject_id=subject.id, ended_at=None).order_by("user_id")
    return [subject.user_id] if subject.user_id else list(held.values_list("user_id", flat=True))


def person(user_id: UUID, membership: MembershipOf) -> Actor:
    """Make the actor of a signed-in user about their own memory."""
    return Actor(
        kind="person",
        tenant_id=membership.tenant_id,
        channel=Channel.PORTAL,
        user_id=user_id,
        subject_id=membership.subject_id,
        roles=membership.roles,
    )


def staff(user_id: UUID, membership: MembershipOf) -> Actor:
    """Make the actor of a signed-in user who works for the tenant; what staff write is never the person's own words."""
    return Actor(
        kind="staff",
        tenant_id=membership.tenant_id,
        channel=Channel.IMPORT,
        user_id=user_id,
        roles=membership.roles,
    )


def subject_for(ref: str, *, by: Actor) -> Subject:
    """Find a subject that the actor may name: a bound key and a person only their own, a test key only test subjects.

    :raises NotFound: there is none, or it is outside what the actor may see
    """
    found = Subject.objects.filter(ref=ref, is_test=by.is_test).first()
    if found is None or not may_see_subject(found, by=by):
        raise NotFound
    return found


def may_see_subject(subject: Subject, *, by: Actor) -> bool:
    """Tell whether the actor may know that the subject exists."""
    if (by.is_person or by.subject_id is not None) and by.subject_id != subject.id:
        return False
    return by.kind != "agent" or by.is_test == subject.is_test
