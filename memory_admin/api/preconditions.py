"""Updates that name the version they change (RFC 9110 13, RFC 6585 3)."""

from __future__ import annotations

from rest_framework.request import Request

from memory_admin.api.problems import Problem


def etag(version: int) -> str:
    """Write the entity tag of a version."""
    return f'"{version}"'


def required_version(request: Request) -> int:
    """Read from `If-Match` which version the caller means to change.

    :raises Problem: 428, the header is missing; 412, it names no version
    """
    sent = request.headers.get("If-Match")
    if sent is None:
        raise Problem(428, "if_match_required", "Send If-Match with the ETag of the version that you mean to change.")
    digits = sent.strip().removeprefix('"').removesuffix('"')
    if not (digits.isascii() and digits.isdigit() and len(digits) < 10):
        raise changed_meanwhile()
    return int(digits)


def changed_meanwhile() -> Problem:
    """Answer that the version which the caller meant is not the current one."""
    return Problem(412, "version_mismatch", "It has changed since. Read it again.")


def require(request: Request, *, version: int) -> None:
    """Let an update pass that means the current version.

    :raises Problem: 428, no version is named; 412, another one is
    """
    if required_version(request) != version:
        raise changed_meanwhile()
