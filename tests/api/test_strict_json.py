import json
import time
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_admin.api import strict_json
from memory_admin.api.strict_json import NotStrict

storable = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=20)
values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.floats(-(2**62), 2**62) | storable,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(storable, inner, max_size=4),
    max_leaves=20,
)


@given(st.dictionaries(storable, values, max_size=4))
def test_what_can_be_stored_comes_back_as_it_was_sent(sent: dict[str, object]) -> None:
    assert strict_json.parse(json.dumps(sent).encode()) == sent


@given(st.binary(max_size=200))
def test_any_bytes_are_an_object_or_refused(raw: bytes) -> None:
    with suppress(NotStrict):
        assert isinstance(strict_json.parse(raw), dict)


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        (b"", "malformed_json"),
        (b'{"a":1', "malformed_json"),
        (b'\xef\xbb\xbf{"a":1}', "malformed_json"),
        (b'{"a":NaN}', "malformed_json"),
        (b'{"a":-Infinity}', "malformed_json"),
        ('{"a":1}'.encode("utf-16"), "not_utf8"),
        (b'{"a":"\xff"}', "not_utf8"),
        (b"[1]", "not_an_object"),
        (b"null", "not_an_object"),
        (b'{"a":1,"a":2}', "duplicate_name"),
        (b'{"a":"x\\u0000"}', "unstorable_text"),
        (b'{"\\u0000":1}', "unstorable_text"),
        (b'{"a":[{"b":"\\ud800"}]}', "unstorable_text"),
        (b'{"\\udfff":1}', "unstorable_text"),
        (b'{"a":9223372036854775808}', "number_out_of_range"),
        (b'{"a":' + b"9" * 5000 + b"}", "number_out_of_range"),
        (b'{"a":1e999}', "number_out_of_range"),
        (b'{"a":1e20}', "number_out_of_range"),
        (b'{"a":[-9223372036854775809.0]}', "number_out_of_range"),
        (b'{"a":' + b"[" * 32 + b"]" * 32 + b"}", "nested_too_deeply"),
        (b'{"a":' + b"[" * 100_000 + b"]" * 100_000 + b"}", "nested_too_deeply"),
        (b"[" * 100_000, "nested_too_deeply"),
    ],
)
def test_a_body_that_cannot_be_stored_is_refused_by_name(raw: bytes, code: str) -> None:
    with pytest.raises(NotStrict) as refused:
        strict_json.parse(raw)

    assert refused.value.code == code


def test_brackets_inside_a_text_are_no_depth() -> None:
    sent = {"a": '[{"' * 100 + "\\"}

    assert strict_json.parse(json.dumps(sent).encode()) == sent


def test_thirty_two_levels_are_allowed() -> None:
    assert strict_json.parse(b'{"a":' + b"[" * 31 + b"]" * 31 + b"}")


@pytest.mark.parametrize("unit", [b'"', b'\\"', b'"\\', b'"\\"', b"[]", b"1,"])
def test_the_largest_body_is_read_in_linear_time(unit: bytes) -> None:
    raw = (b'{"a":"' + unit * strict_json.MOST_BYTES)[: strict_json.MOST_BYTES] + b"\\"
    began = time.process_time()

    with pytest.raises(NotStrict):
        strict_json.parse(raw)

    assert time.process_time() - began < 1
