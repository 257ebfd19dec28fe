"""An organisation with its scope open, and the administrator who acts in it."""

from collections.abc import Iterator

import pytest

from accounts.vocabulary import Role
from memory_admin.tenancy.scope import tenant_scope
from tests.accounts.cast import Member, member
from tests.api.cast import Organisation, organisation


@pytest.fixture
def acme(db: None) -> Iterator[Organisation]:
    house = organisation("acme")
    with tenant_scope(house.tenant.id):
        yield house


@pytest.fixture
def ada(acme: Organisation) -> Member:
    return member(acme, "ada", Role.ADMIN)
