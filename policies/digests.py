"""Digests of policy content. Pure."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

import rfc8785


def sha256_of(content: Mapping[str, Any]) -> str:
    """Return the hex SHA-256 of JSON content in its canonical form (RFC 8785): order and spacing do not count."""
    return hashlib.sha256(rfc8785.dumps(dict(content))).hexdigest()
