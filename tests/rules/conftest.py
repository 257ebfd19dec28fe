"""What the rules look at: the sources, the addresses, and the catalog of the database."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from django.db import connection

ROOT = Path(__file__).parents[2]
PACKAGES = ("accounts", "policies", "memory_admin")


@dataclass(frozen=True)
class Source:
    """One file of the product."""

    path: Path

    @property
    def name(self) -> str:
        return self.path.relative_to(ROOT).as_posix()

    @property
    def module(self) -> str:
        return self.name.removesuffix(".py").removesuffix("/__init__").replace("/", ".")

    @property
    def text(self) -> str:
        return self.path.read_text()

    @property
    def tree(self) -> ast.Module:
        return ast.parse(self.text)

    def imports(self) -> Iterator[str]:
        """Name every module, or thing in a module, that is imported anywhere in the file."""
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Import):
                yield from (alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                yield node.module
                yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _sources(*folders: str) -> list[Source]:
    found = [Source(path) for folder in folders for path in sorted((ROOT / folder).rglob("*.py"))]
    assert found, f"nothing in {folders}"
    return found


@pytest.fixture(scope="session")
def product() -> list[Source]:
    """Every source of the product, migrations left out."""
    return [source for source in _sources(*PACKAGES) if "/migrations/" not in source.name]


@pytest.fixture(scope="session")
def surfaces() -> list[Source]:
    folders = [f"memory_admin/{name}" for name in ("api", "portal", "web", "console")]
    return _sources(*(folder for folder in folders if (ROOT / folder).exists()))


@pytest.fixture(scope="session")
def tests() -> list[Source]:
    """Every test but the rules."""
    return [source for source in _sources("tests") if not source.name.startswith("tests/rules/")]


@pytest.fixture
def columns(db: None) -> dict[str, list[str]]:
    """The columns of every table, in their order."""
    with connection.cursor() as cursor:
        cursor.execute("""
            SELECT c.relname, array_agg(a.attname::text ORDER BY a.attnum)
            FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
            WHERE c.relkind IN ('r', 'p') AND c.relnamespace = 'public'::regnamespace GROUP BY 1 ORDER BY 1
        """)
        return dict(cursor.fetchall())


@pytest.fixture
def tenant_tables(columns: dict[str, list[str]]) -> list[str]:
    """Every table that says whose its rows are."""
    return [table for table, names in columns.items() if "tenant_id" in names]
