"""What a web process or a worker does once, before it serves anybody."""

import logging
from importlib import import_module
from typing import Any

from celery.signals import worker_init
from django.conf import settings
from django.db import connection

from memory_admin.indexing.embedding import ModelUnavailable, embed
from memory_admin.screening import screen
from memory_admin.tenancy.checks import refuse_unsafe_database

log = logging.getLogger(__name__)


def boot() -> None:
    """Refuse an unsafe database, then load what the first request would wait for.

    Meant to run before a server forks: its processes share what was loaded, and no connection is left open to be shared
    too. Without the embedding model the process starts all the same, and finds memories by their words.

    :raises UnsafeDatabase: the database would not keep tenants apart
    """
    refuse_unsafe_database()
    connection.close()
    connection.close_pool()  # type: ignore[attr-defined]
    import_module(settings.ROOT_URLCONF)
    _read_one_text("Prefers the window seat.")


@worker_init.connect
def boot_worker(**_: Any) -> None:
    """Do the same when a worker starts, before it forks; end it when that fails.

    Celery logs every other error of a receiver, and goes on.
    """
    try:
        boot()
    except Exception as error:
        raise SystemExit(f"The worker does not start: {error}") from error


def _read_one_text(text: str) -> None:
    screen(text, origin="stated", kind="preference")
    try:
        embed([text])
    except ModelUnavailable as error:
        log.warning("The embedding model is unavailable; search goes by words alone.", exc_info=error)
