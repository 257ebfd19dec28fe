"""Bringing a copy in again: each memory is decided anew, and keeps its origin if this installation vouches for it."""

from __future__ import annotations

import json
from base64 import b64decode
from binascii import Error as NotBase64
from collections import Counter
from datetime import datetime
from hashlib import sha256
from io import BytesIO
from typing import Any
from zipfile import BadZipFile, ZipFile

import rfc8785
from django.db import transaction
from django.utils.dateparse import parse_datetime

from accounts.actors import Actor
from accounts.models import Subject
from memory_admin import audit
from memory_admin.audit import Action, signing
from memory_admin.errors import Invalid
from memory_admin.lifecycle.archive import FORMAT, PURPOSE
from memory_admin.lifecycle.services.export import OnlyOnesOwn
from memory_admin.memories.services import Claim, SourceIn, capture_many
from memory_admin.memories.vocabulary import Kind, Origin, Status

LARGEST = 20 * 2**20  # bytes as sent
LARGEST_UNPACKED = 200 * 2**20
MOST = 1_000
PART = 100


class NotACopy(Invalid):
    """It is no archive that this product makes, or one of its files is not as its manifest says."""

    code = "not_a_copy"
    sentence = "This file is no copy of memories, or it was changed since."


@transaction.atomic
def bring_in(*, content: bytes, by: Actor, now: datetime) -> Counter[str]:
    """Write the memories of an export that were in use, each by its own decision; tell how many came to what.

    Of a copy that this installation has signed the origins count; of any other everything counts as imported. What is
    there already is a duplicate. All of it is written, or nothing.

    :raises OnlyOnesOwn: the actor is not a person about themselves
    :raises NotACopy: it is too large, no archive of this form, or damaged
    """
    if not by.is_person or by.subject_id is None:
        raise OnlyOnesOwn
    entries, is_ours = _read(content)
    ref = Subject.objects.get(id=by.subject_id).ref
    claims = [_claim(entry, ref, is_ours) for entry in entries if entry.get("status") == Status.ACTIVE]
    results: Counter[str] = Counter()
    for begin in range(0, len(claims), PART):
        outcomes = capture_many(claims=claims[begin : begin + PART], by=by, now=now)
        results.update(str(outcome.result) for outcome in outcomes)
    results["left_out"] += len(entries) - len(claims)
    audit.record(
        action=Action.EXPORT_BROUGHT_IN,
        by=by,
        target=("subject", by.subject_id),
        at=now,
        payload={"signed": is_ours, **{name: count for name, count in results.items() if count}},
    )
    return +results


def _read(content: bytes) -> tuple[list[dict[str, Any]], bool]:
    """Read the memories of an archive, and tell whether this installation has signed it."""
    try:
        if len(content) > LARGEST:
            raise NotACopy("This file is too large: 20 MB are the most.")
        with ZipFile(BytesIO(content)) as held:
            if sum(one.file_size for one in held.infolist()) > LARGEST_UNPACKED:
                raise NotACopy("This file is too large when it is unpacked.")
            manifest = json.loads(held.read("manifest.json"))
            raw = held.read("memories.json")
            signed = json.loads(held.read("manifest.sig"))
        if manifest["format"] != FORMAT or manifest["files"]["memories.json"]["sha256"] != sha256(raw).hexdigest():
            raise NotACopy
        entries = json.loads(raw)
        if not isinstance(entries, list) or not all(isinstance(one, dict) for one in entries):
            raise NotACopy
        if len(entries) > MOST:
            raise NotACopy(f"There are more than {MOST} memories in this file.")
    except (BadZipFile, KeyError, TypeError, ValueError, RecursionError, NotImplementedError, RuntimeError) as error:
        raise NotACopy from error
    return entries, _is_signed(manifest, signed)


def _is_signed(manifest: Any, signed: Any) -> bool:
    try:
        signature = b64decode(signed["signature"], validate=True)
        signing.verify(rfc8785.dumps(manifest), signature, purpose=PURPOSE, key_id=str(signed["key_id"]))
    except (signing.NotSigned, NotBase64, KeyError, TypeError, ValueError):
        return False
    return True


def _claim(entry: dict[str, Any], ref: str, is_ours: bool) -> Claim:
    """Make the claim of one memory.

    :raises NotACopy: something in it is not of the type it has to be
    """
    origin = entry.get("origin") if is_ours else Origin.IMPORTED
    if entry.get("kind") not in Kind.values or origin not in Origin.values or not _texts_are_texts(entry):
        raise NotACopy
    source = SourceIn(
        trace_id=entry.get("conversation", ""),
        message_id=entry.get("message", ""),
        uri=entry.get("uri", ""),
        quote=entry.get("quote", ""),
        speaker=entry.get("speaker", ""),
        occurred_at=_time(entry, "occurred_at"),
    )
    return Claim(
        subject_ref=ref,
        kind=entry["kind"],
        statement=entry["statement"],
        origin=origin,
        key=entry.get("key"),
        value=entry.get("value"),
        source=None if source == SourceIn() else source,
        confidence=_share(entry, "confidence"),
        importance=_share(entry, "importance"),
        valid_from=_time(entry, "valid_from"),
        valid_to=_time(entry, "valid_to"),
        expires_at=_time(entry, "expires_at"),
        categories=tuple(entry.get("categories", ())),
        scopes=tuple(entry.get("scopes", ())),
        aliases=tuple(entry.get("aliases", ())),
        pinned=entry.get("pinned") is True,
    )


TEXTS = ("conversation", "message", "uri", "quote", "speaker")
LISTS = ("categories", "scopes", "aliases")
LONGEST = 4_000


def _texts_are_texts(entry: dict[str, Any]) -> bool:
    texts = [entry.get(name, "") for name in TEXTS]
    texts += [one for name in LISTS for one in entry.get(name, [])]
    texts += [entry["key"]] if entry.get("key") is not None else []
    statement = entry.get("statement")
    return (
        all(isinstance(entry.get(name, []), list) for name in LISTS)
        and all(isinstance(one, str) and "\0" not in one and len(one) <= LONGEST for one in [*texts, statement])
        and bool(statement)
    )


def _share(entry: dict[str, Any], name: str) -> float | None:
    value = entry.get(name)
    if value is None:
        return None
    if not isinstance(value, int | float) or isinstance(value, bool) or not 0 <= value <= 1:
        raise NotACopy
    return float(value)


def _time(entry: dict[str, Any], name: str) -> datetime | None:
    value = entry.get(name)
    if value is None:
        return None
    try:
        read = parse_datetime(value)
    except (TypeError, ValueError) as error:
        raise NotACopy from error
    if read is None or read.tzinfo is None:
        raise NotACopy
    return read
