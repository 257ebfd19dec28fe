"""One command: everything starts together, says how to use it, and stops cleanly."""

from __future__ import annotations

import json
import os
import shlex
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from memory_admin import env
from memory_admin.embedded import postgres, valkey


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Run:
    """`manage.py run` on data of its own, once it has said how to use it."""

    def __init__(self, data_dir: Path, port: int | None = None) -> None:
        self.data_dir = data_dir
        self.port = port or free_port()
        self.process = subprocess.Popen(
            [sys.executable, "manage.py", "run"],
            cwd=env.ROOT,
            env={**os.environ, "DATA_DIR": str(data_dir), "PORT": str(self.port)},
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


@pytest.fixture(scope="module")
def data_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One folder for all runs of this module: the first loads the demo tenant, the others keep it."""
    return tmp_path_factory.mktemp("run") / "data"


@pytest.fixture
def run(data_dir: Path) -> Iterator[Run]:
    started = Run(data_dir)
    yield started
    if started.process.poll() is None:
        started.process.send_signal(signal.SIGINT)
        started.rest()


def test_the_printed_line_stores_a_memory_that_is_there_after_a_restart(run: Run) -> None:
    stored = run.ask_as_printed()
    run.process.send_signal(signal.SIGINT)
    said = run.rest()

    assert run.process.returncode == 0
    assert (said[0], said[-1]) == ("Stopping; a second Ctrl-C stops at once.", "Stopped.")
    assert not postgres.runs(run.data_dir / "postgres")
    assert not valkey.answers(run.data_dir / "valkey")

    again = Run(run.data_dir)
    again.headers = run.headers
    found = again.ask(f"http://localhost:{again.port}/api/v1/memories/{stored['id']}")
    again.process.send_signal(signal.SIGINT)
    again.rest()

    assert found["statement"] == stored["statement"]


def test_the_demo_sign_ins_are_printed_and_kept_from_others(run: Run) -> None:
    demo = run.data_dir / "demo.json"

    assert demo.stat().st_mode & 0o077 == 0
    for person in json.loads(demo.read_text())["sign_ins"]:
        assert f"  {person['email']}  {person['password']}  ({person['who']})" in run.said


def test_a_second_run_on_the_same_data_is_refused_in_one_line(run: Run) -> None:
    second = Run(run.data_dir)

    second.rest()
    assert second.said == [f"CommandError: It runs already, with the data in {run.data_dir}."]
    assert second.process.returncode == 1


def test_a_busy_port_is_refused_in_one_line(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]

        refused = Run(tmp_path, port)

    refused.rest()
    assert refused.said == [f"CommandError: Port {port} is busy: stop what uses it, or choose another with PORT=8001."]
    assert refused.process.returncode == 1
    assert not (tmp_path / "postgres").exists()


def test_a_killed_database_stops_everything_with_a_reason(run: Run) -> None:
    os.kill(int((run.data_dir / "postgres/postmaster.pid").read_text().split()[0]), signal.SIGKILL)

    said = run.rest()
    assert "PostgreSQL ended unexpectedly: everything stops." in said
    assert run.process.returncode == 1
