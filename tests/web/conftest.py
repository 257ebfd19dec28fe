"""Somebody who can sign in."""

from uuid import uuid4

import pytest
from django.utils import timezone
from pytest_django.fixtures import Settings

from accounts.actors import system
from accounts.models import User
from accounts.services import create_tenant, ensure_subject, grant_membership
from accounts.vocabulary import Role
from memory_admin.tenancy.scope import tenant_scope
from policies.services import install_baseline
from tests.web.cast import PASSWORD, Member


@pytest.fixture(autouse=True)
def fresh_cache(settings: Settings) -> None:
    """Use the real cache, but none of what an earlier test counted in it."""
    settings.CACHES = {"default": {**settings.CACHES["default"], "KEY_PREFIX": uuid4().hex}}


@pytest.fixture
def mia(db: None) -> Member:
    """A person with an account at Larkfield."""
    now = timezone.now()
    tenant = create_tenant(slug="larkfield", name="Larkfield", now=now)
    by = system("tests", tenant_id=tenant.id)
    install_baseline(tenant_id=tenant.id, by=by, now=now)
    user = User.objects.create_user("mia@larkfield.example", PASSWORD, name="Mia")
    with tenant_scope(tenant.id):
        grant_membership(user=user, roles=[Role.PERSON], by=by, now=now)
        ensure_subject(ref="user:mia", by=by, now=now, display_name="Mia", user=user)
    return Member(user, tenant)
