"""Asking for many rows at once: one array as a parameter, where a list would be a parameter for each."""

from collections.abc import Iterable
from uuid import UUID

from django.db.models.expressions import RawSQL


def any_id(ids: Iterable[UUID]) -> RawSQL:
    """Match any of these ids, however many: ``filter(id__in=any_id(ids))``."""
    return RawSQL("SELECT unnest(%s::uuid[])", [list(ids)])  # no text of anybody's


def any_digest(digests: Iterable[bytes]) -> RawSQL:
    """Match any of these digests, however many: ``filter(digest__in=any_digest(digests))``."""
    return RawSQL("SELECT unnest(%s::bytea[])", [list(digests)])  # no text of anybody's
