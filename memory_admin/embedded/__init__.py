"""The Postgres and Valkey that come along when no server is configured.

Where they listen is plain arithmetic on the data folder, so settings may ask without starting anything. Any process may
start them; only `manage.py run` stops them. With `DATABASE_URL` or `CELERY_BROKER_URL` set, the server named there is
used and the embedded one is left alone.
"""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final
from urllib.parse import quote

from memory_admin import env
from memory_admin.embedded import places
from memory_admin.embedded.places import ServerFailed as ServerFailed

DATABASE: Final = "memory"
APP_ROLE: Final = "memory_app"
MIGRATION_ROLE: Final = "memory_migrate"
BACKUP_ROLE: Final = "memory_backup"


def comes_with_postgres() -> bool:
    """Tell whether the embedded Postgres is the one to use."""
    return not env.text("DATABASE_URL")


def comes_with_valkey() -> bool:
    """Tell whether the embedded Valkey is the one to use."""
    return not env.text("CELERY_BROKER_URL")


def database_url() -> str:
    """Name the embedded database as the app role sees it."""
    return _url(APP_ROLE)


def owner_url() -> str:
    """Name the embedded database for migrations: a role that may assume the owner of the tables."""
    return _url(MIGRATION_ROLE)


def backup_url() -> str:
    """Name the embedded database for dumps: a role that reads every tenant's rows and writes none."""
    return _url(BACKUP_ROLE)


def broker_url() -> str:
    """Name the embedded Valkey for Celery."""
    return f"redis+socket://{places.valkey_socket(_valkey())}"


def ensure_postgres() -> None:
    """Start the embedded Postgres unless it runs already or another server is configured; make its roles and database.

    :raises ServerFailed: it does not start; the message names its log
    """
    if comes_with_postgres():
        from memory_admin.embedded import postgres  # here, because settings import this package in every process

        postgres.ensure(_postgres())


def ensure_valkey() -> None:
    """Start the embedded Valkey unless it runs already or another broker is configured.

    :raises ServerFailed: it does not start; the message names its log
    """
    if comes_with_valkey():
        from memory_admin.embedded import valkey

        valkey.ensure(_valkey())


def in_use() -> bool:
    """Tell whether some program is connected to the embedded Postgres."""
    from memory_admin.embedded import postgres

    return comes_with_postgres() and postgres.runs(_postgres()) and postgres.connections(_postgres()) > 0


def watched() -> dict[str, Callable[[], bool]]:
    """Name the embedded servers in use, each with what tells whether it still runs."""
    from memory_admin.embedded import postgres, valkey

    servers: dict[str, Callable[[], bool]] = {}
    if comes_with_postgres():
        servers["PostgreSQL"] = partial(postgres.runs, _postgres())
    if comes_with_valkey():
        servers["Valkey"] = partial(valkey.answers, _valkey())
    return servers


def stop() -> None:
    """Stop the embedded servers that run, the broker first. Servers that were configured are left alone."""
    from memory_admin.embedded import postgres, valkey

    if comes_with_valkey():
        valkey.stop(_valkey())
    if comes_with_postgres():
        postgres.stop(_postgres())


def _postgres() -> Path:
    return env.data_dir() / "postgres"


def _valkey() -> Path:
    return env.data_dir() / "valkey"


def _url(role: str) -> str:
    folder = quote(str(places.postgres_sockets(_postgres())), safe="")
    return f"postgresql://{role}@/{DATABASE}?host={folder}&port={places.POSTGRES_PORT}"
