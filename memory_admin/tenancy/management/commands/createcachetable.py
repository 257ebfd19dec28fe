"""``manage.py createcachetable``, run as the owner of the tables: the app's role makes none."""

from __future__ import annotations

from typing import Any

from django.core.management.commands import createcachetable

from memory_admin.tenancy.roles import as_owner


class Command(createcachetable.Command):
    """Make the table of the cache, where no Valkey or Redis is one."""

    def handle(self, *args: Any, **options: Any) -> None:
        with as_owner():
            super().handle(*args, **options)
