"""The text of an API key: ``mk_<prefix>_<secret>``. Pure."""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from dataclasses import dataclass

# The prefix finds the row, the secret proves the holder: 32 random bytes, so one fast hash is enough to keep it.
_SHAPE = re.compile(r"mk_([0-9a-z]{12})_([A-Za-z0-9_-]{43})", re.ASCII)
_LETTERS = "0123456789abcdefghjkmnpqrstvwxyz"


@dataclass(frozen=True)
class KeyText:
    """A key as its holder presents it."""

    prefix: str
    secret: str

    def __str__(self) -> str:
        return f"mk_{self.prefix}_{self.secret}"

    @property
    def digest(self) -> bytes:
        """SHA-256 of the secret, 32 bytes: what is stored."""
        return hashlib.sha256(self.secret.encode()).digest()

    def proves(self, digest: bytes) -> bool:
        """Tell, in constant time, whether the secret has this digest."""
        return hmac.compare_digest(self.digest, digest)


def make() -> KeyText:
    """Make a new key."""
    prefix = "".join(secrets.choice(_LETTERS) for _ in range(12))
    return KeyText(prefix, secrets.token_urlsafe(32))


def read(presented: str) -> KeyText | None:
    """Read a presented key, or None when it has not the shape of one."""
    found = _SHAPE.fullmatch(presented)
    return KeyText(*found.groups()) if found else None
