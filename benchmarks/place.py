"""A database of its own for the measurement, on the server that the settings name, removed at the end."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

NAME = "test_benchmarks"


def configure() -> None:
    """Set up Django for the measurement: its own database, and no limit on how often a key may ask."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "memory_admin.settings")
    os.environ["TEST_DATABASE"] = NAME
    os.environ["API_REQUESTS_PER_MINUTE"] = "1000000"
    os.environ["API_READS_OF_ONE_SUBJECT_PER_MINUTE"] = "1000000"
    from memory_admin import embedded

    embedded.ensure_postgres()
    embedded.ensure_valkey()
    import django

    django.setup()


@contextmanager
def database() -> Iterator[None]:
    """Make the database as its owner, be the app role inside, and remove it."""
    from django.db import connection
    from django.test.utils import setup_databases, setup_test_environment, teardown_databases

    from memory_admin.tenancy.roles import as_owner

    setup_test_environment(debug=False)
    with as_owner():
        made = setup_databases(verbosity=0, interactive=False, serialized_aliases=set())
    assert connection.settings_dict["NAME"] == NAME
    try:
        yield
    finally:
        with as_owner():
            teardown_databases(made, verbosity=0)
