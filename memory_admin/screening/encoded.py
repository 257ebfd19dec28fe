"""Other ways to read a text: what it says once decoded, unspaced, turned round or respelled."""

import base64
import binascii
import codecs
import html
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import unquote

from memory_admin.screening import hidden
from memory_admin.screening.findings import Span
from memory_admin.screening.hidden import Reading
from memory_admin.screening.rules import Pattern, compiled

_LONGEST_DECODED = 4000
_MOST_DECODED = 8
_BASE64 = compiled(r"[A-Za-z0-9+/_-]{16,}={0,2}")
_BASE32 = compiled(r"\b[A-Z2-7]{24,}={0,6}")
_HEX = compiled(r"(?:\\x|0x)?[0-9a-fA-F]{2}(?:[ :,-]?(?:\\x|0x)?[0-9a-fA-F]{2}){7,}")
_BINARY = compiled(r"\b[01]{8}(?:\s?[01]{8}){5,}\b")
_DECIMAL = compiled(r"\b\d{2,3}(?:[ ,]+\d{2,3}){9,}\b")
_PERCENT = compiled(r"(?:%[0-9a-fA-F]{2}){3}|(?:%[0-9a-fA-F]{2}[^\s%]{0,8}){3}")
_ENTITY = compiled(r"(?:&#x?[0-9a-fA-F]{2,6};[^&\n]{0,24}){3}")
_ESCAPE = compiled(r"(?:\\u\{?[0-9a-fA-F]{4}\}?[^\\\n]{0,4}){3}")
_ESCAPE_ONE = compiled(r"\\u\{?([0-9a-fA-F]{4})\}?")
_SPACED = compiled(r"\b[A-Za-z0-9@$](?:[ ._*|~/-]{1,3}[A-Za-z0-9@$]){5,}\b")
_BROKEN = compiled(r"[A-Za-z]{1,6}(?:[._*|~/+-][A-Za-z]{1,6}){3,}")
_JOINED = compiled(r"[A-Za-z]{2,}_[A-Za-z]{2,}_[A-Za-z]{2,}|[a-z]{2,}[A-Z][a-z]+[A-Z][a-z]+")
_LEET = compiled(r"[A-Za-z][0134578@$!|]+[A-Za-z]|[A-Za-z]{2}[0134578@$!|]+\b|\b[0134578@$!|]+[A-Za-z]{3}")
_COMMENT = compiled(r"<!--|-->|/\*|\*/|</?[a-z]{1,10}>|\*\*|__|~~|`")
_LEET_LETTERS = (
    str.maketrans("0134578@$!|", "oieastbasil"),
    str.maketrans("0134578@$!|", "oleastbasil"),
)


@dataclass(frozen=True, slots=True)
class Decoded:
    """One further reading and how it was reached; `span` covers the encoded part of the original text."""

    how: str
    reading: Reading
    span: Span | None
    is_hidden_text: bool


def further_readings(reading: Reading) -> Iterator[Decoded]:
    """Give what the text says in each common disguise it shows signs of; most texts give none."""
    text = reading.text
    for how, pattern, decode in _PAYLOADS:
        for number, match in enumerate(pattern.finditer(text)):
            if number == _MOST_DECODED:
                break
            decoded = decode(match.group())
            if decoded is not None and _is_writing(decoded):
                yield Decoded(how, hidden.read(decoded), reading.span(match.start(), match.end()), True)
    for how, respelled in _respellings(text):
        if respelled != text:
            yield Decoded(how, hidden.read(respelled), None, False)


def _respellings(text: str) -> Iterator[tuple[str, str]]:
    if "%" in text and _PERCENT.search(text):
        yield "percent", unquote(text, errors="replace")
    if "&#" in text and _ENTITY.search(text):
        yield "entities", html.unescape(text)
    if "\\u" in text and _ESCAPE.search(text):
        yield "escapes", _replaced(_ESCAPE_ONE, text)
    if _JOINED.search(text):
        yield "joined", _parted(text)
    if _SPACED.search(text):
        yield "spaced", _unspaced(text, _SPACED)
    if _BROKEN.search(text):
        yield "broken", _unspaced(text, _BROKEN)
    if _LEET.search(text):
        for letters in _LEET_LETTERS:
            yield "leet", text.translate(letters)
    if _COMMENT.search(text):
        yield "markup", _without(text, _COMMENT)
    yield "reversed", text[::-1]
    yield "rot13", codecs.encode(text, "rot13")


def _parted(text: str) -> str:
    """Part words joined by underscores or written in camel case."""
    spaced = (
        f" {letter}" if letter.isupper() and index and text[index - 1].islower() else letter
        for index, letter in enumerate(text)
    )
    return "".join(spaced).replace("_", " ")


def _replaced(pattern: Pattern, text: str) -> str:
    pieces: list[str] = []
    end = 0
    for match in pattern.finditer(text):
        point = int(match.group(1), 16)
        pieces += [text[end : match.start()], chr(point)]
        end = match.end()
    return "".join([*pieces, text[end:]])


def _without(text: str, pattern: Pattern) -> str:
    pieces: list[str] = []
    end = 0
    for match in pattern.finditer(text):
        pieces.append(text[end : match.start()])
        end = match.end()
    return "".join([*pieces, text[end:]])


def _unspaced(text: str, pattern: Pattern) -> str:
    """Join letters set apart; where words were parted by more than one separator, keep that gap."""
    pieces: list[str] = []
    end = 0
    for match in pattern.finditer(text):
        run = match.group()
        joined = "".join(
            " " if not character.isalnum() and index and not run[index - 1].isalnum() else character
            for index, character in enumerate(run)
            if character.isalnum() or character in "@$" or (index and not run[index - 1].isalnum())
        )
        pieces += [text[end : match.start()], joined]
        end = match.end()
    return "".join([*pieces, text[end:]])


def _from_base64(token: str) -> str | None:
    padded = token.rstrip("=").replace("-", "+").replace("_", "/")[:_LONGEST_DECODED]
    if len(padded) % 4 == 1:
        padded = padded[:-1]
    try:
        return base64.b64decode(padded + "=" * (-len(padded) % 4), validate=True).decode()
    except (binascii.Error, UnicodeDecodeError):
        return None


def _from_base32(token: str) -> str | None:
    padded = token.rstrip("=")[:_LONGEST_DECODED]
    try:
        return base64.b32decode(padded + "=" * (-len(padded) % 8)).decode()
    except (binascii.Error, UnicodeDecodeError):
        return None


def _from_hex(token: str) -> str | None:
    digits = token[:_LONGEST_DECODED].replace("\\x", "").replace("0x", "")
    digits = "".join(character for character in digits if character.isalnum())
    try:
        return bytes.fromhex(digits[: len(digits) // 2 * 2]).decode()
    except (ValueError, UnicodeDecodeError):
        return None


def _from_binary(token: str) -> str | None:
    digits = "".join(character for character in token if character in "01")
    octets = bytes(int(digits[index : index + 8], 2) for index in range(0, len(digits) - 7, 8))
    try:
        return octets.decode()
    except UnicodeDecodeError:
        return None


def _from_decimal(token: str) -> str | None:
    numbers = [int(number) for number in token.replace(",", " ").split()]
    return "".join(map(chr, numbers)) if all(32 <= number < 127 for number in numbers) else None


_PAYLOADS = (
    ("base64", _BASE64, _from_base64),
    ("base32", _BASE32, _from_base32),
    ("hex", _HEX, _from_hex),
    ("binary", _BINARY, _from_binary),
    ("decimal", _DECIMAL, _from_decimal),
)


def _is_writing(decoded: str) -> bool:
    """Tell whether decoded bytes are words: printable, mostly letters and spaces."""
    if len(decoded) < 6 or not all(character.isprintable() or character in "\n\t" for character in decoded):
        return False
    letters = sum(character.isalpha() or character.isspace() for character in decoded)
    return letters >= 0.8 * len(decoded)
