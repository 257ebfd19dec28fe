"""Nothing that is sent ends in a 5xx: the public collections of bad bodies and of naughty strings."""

import base64
import json
from pathlib import Path
from typing import Any

import pytest

from accounts.models import Subject
from memory_admin.api import conf
from tests.api.cast import Caller, Organisation
from tests.api.operations import Operation, no_rows, operations

DATA = Path(__file__).resolve().parents[2].parent / "shared" / "data"
WITH_BODY = [operation for operation in operations() if operation.view.reads]
MEMORY = b'"subject":"user:alice","kind":"event","origin":"observed","statement":'


def bodies() -> list[dict[str, Any]]:
    path = DATA / "bad-request-bodies.jsonl"
    assert path.exists(), f"The public test data is missing: {path}"
    return [json.loads(line) for line in path.read_text().splitlines()]


def naughty_strings() -> list[str]:
    path = DATA / "naughty-strings.json"
    assert path.exists(), f"The public test data is missing: {path}"
    strings: list[str] = json.loads(path.read_text())
    return strings


def raw(case: dict[str, Any]) -> bytes:
    if case["id"] == "deep-nesting":
        return b'{"body":"x","metadata":' + b"[" * 100_000 + b"]" * 100_000 + b"}"
    return base64.b64decode(case.get("body_b64") or "")


@pytest.fixture(autouse=True)
def _no_limit(alice: Subject, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conf, "REQUESTS_PER_MINUTE", 1_000_000)
    monkeypatch.setattr(conf, "READS_OF_ONE_SUBJECT_PER_MINUTE", 1_000_000)


@pytest.mark.parametrize("operation", WITH_BODY, ids=str)
def test_a_bad_body_is_the_callers_error_at_every_operation(helper: Caller, operation: Operation) -> None:
    path = operation.path
    for name, value in no_rows().items():
        path = path.replace(name, value)

    answers = {
        case["id"]: helper.call(
            operation.method,
            path,
            raw(case),
            Content_Type=case["content_type"],
            If_Match='"1"',
            **{name.replace("-", "_"): value for name, value in case["headers"].items()},
        )
        for case in bodies()
    }

    assert {name for name, answered in answers.items() if not 400 <= answered.status_code < 500} == set()
    assert {answered["Content-Type"] for answered in answers.values()} == {"application/problem+json"}


@pytest.mark.parametrize("case", bodies(), ids=lambda case: case["id"])
def test_a_bad_statement_is_refused_or_stored_as_it_is(helper: Caller, case: dict[str, Any]) -> None:
    body = raw(case).replace(b'"body":', MEMORY)

    answered = helper.call(
        "POST",
        "/memories",
        body,
        Content_Type=case["content_type"],
        **{name.replace("-", "_"): value for name, value in case["headers"].items()},
    )

    expected = case["expect"]
    if expected == "415":
        assert answered.status_code == 415
    elif expected.startswith("4xx") and "stored" not in expected:
        assert 400 <= answered.status_code < 500
    else:
        assert answered.status_code < 500
    if answered.status_code == 201:
        assert answered.json()["statement"] == json.loads(body)["statement"]


def test_a_body_above_the_limit_is_refused_before_it_is_read(helper: Caller) -> None:
    answered = helper.call("POST", "/memories", b"{" * (256 * 1024 + 1))

    assert (answered.status_code, answered.json()["code"]) == (413, "body_too_large")


@pytest.mark.parametrize(
    "declared",
    ["text/plain", "application/jsonp", "multipart/form-data; boundary=x", "application/json; charset=latin-1"],
)
def test_another_media_type_or_charset_is_refused(helper: Caller, declared: str) -> None:
    assert helper.call("POST", "/memories", b"{}", Content_Type=declared).status_code == 415


@pytest.mark.parametrize("charset", ["utf-7", "zlib_codec", "hex", "idna", "nonsense"])
def test_a_charset_does_not_change_how_an_address_is_read(helper: Caller, charset: str) -> None:
    answered = helper.get("/memories?kind=fact", Content_Type=f"application/json; charset={charset}")

    assert answered.status_code == 415


def test_naughty_statements_never_fail(north: Organisation, helper: Caller) -> None:
    items = [
        {"subject": f"user:naughty-{number % 7}", "kind": "event", "origin": "observed", "statement": text}
        for number, text in enumerate(naughty_strings())
    ]

    alone = [helper.post("/memories/check", item).status_code for item in items]
    readable = [item for item, status in zip(items, alone, strict=True) if status == 200]
    answers = [
        helper.post("/memories/batch", {"items": readable[at : at + 100]}) for at in range(0, len(readable), 100)
    ]

    assert set(alone) <= {200, 400}
    assert len(readable) > 450
    assert {answered.status_code for answered in answers} == {200}


def test_naughty_texts_in_every_other_field_never_fail(helper: Caller) -> None:
    statuses = set()
    for text in naughty_strings():
        source = dict.fromkeys(("trace_id", "message_id", "uri", "quote", "speaker"), text)
        body = {
            "subject": "user:alice",
            "kind": "event",
            "origin": "observed",
            "statement": "Asked about a refund.",
            "source": source,
            "aliases": [text or "none"],
            "value": {text: [text]},
        }
        statuses.add(helper.post("/memories", body).status_code)

    assert max(statuses) < 500
    assert 201 in statuses


@pytest.mark.parametrize(
    "field", ["subject", "kind", "origin", "channel", "key", "supersedes", "valid_from", "confidence"]
)
def test_naughty_texts_in_strict_fields_are_the_callers_error(helper: Caller, field: str) -> None:
    body = {"subject": "user:alice", "kind": "event", "origin": "observed", "statement": "Asked about a refund."}

    statuses = {helper.post("/memories/check", {**body, field: text}).status_code for text in naughty_strings()}

    assert statuses <= {200, 400}


def test_naughty_texts_in_names_filters_and_addresses_never_fail(helper: Caller) -> None:
    from urllib.parse import quote, urlencode

    statuses = set()
    for text in naughty_strings():
        statuses.add(helper.post("/memories/check", {text: text}).status_code)
        statuses.add(helper.get(f"/memories?{urlencode({'source': text})}").status_code)
        statuses.add(helper.get(f"/memories?{urlencode({text: text, 'cursor': text})}").status_code)
        statuses.add(helper.get(f"/subjects/{quote(text, safe='')}/profile/{quote(text, safe='')}").status_code)
        statuses.add(
            helper.get("/whoami", Idempotency_Key="x", X_Request_Id=text.encode("ascii", "ignore").decode()).status_code
        )

    assert max(statuses) < 500
