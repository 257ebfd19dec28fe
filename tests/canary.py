"""Looking for a canary, a sentence that nobody else would write, wherever it was kept and however it was encoded.

It reads what a server gives out, not the bytes of the server's own files: what a deleted row leaves on the disk until
it is vacuumed is another matter.
"""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import Any
from urllib.parse import quote

import psycopg
import redis
from psycopg import sql

from memory_admin.screening.canonical import canonicalise

RARE = re.compile(r"\w{9,}")
GZIP = b"\x1f\x8b\x08"
ZLIB = re.compile(rb"eJ[A-Za-z0-9+/_-]{14,}")  # in base64, as in sessions and signed values
DEEPEST = 3


def find(
    canary: str, *, database: psycopg.Connection[Any], broker: redis.Redis, files: Iterable[Path] = ()
) -> list[str]:
    """Name every place that holds a word of the canary, in any of the encodings that :class:`Marks` knows.

    :param canary: a sentence with words of nine letters or more that stand nowhere else: those are looked for
    :param database: connected as a superuser, who reads every row of every tenant and the planner's statistics
    :param broker: read in every numbered database; a client of a single connection that decodes nothing
    :param files: read whole; of a folder, everything below it
    """
    marks = Marks(canary)
    return [where for where, held in chain(_tables(database), _keys(broker), _files(files)) if marks.are_in(held)]


class Marks:
    """What betrays a canary in bytes: its rare words, which the whole sentence contains in every encoding.

    Known are UTF-8, UTF-16 and UTF-32, hexadecimal, base64 wherever it begins, percent signs, the escapes of JSON and
    HTML, and reversed letters; in the words' own case and in capitals and small letters, and in canonical form; inside
    gzip, and inside the zlib of a session.
    """

    def __init__(self, canary: str) -> None:
        words = set(RARE.findall(canary))
        assert words, "a canary needs a word of nine letters or more"
        words |= {canonicalise(word) for word in words}
        words |= {word[::-1] for word in words}
        self.in_any_case = {mark for word in words for mark in _letters(word)}
        self.exact = {mark for word in words for mark in _base64(word)}

    def are_in(self, held: bytes, *, depth: int = 0) -> bool:
        """Tell whether the canary is in what is held, or in what is packed in it."""
        folded = _fold(held)
        if any(mark in folded for mark in self.in_any_case) or any(mark in held for mark in self.exact):
            return True
        return depth < DEEPEST and any(self.are_in(inner, depth=depth + 1) for inner in _unpacked(held))


def _spellings(word: str) -> set[str]:
    return {word, word.lower(), word.upper(), word.casefold(), word.title()}


def _letters(word: str) -> Iterator[bytes]:
    """Encode a word in every way that can be compared in small letters."""
    for spelled in _spellings(word):
        for encoding in ("utf-8", "utf-16-le", "utf-16-be"):
            raw = spelled.encode(encoding)
            yield from (_fold(raw), raw.hex().encode())
        raw = spelled.encode()
        yield quote(raw).lower().encode()
        yield "".join(f"%{byte:02x}" for byte in raw).encode()
        yield json.dumps(spelled)[1:-1].lower().encode()
        yield "".join(f"\\u{ord(letter):04x}" for letter in spelled).encode()
        yield "".join(f"&#{ord(letter)};" for letter in spelled).encode()
        yield "".join(f"&#x{ord(letter):x};" for letter in spelled).encode()
        yield _fold(spelled.encode("utf-32-le"))


def _base64(word: str) -> Iterator[bytes]:
    """Encode a word as it looks inside a longer text, in which none, one or two bytes too many go before it."""
    for spelled in _spellings(word):
        for encoding in ("utf-8", "utf-16-le", "utf-16-be"):
            for before in range(3):
                encoded = base64.b64encode(bytes(before) + spelled.encode(encoding))
                # The first and the last letters are shared with the neighbours.
                inner = encoded[4 if before else 0 : -4]
                yield from (inner, inner.replace(b"+", b"-").replace(b"/", b"_"))


def _fold(held: bytes) -> bytes:
    return held.decode("utf-8", "surrogateescape").lower().encode("utf-8", "surrogateescape")


def _unpacked(held: bytes) -> Iterator[bytes]:
    for start in re.finditer(re.escape(GZIP), held):
        with suppress(zlib.error):
            yield zlib.decompressobj(wbits=31).decompress(held[start.start() :])
    for found in ZLIB.finditer(held):
        word = found[0].replace(b"-", b"+").replace(b"_", b"/")
        with suppress(ValueError, zlib.error):
            yield zlib.decompress(base64.b64decode(word + b"=" * (-len(word) % 4)))


def _tables(database: psycopg.Connection[Any]) -> Iterator[tuple[str, bytes]]:
    """Give the rows of every table of every schema, the system's too, after statistics were taken of all of them."""
    with database.transaction(), database.cursor() as cursor:
        cursor.execute("ANALYZE")
        cursor.execute(
            "SELECT n.nspname, c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace "
            "WHERE c.relkind IN ('r', 'm', 'p') AND n.nspname !~ '^pg_toast' ORDER BY 1, 2"
        )
        for schema, name in cursor.fetchall():
            # Raw bytes where every type gives them; as text the catalog's, some of which do not.
            form = "text" if schema == "pg_catalog" else "binary"
            dump = sql.SQL("COPY (SELECT * FROM {}) TO STDOUT (FORMAT {})").format(
                sql.Identifier(schema, name), sql.SQL(form)
            )
            with cursor.copy(dump) as rows:
                yield f"table {schema}.{name}", b"".join(rows)


def _keys(broker: Any) -> Iterator[tuple[str, bytes]]:
    """Give every key with its values, in every numbered database."""
    for number in range(int(broker.config_get("databases")["databases"])):
        broker.select(number)
        for key in broker.scan_iter():
            yield f"key {number}/{key.decode(errors='replace')}", b"\n".join([key, *_values(broker, key)])
    broker.select(0)


def _values(broker: Any, key: bytes) -> Iterator[bytes]:
    match broker.type(key):
        case b"string":
            yield broker.get(key) or b""
        case b"list":
            yield from broker.lrange(key, 0, -1)
        case b"set":
            yield from broker.smembers(key)
        case b"zset":
            yield from broker.zrange(key, 0, -1)
        case b"hash":
            yield from chain.from_iterable(broker.hgetall(key).items())
        case b"stream":
            for _, fields in broker.xrange(key):
                yield from chain.from_iterable(fields.items())
        case other:
            raise AssertionError(f"a key of type {other!r} cannot be read")


def _files(places: Iterable[Path]) -> Iterator[tuple[str, bytes]]:
    for place in places:
        for path in sorted(place.rglob("*")) if place.is_dir() else [place]:
            if path.is_file():
                yield f"file {path.name}", path.read_bytes()
