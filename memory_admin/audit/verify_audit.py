#!/usr/bin/env python3
"""Check an exported part of an audit trail, without the product that made it.

    python verify_audit.py [FOLDER OR ZIP FILE] [--keys FILE]

Needs Python 3.9 or newer and the package `cryptography`. FILE has the public keys that you trust, one a line, as
`/.well-known/memory-admin-keys` of the installation shows them; without it the keys in the export are used, and then
the signatures only say that whoever made the export had the key as well.

Ends with 0 when nothing is wrong, with 1 when something is, with 2 when the export cannot be read.

How it is made. Each event has a line of JSON, `canonical`, and

    hash       = SHA-256(0x01 | hash of the event before | canonical)      before the first: SHA-256(id of the tenant)
    payload    = SHA-256(0x00 | salt | body)                               stands in canonical; the body may be erased

A checkpoint is a note in the form of https://c2sp.org/signed-note that says how many events there were at some time,
and the hash of the last.
"""

import argparse
import base64
import hashlib
import io
import json
import sys
import uuid
import zipfile
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey


class Unreadable(Exception):
    """The export cannot be read."""


def sha256(*parts: bytes) -> bytes:
    return hashlib.sha256(b"".join(parts)).digest()


def files_of(place: Path) -> "dict[str, bytes]":
    """Read every file of an export, from a folder or a ZIP file."""
    try:
        if place.is_dir():
            return {path.name: path.read_bytes() for path in place.iterdir() if path.is_file()}
        with zipfile.ZipFile(io.BytesIO(place.read_bytes())) as archive:
            return {name: archive.read(name) for name in archive.namelist()}
    except (OSError, zipfile.BadZipFile) as error:
        raise Unreadable(str(error)) from error


def keys_in(text: str) -> "dict[tuple[str, bytes], Ed25519PublicKey]":
    """Read public keys, one a line: name+id+key."""
    keys = {}
    for line in filter(None, map(str.strip, text.splitlines())):
        try:
            name, key_id, encoded = line.split("+", 2)
            key = base64.b64decode(encoded, validate=True)
            if key[:1] != b"\x01" or sha256(name.encode(), b"\n", key)[:4].hex() != key_id:
                raise ValueError("its id is not its own")
            keys[name, bytes.fromhex(key_id)] = Ed25519PublicKey.from_public_bytes(key[1:])
        except ValueError as error:
            raise Unreadable(f"This is no public key, {error}: {line}") from error
    return keys


class Check:
    """What is found goes into `faults`, what only is to be known into `remarks`."""

    def __init__(self, files: "dict[str, bytes]", keys: "dict[tuple[str, bytes], Ed25519PublicKey]") -> None:
        self.files = files
        self.keys = keys
        self.faults: list[str] = []
        self.remarks: list[str] = []
        self.hashes: dict[int, bytes] = {}

    def run(self) -> None:
        try:
            self.manifest = json.loads(self.files["manifest.json"])
            self.first, self.last = int(self.manifest["first"]), int(self.manifest["last"])
            self.tenant = uuid.UUID(self.manifest["tenant"])
            self.check_files()
            self.check_events()
            self.check_checkpoints()
        except (KeyError, ValueError, TypeError, AttributeError) as error:
            raise Unreadable(f"{type(error).__name__}: {error}") from error

    def check_files(self) -> None:
        for name, digest in self.manifest["files"].items():
            if name not in self.files:
                self.faults.append(f"{name} is missing.")
            elif hashlib.sha256(self.files[name]).hexdigest() != digest:
                self.faults.append(f"{name} is not the file that the manifest names.")

    def check_events(self) -> None:
        before = sha256(self.tenant.bytes) if self.first == 1 else None
        expected = self.first
        gone: set[int] = set()
        for line in self.files["events.jsonl"].splitlines():
            event = json.loads(line)
            seq, canonical = event["seq"], event["canonical"].encode()
            previous, hashed = bytes.fromhex(event["prev_hash"]), bytes.fromhex(event["hash"])
            if seq != expected:
                self.faults.append(f"Event {expected} is missing, or stands elsewhere.")
            elif before is not None and previous != before:
                self.faults.append(f"Event {seq} does not follow the one before it.")
            if sha256(b"\x01", previous, canonical) != hashed:
                self.faults.append(f"Event {seq} was edited.")
            told = json.loads(canonical)
            for start, end in told.get("erases", ()):
                gone.difference_update(range(start, min(end, seq - 1) + 1))
            if event.get("body") is not None:
                if sha256(b"\x00", bytes.fromhex(event["salt"]), event["body"].encode()).hex() != told.get("payload"):
                    self.faults.append(f"The particulars of event {seq} are not the ones that were recorded.")
            elif told.get("payload") and self.manifest["particulars"]:
                gone.add(seq)
            self.hashes[seq - 1], self.hashes[seq] = previous, hashed
            before, expected = hashed, seq + 1
        if expected != self.last + 1:
            self.faults.append(f"The events end at {expected - 1}, and the manifest says {self.last}.")
        if gone:
            self.remarks.append(f"No event of this part says that the particulars of {len(gone)} events were erased.")

    def check_checkpoints(self) -> None:
        blocks = [block.strip("\n") for block in self.files["checkpoints.notes"].decode().split("\n\n")]
        pairs = [(text, signed) for text, signed in zip(blocks, blocks[1:]) if signed.startswith("— ")]
        compared = [self.check_note(f"{text}\n", signed) for text, signed in pairs]
        agreed = [size for size in compared if size is not None]
        if agreed:
            self.remarks.append(f"{len(agreed)} checkpoints agree, the last of event {max(agreed)}.")
        else:
            self.remarks.append(
                "No checkpoint was compared: a trail that was written anew as a whole would look like this one."
            )

    def check_note(self, text: str, signed: str) -> "int | None":
        """Check one checkpoint, and give its size if the events agree with it."""
        origin, size, head = text.split("\n")[:3]
        if origin != f"memory_admin/audit/{self.tenant}" or not self.is_signed(text, signed):
            self.faults.append(f"The checkpoint of event {size} is signed by no known key, or is another trail's.")
        elif int(size) not in self.hashes:
            self.remarks.append(f"The checkpoint of event {size} lies outside of this part.")
        elif self.hashes[int(size)] != base64.b64decode(head):
            self.faults.append(f"Event {size} has another hash than the checkpoint that was signed.")
        else:
            return int(size)
        return None

    def is_signed(self, text: str, signed: str) -> bool:
        verified = False
        for line in signed.split("\n"):
            _, name, encoded = line.split(" ")
            signature = base64.b64decode(encoded)
            key = self.keys.get((name, signature[:4]))
            if key is not None:
                try:
                    key.verify(signature[4:], text.encode())
                except InvalidSignature:
                    return False
                verified = True
        return verified


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("place", nargs="?", default=".", type=Path, help="the folder or ZIP file of the export")
    parser.add_argument("--keys", type=Path, help="public keys that you trust, one a line")
    asked = parser.parse_args()
    try:
        files = files_of(asked.place)
        keys = asked.keys.read_text() if asked.keys else files.get("keys.txt", b"").decode()
        check = Check(files, keys_in(keys))
        check.run()
    except (Unreadable, OSError, UnicodeDecodeError) as error:
        print(f"The export cannot be read: {error}", file=sys.stderr)
        return 2
    for fault in check.faults:
        print(f"WRONG  {fault}")
    for remark in check.remarks:
        print(f"       {remark}")
    if not asked.keys:
        print("       The keys are those of the export itself: name your own with --keys.")
    print(f"Events {check.first} to {check.last} {'do not hold' if check.faults else 'hold'}.")
    return 1 if check.faults else 0


if __name__ == "__main__":
    sys.exit(main())
