"""Nobody changes the trail: the app role has no right to, and the triggers stop the owner."""

from datetime import UTC, datetime
from typing import Any

import pytest
from django.db import DatabaseError, IntegrityError, ProgrammingError, connection, transaction

from memory_admin import audit
from memory_admin.audit.actions import Action
from memory_admin.audit.models import Event
from memory_admin.tenancy.roles import as_owner
from memory_admin.tenancy.scope import tenant_scope

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)

CHANGES = [
    "UPDATE audit_event SET hash = '\\x00'",
    "DELETE FROM audit_event",
    "TRUNCATE audit_event",
    "UPDATE audit_payload SET body = '{}'",
    "TRUNCATE audit_payload",
    "UPDATE audit_chain SET size = 0",
    "DELETE FROM audit_chain",
    "TRUNCATE audit_chain",
]
WRITES_OF_THE_APP = [
    *CHANGES,
    "DELETE FROM audit_payload",
    "INSERT INTO audit_event (seq) VALUES (9)",
    "INSERT INTO audit_payload (seq) VALUES (9)",
    "INSERT INTO audit_chain (size) VALUES (9)",
    "ALTER TABLE audit_event DISABLE TRIGGER ALL",
    "CREATE OR REPLACE FUNCTION audit_refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'",
]


def recorded(by: Any) -> None:
    with tenant_scope(by.tenant_id):
        audit.record(action=Action.MEMORY_STORED, by=by, target=None, at=NOON, payload={"rule": "w-1"})


@pytest.mark.django_db
@pytest.mark.parametrize("sql", WRITES_OF_THE_APP)
def test_the_app_role_has_no_right_to_write(acme: Any, sql: str) -> None:
    recorded(acme)

    with (
        pytest.raises(ProgrammingError, match=r"permission denied|must be owner"),
        tenant_scope(acme.tenant_id),
        connection.cursor() as cursor,
    ):
        cursor.execute(sql)

    with tenant_scope(acme.tenant_id):
        assert Event.objects.count() == 1


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("sql", CHANGES)
def test_the_owner_is_stopped_by_the_triggers(acme: Any, sql: str) -> None:
    recorded(acme)

    with as_owner(), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"SET LOCAL app.tenant = '{acme.tenant_id}'")
        with pytest.raises(IntegrityError, match="append-only"):
            cursor.execute(sql)
        transaction.set_rollback(True)

    assert audit.verify(acme.tenant_id).holds


@pytest.mark.django_db
def test_nobody_else_may_append(acme: Any) -> None:
    with connection.cursor() as cursor:
        cursor.execute("""
            SELECT p.proname, r.rolname, has_function_privilege('public', p.oid, 'EXECUTE'), p.prosecdef, p.proconfig
            FROM pg_proc p JOIN pg_roles r ON r.oid = p.proowner WHERE p.proname IN ('audit_append', 'audit_erase')
            ORDER BY 1
        """)
        functions = cursor.fetchall()

    fixed = ["search_path=pg_catalog, pg_temp"]
    assert functions == [
        ("audit_append", "memory_owner", False, True, fixed),
        ("audit_erase", "memory_owner", False, True, fixed),
    ]


@pytest.mark.django_db
def test_bytes_that_are_no_json_are_not_appended(acme: Any) -> None:
    with pytest.raises(DatabaseError), tenant_scope(acme.tenant_id), connection.cursor() as cursor:
        cursor.execute(
            "SELECT audit_append(%s, %s::bytea[], ARRAY[NULL]::bytea[], ARRAY[NULL]::text[])",
            [acme.tenant_id, [b"not json"]],
        )
