"""The only writers of the audit trail, each one statement: the last one of a business transaction."""

import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol
from uuid import UUID

from django.db import connection

from memory_admin.audit import chain, keeping
from memory_admin.audit.actions import Action
from memory_admin.audit.checkpoints import Checkpoint
from memory_admin.tenancy.scope import AnotherTenant, required_tenant

SALT_BYTES = 16


class Actor(Protocol):
    """Who did it: a reference such as `user:<uuid>`, `key:<uuid>` or `system:<name>`, in one tenant."""

    @property
    def tenant_id(self) -> UUID: ...

    @property
    def ref(self) -> str: ...


_request_id: ContextVar[str | None] = ContextVar("request_id", default=None)


@contextmanager
def within_request(request_id: str) -> Iterator[None]:
    """Name the request that everything recorded inside belongs to: the events of one click are found together."""
    token = _request_id.set(request_id)
    try:
        yield
    finally:
        _request_id.reset(token)


def request_id() -> str | None:
    """Name the request that is being answered, if one is."""
    return _request_id.get()


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One event to record.

    `target` is (kind, id) of what was changed. `payload` holds ids, codes and numbers, never a person's words.
    """

    action: Action
    by: Actor
    target: tuple[str, UUID] | None
    at: datetime
    policy_version: str | None = None
    payload: Mapping[str, Any] | None = None
    request_id: str | None = None
    seals: chain.Sealed | None = None


def record(
    *,
    action: Action,
    by: Actor,
    target: tuple[str, UUID] | None,
    at: datetime,
    policy_version: str | None = None,
    payload: Mapping[str, Any] | None = None,
    request_id: str | None = None,
    seals: chain.Sealed | None = None,
) -> int:
    """Append one event to the chain of the actor's tenant and return its number.

    :raises AnotherTenant: the actor is not of the open tenant scope
    """
    entry = Entry(
        action=action,
        by=by,
        target=target,
        at=at,
        policy_version=policy_version,
        payload=payload,
        request_id=request_id,
        seals=seals,
    )
    return record_many([entry])[0]


def record_many(entries: Sequence[Entry]) -> range:
    """Append events in their order, in one statement however many they are, and return their numbers.

    It holds the lock on the tenant's chain until the transaction ends, so it comes last in it.

    :raises AnotherTenant: an actor is not of the open tenant scope
    """
    if not entries:
        return range(0)

    canonicals: list[bytes] = []
    salts: list[bytes | None] = []
    bodies: list[str | None] = []
    for entry in entries:
        salt = body = None
        if entry.payload is not None:
            salt, body = secrets.token_bytes(SALT_BYTES), chain.canonicalise(entry.payload)
        canonicals.append(_metadata(entry, payload=chain.commitment(salt, body) if salt and body else None))
        salts.append(salt)
        bodies.append(body.decode() if body else None)

    sql = "SELECT audit_append(%s, %s::bytea[], %s::bytea[], %s::text[])"
    with connection.cursor() as cursor:
        cursor.execute(sql, [required_tenant(), canonicals, salts, bodies])
        first = cursor.fetchone()[0]
    return range(first, first + len(entries))


def erase_payloads(
    *,
    seqs: Iterable[int],
    by: Actor,
    at: datetime,
    target: tuple[str, UUID] | None = None,
    request_id: str | None = None,
) -> int:
    """Erase the bodies of events, and record which; the chain holds as before. Returns the number of the new event.

    :param target: what they went with, such as an erasure
    :raises AnotherTenant: the actor is not of the open tenant scope
    """
    numbers = sorted(set(seqs))
    entry = Entry(action=Action.PAYLOAD_ERASED, by=by, target=target, at=at, request_id=request_id)
    canonical = _metadata(entry, erases=tuple(chain.runs(numbers)))
    with connection.cursor() as cursor:
        cursor.execute("SELECT audit_erase(%s, %s::bigint[], %s)", [required_tenant(), numbers, canonical])
        return int(cursor.fetchone()[0])


def hold() -> None:
    """Wait for the lock on the chain of the open tenant, for a service that must not hold other locks meanwhile."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT audit_hold(%s)", [required_tenant()])


def checkpoint(*, at: datetime) -> bool:
    """Sign how long the chain of the open tenant is, and its head, and write it outside the database.

    Call it in a transaction that has recorded nothing: what it signs must have been committed.

    :return: whether the chain has grown since the last one
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT size, head FROM audit_chain WHERE tenant_id = %s", [required_tenant()])
        found = cursor.fetchone()
    return found is not None and keeping.keep(Checkpoint(required_tenant(), found[0], bytes(found[1]), at))


def _metadata(entry: Entry, *, payload: bytes | None = None, erases: Sequence[tuple[int, int]] = ()) -> bytes:
    if entry.by.tenant_id != required_tenant():
        raise AnotherTenant(f"{entry.by.ref} does not belong to the open scope")
    return chain.metadata(
        action=entry.action,
        by=entry.by.ref,
        target=entry.target,
        at=entry.at,
        policy_version=entry.policy_version,
        request_id=entry.request_id or _request_id.get(),
        payload=payload,
        erases=erases,
        seals=entry.seals,
    )
