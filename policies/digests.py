"""Digests of policy content, of its use, and of everything a reviewer relies on. Pure."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

import rfc8785


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """For whom, how, from when until when a version is used; without a start it takes effect when it is released.

    :ivar lane: ``enforce`` decides, ``shadow`` watches
    :ivar mode: ``enforce``, or, watching, ``shadow`` (recorded) or ``warn`` (recorded and told)
    """

    region: str | None = None
    agent_id: UUID | None = None
    lane: str = "enforce"
    mode: str = "enforce"
    effective_from: datetime | None = None
    effective_until: datetime | None = None


def sha256_of(content: Mapping[str, Any]) -> str:
    """Return the hex SHA-256 of JSON content in its canonical form (RFC 8785): order and spacing do not count."""
    return hashlib.sha256(rfc8785.dumps(dict(content))).hexdigest()


def terms_sha256(terms: Terms, *, version_id: UUID, content_sha256: str) -> str:
    """Return the digest of one use of a version; a start left to the release is no part of it."""
    return sha256_of(
        {
            "version": str(version_id),
            "content_sha256": content_sha256,
            "region": terms.region,
            "agent": str(terms.agent_id) if terms.agent_id else None,
            "lane": str(terms.lane),
            "mode": str(terms.mode),
            "effective_from": terms.effective_from.isoformat() if terms.effective_from else None,
            "effective_until": terms.effective_until.isoformat() if terms.effective_until else None,
        }
    )


def review_sha256(*, content: str, activation: str, suite: str, base: str) -> str:
    """Return the digest of what a reviewer relies on, from the digests of its four parts; `base` is empty without one.

    A decision about another digest is stale: that is a comparison, and no flag to be reset.
    """
    return hashlib.sha256("\n".join((content, activation, suite, base)).encode()).hexdigest()
