"""Signed notes: a text that anybody can read, with the signature of whoever vouches for it. Pure.

The form is that of https://c2sp.org/signed-note: the text, an empty line, and one line for each signature,

    — <name of the key> <base64 of 4 bytes that identify the key, then the signature>

A key is identified by the first bytes of SHA-256(name ‖ 0x0A ‖ 0x01 ‖ public key), where 0x01 stands for Ed25519
(RFC 8032), and written as `name+<those bytes in hex>+<base64 of 0x01 ‖ public key>`.
"""

from __future__ import annotations

import binascii
import re
from base64 import b64decode, b64encode
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

ED25519 = b"\x01"
ID_BYTES = 4
NAME = re.compile(r"[^\s+]+")
SIGNATURE = re.compile(r"— ([^\s+]+) ([A-Za-z0-9+/]+={0,2})")
CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f]")
LONGEST = 100_000  # characters: a note is read by people


class NotANote(ValueError):
    """This is no signed note; the message says what is wrong with it."""


class NotSigned(ValueError):
    """No known key has signed this note, or a signature of a known key is not right."""


class NotAKey(ValueError):
    """This is not a public key in the form of a signed note."""


@dataclass(frozen=True, slots=True)
class PublicKey:
    """A named Ed25519 key that signatures are checked with; `raw` has its 32 bytes."""

    name: str
    raw: bytes

    @property
    def id(self) -> bytes:
        return sha256(self.name.encode() + b"\n" + ED25519 + self.raw).digest()[:ID_BYTES]

    def __str__(self) -> str:
        return f"{self.name}+{self.id.hex()}+{b64encode(ED25519 + self.raw).decode()}"

    @classmethod
    def parse(cls, text: str) -> PublicKey:
        """Read a key as it is written.

        :raises NotAKey: it has another form, another algorithm, or an id that is not its own
        """
        name, _, rest = text.strip().partition("+")
        told_id, _, encoded = rest.partition("+")
        try:
            key = b64decode(encoded, validate=True)
        except binascii.Error as error:
            raise NotAKey("The part of a public key behind its second + is no base64.") from error
        if not NAME.fullmatch(name) or key[:1] != ED25519 or len(key) != 33:
            raise NotAKey("A public key reads name+id+key, and the key is one for Ed25519.")
        made = cls(name, key[1:])
        if made.id.hex() != told_id:
            raise NotAKey(f"The id of the public key {name} is not the one of its name and bytes.")
        return made

    def verify(self, message: bytes, signature: bytes) -> None:
        """Check a signature over some bytes.

        :raises NotSigned: it is not this key's over these bytes
        """
        try:
            Ed25519PublicKey.from_public_bytes(self.raw).verify(signature, message)
        except InvalidSignature as error:
            raise NotSigned(f"The signature of {self.name} is not right: what was signed has been changed.") from error


@dataclass(frozen=True, slots=True)
class SigningKey:
    """A named Ed25519 key that signs."""

    name: str
    private: Ed25519PrivateKey

    @classmethod
    def from_seed(cls, name: str, seed: bytes) -> SigningKey:
        """Make the key of 32 secret bytes.

        :raises NotAKey: the name is empty, or holds a space or a +
        """
        if not NAME.fullmatch(name):
            raise NotAKey("The name of a key has no space and no +.")
        return cls(name, Ed25519PrivateKey.from_private_bytes(seed))

    @property
    def public(self) -> PublicKey:
        return PublicKey(self.name, self.private.public_key().public_bytes_raw())

    def sign(self, message: bytes) -> bytes:
        """Sign some bytes: 64 bytes come back."""
        return self.private.sign(message)


@dataclass(frozen=True, slots=True)
class Note:
    """A note whose signatures were checked."""

    text: str
    signed_by: tuple[PublicKey, ...]


def sign(text: str, key: SigningKey) -> str:
    """Sign a text, which ends with a newline, and give the note.

    :raises NotANote: the text is not one that a note can hold
    """
    _refuse_text(text)
    signature = b64encode(key.public.id + key.sign(text.encode())).decode()
    return f"{text}\n— {key.name} {signature}\n"


def read(note: str, known: Iterable[PublicKey]) -> Note:
    """Read a note, and check every signature on it that is by a known key.

    :raises NotANote: it has another form
    :raises NotSigned: none is by a known key, or one of a known key is not right
    """
    text, signatures = _parts(note)
    keys = {(key.name, key.id): key for key in known}
    signed_by = []
    for name, encoded in signatures:
        try:
            signature = b64decode(encoded, validate=True)
        except binascii.Error as error:
            raise NotANote(f"The signature of {name} is no base64.") from error
        if key := keys.get((name, signature[:ID_BYTES])):
            key.verify(text.encode(), signature[ID_BYTES:])
            signed_by.append(key)
    if not signed_by:
        raise NotSigned(f"No known key has signed this: it is signed by {', '.join(name for name, _ in signatures)}.")
    return Note(text, tuple(signed_by))


def _parts(note: str) -> tuple[str, list[tuple[str, str]]]:
    # The text may hold empty lines: the last one of the note divides it from the signatures.
    text, divided, signed = note.rpartition("\n\n")
    if not divided or not signed.endswith("\n"):
        raise NotANote("A signed note is a text, an empty line, and lines of signatures, each with its end of line.")
    text += "\n"
    _refuse_text(text)
    found = [SIGNATURE.fullmatch(line) for line in signed[:-1].split("\n")]
    if not all(found):
        raise NotANote("Below its last empty line a signed note has lines of signatures alone.")
    return text, [(one[1], one[2]) for one in found if one]


def _refuse_text(text: str) -> None:
    if not text.endswith("\n") or CONTROL.search(text) or len(text) > LONGEST:
        raise NotANote("The text of a note ends with a newline, has no other control character, and is short.")
