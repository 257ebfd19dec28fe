"""Exporting a part of the trail, to be read and checked without the product."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from collections.abc import Iterator
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import IO, Any

from memory_admin.audit import keeping, signing
from memory_admin.audit.actions import Action
from memory_admin.audit.chain import instant
from memory_admin.audit.models import Event, Payload
from memory_admin.audit.queries import told_of
from memory_admin.audit.services import Actor, record
from memory_admin.errors import Invalid

MOST = 50_000
"""So many events go into one export; more take several."""

ROWS_AT_ONCE = 2000
HEAD = ("number", "time", "actor", "action", "object", "object_id", "policy_version", "request", "particulars", "hash")
README = """A part of an audit trail, to be checked with

    python verify_audit.py . --keys KEYS

where KEYS is a file with the public keys of the installation, which you were given by another way than this file.

events.jsonl        every event, as it is hashed
events.csv          the same to read
checkpoints.notes   signed notes that say how long the trail was at some time, and its last hash then
keys.txt            the public keys that this installation names now
manifest.json       which part this is, and the SHA-256 of each file
"""


def export(*, first: int, last: int, with_particulars: bool, by: Actor, at: datetime, to: IO[bytes]) -> None:
    """Write the events from one number to another into a ZIP file, and record that they were exported.

    :param with_particulars: also their payloads, which a later erasure does not reach in the file
    :raises Invalid: there are none between these numbers, or more than one export takes
    """
    if not 1 <= first <= last:
        raise Invalid(fields={"last": ["The last number must not be below the first, and the first is at least 1."]})
    if last - first >= MOST:
        raise Invalid(fields={"last": [f"One export takes at most {MOST:,} events."]})
    events = Event.objects.filter(seq__gte=first, seq__lte=last).order_by("seq")
    if not events.filter(seq=last).exists():
        raise Invalid(fields={"last": ["The trail is shorter than that."]})
    lines, table = io.BytesIO(), io.StringIO()
    rows = csv.writer(table)
    rows.writerow(HEAD)
    for event, payload in _with_payloads(events):
        lines.write(json.dumps(_line(event, payload if with_particulars else None)).encode() + b"\n")
        rows.writerow(_row(event, is_there=payload is not None))
    files = {
        "events.jsonl": lines.getvalue(),
        "events.csv": table.getvalue().encode(),
        "checkpoints.notes": "".join(
            f"{note}\n" for note in keeping.notes_of(by.tenant_id, first=first - 1, last=last)
        ).encode(),
        "keys.txt": "".join(f"{key}\n" for key in signing.public_keys()).encode(),
        "verify_audit.py": (Path(__file__).parent / "verify_audit.py").read_bytes(),
        "README.txt": README.encode(),
    }
    manifest = {
        "tenant": str(by.tenant_id),
        "first": first,
        "last": last,
        "particulars": with_particulars,
        "made_at": instant(at),
        "files": {name: sha256(content).hexdigest() for name, content in files.items()},
    }
    with zipfile.ZipFile(to, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in {**files, "manifest.json": json.dumps(manifest, indent=1).encode()}.items():
            archive.writestr(name, content)
    told = {"first": first, "last": last, "with_particulars": with_particulars}
    record(action=Action.AUDIT_EXPORTED, by=by, target=None, at=at, payload=told)


def _with_payloads(events: Any) -> Iterator[tuple[Event, Payload | None]]:
    """Read events with their payloads, some thousand at a time."""
    first, last = events.values_list("seq", flat=True).first(), events.values_list("seq", flat=True).last()
    for start in range(first, last + 1, ROWS_AT_ONCE):
        part = events.filter(seq__gte=start, seq__lt=start + ROWS_AT_ONCE)
        payloads = {one.seq: one for one in Payload.objects.filter(seq__gte=start, seq__lt=start + ROWS_AT_ONCE)}
        for event in part:
            yield event, payloads.get(event.seq)


def _line(event: Event, payload: Payload | None) -> dict[str, Any]:
    line = {
        "seq": event.seq,
        "canonical": bytes(event.canonical).decode("utf-8", "replace"),
        "prev_hash": bytes(event.prev_hash).hex(),
        "hash": bytes(event.hash).hex(),
    }
    return line if payload is None else {**line, "salt": bytes(payload.salt).hex(), "body": payload.body}


def _row(event: Event, *, is_there: bool) -> list[Any]:
    told = told_of(event)
    target = told.get("target")
    about = target if isinstance(target, dict) else {}
    particulars = "kept" if is_there else "erased" if told.get("payload") else "none"
    return [
        event.seq,
        told.get("at"),
        event.actor,
        event.action,
        about.get("kind"),
        about.get("id"),
        told.get("policy_version"),
        told.get("request_id"),
        particulars,
        bytes(event.hash).hex(),
    ]
