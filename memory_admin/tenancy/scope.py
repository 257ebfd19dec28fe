"""The tenant of the running transaction, and the guard that refuses a query without one."""

from __future__ import annotations

import functools
import os
import re
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from django.apps import apps
from django.db import connection, transaction

_tenant: ContextVar[uuid.UUID | None] = ContextVar("tenant", default=None)


class NoTenantScope(RuntimeError):
    """A tenant table was asked for outside ``tenant_scope``."""


class AnotherTenant(RuntimeError):
    """A scope of one tenant was opened inside the scope of another."""


def uuid7() -> uuid.UUID:
    """Make a UUID version 7 (RFC 9562): 48 bits of Unix milliseconds, then random bits; sorts by time."""
    value = (time.time_ns() // 1_000_000) << 80 | int.from_bytes(os.urandom(10), "big")
    value = value & ~(0xF << 76) | 0x7 << 76
    return uuid.UUID(int=value & ~(0x3 << 62) | 0x2 << 62)


def current_tenant() -> uuid.UUID | None:
    """Tell the tenant of the open scope, or None outside one."""
    return _tenant.get()


def required_tenant() -> uuid.UUID:
    """Tell the tenant of the open scope.

    :raises NoTenantScope: outside a scope
    """
    held = _tenant.get()
    if held is None:
        raise NoTenantScope("open tenant_scope(tenant_id) first")
    return held


@contextmanager
def tenant_scope(tenant_id: uuid.UUID) -> Iterator[None]:
    """Open a transaction that sees the rows of one tenant only.

    The setting is local to the transaction (``SET LOCAL``, which a Citus coordinator passes on to its shards). Opened
    inside a transaction that goes on, it takes the setting back at its end; a failed block loses it by the rollback.

    :raises AnotherTenant: opened inside the scope of a different tenant
    """
    held = _tenant.get()
    if held not in (None, tenant_id):
        raise AnotherTenant(f"inside the scope of {held}")
    goes_on = connection.in_atomic_block
    with transaction.atomic():
        if held is None:
            _set(str(uuid.UUID(str(tenant_id))))
        token = _tenant.set(tenant_id)
        try:
            yield
        finally:
            _tenant.reset(token)
        if held is None and goes_on:
            _set("")


def _set(value: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"SET LOCAL app.tenant = '{value}'")  # a validated UUID or nothing; SET takes no parameters


@functools.cache
def _tenant_tables() -> re.Pattern[str]:
    models = apps.get_models(include_auto_created=True)
    names = [re.escape(m._meta.db_table) for m in models if getattr(m, "is_tenant_model", False)]
    return re.compile(rf"\b(?:{'|'.join(names)})\b")


def refuse_outside_a_scope(
    execute: Callable[..., Any], sql: Any, params: Any, many: bool, context: dict[str, Any]
) -> Any:
    """Raise ``NoTenantScope`` for a statement on a tenant table outside a scope (an execute wrapper).

    The owner is let through: it makes the tables, and under FORCE it sees no rows anyway.
    """
    if _tenant.get() is None and "assume_role" not in context["connection"].settings_dict["OPTIONS"]:
        found = _tenant_tables().search(sql if isinstance(sql, str) else str(sql))
        if found:
            raise NoTenantScope(f"{found[0]} was asked for outside tenant_scope")
    return execute(sql, params, many, context)
