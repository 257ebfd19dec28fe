"""An organisation and the people who belong to it."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.utils import timezone

from accounts import invitations, members
from accounts.actors import Actor
from accounts.models import Invitation, Membership, RoleChange, User
from accounts.queries import memberships_of, staff
from accounts.services import grant_membership
from accounts.vocabulary import Role
from tests.api.cast import Organisation


@dataclass(frozen=True)
class Member:
    """Somebody who belongs to the organisation, with what services are told of them."""

    house: Organisation
    user: User
    membership_id: UUID

    @property
    def actor(self) -> Actor:
        """The actor of this member as staff, with the roles of this moment."""
        return staff(self.user.id, next(one for one in memberships_of(self.user.id)))

    @property
    def row(self) -> Membership:
        return Membership.objects.get(id=self.membership_id)

    @property
    def roles(self) -> set[str]:
        return set(self.row.roles)


def member(house: Organisation, name: str, *roles: Role) -> Member:
    """Let somebody in, as the operator does."""
    user = User.objects.create_user(f"{name}@{house.tenant.slug}.example", None, name=name.title())
    made = grant_membership(user=user, roles=roles or [Role.PERSON], by=house.by, now=timezone.now())
    return Member(house, user, made.id)


def change(
    about: Member, *roles: Role, by: Member | Actor, now: datetime | None = None, read: set[str] | None = None
) -> RoleChange | None:
    """Give a member exactly these roles, or propose it."""
    return members.change_roles(
        membership_id=about.row.id,
        roles=roles,
        read={Role(role) for role in (about.roles if read is None else read)},
        by=by if isinstance(by, Actor) else by.actor,
        now=now or timezone.now(),
    )


def invite(by: Member, email: str = "nora@elsewhere.example", *roles: Role, **terms: str) -> Invitation:
    """Invite an address."""
    return invitations.invite(email=email, roles=roles or [Role.PERSON], by=by.actor, now=timezone.now(), **terms)
