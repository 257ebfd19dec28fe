"""Too many wrong passwords lock one account for one address: nobody can lock somebody else out from afar.

Everything is counted in the cache, in the same way for addresses that have an account and those that have none:
neither the answer nor its time tells which.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from ipaddress import IPv6Address, ip_address, ip_network

from django.core.cache import cache

TRIES = 5
LOCKED_FOR = timedelta(minutes=5)
REMEMBERED_FOR = timedelta(days=30)


@dataclass(frozen=True)
class Failed:
    """The last wrong password for an e-mail address."""

    at: datetime
    address: str
    device: str
    locked: bool


def begin(email: str, address: str, *, now: datetime) -> datetime | None:
    """Count a try, before the password is looked at: so that many at once count each. Tell until when it is locked."""
    pair = _pair(email, address)
    until = cache.get(f"{pair}:until")
    if isinstance(until, datetime):
        if until > now:
            return until
        clear(email, address)
    if _counted(pair) <= TRIES:
        return None
    return _lock(pair, now)


def fail(email: str, address: str, device: str, *, now: datetime) -> None:
    """Note that the password was wrong; the last of the tries locks."""
    pair = _pair(email, address)
    locked = int(cache.get(pair) or 0) >= TRIES
    if locked:
        _lock(pair, now)
    failed = Failed(now, address, device, locked)
    cache.set(_name("failed", email), failed, REMEMBERED_FOR.total_seconds())


def clear(email: str, address: str) -> None:
    """Forget the tries of a pair: the password was right, or set anew."""
    pair = _pair(email, address)
    cache.delete_many([pair, f"{pair}:until"])


def take_failed(email: str) -> Failed | None:
    """Give the last wrong password since the last sign-in, once."""
    name = _name("failed", email)
    failed = cache.get(name)
    cache.delete(name)
    return failed if isinstance(failed, Failed) else None


def _counted(pair: str) -> int:
    cache.add(pair, 0, LOCKED_FOR.total_seconds())
    with suppress(ValueError):  # it ended between the two lines
        return int(cache.incr(pair))
    cache.set(pair, 1, LOCKED_FOR.total_seconds())
    return 1


def _lock(pair: str, now: datetime) -> datetime:
    until = now + LOCKED_FOR
    cache.set(f"{pair}:until", until, LOCKED_FOR.total_seconds())
    return until


def _pair(email: str, address: str) -> str:
    return _name("tries", email, _network(address))


def _name(what: str, email: str, *parts: str) -> str:
    text = "\x1f".join([email.strip().lower(), *parts])
    return f"sign-in:{what}:{sha256(text.encode()).hexdigest()}"


def _network(address: str) -> str:
    """Take the addresses that one subscriber of IPv6 has as one."""
    try:
        read = ip_address(address)
    except ValueError:
        return address
    return str(ip_network(f"{read}/64", strict=False)) if isinstance(read, IPv6Address) else str(read)
