"""Servers of the tests' own: the shared ones are never touched."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from memory_admin.embedded import postgres, valkey


@pytest.fixture(scope="module")
def own_postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A PostgreSQL of this module, as the folder of its data; tests leave it running."""
    data = tmp_path_factory.mktemp("pg") / "postgres"
    postgres.ensure(data)
    yield data
    postgres.stop(data)


@pytest.fixture
def own_valkey(tmp_path: Path) -> Iterator[Path]:
    """A Valkey of this test, as the folder of its data; tests leave it running."""
    data = tmp_path / "valkey"
    valkey.ensure(data)
    yield data
    valkey.stop(data)
