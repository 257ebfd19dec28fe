"""One command: everything starts together, says how to use it, and stops cleanly."""

from __future__ import annotations

import json
import os
import shlex
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from memory_admin import env
from memory_admin.embedded import postgres, valkey
from tests.machine import free_port

# The environment without what would lead a run to other servers than its own.
OWN_SERVERS = {
    name: value
    for name, value in os.environ.items()
    if name not in ("DATABASE_URL", "DATABASE_OWNER_URL", "CELERY_BROKER_URL", "CACHE_URL", "ENVIRONMENT")
}


class Run:
    """`manage.py run` on data of its own, once it has said how to use it."""

    def __init__(self, data_dir: Path, port: int | None = None) -> None:
        self.data_dir = data_dir
        self.port = port or free_port()
        self.process = subprocess.Popen(
            [sys.executable, "manage.py", "run"],
            cwd=env.ROOT,
            env={**OWN_SERVERS, "DATA_DIR": str(data_dir), "PORT": str(self.port)},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        assert self.process.stdout
        self.said: list[str] = []
        for line in self.process.stdout:
            self.said.append(line.rstrip())
            if line.startswith("Ctrl-C"):
                break

    def rest(self) -> list[str]:
        """Wait for the end and return what was said since."""
        return self.process.communicate(timeout=120)[0].splitlines()

    def ask_as_printed(self) -> Any:
        """Do what the printed curl line does, and return the answer's body."""
        (line,) = (line for line in self.said if line.strip().startswith("curl "))
        words = shlex.split(line)
        given = {flag: [words[i + 1] for i, word in enumerate(words) if word == flag] for flag in ("-X", "-H", "-d")}
        (address,) = (word for word in words if word.startswith("http://"))
        self.headers = dict(header.split(": ", 1) for header in given["-H"])
        return self.ask(address, given["-X"][0], given["-d"][0].encode())

    def ask(self, address: str, method: str = "GET", body: bytes | None = None) -> Any:
        """Send one request with the key that was printed, and return the answer's body."""
        request = urllib.request.Request(address, body, self.headers, method=method)
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)


@dataclass(frozen=True)
class Twice:
    """A first run that stored a memory and was stopped, and a second one on the same data that still runs."""

    stored: dict[str, Any]
    first_answer_took: float  # seconds
    said_at_the_end: list[str]
    status: int | None
    servers_left: list[str]
    second: Run


@pytest.fixture(scope="module")
def twice(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Twice]:
    data_dir = tmp_path_factory.mktemp("run") / "data"
    first = Run(data_dir)
    began = time.monotonic()
    stored = first.ask_as_printed()
    took = time.monotonic() - began
    first.process.send_signal(signal.SIGINT)
    said = first.rest()
    left = {"PostgreSQL": postgres.runs(data_dir / "postgres"), "Valkey": valkey.answers(data_dir / "valkey")}

    second = Run(data_dir)
    second.headers = first.headers
    yield Twice(stored, took, said, first.process.returncode, [name for name, runs in left.items() if runs], second)
    if second.process.poll() is None:
        second.process.send_signal(signal.SIGINT)
        second.rest()


def test_the_first_request_waits_for_nothing_to_be_loaded(twice: Twice) -> None:
    assert twice.first_answer_took < 3  # a tenth of that on a machine that does nothing else; five and more if it did


def test_ctrl_c_stops_everything_cleanly(twice: Twice) -> None:
    assert twice.said_at_the_end[0] == "Stopping; a second Ctrl-C stops at once."
    assert twice.said_at_the_end[-1] == "Stopped."
    assert twice.status == 0
    assert twice.servers_left == []


def test_what_the_printed_line_stored_is_there_after_a_restart(twice: Twice) -> None:
    found = twice.second.ask(f"http://localhost:{twice.second.port}/api/v1/memories/{twice.stored['id']}")

    assert found["statement"] == twice.stored["statement"]


def test_the_demo_sign_ins_are_printed_and_kept_from_others(twice: Twice) -> None:
    demo = twice.second.data_dir / "demo.json"

    assert demo.stat().st_mode & 0o077 == 0
    for person in json.loads(demo.read_text())["sign_ins"]:
        assert f"  {person['email']}  {person['password']}  ({person['who']})" in twice.second.said


def test_another_run_on_the_same_data_is_refused_in_one_line(twice: Twice) -> None:
    other = Run(twice.second.data_dir)

    other.rest()
    assert other.said == [f"CommandError: It runs already, with the data in {other.data_dir}."]
    assert other.process.returncode == 1


def test_a_busy_port_is_refused_in_one_line(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]

        refused = Run(tmp_path, port)

    refused.rest()
    assert refused.said == [f"CommandError: Port {port} is busy: stop what uses it, or choose another with PORT=8001."]
    assert refused.process.returncode == 1
    assert not (tmp_path / "postgres").exists()


def test_a_killed_database_stops_everything_with_a_reason(twice: Twice) -> None:  # the last one: it ends the second run
    os.kill(int((twice.second.data_dir / "postgres/postmaster.pid").read_text().split()[0]), signal.SIGKILL)

    said = twice.second.rest()
    assert "PostgreSQL ended unexpectedly: everything stops." in said
    assert twice.second.process.returncode == 1
