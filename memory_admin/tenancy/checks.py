"""The boot check: a process that could see another tenant's rows does not start."""

from __future__ import annotations

from django.db import connection


class UnsafeDatabase(RuntimeError):
    """The connected role or a table would not keep tenants apart; the message names each reason."""


def refuse_unsafe_database() -> None:
    """Check the connected role and the flags and policy of every table with a tenant.

    :raises UnsafeDatabase: with every reason found
    """
    found = [*_faults_of_role(), *_faults_of_tables()]
    if found:
        raise UnsafeDatabase("; ".join(found))


def _faults_of_role() -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute("""
            SELECT rolsuper, rolbypassrls,
                   EXISTS (SELECT FROM pg_class c WHERE c.relowner = r.oid),
                   pg_has_role(r.oid, (SELECT oid FROM pg_roles WHERE rolname = 'memory_owner'), 'USAGE')
            FROM pg_roles r WHERE rolname = current_user
        """)
        row = cursor.fetchone()
    assert row is not None
    words = ("is a superuser", "bypasses row-level security", "owns tables", "acts as the owner")
    return [f"the connected role {word}" for fault, word in zip(row, words, strict=True) if fault]


def _faults_of_tables() -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute("""
            SELECT c.relname, c.relrowsecurity, c.relforcerowsecurity,
                   EXISTS (SELECT FROM pg_policy p WHERE p.polrelid = c.oid AND p.polcmd = '*'
                           AND p.polqual IS NOT NULL AND p.polwithcheck IS NOT NULL)
            FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'tenant_id' AND NOT a.attisdropped
            WHERE c.relkind IN ('r', 'p') AND c.relnamespace = 'public'::regnamespace ORDER BY 1
        """)
        rows = cursor.fetchall()
    return [f"{name} is not protected by row-level security" for name, *safe in rows if not all(safe)]
