"""Who signs in by their organisation's identity provider: members of that one organisation, and nobody else."""

from __future__ import annotations

from datetime import datetime

from django.db import IntegrityError, transaction

from accounts.models import Identity, User
from accounts.queries import memberships_of


def user_of(
    *, issuer: str, subject: str, email: str | None, tenant_slug: str, now: datetime
) -> tuple[User, bool] | None:
    """Find who a provider vouches for, and link them when they come for the first time.

    They are linked by the provider's own name for them; the first time by an e-mail address. Somebody who belongs to
    another organisation too is not let in: its provider would open that one as well.

    :param email: an address that the provider has verified, or None
    :return: the user and whether they were linked just now; None when nobody may come in this way
    """
    known = Identity.objects.filter(issuer=issuer, subject=subject).select_related("user").first()
    if known is not None:
        if not (known.user.is_active and belongs_to(known.user, tenant_slug)):
            return None
        Identity.objects.filter(id=known.id).update(used_at=now)
        return known.user, False
    user = User.objects.filter(email=email.strip().lower()).first() if email else None
    if user is None or not (user.is_active and belongs_to(user, tenant_slug)):
        return None
    return (user, True) if _link(user, issuer, subject, now) else None


def identity_of(user: User, *, issuer: str) -> Identity | None:
    """Find how a user is known to a provider."""
    return Identity.objects.filter(user=user, issuer=issuer).first()


def belongs_to(user: User, tenant_slug: str) -> bool:
    """Tell whether a user belongs to this organisation and to no other."""
    return [one.tenant_slug for one in memberships_of(user.id)] == [tenant_slug]


def _link(user: User, issuer: str, subject: str, now: datetime) -> bool:
    """Link a user; refuse when the provider has named them otherwise before: the address may have a new owner."""
    try:
        with transaction.atomic():
            Identity.objects.create(user=user, issuer=issuer, subject=subject, created_at=now, used_at=now)
    except IntegrityError:
        return Identity.objects.filter(user=user, issuer=issuer, subject=subject).exists()
    return True
