"""Somebody who can sign in."""

from dataclasses import dataclass

from accounts.models import Tenant, User

PASSWORD = "four plain words here"


@dataclass(frozen=True)
class Member:
    """A user who belongs to a tenant."""

    user: User
    tenant: Tenant
