"""Updates that name the version they change (RFC 9110 13, RFC 6585 3)."""

from __future__ import annotations

from typing import Final

from rest_framework.request import Request

from memory_admin.api.problems import Problem
from memory_admin.memories.changes import ChangedMeanwhile

HEADER: Final = "If-Match"
ANY: Final = "*"


def etag(version: int) -> str:
    """Write the entity tag of a version."""
    return f'"{version}"'


def required_version(request: Request) -> int | None:
    """Read from `If-Match` which version the caller means to change; None for `*`, whichever there is.

    :raises Problem: 428, the header is missing; 412, it names no version
    """
    if HEADER not in request.headers:
        raise Problem(428, "if_match_required", "Send If-Match with the ETag of the version that you mean to change.")
    return named_version(request)


def named_version(request: Request) -> int | None:
    """Read from `If-Match` which version the caller means; None if it leaves that open.

    :raises Problem: 412, it names no version
    """
    sent = request.headers.get(HEADER, ANY).strip()
    if sent == ANY:
        return None
    digits = sent.removeprefix('"').removesuffix('"')
    if not (digits.isascii() and digits.isdigit() and len(digits) < 10):
        raise _no_such_version()
    return int(digits)


def refuse_named_version(request: Request) -> None:
    """Let a request pass where nothing exists that it could mean to change.

    :raises Problem: 412, it has an `If-Match`
    """
    if HEADER in request.headers:
        raise _no_such_version()


def _no_such_version() -> Problem:
    return Problem(412, ChangedMeanwhile.code, ChangedMeanwhile.sentence)
