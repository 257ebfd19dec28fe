"""Relations stay within a tenant, by the database itself."""

from uuid import uuid4

import pytest
from django.db import IntegrityError, connection, transaction

from accounts.models import Agent, ApiKey, Subject
from memory_admin.tenancy.scope import tenant_scope

A, B = uuid4(), uuid4()


@pytest.mark.django_db(transaction=True)
def test_a_relation_cannot_reach_into_another_tenant() -> None:
    with tenant_scope(A):
        foreign = Agent.objects.create(name="Theirs")

    with pytest.raises(IntegrityError), tenant_scope(B):
        ApiKey.objects.create(
            agent_id=foreign.id, prefix="x" * 12, digest=b"d" * 32, last_four="abcd", created_at=foreign.created_at
        )


@pytest.mark.django_db
def test_every_relation_between_tenant_tables_is_tied_by_both_columns() -> None:
    with connection.cursor() as cursor:
        cursor.execute("""
            SELECT c.conrelid::regclass::text, c.conname
            FROM pg_constraint c
            JOIN pg_attribute a ON a.attrelid = c.confrelid AND a.attname = 'tenant_id'
            WHERE c.contype = 'f' AND NOT (
                SELECT bool_or(k.attname = 'tenant_id') FROM unnest(c.conkey) n
                JOIN pg_attribute k ON k.attrelid = c.conrelid AND k.attnum = n
            )
        """)
        loose = cursor.fetchall()

    assert loose == []


@pytest.mark.django_db
def test_every_declared_relation_has_its_constraint() -> None:
    from django.apps import apps

    from memory_admin.tenancy.models import TenantForeignKey

    declared = {
        f"{model._meta.db_table}_{relation.name}_fk"
        for model in apps.get_models()
        for relation in model._meta.get_fields()
        if isinstance(relation, TenantForeignKey)
    }
    with connection.cursor() as cursor:
        cursor.execute("SELECT conname FROM pg_constraint WHERE contype = 'f'")
        made = {name for (name,) in cursor.fetchall()}

    assert declared - made == set()


@pytest.mark.django_db
def test_a_savepoint_that_fails_keeps_the_scope_usable() -> None:
    with tenant_scope(A):
        Subject.objects.create(ref="user:ada")
        with pytest.raises(IntegrityError), transaction.atomic():
            Subject.objects.create(ref="user:ada")

        assert Subject.objects.count() == 1
