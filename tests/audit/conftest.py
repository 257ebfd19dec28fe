"""A small cast for the audit trail: two tenants, who acts, and who tampers."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import pytest
from django.db import connection, transaction

from memory_admin.tenancy.roles import as_owner
from memory_admin.tenancy.scope import tenant_scope

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


@dataclass(frozen=True)
class Somebody:
    """Whoever acts; the chain needs no more of them."""

    tenant_id: UUID
    ref: str = "user:018f0000-0000-7000-8000-0000000000aa"


@pytest.fixture
def acme() -> Somebody:
    return Somebody(UUID("018f0000-0000-7000-8000-000000000001"))


@pytest.fixture
def globex() -> Somebody:
    return Somebody(UUID("018f0000-0000-7000-8000-000000000002"))


@pytest.fixture
def in_acme(acme: Somebody, db: None) -> Iterator[Somebody]:
    with tenant_scope(acme.tenant_id):
        yield acme


Tamper = Callable[..., None]


@pytest.fixture
def tamper(acme: Somebody, transactional_db: None) -> Tamper:
    """Change the stored trail as the owner of the tables, with the triggers taken off."""

    def change(sql: str, *params: Any) -> None:
        tables = ("audit_chain", "audit_event", "audit_payload")
        with as_owner(), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(f"SET LOCAL app.tenant = '{acme.tenant_id}'")
            for table in tables:
                cursor.execute(f"ALTER TABLE {table} DISABLE TRIGGER USER")
            cursor.execute(sql, params)
            assert cursor.rowcount > 0
            for table in tables:
                cursor.execute(f"ALTER TABLE {table} ENABLE TRIGGER USER")

    return change
