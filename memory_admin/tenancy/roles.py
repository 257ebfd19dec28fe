"""Which database role the process is: the app's by default, the owner's for migrations."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.conf import settings
from django.db import connection

CREDENTIALS = ("USER", "PASSWORD", "HOST", "PORT", "OPTIONS")

ROLES = ("memory_owner", "memory_migrate", "memory_app", "memory_reader", "memory_backup")
EXTENSIONS = ("vector", "btree_gist")


def is_owner() -> bool:
    """Tell whether the connection's credentials are the owner's."""
    return "assume_role" in connection.settings_dict["OPTIONS"]


@contextmanager
def as_owner() -> Iterator[None]:
    """Run what is inside as the owner of the tables: migrations, and the tests' preparations.

    One alias, its credentials swapped: a second alias would make tests run on the development database.
    """
    if is_owner():
        yield
        return
    kept = {name: connection.settings_dict[name] for name in CREDENTIALS}
    _become({name: settings.DATABASE_OWNER[name] for name in CREDENTIALS})
    try:
        yield
    finally:
        _become(kept)


def _become(credentials: dict[str, Any]) -> None:
    connection.close()
    connection.close_pool()  # type: ignore[attr-defined]  # a pool would keep the other role's connections
    connection.settings_dict.update(credentials)
