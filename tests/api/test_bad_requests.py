"""Nothing that is sent ends in a 5xx: the public collections of bad bodies and of naughty strings."""

import base64
import json
import re
from io import BytesIO
from pathlib import Path
from typing import Any, cast
from urllib.parse import quote, urlencode
from wsgiref.util import setup_testing_defaults

import pytest
from django.test import Client

from accounts.models import Subject
from memory_admin.api import conf
from tests.api.cast import Caller
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


@pytest.mark.parametrize("method", ["GET", "DELETE", "PATCH"])
def test_a_query_is_refused_where_nothing_can_be_asked(helper: Caller, alice: Subject, method: str) -> None:
    body = {"subject": alice.ref, "kind": "fact", "statement": "Has two cats.", "origin": "stated"}
    stored = helper.post("/memories", body).json()["id"]

    answered = helper.call(method, f"/memories/{stored}?dry_run=true", {} if method == "PATCH" else None)

    assert (answered.status_code, answered.json()["errors"][0]["code"]) == (400, "unknown_field")
    assert helper.post("/memories?dry_run=true", body).status_code == 400
    assert helper.get(f"/memories/{stored}").status_code == 200


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
@pytest.mark.parametrize(("path", "status"), [("/api/v1/memories", 415), ("/", 400)])
def test_a_charset_does_not_change_how_an_address_is_read(charset: str, path: str, status: int) -> None:
    from memory_admin.wsgi import application  # looks at the database

    environ: dict[str, Any] = {"PATH_INFO": path, "QUERY_STRING": "kind=fact", "HTTP_HOST": "localhost"}
    environ["CONTENT_TYPE"] = f"application/json; charset={charset}"
    setup_testing_defaults(environ)
    statuses: list[str] = []

    application(environ, lambda line, *_: cast(Any, statuses.append(line)))

    assert [line.split()[0] for line in statuses] == [str(status)]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b'{"subject":"user:alice","kind":"fact","origin":"stated","statement":"Has two cats."}', "201"),
        (b" ", "400"),
        (b"{" * (256 * 1024 + 1), "413"),
    ],
)
def test_a_body_may_come_in_chunks(helper: Caller, body: bytes, status: str) -> None:
    from memory_admin.wsgi import application  # looks at the database

    environ: dict[str, Any] = {"REQUEST_METHOD": "POST", "PATH_INFO": "/api/v1/memories", "HTTP_HOST": "localhost"}
    environ |= {"CONTENT_TYPE": "application/json", "HTTP_AUTHORIZATION": f"Bearer {helper.key}"}
    environ |= {"HTTP_TRANSFER_ENCODING": "chunked", "wsgi.input": BytesIO(body)}  # as gunicorn hands it on
    setup_testing_defaults(environ)
    statuses: list[str] = []

    application(environ, lambda line, *_: cast(Any, statuses.append(line)))

    assert [line.split()[0] for line in statuses] == [status]


def test_a_host_that_is_none_of_ours_gets_a_problem_and_no_line_in_the_log(
    helper: Caller, caplog: pytest.LogCaptureFixture
) -> None:
    answered = helper.get("/whoami", Host="evil.example")

    assert (answered.status_code, answered.json()["code"]) == (400, "unknown_host")
    assert Client().get("/help/", headers={"Host": "evil.example"}).status_code == 400
    assert caplog.records == []


@pytest.mark.parametrize(
    ("sent", "told"),
    [
        ({"kind": "wish"}, "This takes one of: preference, fact, relationship, instruction, outcome, event, episode"),
        ({"subject": "alice"}, "A subject is named user:…, entity:… or team:…"),
        ({"key": "Time zone"}, "A name has small letters, digits and"),
    ],
)
def test_an_error_says_what_would_do_and_not_what_was_sent(helper: Caller, sent: dict[str, str], told: str) -> None:
    body = {"subject": "user:alice", "kind": "fact", "origin": "stated", "statement": "Has two cats."}

    answered = helper.post("/memories", {**body, **sent})

    assert [error["field"] for error in answered.json()["errors"]] == list(sent)
    assert answered.json()["errors"][0]["detail"].startswith(told)


def test_everything_that_is_wrong_is_told_at_once(helper: Caller) -> None:
    stored = helper.post("/memories", {"kind": "wish", "dry_run": True})
    listed = helper.get("/memories?limit=0&colour=red")

    assert {error["field"] for error in stored.json()["errors"]} == {
        "kind",
        "statement",
        "origin",
        "subject",
        "dry_run",
    }
    assert {error["field"] for error in listed.json()["errors"]} == {"limit", "colour"}


def test_a_head_has_the_length_and_no_body() -> None:
    from memory_admin.wsgi import application  # looks at the database

    environ: dict[str, Any] = {"REQUEST_METHOD": "HEAD", "PATH_INFO": "/help/", "HTTP_HOST": "localhost"}
    setup_testing_defaults(environ)
    told: dict[str, str] = {}

    body = application(environ, lambda _, headers, *__: cast(Any, told.update(headers)))

    assert b"".join(body) == b""
    assert int(told["Content-Length"]) > 1000


def test_json_that_is_none_is_pointed_at(helper: Caller) -> None:
    answered = helper.call("POST", "/memories", b'{\n  "kind": fact}')

    assert answered.json()["detail"] == "The body is not JSON: see line 2, column 11."


STRICT = (
    "subject",
    "kind",
    "origin",
    "channel",
    "key",
    "supersedes",
    "valid_from",
    "confidence",
    "categories",
    "scopes",
)


@pytest.mark.parametrize("field", ["statement", "every other text", *STRICT])
def test_naughty_strings_in_a_field_of_a_memory_are_stored_or_the_callers_error(helper: Caller, field: str) -> None:
    items = [_with(field, text, number) for number, text in enumerate(naughty_strings())]

    bad: set[int] = set()
    for at in range(0, len(items), 100):
        refused = helper.post("/memories/batch", {"items": items[at : at + 100]})
        if refused.status_code == 400:
            named = [re.match(r"items\[(\d+)\]", error["field"]) for error in refused.json()["errors"]]
            bad |= {at + int(found[1]) for found in named if found}
        else:
            assert refused.status_code == 200
    good = [item for number, item in enumerate(items) if number not in bad]
    statuses = {
        helper.post("/memories/batch", {"items": good[at : at + 100]}).status_code for at in range(0, len(good), 100)
    }

    assert statuses <= {200}
    assert len(good) > 450 or field in STRICT


def test_naughty_strings_in_a_query_are_answered_or_the_callers_error(helper: Caller) -> None:
    statuses = {
        helper.post("/memories/search", {"subject": "user:alice", "query": text, "purpose": "assist"}).status_code
        for text in naughty_strings()[::5]
    }

    assert statuses == {200, 400}


def test_naughty_strings_in_filters_and_addresses_never_fail(helper: Caller) -> None:
    statuses = set()
    for number, text in enumerate(naughty_strings()):
        if number % 2:
            statuses.add(helper.get(f"/memories?{urlencode({'source': text})}").status_code)
            continue
        statuses.add(helper.get(f"/subjects/{quote(text, safe='')}/profile/{quote(text, safe='')}").status_code)

    assert statuses <= {200, 400, 404}


def test_naughty_strings_as_names_never_fail(helper: Caller) -> None:
    statuses = {
        helper.post("/memories/check", {text: text for text in naughty_strings()[at : at + 50]}).status_code
        for at in range(0, len(naughty_strings()), 50)
    }

    assert statuses == {400}


def _with(field: str, text: str, number: int) -> dict[str, Any]:
    """A memory that has the text in one field, or in every field of free text."""
    memory: dict[str, Any] = {
        "subject": f"user:naughty-{number % 7}",
        "kind": "fact" if field == "key" else "event",  # an event has no key
        "origin": "observed",
        "statement": "Asked about a refund.",
    }
    if field == "every other text":
        source = dict.fromkeys(("trace_id", "message_id", "uri", "quote", "speaker"), text)
        return {**memory, "source": source, "aliases": [text or "none"], "value": {text: [text]}}
    return {**memory, field: [text] if field in ("categories", "scopes") else text}
