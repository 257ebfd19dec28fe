"""Keyed digests of statements and sources: they recognise, and tell nothing to whoever reads the table."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping
from functools import lru_cache
from typing import Any
from uuid import UUID

import rfc8785

from memory_admin import env
from memory_admin.screening.canonical import CANONICAL_VERSION, canonicalise


def statement_digest(statement: str, *, tenant_id: UUID, subject_id: UUID) -> bytes:
    """Digest a statement about a subject: 32 bytes, equal for every spelling with the same canonical form.

    HMAC-SHA-256 under a per-tenant key that is derived from a secret kept outside the database (RFC 2104).
    """
    text = f"{CANONICAL_VERSION}\x1fstatement\x1f{subject_id}\x1f{canonicalise(statement)}"
    return hmac.digest(tenant_key(tenant_id), text.encode("utf-8", "surrogatepass"), "sha256")


def value_digest(key: str, value: object, *, tenant_id: UUID, subject_id: UUID) -> bytes:
    """Digest a value of a key: 32 bytes, equal for the same value under any sentence (canonical JSON, RFC 8785)."""
    text = f"{CANONICAL_VERSION}\x1fvalue\x1f{subject_id}\x1f{key}\x1f{rfc8785.dumps(_plain(value)).decode()}"
    return hmac.digest(tenant_key(tenant_id), text.encode(), "sha256")


def source_digest(*, trace_id: str, message_id: str, uri: str, tenant_id: UUID, subject_id: UUID) -> bytes:
    """Digest a source's reference: 32 bytes, equal whenever the same message or page is read again."""
    reference = "\x1f".join([trace_id.strip(), message_id.strip(), uri.strip()])
    text = f"{CANONICAL_VERSION}\x1fsource\x1f{subject_id}\x1f{reference}"
    return hmac.digest(tenant_key(tenant_id), text.encode("utf-8", "surrogatepass"), "sha256")


def keyed_digest(text: str, *, of: str, tenant_id: UUID, subject_id: UUID) -> bytes:
    """Digest any other text about a subject: 32 bytes, to know it again and tell nothing of it."""
    return hmac.digest(tenant_key(tenant_id), f"{of}\x1f{subject_id}\x1f{text}".encode(), "sha256")


@lru_cache(maxsize=1024)
def tenant_key(tenant_id: UUID) -> bytes:
    """Derive the key of a tenant from the secret that is kept outside the database."""
    return hmac.digest(env.key("TOMBSTONE_KEY"), tenant_id.bytes, hashlib.sha256)


def _plain(value: object) -> Any:
    """Fold the texts of a value as statements are folded; numbers beyond what canonical JSON holds become texts."""
    if isinstance(value, str):
        return canonicalise(value)
    if isinstance(value, Mapping):
        return {str(name): _plain(inner) for name, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(inner) for inner in value]
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) > 2**53 - 1:
        return str(value)
    return value
