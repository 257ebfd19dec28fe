"""JSON as RFC 8259 and I-JSON (RFC 7493) mean it, and nothing that PostgreSQL or Python would choke on later."""

import json
import re
from typing import Any, Final

MOST_BYTES: Final = 256 * 1024
DEEPEST: Final = 32
LARGEST_NUMBER: Final = 2**63 - 1

# A text ends at its quote, or with the body: never a second look at the same byte, so the scan is linear.
_TEXTS = re.compile(rb'"(?:[^"\\]++|\\.)*+(?:"|\\?\Z)', re.DOTALL)
_NOT_BRACKETS = bytes(byte for byte in range(256) if byte not in b"[]{}")
_UNSTORABLE = re.compile("[\0\ud800-\udfff]")


class NotStrict(ValueError):
    """The body is not JSON that can be stored."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence


def parse(raw: bytes) -> dict[str, Any]:
    """Read one JSON object.

    :raises NotStrict: it is not UTF-8, nested deeper than 32, names a member twice, holds NUL or half of a surrogate
        pair, a number outside the range of a 64-bit integer, or is not an object
    """
    _measure_depth(raw)
    try:
        value = json.loads(
            raw.decode("utf-8"),
            object_pairs_hook=_members,
            parse_int=_integer,
            parse_float=_real,
            parse_constant=_constant,
        )
    except UnicodeDecodeError:
        raise NotStrict("not_utf8", "The body is not UTF-8.") from None
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise NotStrict("malformed_json", f"The body is not JSON: see {where}.") from None
    if not isinstance(value, dict):
        raise NotStrict("not_an_object", "The body is not a JSON object.")
    _refuse_unstorable(value)
    return value


def is_storable(text: str) -> bool:
    """Tell whether PostgreSQL can hold this text: neither NUL nor half of a surrogate pair."""
    return _UNSTORABLE.search(text) is None


def _measure_depth(raw: bytes) -> None:
    depth = 0
    for bracket in _TEXTS.sub(b"", raw).translate(None, _NOT_BRACKETS):
        depth += 1 if bracket in b"[{" else -1
        if depth > DEEPEST:
            raise NotStrict("nested_too_deeply", f"The body is nested deeper than {DEEPEST} levels.")


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise NotStrict("duplicate_name", "The body names a member twice.")
    return members


def _integer(digits: str) -> int:
    # The length first: int() of a long text is slow.
    if len(digits) > 20 or not -LARGEST_NUMBER - 1 <= int(digits) <= LARGEST_NUMBER:
        raise NotStrict("number_out_of_range", "A number is out of range.")
    return int(digits)


def _real(digits: str) -> float:
    number = float(digits)
    # PostgreSQL writes a whole number out in full, and then it is one that fits no 64-bit integer.
    if not abs(number) < LARGEST_NUMBER:
        raise NotStrict("number_out_of_range", "A number is out of range.")
    return number


def _constant(_name: str) -> None:
    raise NotStrict("malformed_json", "NaN and Infinity are not JSON.")


def _refuse_unstorable(value: object) -> None:
    if isinstance(value, str):
        if not is_storable(value):
            raise NotStrict("unstorable_text", "A text holds a character that cannot be stored.")
    elif isinstance(value, dict):
        for name, member in value.items():
            _refuse_unstorable(name)
            _refuse_unstorable(member)
    elif isinstance(value, list):
        for item in value:
            _refuse_unstorable(item)
