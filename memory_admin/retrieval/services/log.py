"""Writing the log of answers, counting the uses in it, and taking words out of it."""

from __future__ import annotations

import hmac
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta
from functools import cache
from hashlib import sha256
from typing import Any
from uuid import UUID

import orjson
from django.db import connection, transaction
from django.db.models import Count, F, Max

from memory_admin import env, jobs
from memory_admin.memories.models import Memory
from memory_admin.retrieval import fence
from memory_admin.retrieval.models import Retrieval, RetrievalCandidate
from memory_admin.tenancy.scope import required_tenant

COUNT_AFTER = timedelta(minutes=1)
"""Uses are added to their memories together, so that reading does not rewrite rows all the time."""

MARGIN = timedelta(seconds=10)
MOST_REMEMBERED = 10_000


def write(retrieval: Mapping[str, Any], candidates: Sequence[Mapping[str, Any]]) -> None:
    """Write an answer and its candidates, each given by column, as one statement: a read pays for one round trip."""
    row = {"tenant_id": required_tenant(), **retrieval}
    sql = f"INSERT INTO retrieval_retrieval ({', '.join(row)}) VALUES ({', '.join(['%s'] * len(row))})"  # noqa: S608
    parameters = list(row.values())
    if candidates:
        sql = f"WITH retrieval AS ({sql}) {_candidates_from_json()}"
        parameters += [row["tenant_id"], row["id"], orjson.dumps(candidates).decode()]
    with connection.cursor() as cursor:
        cursor.execute(sql, parameters)


@cache
def _candidates_from_json() -> str:
    # One parameter instead of six hundred: reading the placeholders took longer than the insert.
    fields = [
        field
        for field in RetrievalCandidate._meta.local_concrete_fields
        if field.column not in ("tenant_id", "retrieval_id", "salt")
    ]
    names = ", ".join(str(field.column) for field in fields)
    typed = ", ".join(f"{field.column} {field.db_type(connection)}" for field in fields)
    return (
        f"INSERT INTO retrieval_retrievalcandidate (tenant_id, retrieval_id, {names}) "  # noqa: S608  # our own columns
        f"SELECT %s, %s, {names} FROM jsonb_to_recordset(%s::jsonb) AS candidate({typed})"
    )


def follow_up(*, subject_ids: Collection[UUID], text_until: datetime | None, now: datetime) -> None:
    """Queue what an answer leaves to be done: counting its uses soon, and removing its text in time.

    What this process has queued before, and has not begun, is not queued again: a read pays for nothing twice.
    """
    tenant_id = required_tenant()
    for subject_id in subject_ids:
        key = (tenant_id, subject_id)
        if _is_news(key, until=now):
            jobs.after_commit(jobs.COUNT_USES, object_id=subject_id, at=now + COUNT_AFTER)
            _remember(key, now + COUNT_AFTER - MARGIN)
    if text_until is not None:
        hour = (tenant_id, int(text_until.timestamp()) // 3600)
        if _is_news(hour, until=now):
            jobs.purge_later(jobs.PURGE_QUERY_TEXTS, until=text_until)
            _remember(hour, now + timedelta(hours=1))


def _is_news(key: tuple[UUID, object], *, until: datetime) -> bool:
    return _queued.get(key, until) <= until


def _remember(key: tuple[UUID, object], until: datetime) -> None:
    def remember() -> None:
        if len(_queued) >= MOST_REMEMBERED:
            _queued.clear()
        _queued[key] = until

    transaction.on_commit(remember)


_queued: dict[tuple[UUID, object], datetime] = {}


def count_uses(*, subject_id: UUID, now: datetime) -> int:
    """Add the uses of a subject's memories in answers not yet counted; tell how many answers were counted.

    Done twice, it counts nothing twice.
    """
    # An erasure takes the memory first and the answer second, which is the other way round.
    fence.begin_answer(subject_id)
    waiting = Retrieval.objects.select_for_update().filter(counted_at=None, subject_ids__contains=[subject_id])
    ids = list(waiting.values_list("id", flat=True))
    uses = (
        RetrievalCandidate.objects.filter(retrieval_id__in=ids, returned=True)
        .values("memory_id")
        .annotate(uses=Count("id"), last=Max("retrieval__created_at"))
        .order_by("memory_id")
    )
    for use in uses:
        Memory.objects.filter(id=use["memory_id"]).update(
            use_count=F("use_count") + use["uses"], last_used_at=use["last"]
        )
    Retrieval.objects.filter(id__in=ids).update(counted_at=now)
    return len(ids)


def purge_query_texts(*, now: datetime) -> int:
    """Remove the texts of questions whose time is over; tell how many."""
    over = Retrieval.objects.filter(query_text__isnull=False, query_text_until__lte=now)
    return over.update(query_text=None, query_text_until=None)


def query_digest(query: str) -> bytes:
    """Digest a query text under a key of the tenant: 32 bytes that tell equal questions, and nothing to a reader."""
    # Derived for this one purpose from the secret that also keys the tombstones.
    key = hmac.digest(env.key("TOMBSTONE_KEY"), b"query\x1f" + required_tenant().bytes, sha256)
    return hmac.digest(key, query.encode("utf-8", "surrogatepass"), sha256)
