"""The web server of the product over the measurement's database, and one agent that asks it."""

from __future__ import annotations

import http.client
import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit, urlunsplit

from benchmarks.place import NAME
from memory_admin import embedded, env

READY_WITHIN = 60.0  # seconds: the first request loads the embedding model


class Client:
    """An agent on one kept-alive connection."""

    def __init__(self, port: int, key: str) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=READY_WITHIN)
        self._headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}

    def search(self, subject: str, query: str) -> dict[str, object]:
        """Ask one question; an answer other than 200 is an error."""
        body = json.dumps({"subject": subject, "query": query, "purpose": "chat"})
        self._connection.request("POST", "/api/v1/memories/search", body, self._headers)
        response = self._connection.getresponse()
        answer = response.read()
        if response.status != 200:
            raise RuntimeError(f"{response.status}: {answer[:300]!r}")
        read: dict[str, object] = json.loads(answer)
        return read


@contextmanager
def server() -> Iterator[int]:
    """Start one web process on a free port, and stop it."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = int(free.getsockname()[1])
    variables = {
        **os.environ,
        "DATABASE_URL": _renamed(env.text("DATABASE_URL") or embedded.database_url()),
        "DATABASE_OWNER_URL": _renamed(env.text("DATABASE_OWNER_URL") or embedded.owner_url()),
    }
    command = [sys.executable, "-m", "gunicorn", "memory_admin.wsgi", "--bind", f"127.0.0.1:{port}"]
    process = subprocess.Popen(
        [*command, "--workers", "1", "--threads", "2", "--keep-alive", "600", "--log-level", "error"], env=variables
    )
    try:
        _wait(port, process)
        yield port
    finally:
        process.terminate()
        process.wait(timeout=30)


def _wait(port: int, process: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + READY_WITHIN
    while time.monotonic() < until and process.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError:
            time.sleep(0.2)
    raise RuntimeError("The web server did not start.")


def _renamed(url: str) -> str:
    parts = urlsplit(url)
    return urlunsplit(parts._replace(path=f"/{NAME}"))
