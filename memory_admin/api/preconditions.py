"""Updates that name the version they change (RFC 9110 13, RFC 6585 3)."""

from __future__ import annotations

from rest_framework.request import Request

from memory_admin.api.problems import Problem
from memory_admin.memories.changes import ChangedMeanwhile


def etag(version: int) -> str:
    """Write the entity tag of a version."""
    return f'"{version}"'


def required_version(request: Request) -> int:
    """Read from `If-Match` which version the caller means to change.

    :raises Problem: 428, the header is missing; 412, it names no version
    """
    version = named_version(request)
    if version is None:
        raise Problem(428, "if_match_required", "Send If-Match with the ETag of the version that you mean to change.")
    return version


def named_version(request: Request) -> int | None:
    """Read from `If-Match` which version the caller means, if it says so.

    :raises Problem: 412, it names no version
    """
    sent = request.headers.get("If-Match")
    if sent is None:
        return None
    digits = sent.strip().removeprefix('"').removesuffix('"')
    if not (digits.isascii() and digits.isdigit() and len(digits) < 10):
        raise Problem(412, ChangedMeanwhile.code, ChangedMeanwhile.sentence)
    return int(digits)
