"""``manage.py migrate``, run as the owner of the tables."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandError
from django.core.management.commands import migrate
from django.db import DataError, connection

from memory_admin.tenancy.roles import EXTENSIONS, ROLES, as_owner

PREPARE = "Run memory_admin/embedded/bootstrap.sql in it once as a superuser: see docs/operations.md."


class Command(migrate.Command):
    """Migrate as the owner, after checking that the database was prepared."""

    def handle(self, *args: Any, **options: Any) -> None:
        with as_owner():
            try:
                _check_preparation()
            except DataError as error:  # the role to act as, which is asked for when connecting, is not there
                raise CommandError(f"The database was not prepared. {PREPARE}") from error
            super().handle(*args, **options)


def _check_preparation() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT rolname FROM pg_roles WHERE rolname = ANY(%s)", [list(ROLES)])
        roles = {name for (name,) in cursor.fetchall()}
        cursor.execute("SELECT extname FROM pg_extension WHERE extname = ANY(%s)", [list(EXTENSIONS)])
        extensions = {name for (name,) in cursor.fetchall()}
        missing = [f"role {r}" for r in ROLES if r not in roles]
        missing += [f"extension {e}" for e in EXTENSIONS if e not in extensions]
        if missing:
            raise CommandError(f"The database lacks {', '.join(missing)}. {PREPARE}")
        # Tables of third-party packages: the app role reads and writes them, and owns none. Tenant tables take the
        # grants back and give their own.
        cursor.execute("""
            GRANT USAGE ON SCHEMA public TO memory_app, memory_reader;
            ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO memory_app;
            ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT USAGE ON SEQUENCES TO memory_app;
        """)
