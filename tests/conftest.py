"""The test database, made by its owner and used as the app role; and the small cast of the tests."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from time import sleep
from typing import Any

import pytest
from django.conf import settings
from django.core.cache import cache
from django.db import connection
from django.test import TransactionTestCase
from django.test.utils import setup_databases, teardown_databases
from hypothesis import settings as hypothesis_settings

from memory_admin import embedded, env
from memory_admin.tenancy.roles import as_owner

# Rows that migrations wrote and every test expects.
KEPT = ("django_migrations", "django_content_type", "auth_permission")

# How long an example takes says nothing about whether it holds.
hypothesis_settings.register_profile("tests", deadline=None)
hypothesis_settings.load_profile("tests")


def pytest_configure(config: pytest.Config) -> None:
    """Start the embedded database before Django asks for it; another one is used when DATABASE_URL names it."""
    embedded.ensure_postgres()
    embedded.ensure_valkey()
    (env.data_dir() / "static").mkdir(parents=True, exist_ok=True)  # the static files' middleware warns without it
    if process := os.environ.get("PYTEST_XDIST_WORKER"):
        # One of several processes that test side by side: what it counts and forgets is its own.
        shared = settings.CACHES["default"]["LOCATION"]
        settings.CACHES["default"]["LOCATION"] = f"{shared.removesuffix('1')}{2 + int(process.removeprefix('gw'))}"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the tests that start servers: side by side, those that wait the longest must not come last."""
    items.sort(key=lambda item: {"durability", "embedded"}.isdisjoint(item.path.parts))


@pytest.fixture(scope="session")
def django_db_setup(
    django_test_environment: None,
    django_db_blocker: Any,
    django_db_keepdb: bool,
    django_db_createdb: bool,
    django_db_modify_db_settings: None,
) -> Iterator[None]:
    """Let the owner make the test database; the tests themselves run as the app role."""
    keep = django_db_keepdb and not django_db_createdb
    with django_db_blocker.unblock():
        with as_owner():
            created = setup_databases(verbosity=0, interactive=False, keepdb=keep, serialized_aliases=set())
        assert connection.settings_dict["NAME"].startswith("test_")
        yield
        if not keep:
            with as_owner():
                if _is_left_alone():  # else the next run drops it
                    teardown_databases(created, verbosity=0)


def _is_left_alone() -> bool:
    """Wait a while until the threads that served a browser have hung up: a database in use cannot be dropped."""
    others = "SELECT FROM pg_stat_activity WHERE datname = %s"
    with connection._nodb_cursor() as cursor:
        for _ in range(50):
            cursor.execute(others, [connection.settings_dict["NAME"]])
            if cursor.fetchone() is None:
                return True
            sleep(0.1)
    return False


@pytest.fixture(autouse=True)
def _nobody_tried_before() -> None:
    """Forget the tries that earlier tests counted: a sign-in too many in a minute is turned away, also in tests."""
    cache.clear()


@pytest.fixture(autouse=True)
def _own_checkpoints(tmp_path: Path, settings: Any) -> None:
    """Keep what a test signs to itself: a checkpoint contradicts the trail of every later test that has its tenant."""
    settings.CHECKPOINTS_DIR = tmp_path / "checkpoints"


def _empty_as_owner(self: TransactionTestCase) -> None:
    """Empty every table as the owner: the app role may not truncate, and the audit trail refuses even the owner."""
    assert connection.settings_dict["NAME"].startswith("test_")
    with as_owner(), connection.cursor() as cursor:
        cursor.execute(
            "SELECT format('%%I', relname) FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace "
            "AND relname <> ALL(%s)",
            [list(KEPT)],
        )
        tables = [name for (name,) in cursor.fetchall()]
        for table in tables:
            cursor.execute(f"ALTER TABLE {table} DISABLE TRIGGER USER")
        cursor.execute(f"TRUNCATE {', '.join(tables)}")
        for table in tables:
            cursor.execute(f"ALTER TABLE {table} ENABLE TRIGGER USER")


TransactionTestCase._fixture_teardown = _empty_as_owner  # type: ignore[attr-defined]
