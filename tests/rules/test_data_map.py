"""The data map names every column there is, says what it holds, and how it goes."""

import tomllib
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from django.db import connection

MAP = Path(__file__).parents[2] / "docs" / "data-map.toml"
CLASSES = ("content", "id", "keyed", "none")


@pytest.fixture(scope="module")
def data_map() -> dict[str, dict[str, Any]]:
    return tomllib.loads(MAP.read_text())


def mapped(table: dict[str, Any]) -> list[str]:
    return list(chain.from_iterable(table.get(name, []) for name in CLASSES))


def test_every_column_of_every_table_is_in_the_map_once_and_no_other(
    columns: dict[str, list[str]], data_map: dict[str, dict[str, Any]]
) -> None:
    exist = {table: sorted(names) for table, names in columns.items()}

    assert {table: sorted(mapped(told)) for table, told in data_map.items()} == exist


def test_every_table_says_how_its_rows_go(data_map: dict[str, dict[str, Any]]) -> None:
    assert [table for table, told in data_map.items() if not told.get("goes", "").strip()] == []
    assert {name for told in data_map.values() for name in told} == {*CLASSES, "goes"}


def test_no_statistics_are_kept_of_content(db: None, data_map: dict[str, dict[str, Any]]) -> None:
    """The planner's samples would keep words that were erased from their rows."""
    with connection.cursor() as cursor:
        cursor.execute("""
            SELECT c.relname || '.' || a.attname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
            WHERE c.relkind IN ('r', 'p') AND c.relnamespace = 'public'::regnamespace AND a.attstattarget = 0
        """)
        without = {name for (name,) in cursor.fetchall()}

    content = {f"{table}.{column}" for table, told in data_map.items() for column in told.get("content", [])}
    assert content - without == set()
