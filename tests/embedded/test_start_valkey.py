"""Starting the embedded Valkey: what it was given stays."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import redis

from memory_admin.embedded import places, valkey


def client(data: Path) -> redis.Redis:
    return redis.Redis(unix_socket_path=str(places.valkey_socket(data)), decode_responses=True)


def test_what_it_holds_survives_a_restart(own_valkey: Path) -> None:
    with client(own_valkey) as connection:
        connection.rpush("queue", "a job")

    valkey.stop(own_valkey)
    assert not valkey.answers(own_valkey)
    valkey.ensure(own_valkey)

    with client(own_valkey) as connection:
        assert connection.lrange("queue", 0, -1) == ["a job"]


def test_what_it_holds_survives_a_kill(own_valkey: Path) -> None:
    with client(own_valkey) as connection:
        connection.rpush("queue", "a job")
        os.kill(int((own_valkey / "server.pid").read_text()), signal.SIGKILL)

    valkey.ensure(own_valkey)

    with client(own_valkey) as connection:
        assert connection.lrange("queue", 0, -1) == ["a job"]


def test_nobody_else_may_connect(own_valkey: Path) -> None:
    socket = places.valkey_socket(own_valkey)

    assert socket.stat().st_mode & 0o077 == 0
    assert socket.parent.stat().st_mode & 0o077 == 0
