"""Where the embedded servers listen."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from memory_admin import embedded, env
from memory_admin.embedded import places


def test_sockets_lie_beside_the_data(tmp_path: Path) -> None:
    assert places.postgres_sockets(tmp_path) == tmp_path
    assert places.valkey_socket(tmp_path).parent == tmp_path


def test_a_path_too_long_for_a_socket_is_replaced_by_one_short_folder_each() -> None:
    one, other = Path("/", "x" * 120, "one"), Path("/", "x" * 120, "other")

    assert len(os.fsencode(places.valkey_socket(one))) <= places.LONGEST_PATH
    assert places.postgres_sockets(one) == places.postgres_sockets(one)
    assert places.postgres_sockets(one) != places.postgres_sockets(other)


def test_a_folder_that_others_may_enter_is_refused(tmp_path: Path) -> None:
    (tmp_path / "open").mkdir(mode=0o755)

    with pytest.raises(places.ServerFailed, match="mode 0700"):
        places.make_private(tmp_path / "open", os.geteuid())


def test_a_link_to_a_private_folder_is_refused(tmp_path: Path) -> None:
    places.make_private(tmp_path / "private", os.geteuid())
    (tmp_path / "link").symlink_to(tmp_path / "private")

    with pytest.raises(places.ServerFailed):
        places.make_private(tmp_path / "link", os.geteuid())


def test_addresses_are_known_without_a_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATA_DIR", str(tmp_path))

    found = env.database(embedded.database_url())

    assert (found["USER"], found["NAME"]) == ("memory_app", "memory")
    assert found["HOST"] == str(tmp_path / "postgres")
    assert env.database(embedded.owner_url())["USER"] == "memory_migrate"
    assert embedded.broker_url() == f"redis+socket://{tmp_path}/valkey/valkey.sock"
    assert list(tmp_path.iterdir()) == []


def test_configured_servers_are_left_to_themselves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATA_DIR", str(tmp_path))
    monkeypatch.setenv("DATABASE_URL", "postgresql://memory_app@db.example/memory")
    monkeypatch.setenv("CELERY_BROKER_URL", "redis://broker.example/0")

    embedded.ensure_postgres()
    embedded.ensure_valkey()
    embedded.stop()

    assert embedded.watched() == {}
    assert not embedded.in_use()
    assert list(tmp_path.iterdir()) == []
