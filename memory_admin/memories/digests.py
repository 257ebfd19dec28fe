"""Keyed digests of statements and sources: they recognise, and tell nothing to whoever reads the table."""

from __future__ import annotations

import hashlib
import hmac
from functools import lru_cache
from uuid import UUID

from memory_admin import env
from memory_admin.screening.canonical import CANONICAL_VERSION, canonicalise


def statement_digest(statement: str, *, tenant_id: UUID, subject_id: UUID) -> bytes:
    """Digest a statement about a subject: 32 bytes, equal for every spelling with the same canonical form.

    HMAC-SHA-256 under a per-tenant key that is derived from a secret kept outside the database (RFC 2104).
    """
    text = f"{CANONICAL_VERSION}\x1fstatement\x1f{subject_id}\x1f{canonicalise(statement)}"
    return hmac.digest(_key(tenant_id), text.encode("utf-8", "surrogatepass"), "sha256")


def source_digest(*, trace_id: str, message_id: str, uri: str, tenant_id: UUID, subject_id: UUID) -> bytes:
    """Digest a source's reference: 32 bytes, equal whenever the same message or page is read again."""
    reference = "\x1f".join([trace_id.strip(), message_id.strip(), uri.strip()])
    text = f"{CANONICAL_VERSION}\x1fsource\x1f{subject_id}\x1f{reference}"
    return hmac.digest(_key(tenant_id), text.encode("utf-8", "surrogatepass"), "sha256")


@lru_cache(maxsize=1024)
def _key(tenant_id: UUID) -> bytes:
    return hmac.digest(env.key("TOMBSTONE_KEY"), tenant_id.bytes, hashlib.sha256)
