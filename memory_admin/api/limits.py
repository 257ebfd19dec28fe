"""How often a key may ask: a count for each minute, made by one statement, so that it holds under concurrency."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import ceil
from typing import Final
from uuid import UUID

from django.db import connection
from django.utils.crypto import salted_hmac

from memory_admin.api.problems import Problem

WINDOW: Final = timedelta(minutes=1)

_COUNT: Final = """
    INSERT INTO api_ratewindow AS held (key_id, about, started_at, used) VALUES {rows}
    ON CONFLICT (key_id, about) DO UPDATE SET
        used = CASE WHEN held.started_at <= %s THEN 1 ELSE held.used + 1 END,
        started_at = CASE WHEN held.started_at <= %s THEN excluded.started_at
                          ELSE held.started_at END
    RETURNING used, started_at
"""


# Once a minute the key's first request takes the windows that are over with it.
_FORGET: Final = "DELETE FROM api_ratewindow WHERE key_id = %s AND started_at <= %s"


@dataclass(frozen=True, slots=True)
class Allowance:
    """What is left of a limit."""

    limit: int
    used: int
    seconds_left: int

    @property
    def headers(self) -> dict[str, str]:
        """Tell it as the RateLimit header fields do."""
        return {
            "RateLimit-Limit": str(self.limit),
            "RateLimit-Remaining": str(max(0, self.limit - self.used)),
            "RateLimit-Reset": str(self.seconds_left),
        }

    def refuse_excess(self) -> None:
        """Let the request pass while something was left.

        :raises Problem: 429, with the seconds to wait
        """
        if self.used > self.limit:
            raise Problem(
                429,
                "too_many_requests",
                "This key has asked too often. Wait and try again.",
                headers={**self.headers, "Retry-After": str(self.seconds_left)},
            )


def count(*, key_id: UUID, limit: int, now: datetime, about: Sequence[str] = ("",)) -> Allowance:
    """Count one more request of a key, of all or about each of several things, and tell what is least left.

    Call it outside a transaction: the row stays locked until the commit, and a refused request counts too.
    """
    rows = [value for one in sorted(set(about)) for value in (key_id, one, now)]
    sql = _COUNT.format(rows=", ".join(["(%s, %s, %s, 1)"] * len(set(about))))
    with connection.cursor() as cursor:
        cursor.execute(sql, [*rows, now - WINDOW, now - WINDOW])
        used, started_at = max(cursor.fetchall())
        if used == 1 and list(about) == [""]:
            cursor.execute(_FORGET, [key_id, now - WINDOW])
    left = (started_at + WINDOW - now).total_seconds()
    return Allowance(limit=limit, used=used, seconds_left=max(1, ceil(left)))


def digest_of(ref: str, *, tenant_id: UUID) -> str:
    """Write a subject so that it can be counted and not be read."""
    return salted_hmac("memory_admin.api.limits", f"{tenant_id} {ref}", algorithm="sha256").hexdigest()[:32]
