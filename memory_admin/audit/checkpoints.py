"""Checkpoints: how long a chain was at some time, and its last hash then, to be signed and kept elsewhere. Pure.

Written in the form of https://c2sp.org/tlog-checkpoint: what it is about, the size, the hash in base64, and one more
line with the time. The hash is that of a chain and not of a tree, which is why the first line names the audit trail.
"""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from dataclasses import dataclass
from datetime import UTC, datetime
from uuid import UUID

from memory_admin.audit.chain import instant

ORIGIN = "memory_admin/audit/"
TEXT = re.compile(
    re.escape(ORIGIN) + r"([0-9a-f-]{36})\n(0|[1-9][0-9]{0,17})\n([A-Za-z0-9+/]{43}=)\n"
    r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6})Z\n"
)


class NotACheckpoint(ValueError):
    """This text is no checkpoint of an audit trail."""


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The chain of one tenant had `size` events at a time, and `head` was the hash of the last."""

    tenant_id: UUID
    size: int
    head: bytes
    at: datetime

    @property
    def text(self) -> str:
        return f"{ORIGIN}{self.tenant_id}\n{self.size}\n{b64encode(self.head).decode()}\n{instant(self.at)}\n"


def parse(text: str) -> Checkpoint:
    """Read a checkpoint as it is written.

    :raises NotACheckpoint: it has another form
    """
    found = TEXT.fullmatch(text)
    try:
        if found is None:
            raise ValueError
        tenant_id, size, head, at = found.groups()
        return Checkpoint(UUID(tenant_id), int(size), b64decode(head), datetime.fromisoformat(at).replace(tzinfo=UTC))
    except ValueError as error:
        raise NotACheckpoint("A checkpoint has four lines: the trail, a number, a hash and a time.") from error
