"""The scanner finds a planted canary in every kind of place and in every encoding."""

from __future__ import annotations

import base64
import gzip
import html
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import psycopg
import pytest
import redis
from django.core import signing

from memory_admin.screening.canonical import canonicalise
from tests.canary import Marks, find
from tests.durability.installation import Installation

CANARY = "Keeps Zephyrantes bulbs & “Quüxlinger” shears behind the boathouse"

ENCODINGS = {
    "as it is": CANARY.encode(),
    "in capitals": CANARY.upper().encode(),
    "canonical": canonicalise(CANARY).encode(),
    "one word": b"[zephyrantes]",
    "UTF-16": CANARY.encode("utf-16"),
    "UTF-16, big end first": CANARY.encode("utf-16-be"),
    "base64": base64.b64encode(b"" + CANARY.encode()),
    "base64, one byte on": base64.b64encode(b"x" + CANARY.encode()),
    "base64, two bytes on": base64.urlsafe_b64encode(b"xx" + CANARY.encode()),
    "base64 of a job": base64.b64encode(json.dumps([[CANARY], {}]).encode()),
    "hex": CANARY.encode().hex().upper().encode(),
    "percent": quote(CANARY).encode(),
    "JSON": json.dumps(CANARY).encode(),
    "JSON, every letter escaped": "".join(f"\\u{ord(letter):04X}" for letter in CANARY).encode(),
    "HTML": html.escape(CANARY).encode(),
    "reversed": CANARY[::-1].encode(),
    "a session": signing.dumps({"said": CANARY * 9}, compress=True).encode(),
    "gzip": gzip.compress(CANARY.encode()),
}


@pytest.fixture
def database(founded: Installation) -> Iterator[psycopg.Connection[Any]]:
    """A superuser's connection; what is planted through it is taken back."""
    with founded.database() as connection, connection.transaction(force_rollback=True):
        yield connection


@pytest.fixture
def broker(founded: Installation) -> Iterator[redis.Redis]:
    """The broker; what is planted there is taken out again."""
    with founded.broker() as connection:
        before = keys(connection)
        yield connection
        for number, key in keys(connection) - before:
            connection.select(number)
            connection.delete(key)


def keys(broker: Any) -> set[tuple[int, bytes]]:
    found = set()
    for number in (1, 0):
        broker.select(number)
        found |= {(number, key) for key in broker.scan_iter()}
    return found


def test_nothing_is_found_where_nothing_is(database: psycopg.Connection[Any], broker: redis.Redis) -> None:
    assert find(CANARY, database=database, broker=broker) == []


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_a_canary_is_known_again(encoding: str) -> None:
    assert Marks(CANARY).are_in(b"\xffbefore " + ENCODINGS[encoding] + b" after")


def test_a_canary_in_a_file_is_found(database: psycopg.Connection[Any], broker: redis.Redis, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "export").write_text(CANARY)
    (tmp_path / "other").write_text("nothing")

    assert find(CANARY, database=database, broker=broker, files=[tmp_path]) == ["file export"]


def test_a_canary_in_a_column_of_any_type_is_found(database: psycopg.Connection[Any], broker: redis.Redis) -> None:
    values: dict[str, object] = {
        "text": CANARY,
        "varchar(300)": CANARY,
        "text[]": ["other", CANARY],
        "json": json.dumps({"said": CANARY}),
        "jsonb": json.dumps({"said": CANARY}),
        "tsvector": "'zephyrantes':1",
        "bytea": b"\xff" + CANARY.encode("utf-16"),
        "bit varying": "".join(f"{byte:08b}" for byte in CANARY.encode()),
    }
    for number, (kind, value) in enumerate(values.items()):
        database.execute(f"CREATE TABLE planted_{number} (held {kind})")
        database.execute(f"INSERT INTO planted_{number} VALUES (%s)", [value])

    found = find(CANARY, database=database, broker=broker)

    assert {f"table public.planted_{number}" for number in range(len(values))} <= set(found)


def test_a_canary_in_the_planners_statistics_is_found(database: psycopg.Connection[Any], broker: redis.Redis) -> None:
    database.execute("CREATE TABLE planted (held text)")
    database.execute("INSERT INTO planted SELECT %s FROM generate_series(1, 9)", [CANARY])

    assert "table pg_catalog.pg_statistic" in find(CANARY, database=database, broker=broker)


def test_a_canary_in_a_comment_is_found(database: psycopg.Connection[Any], broker: redis.Redis) -> None:
    database.execute(f"COMMENT ON TABLE jobs_job IS '{CANARY}'")

    assert find(CANARY, database=database, broker=broker) == ["table pg_catalog.pg_description"]


def test_a_canary_in_a_row_of_any_tenant_is_found(database: psycopg.Connection[Any], broker: redis.Redis) -> None:
    database.execute("UPDATE accounts_agent SET purpose = %s", [CANARY])

    assert find(CANARY, database=database, broker=broker) == ["table public.accounts_agent"]


def test_a_canary_in_a_payload_of_the_audit_trail_is_found(
    database: psycopg.Connection[Any], broker: redis.Redis
) -> None:
    database.execute("ALTER TABLE audit_payload DISABLE TRIGGER USER")
    database.execute("UPDATE audit_payload SET body = %s", [json.dumps({"said": CANARY})])

    assert "table public.audit_payload" in find(CANARY, database=database, broker=broker)


def test_a_canary_in_a_key_of_any_type_is_found(database: psycopg.Connection[Any], broker: redis.Redis) -> None:
    broker.set("string", CANARY)
    broker.lpush("list", base64.b64encode(CANARY.encode()))
    broker.sadd("set", CANARY)
    broker.zadd("sorted", {CANARY: 1})
    broker.hset("hash", "field", CANARY)
    broker.xadd("stream", {"field": CANARY})
    broker.set(CANARY, "name")
    broker.set("innocent", "nothing")

    found = find(CANARY, database=database, broker=broker)

    assert len(found) == 7
    assert "key 0/innocent" not in found


def test_a_canary_in_another_database_of_the_broker_is_found(
    founded: Installation, database: psycopg.Connection[Any], broker: redis.Redis
) -> None:
    with founded.broker() as cache:
        cache.select(1)
        cache.set("cached", CANARY)

    assert find(CANARY, database=database, broker=broker) == ["key 1/cached"]


def test_a_canary_that_was_in_the_broker_is_found_in_its_file(founded: Installation, broker: redis.Redis) -> None:
    broker.set("once", CANARY)
    broker.delete("once")

    with founded.database() as database:
        assert find(CANARY, database=database, broker=broker, files=[founded.valkey_data]) != []
