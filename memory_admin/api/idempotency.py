"""Same mark, same effect, once: the record of a POST commits with what the POST did."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from http import HTTPStatus
from typing import Any, Final
from uuid import UUID

import orjson
from django.db import connection
from django.utils.crypto import constant_time_compare, salted_hmac
from rest_framework.request import Request

from memory_admin.api.conf import KEEP_IDEMPOTENCY_HOURS
from memory_admin.api.models import IdempotencyRecord
from memory_admin.api.problems import Problem
from memory_admin.tenancy.scope import required_tenant, uuid7

HEADER: Final = "Idempotency-Key"
_MARK: Final = re.compile(r"[\x21-\x7e]{1,255}", re.ASCII)

# A record that has expired is taken over as if it had never been.
_CLAIM: Final = """
    INSERT INTO api_idempotencyrecord AS held
        (tenant_id, id, key_id, digest, request_digest, results, created_at, expires_at)
    VALUES (%s, %s, %s, %s, %s, '{}', %s, %s)
    ON CONFLICT (tenant_id, key_id, digest) DO UPDATE SET
        request_digest = excluded.request_digest, status = NULL, results = '{}',
        created_at = excluded.created_at, expires_at = excluded.expires_at
    WHERE held.expires_at <= excluded.created_at
    RETURNING id
"""
# Each new record takes expired ones with it; what another request is taking is left to it.
_PURGE: Final = """
    DELETE FROM api_idempotencyrecord WHERE tenant_id = %s AND id IN (
        SELECT id FROM api_idempotencyrecord WHERE tenant_id = %s AND expires_at <= %s
        ORDER BY expires_at LIMIT 100 FOR UPDATE SKIP LOCKED
    )
"""


@dataclass(frozen=True, slots=True)
class Done:
    """What a POST did: its status and the ids and codes from which its answer can be told again. Never text."""

    status: int
    results: dict[str, Any] = field(default_factory=dict)


def mark_of(request: Request) -> str | None:
    """Read the header by which a caller marks a request as one and the same.

    :raises Problem: 400, it is longer than 255 characters or not printable ASCII
    """
    mark: str | None = request.headers.get(HEADER)
    if mark is not None and not _MARK.fullmatch(mark):
        raise Problem(400, "invalid_idempotency_key", "An Idempotency-Key has 1 to 255 printable ASCII characters.")
    return mark


def claim(*, key_id: UUID, mark: str, request: Request, now: datetime) -> UUID | Done:
    """Take the mark for this request, waiting while another request holds it; tell what was done if it is taken.

    :raises Problem: 422, the mark was used for another request
    """
    digest, request_digest = _digest(mark.encode()), _digest(_canonical(request))
    expires_at = now + timedelta(hours=KEEP_IDEMPOTENCY_HOURS)
    with connection.cursor() as cursor:
        cursor.execute(_CLAIM, [required_tenant(), uuid7(), key_id, digest, request_digest, now, expires_at])
        claimed = cursor.fetchone()
        if claimed:
            cursor.execute(_PURGE, [required_tenant(), required_tenant(), now])
    if claimed:
        record_id: UUID = claimed[0]
        return record_id

    held = IdempotencyRecord.objects.get(key_id=key_id, digest=digest)
    if not constant_time_compare(bytes(held.request_digest), request_digest):
        raise Problem(422, "idempotency_mismatch", "This Idempotency-Key was used for another request.")
    assert held.status is not None, "a record commits with its status"
    return Done(held.status, held.results)


def keep(record_id: UUID, done: Done) -> None:
    """Remember what the request did, to tell it again for the hours that records are kept.

    Nothing of one that came too often: it is to be sent again, and then to be decided anew.
    """
    record = IdempotencyRecord.objects.filter(id=record_id)
    if done.status == HTTPStatus.TOO_MANY_REQUESTS:
        record.delete()
    else:
        record.update(status=done.status, results=done.results)


def _digest(content: bytes) -> bytes:
    return salted_hmac("memory_admin.api.idempotency", content, algorithm="sha256").digest()


def _canonical(request: Request) -> bytes:
    asked = [request.method, request.path, request.data]
    return orjson.dumps(asked, option=orjson.OPT_SORT_KEYS | orjson.OPT_NON_STR_KEYS)
