"""Where checkpoints are kept: outside the database, in one file for each tenant that only grows.

A file holds signed notes, each followed by an empty line. What a crash has left of one counts for nothing.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from uuid import UUID

from django.conf import settings

from memory_admin.audit import checkpoints, signing
from memory_admin.audit.checkpoints import Checkpoint

COMPARED = 500
"""So many of the latest are compared with a chain. The last one alone vouches for every event before it; the others
only tell more closely where a chain was changed."""

TAIL = 16_384  # bytes, which hold the last notes


@dataclass(frozen=True, slots=True)
class Kept:
    """The latest checkpoints of one tenant, the oldest first, and how many others no known key has signed."""

    checkpoints: tuple[Checkpoint, ...]
    unsigned: int

    @property
    def last(self) -> Checkpoint | None:
        return self.checkpoints[-1] if self.checkpoints else None


def place_of(tenant_id: UUID) -> Path:
    """Name the file of a tenant's checkpoints."""
    return Path(settings.CHECKPOINTS_DIR) / f"{tenant_id}.notes"


def keep(checkpoint: Checkpoint) -> bool:
    """Sign a checkpoint and write it, so that it is on the disk when this returns; tell whether it was news.

    Any number of processes may do so at once.
    """
    path = place_of(checkpoint.tenant_id)
    is_new = not path.exists()
    path.parent.mkdir(parents=True, exist_ok=True)
    file = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o644)
    try:
        fcntl.flock(file, fcntl.LOCK_EX)
        before = _last_bytes(file)
        last = _latest(before.decode(errors="replace"), checkpoint.tenant_id, most=1).last
        if last is not None and (last.size, last.head) == (checkpoint.size, checkpoint.head):
            return False
        divided = b"" if not before or before.endswith(b"\n\n") else b"\n\n"
        written = divided + signing.sign_note(checkpoint.text).encode() + b"\n"
        if os.write(file, written) != len(written):
            raise OSError(f"A checkpoint was not written whole to {path}.")
        os.fsync(file)
    finally:
        os.close(file)
    if is_new:
        _sync_folder(path.parent)
    return True


def kept(tenant_id: UUID, *, most: int = COMPARED) -> Kept:
    """Read the latest checkpoints of a tenant that one of our keys has signed."""
    try:
        content = place_of(tenant_id).read_text(errors="replace")
    except FileNotFoundError:
        return Kept((), 0)
    return _latest(content, tenant_id, most=most)


def last(tenant_id: UUID) -> Checkpoint | None:
    """Read the last checkpoint of a tenant, however many there are in no time."""
    try:
        file = os.open(place_of(tenant_id), os.O_RDONLY)
    except FileNotFoundError:
        return None
    try:
        return _latest(_last_bytes(file).decode(errors="replace"), tenant_id, most=1).last
    finally:
        os.close(file)


def notes_of(tenant_id: UUID, *, first: int, last: int) -> list[str]:
    """Read the signed notes of the checkpoints from one size to another, as they stand in the file."""
    try:
        content = place_of(tenant_id).read_text(errors="replace")
    except FileNotFoundError:
        return []
    return [note for note, one in _signed(content, tenant_id) if one is not None and first <= one.size <= last][::-1]


def _latest(content: str, tenant_id: UUID, *, most: int) -> Kept:
    found: list[Checkpoint] = []
    unsigned = 0
    for _, one in _signed(content, tenant_id):
        if one is None:
            unsigned += 1
            continue
        found.append(one)
        if len(found) == most:
            break
    return Kept(tuple(reversed(found)), unsigned)


def _signed(content: str, tenant_id: UUID) -> Iterator[tuple[str, Checkpoint | None]]:
    """Read the notes of a file, the last first; nothing beside one that is no checkpoint of the tenant, or not ours."""
    for note in reversed(_notes_in(content)):
        try:
            one = checkpoints.parse(signing.read_note(note).text)
        except ValueError:
            yield note, None
        else:
            yield note, one if one.tenant_id == tenant_id else None


def _notes_in(content: str) -> list[str]:
    """Divide a file into its notes: no checkpoint has an empty line, so each block of signatures follows its text."""
    blocks = [block.strip("\n") for block in content.split("\n\n")[:-1] if block]
    return [
        f"{text}\n\n{signatures}\n"
        for text, signatures in pairwise(blocks)
        if signatures.startswith("— ") and not text.startswith("— ")
    ]


def _last_bytes(file: int) -> bytes:
    size = os.fstat(file).st_size
    return os.pread(file, TAIL, max(0, size - TAIL))


def _sync_folder(folder: Path) -> None:
    opened = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
