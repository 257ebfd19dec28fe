"""The check of one tenant's stored chain."""

from collections.abc import Callable, Iterator
from typing import Any
from uuid import UUID

from django.db import connection

from memory_admin.audit import chain, keeping
from memory_admin.tenancy.scope import tenant_scope

# One statement, so one snapshot: an event or an erasure that commits meanwhile is either wholly seen or not at all.
# What the chain's own row tells comes first, under the number that no event has.
WHOLE_CHAIN = """
    SELECT 0::bigint AS seq, NULL::bytea, NULL::bytea, (SELECT head FROM audit_chain WHERE tenant_id = %(tenant)s),
           NULL::bytea, (SELECT size::text FROM audit_chain WHERE tenant_id = %(tenant)s)
    UNION ALL
    SELECT event.seq, event.canonical, event.prev_hash, event.hash, payload.salt, payload.body
    FROM audit_event event
    LEFT JOIN audit_payload payload ON payload.tenant_id = event.tenant_id AND payload.seq = event.seq
    WHERE event.tenant_id = %(tenant)s
    ORDER BY seq
"""
ROWS_AT_ONCE = 2000


def verify(tenant_id: UUID, *, progress: Callable[[int], None] | None = None) -> chain.Verification:
    """Check one tenant's chain from its first event to its last; the memory it takes does not grow with the events.

    It sees every change that was made behind the chain's back; that a chain was rewritten whole, head included, it sees
    by the checkpoints that are kept outside the database, and by nothing else.

    :param progress: told now and then how many events have been read
    """
    # Before the chain is looked at: one that is written meanwhile may be longer than what is read.
    checkpoints = [(one.size, one.head) for one in keeping.kept(tenant_id).checkpoints]
    with tenant_scope(tenant_id), connection.chunked_cursor() as cursor:
        cursor.execute(WHOLE_CHAIN, {"tenant": tenant_id})
        rows = _stream(cursor, progress)
        *_, head, _, size = next(rows)
        return chain.check(
            tenant_id,
            map(_link, rows),
            size=int(size or 0),
            head=chain.genesis(tenant_id) if head is None else head,
            checkpoints=checkpoints,
        )


def _stream(cursor: Any, progress: Callable[[int], None] | None) -> Iterator[Any]:
    read = 0
    while rows := cursor.fetchmany(ROWS_AT_ONCE):
        yield from rows
        read += len(rows)
        if progress is not None:
            progress(read)


def _link(row: Any) -> chain.Link:
    seq, canonical, prev_hash, hash_, salt, body = row
    return chain.Link(seq, canonical, prev_hash, hash_, None if body is None else (salt, body.encode()))
