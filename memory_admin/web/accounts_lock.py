"""Too many wrong passwords lock one account for one address: nobody can lock somebody else out from afar.

Everything is counted in the cache, in the same way for addresses that have an account and those that have none:
neither the answer nor its time tells which.
"""

from __future__ import annotations

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
    return None if _is_counted(pair) else _lock(pair, now)


def fail(email: str, address: str, device: str, *, now: datetime) -> None:
    """Note that the password was wrong; the last of the tries locks."""
    pair = _pair(email, address)
    locked = cache.get(f"{pair}:{TRIES}") is not None
    if locked:
        _lock(pair, now)
    failed = Failed(now, address, device, locked)
    cache.set(_name("failed", email), failed, REMEMBERED_FOR.total_seconds())


def clear(email: str, address: str) -> None:
    """Forget the tries of a pair: the password was right, or set anew."""
    pair = _pair(email, address)
    cache.delete_many([f"{pair}:until", *(f"{pair}:{number}" for number in range(1, TRIES + 1))])


def take_failed(email: str) -> Failed | None:
    """Give the last wrong password since the last sign-in, once."""
    name = _name("failed", email)
    failed = cache.get(name)
    cache.delete(name)
    return failed if isinstance(failed, Failed) else None


def _is_counted(pair: str) -> bool:
    """Take the next free try, if one is left. To add is atomic in every cache, to count up is not in a table."""
    return any(cache.add(f"{pair}:{number}", True, LOCKED_FOR.total_seconds()) for number in range(1, TRIES + 1))


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
