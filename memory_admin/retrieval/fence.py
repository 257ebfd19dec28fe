"""Answers and erasures about one subject do not overlap, so that no answer logs what was erased while it was made."""

from __future__ import annotations

from typing import Final
from uuid import UUID

from django.db import connection

from memory_admin.tenancy.scope import required_tenant

KEY: Final = "hashtextextended({tenant}::text || '/' || {subject}::text, 7204)"

BEGIN_ANSWER: Final = f"pg_advisory_xact_lock_shared({KEY})"
"""Keeps erasures about a subject waiting until the transaction ends; for a statement before its memories are read."""


def begin_answer(subject_id: UUID) -> None:
    """Keep erasures about a subject waiting until the transaction ends."""
    _ask(BEGIN_ANSWER, subject_id)


def begin_erasure(subject_id: UUID) -> None:
    """Wait for every answer about a subject that is being made, and keep others waiting until the transaction ends."""
    _ask(f"pg_advisory_xact_lock({KEY})", subject_id)


def _ask(lock: str, subject_id: UUID) -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {lock.format(tenant='%s', subject='%s')}", [required_tenant(), subject_id])
