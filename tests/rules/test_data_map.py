"""The data map names every column there is, says what it holds, and how it goes."""

import tomllib
from pathlib import Path

import pytest
from django.db import connection

MAP = Path(__file__).parents[2] / "docs" / "data-map.toml"
CLASSES = {"content", "id", "keyed", "none"}


@pytest.fixture(scope="module")
def data_map() -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = tomllib.loads(MAP.read_text())
    return found


def test_every_column_of_every_table_is_in_the_map_and_no_other(
    columns: dict[str, list[str]], data_map: dict[str, dict[str, str]]
) -> None:
    exist = {f"{table}.{column}" for table, names in columns.items() for column in names}
    mapped = {f"{table}.{column}" for table, names in data_map.items() for column in names if column != "goes"}

    assert exist - mapped == set()
    assert mapped - exist == set()


def test_every_column_has_a_class(data_map: dict[str, dict[str, str]]) -> None:
    odd = {
        f"{table}.{column}": told
        for table, names in data_map.items()
        for column, told in names.items()
        if column != "goes" and told.split(":")[0] not in CLASSES
    }

    assert odd == {}


def test_every_table_says_how_its_rows_go(data_map: dict[str, dict[str, str]]) -> None:
    assert [table for table, names in data_map.items() if not names.get("goes", "").strip()] == []


def test_no_statistics_are_kept_of_content(db: None, data_map: dict[str, dict[str, str]]) -> None:
    """The planner's samples would keep words that were erased from their rows."""
    with connection.cursor() as cursor:
        cursor.execute("""
            SELECT c.relname || '.' || a.attname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
            WHERE c.relkind IN ('r', 'p') AND c.relnamespace = 'public'::regnamespace AND a.attstattarget = 0
        """)
        without = {name for (name,) in cursor.fetchall()}

    content = {
        f"{table}.{column}"
        for table, names in data_map.items()
        for column, told in names.items()
        if column != "goes" and told.split(":")[0] == "content" and "statistics" not in told
    }
    assert content - without == set()
