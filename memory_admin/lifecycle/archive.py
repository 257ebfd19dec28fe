"""What an export holds: every file of the archive, and the manifest that vouches for them.

A file named ``*.jsonl`` has one JSON object in each line. The manifest counts the rows of each file and gives its
SHA-256; ``manifest.sig`` signs the manifest as canonical JSON (RFC 8785) by the key of the installation.
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from html import escape
from io import BytesIO
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import rfc8785
from django.core.serializers.json import DjangoJSONEncoder

from accounts.models import Tenant
from memory_admin.audit import signing
from memory_admin.audit.models import Chain
from memory_admin.lifecycle.models import Export, ExportScope
from memory_admin.lifecycle.tables import as_csv
from memory_admin.memories.models import (
    DataRequest,
    Memory,
    MemoryPause,
    MemoryQuerySet,
    MemoryRevision,
    Tombstone,
    WriteDecision,
)
from memory_admin.memories.vocabulary import NOT_SAVED, Origin
from memory_admin.memories.wishes import wishes_of
from memory_admin.retrieval.models import RetrievalCandidate
from policies.queries import in_force

FORMAT = "memory_admin/export/1"
PURPOSE = "export"
#: What somebody gave or did themselves, and may take to another service (GDPR, article 20).
PORTABLE = (Origin.STATED, Origin.OBSERVED)
AT_ONCE = 2_000
COLUMNS = (
    "statement", "kind", "origin", "portable", "status", "categories", "key", "written_by", "quote", "confidence",
    "recorded_at", "confirmed_at", "valid_from", "valid_to", "expires_at", "use_count", "last_used_at",
    "policy_version",
)  # fmt: skip

Rows = Iterable[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Packed:
    """A finished archive."""

    content: bytes
    memories: int


def pack(export: Export, *, at: datetime) -> Packed:
    """Make the archive of an export; whoever calls holds the subject's lock, so that all of it is of one instant."""
    memories = _memories(export)
    entries = [_entry(memory) for memory in memories.select_related("agent", "source").order_by("recorded_at", "id")]
    ids = memories.order_by().values("id")
    everything = export.scope == ExportScope.ALL
    archive = _Archive(at)
    archive.rows("memories.json", entries, as_list=True)
    archive.text("memories.csv", as_csv(COLUMNS, entries), rows=len(entries))
    archive.rows("history.jsonl", _history(ids))
    archive.rows("uses.jsonl", _uses(ids))
    if everything:
        archive.rows("refusals.jsonl", _refusals(export))
        archive.value("settings.json", _settings(export))
        archive.rows("requests.json", _requests(export), as_list=True)
    archive.value("policy-in-force.json", _policies(at))
    archive.text("README.html", _readme(export, len(entries), at), rows=1)
    return Packed(archive.closed(_about(export, entries, at)), len(entries))


class _Archive:
    """A ZIP archive that is being written, and what its manifest says of each file."""

    def __init__(self, at: datetime) -> None:
        self._at = at
        self._buffer = BytesIO()
        self._zip = ZipFile(self._buffer, "w", ZIP_DEFLATED)
        self._files: dict[str, dict[str, Any]] = {}

    def rows(self, name: str, rows: Rows, *, as_list: bool = False) -> None:
        """Write objects line by line, or as one list of which each object stands in its line."""
        digest, size, count = sha256(), 0, 0
        with self._zip.open(self._entry(name), "w") as file:
            for line in _lines(rows, as_list=as_list):
                raw = line.encode()
                file.write(raw)
                digest.update(raw)
                size += len(raw)
                count += line.startswith("{")
        self._files[name] = {"sha256": digest.hexdigest(), "bytes": size, "rows": count}

    def value(self, name: str, value: Any) -> None:
        self.text(name, _json(value, indent=2), rows=1)

    def text(self, name: str, text: str, *, rows: int) -> None:
        raw = text.encode()
        self._zip.writestr(self._entry(name), raw)
        self._files[name] = {"sha256": sha256(raw).hexdigest(), "bytes": len(raw), "rows": rows}

    def closed(self, about: dict[str, Any]) -> bytes:
        """Add the manifest and its signature, and give the whole."""
        manifest = json.loads(_json({**about, "files": self._files}))
        signature = signing.sign(rfc8785.dumps(manifest), purpose=PURPOSE)
        signed = {"key_id": signing.key_id(), "signature": b64encode(signature).decode()}
        self._zip.writestr(self._entry("manifest.json"), json.dumps(manifest, indent=2, ensure_ascii=False))
        self._zip.writestr(self._entry("manifest.sig"), json.dumps(signed, indent=2))
        self._zip.close()
        return self._buffer.getvalue()

    def _entry(self, name: str) -> ZipInfo:
        entry = ZipInfo(name, self._at.timetuple()[:6])
        entry.compress_type = ZIP_DEFLATED
        return entry


def _lines(rows: Rows, *, as_list: bool) -> Iterator[str]:
    if not as_list:
        yield from (f"{_json(row)}\n" for row in rows)
        return
    yield "[\n"
    before = ""
    for row in rows:
        if before:
            yield f"{before},\n"
        before = _json(row)
    yield f"{before}\n]\n" if before else "]\n"


def _json(value: Any, *, indent: int | None = None) -> str:
    return json.dumps(value, cls=DjangoJSONEncoder, ensure_ascii=False, indent=indent)


# --- what is in it ---------------------------------------------------------------------------------------------------


def _memories(export: Export) -> MemoryQuerySet:
    found: MemoryQuerySet = Memory.objects.filter(subject_id=export.subject_id).living()  # type: ignore[attr-defined]
    if export.scope == ExportScope.PORTABLE:
        found = found.filter(origin__in=PORTABLE)
    if export.scope == ExportScope.CATEGORY:
        found = found.filter(categories__contains=[export.category])
    return found


def _entry(memory: Memory) -> dict[str, Any]:
    source = memory.source
    return {
        "id": memory.id,
        "statement": memory.statement,
        "kind": memory.kind,
        "origin": memory.origin,
        "portable": memory.origin in PORTABLE,
        "status": memory.status,
        "categories": list(memory.categories),
        "scopes": list(memory.scopes),
        "key": memory.key,
        "value": memory.value,
        "aliases": list(memory.aliases),
        "pinned": memory.pinned,
        "confidence": memory.confidence,
        "importance": memory.importance,
        "language": memory.language,
        "channel": memory.channel,
        "written_by": memory.agent.name if memory.agent else memory.asserted_by.partition(":")[0],
        "quote": source.quote if source else "",
        "speaker": source.speaker if source else "",
        "conversation": source.trace_id if source else "",
        "message": source.message_id if source else "",
        "uri": source.uri if source else "",
        "occurred_at": source.occurred_at if source else None,
        "recorded_at": memory.recorded_at,
        "changed_at": memory.changed_at,
        "confirmed_at": memory.confirmed_at,
        "valid_from": memory.valid_from,
        "valid_to": memory.valid_to,
        "expires_at": memory.expires_at,
        "last_used_at": memory.last_used_at,
        "use_count": memory.use_count,
        "version": memory.version,
        "policy_version": memory.policy_version,
        "rules": list(memory.rule_ids),
    }


def _history(ids: Any) -> Rows:
    versions = MemoryRevision.objects.filter(memory_id__in=ids).order_by("memory_id", "version")
    for one in versions.iterator(chunk_size=AT_ONCE):
        yield {
            "memory": one.memory_id,
            "version": one.version,
            "statement": one.statement,
            "value": one.value,
            "status": one.status,
            "categories": list(one.categories),
            "confidence": one.confidence,
            "valid_from": one.valid_from,
            "valid_to": one.valid_to,
            "recorded_from": one.recorded_from,
            "recorded_to": one.recorded_to,
            "changed_by": one.changed_by.partition(":")[0],
            "reason": one.reason,
            "policy_version": one.policy_version,
        }


def _uses(ids: Any) -> Rows:
    weighed = RetrievalCandidate.objects.filter(memory_id__in=ids).select_related("retrieval").order_by("id")
    for one in weighed.iterator(chunk_size=AT_ONCE):
        yield {
            "memory": one.memory_id,
            "at": one.retrieval.created_at,
            "agent": one.retrieval.agent_id,
            "purpose": one.retrieval.purpose,
            "given": one.returned,
            "rank": one.rank,
            "score": one.score,
            "parts": one.parts,
            "reason": one.reason or one.drop_reason,
            "policy_versions": [one.retrieval.policy_version, one.retrieval.access_version],
        }


def _refusals(export: Export) -> Rows:
    refused = WriteDecision.objects.filter(subject_id=export.subject_id, result__in=NOT_SAVED).order_by("decided_at")
    for one in refused.iterator(chunk_size=AT_ONCE):
        yield {
            "at": one.decided_at,
            "text": one.sealed_text,
            "agent": one.agent_name,
            "result": one.result,
            "rules": list(one.rule_ids),
            "policy_version": one.policy_version,
        }


def _settings(export: Export) -> dict[str, Any]:
    subject = export.subject
    pauses = MemoryPause.objects.filter(subject_id=subject.id, resumed_at=None).order_by("paused_at")
    return {
        "memory_mode": subject.memory_mode,
        "paused_until": subject.paused_until,
        "pauses": list(pauses.values("target", "mode", "agent_id", "category", "memory_id", "paused_at", "until")),
        "limits": wishes_of(subject).as_json(),
        "kept_from_coming_back": Tombstone.objects.filter(subject_id=subject.id, lifted_at=None).count(),
    }


def _requests(export: Export) -> Rows:
    asked = DataRequest.objects.filter(subject_id=export.subject_id).order_by("opened_at", "id")
    return [{"number": one.number, "kind": one.kind, "opened_at": one.opened_at} for one in asked]


def _policies(at: datetime) -> dict[str, Any]:
    held = in_force(at)
    families = (held.write, held.retention, held.retrieval, held.access, held.procedure)
    return {one.version_label: one.document.model_dump(mode="json") for one in families}


def _about(export: Export, entries: list[dict[str, Any]], at: datetime) -> dict[str, Any]:
    chain = Chain.objects.get()
    by_origin = {origin: sum(one["origin"] == origin for one in entries) for origin in Origin.values}
    return {
        "format": FORMAT,
        "made_at": at,
        "organisation": Tenant.objects.get(id=export.tenant_id).name,
        "subject": export.subject.ref,
        "scope": export.scope,
        "category": export.category,
        "counts": {"memories": len(entries), "by_origin": by_origin},
        "audit": {"events": chain.size, "head": bytes(chain.head).hex()},
    }


README = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>What agents remember about me</title>
<style>body{{font:16px/1.5 system-ui,sans-serif;max-width:40rem;margin:3rem auto;padding:0 1rem}}
code{{font-size:.9em}}</style>
<h1>What agents remember about me</h1>
<p>A copy of {count} of the memories that {organisation} keeps about {subject}, made on {made_at}.</p>
<ul>
<li><code>memories.json</code> and <code>memories.csv</code>: every memory, with where it comes from. What is marked
portable you said or did yourself, and may take to another service.</li>
<li><code>history.jsonl</code>: how each of them read before.</li>
<li><code>uses.jsonl</code>: when each was weighed for an answer, and why it was given or not.</li>
<li><code>refusals.jsonl</code>, <code>settings.json</code>, <code>requests.json</code>: what was not saved, what you
chose, what you asked for. An export of everything has them.</li>
<li><code>policy-in-force.json</code>: the rules by which all of this was decided.</li>
<li><code>manifest.json</code>: how many rows each file has, and its SHA-256. <code>manifest.sig</code> signs it.</li>
</ul>
<p>Nobody else has this copy. Whoever has it can read it: keep it where you keep letters.</p>
</html>
"""


def _readme(export: Export, count: int, at: datetime) -> str:
    organisation = Tenant.objects.get(id=export.tenant_id).name
    return README.format(
        count=count,
        organisation=escape(organisation),
        subject=escape(export.subject.ref),
        made_at=f"{at:%d %B %Y, %H:%M} UTC",
    )
