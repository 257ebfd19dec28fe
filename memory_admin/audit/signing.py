"""The signing key of this installation: what it vouches for to people outside, such as checkpoints and receipts.

The key is named for the host of SITE_URL and made from the secret SIGNING_KEY. Keys that signed in former times stay
known by FORMER_SIGNING_KEYS, so that what they signed can still be checked.
"""

from __future__ import annotations

from functools import cache
from urllib.parse import urlsplit

from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings

from memory_admin import env
from memory_admin.audit import notes
from memory_admin.audit.notes import NotANote, Note, NotSigned, PublicKey, SigningKey

__all__ = [
    "NotANote",
    "NotSigned",
    "Note",
    "PublicKey",
    "key_id",
    "public_keys",
    "read_note",
    "sign",
    "sign_note",
    "verify",
]


def public_keys() -> tuple[PublicKey, ...]:
    """Give the public keys that what this installation signed is checked with: the present one first, then former ones.

    :raises Misconfigured: a former one cannot be read
    """
    return _signing_key().public, *_former_keys()


def key_id() -> str:
    """Name the key that signs now: eight characters that stand in its public form as well."""
    return _signing_key().public.id.hex()


def sign(message: bytes, *, purpose: str) -> bytes:
    """Sign some bytes for one purpose, such as `receipt`, and give the 64 bytes of an Ed25519 signature (RFC 8032).

    What is signed is the line `memory_admin/<purpose>` and the message behind it, so that nothing that was signed for
    one purpose can be shown for another.
    """
    return _signing_key().sign(_signed(message, purpose))


def verify(message: bytes, signature: bytes, *, purpose: str, key_id: str) -> None:
    """Check what :func:`sign` gave, by the key of that id.

    :raises NotSigned: there is no such key, or it has not signed this
    """
    named = next((key for key in public_keys() if key.id.hex() == key_id), None)
    if named is None:
        raise NotSigned(f"The key {key_id} is not known here.")
    named.verify(_signed(message, purpose), signature)


def sign_note(text: str) -> str:
    """Sign a text whose first line says what it is, and give it as a signed note."""
    return notes.sign(text, _signing_key())


def read_note(note: str) -> Note:
    """Read a signed note of this installation.

    :raises NotANote: it has another form
    :raises NotSigned: none of our keys has signed it, or it was changed since
    """
    return notes.read(note, public_keys())


def _signed(message: bytes, purpose: str) -> bytes:
    return f"memory_admin/{purpose}\n".encode() + message


@cache
def _signing_key() -> SigningKey:
    secret = env.key("SIGNING_KEY")
    seed = HKDF(algorithm=SHA256(), length=32, salt=None, info=b"memory_admin signing key, Ed25519").derive(secret)
    return SigningKey.from_seed(urlsplit(settings.SITE_URL).hostname or "localhost", seed)


@cache
def _former_keys() -> tuple[PublicKey, ...]:
    try:
        return tuple(PublicKey.parse(text) for text in env.words("FORMER_SIGNING_KEYS"))
    except notes.NotAKey as error:
        raise env.Misconfigured(f"FORMER_SIGNING_KEYS: {error}") from error
