"""No row of one tenant is visible in another's transaction: what the catalog says of every tenant table."""

from typing import Any

import psycopg
import pytest
from django.apps import apps
from django.db import connection, transaction

from memory_admin.tenancy.checks import refuse_unsafe_database


def asked(sql: str, *parameters: Any) -> list[Any]:
    with connection.cursor() as cursor:
        cursor.execute(sql, parameters)
        return list(cursor.fetchall())


def test_the_boot_check_passes(db: None) -> None:
    refuse_unsafe_database()


def test_every_tenant_table_forces_row_level_security(tenant_tables: list[str]) -> None:
    protected = asked("""
        SELECT c.relname FROM pg_class c JOIN pg_policy p ON p.polrelid = c.oid
        WHERE c.relrowsecurity AND c.relforcerowsecurity AND p.polcmd = '*' AND p.polroles = '{0}' AND p.polpermissive
          AND pg_get_expr(p.polqual, c.oid) = pg_get_expr(p.polwithcheck, c.oid)
          AND pg_get_expr(p.polqual, c.oid) = '(tenant_id = (current_setting(''app.tenant''::text))::uuid)'
        ORDER BY 1
    """)

    assert [name for (name,) in protected] == sorted(tenant_tables)


def test_no_other_policy_lets_the_app_role_see_more(db: None) -> None:
    others = asked("""
        SELECT c.relname, p.polname FROM pg_policy p JOIN pg_class c ON c.oid = p.polrelid
        WHERE p.polname <> 'tenant' AND NOT (p.polcmd = 'r' AND p.polroles = ARRAY['memory_reader'::regrole::oid])
    """)

    assert others == []


def test_the_app_role_is_no_member_of_a_role_that_sees_more(db: None) -> None:
    assert asked("SELECT roleid::regrole::text FROM pg_auth_members WHERE member = 'memory_app'::regrole") == []


def test_every_tenant_model_is_a_tenant_table_and_the_other_way_round(tenant_tables: list[str]) -> None:
    models = [model for model in apps.get_models(include_auto_created=True) if hasattr(model, "is_tenant_model")]

    assert sorted(model._meta.db_table for model in models) == tenant_tables


@pytest.mark.parametrize("statement", ["SELECT FROM {}", "DELETE FROM {}", "UPDATE {} SET tenant_id = tenant_id"])
def test_without_a_scope_every_tenant_table_refuses_even_raw_sql(tenant_tables: list[str], statement: str) -> None:
    raw = connection.connection  # past the guard of our own backend: what the database itself says
    let_through = []
    for table in tenant_tables:
        try:
            with transaction.atomic():
                raw.execute(statement.format(table))
            let_through.append(table)
        except (psycopg.errors.UndefinedObject, psycopg.errors.InvalidTextRepresentation):
            pass  # no tenant is set
        except psycopg.errors.InsufficientPrivilege:
            assert not statement.startswith("SELECT")

    assert let_through == []


def test_every_key_of_a_tenant_table_begins_with_the_tenant(tenant_tables: list[str]) -> None:
    """Primary keys, unique keys and exclusions: so that a row can name no row of another tenant, and tables can be
    distributed by tenant."""
    keys = asked(
        """
        SELECT c.relname || '.' || i.relname
        FROM pg_index x JOIN pg_class c ON c.oid = x.indrelid JOIN pg_class i ON i.oid = x.indexrelid
        LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = x.indkey[0]
        WHERE (x.indisunique OR x.indisexclusion) AND c.relname = ANY(%s) AND a.attname IS DISTINCT FROM 'tenant_id'
        """,
        tenant_tables,
    )

    assert [name for (name,) in keys] == []


def test_every_relation_between_tenant_tables_carries_the_tenant(tenant_tables: list[str]) -> None:
    relations = asked(
        """
        SELECT k.conrelid::regclass || '.' || k.conname
        FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid JOIN pg_class f ON f.oid = k.confrelid
        JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.conkey[1]
        WHERE k.contype = 'f' AND c.relname = ANY(%s) AND f.relname = ANY(%s) AND a.attname <> 'tenant_id'
        """,
        tenant_tables,
        tenant_tables,
    )

    assert [name for (name,) in relations] == []


def test_every_tenant_relation_of_a_model_stands_in_the_database(tenant_tables: list[str]) -> None:
    constrained = {
        (table, tuple(names))
        for table, names in asked("""
            SELECT c.relname, (SELECT array_agg(a.attname::text ORDER BY k.n)
                               FROM unnest(f.conkey) WITH ORDINALITY k(attnum, n)
                               JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.attnum)
            FROM pg_constraint f JOIN pg_class c ON c.oid = f.conrelid WHERE f.contype = 'f' AND f.convalidated
        """)
    }
    declared = {
        (model._meta.db_table, ("tenant_id", field.column_name))
        for model in apps.get_models()
        for field in model._meta.get_fields()
        if hasattr(field, "column_name")
    }

    assert declared - constrained == set()


def test_the_app_role_owns_and_truncates_nothing(columns: dict[str, list[str]]) -> None:
    allowed = asked(
        """
        SELECT relname FROM pg_class WHERE relname = ANY(%s)
          AND (relowner = 'memory_app'::regrole OR has_table_privilege('memory_app', oid, 'TRUNCATE'))
        """,
        list(columns),
    )

    assert allowed == []


def test_definer_functions_keep_their_search_path_and_serve_the_app_alone(db: None) -> None:
    loose = asked("""
        SELECT proname FROM pg_proc
        WHERE pronamespace = 'public'::regnamespace AND prosecdef
          AND (NOT coalesce(proconfig, '{}') && ARRAY['search_path=pg_catalog, pg_temp']
               OR has_function_privilege('public', oid, 'EXECUTE'))
    """)

    assert loose == []


def test_no_function_of_ours_claims_to_be_leakproof(db: None) -> None:
    assert (
        asked(
            "SELECT proname FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND proleakproof AND "
            "NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = pg_proc.oid AND d.deptype = 'e')"
        )
        == []
    )
