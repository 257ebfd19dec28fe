"""Refusing to start on a database that would not keep tenants apart."""

import pytest
from django.db import connection, transaction

from memory_admin.tenancy.checks import UnsafeDatabase, _faults_of_tables, refuse_unsafe_database
from memory_admin.tenancy.roles import as_owner


@pytest.mark.django_db
def test_the_app_role_on_protected_tables_passes() -> None:
    refuse_unsafe_database()


@pytest.mark.django_db(transaction=True)
def test_the_owner_is_refused() -> None:
    with as_owner(), pytest.raises(UnsafeDatabase, match="owns tables"):
        refuse_unsafe_database()


@pytest.mark.django_db(transaction=True)
def test_a_table_without_row_level_security_is_named() -> None:
    with as_owner(), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("ALTER TABLE accounts_subject NO FORCE ROW LEVEL SECURITY")
        cursor.execute("DROP POLICY tenant ON memories_memory")

        faults = _faults_of_tables()

        transaction.set_rollback(True)
    assert {fault.split()[0] for fault in faults} == {"accounts_subject", "memories_memory"}
