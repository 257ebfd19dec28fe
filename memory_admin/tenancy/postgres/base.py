"""Django's PostgreSQL backend with the tenant guard on every connection."""

from __future__ import annotations

from typing import Any

from django.db.backends.postgresql import base

from memory_admin.tenancy.scope import refuse_outside_a_scope


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection on which no tenant table can be asked for outside a scope."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.execute_wrappers.append(refuse_outside_a_scope)
