"""The command that starts everything on one machine."""

import fcntl
import http.client
import json
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import connection

from memory_admin import embedded, env
from memory_admin.embedded.supervisor import Child, Supervisor

EXAMPLE = {
    "kind": "preference",
    "statement": "Prefers the window seat on flights over two hours.",
    "origin": "stated",
}


class Command(BaseCommand):
    """Start servers, web, worker and scheduler, print how to use them, and stop all of it on Ctrl-C."""

    help = "Start everything on this machine; Ctrl-C stops it. PORT chooses the port."
    requires_system_checks = ()

    def handle(self, *args: Any, **options: Any) -> None:
        """Run until somebody asks to stop; ends with status 1 when something ended by itself."""
        port = env.number("PORT", 8000)
        _refuse_busy(port)
        with _only_run(env.data_dir()):
            try:
                self._prepare()
                status = self._supervise(port)
            except KeyboardInterrupt:
                status = 0
            except subprocess.CalledProcessError as error:
                raise CommandError("The demo tenant is not loaded, for the reason above.") from error
            except embedded.ServerFailed as error:
                raise CommandError(str(error)) from error
            finally:
                self._stop_servers()
        self.stdout.write("Stopped.")
        sys.exit(status)

    def _prepare(self) -> None:
        Path(settings.STATIC_ROOT).mkdir(parents=True, exist_ok=True)  # the web process warns when it is missing
        embedded.ensure_postgres()
        embedded.ensure_valkey()
        call_command("migrate", verbosity=0, interactive=False)
        _leave_database()
        if not env.production() and not _demo_file().exists():
            self.stdout.write("Loading the demo tenant …")
            # A process of its own: it loads the embedding model, which this one then need not keep.
            subprocess.run([sys.executable, str(env.ROOT / "manage.py"), "load_demo"], check=True)

    def _supervise(self, port: int) -> int:
        supervisor = Supervisor(
            _children(port),
            say=self.stdout.write,
            folder=env.ROOT,
            watched=embedded.watched(),
        )
        return supervisor.run(ready=lambda: _answers(port), when_ready=lambda: self.stdout.write(_welcome(port)))

    def _stop_servers(self) -> None:
        _leave_database()
        if embedded.in_use():
            self.stdout.write("PostgreSQL and Valkey keep running: other programs are connected.")
        else:
            embedded.stop()


def _children(port: int) -> list[Child]:
    """List what runs: when it stops, requests end first and running tasks last."""
    level = env.text("LOG_LEVEL", "WARNING")
    python = [sys.executable, "-W", "ignore:You're running the worker with superuser privileges", "-m"]
    celery = [*python, "celery", "--quiet", "-A", "memory_admin.celery"]
    quick = ["--without-gossip", "--without-mingle", "--without-heartbeat"]
    web = [*python, "gunicorn", "memory_admin.wsgi", "--bind", f"127.0.0.1:{port}", "--workers", "2"]
    return [
        Child("worker", [*celery, "worker", "--concurrency", "2", "--loglevel", level, *quick], 60, in_no_hurry=True),
        Child("scheduler", [*celery, "beat", "--loglevel", level, "--schedule", str(env.data_dir() / "beat")]),
        Child("web process", [*web, "--log-level", level.lower()]),
    ]


def _welcome(port: int) -> str:
    address = f"http://localhost:{port}"
    lines = ["", f"memory_admin is up: {address}"]
    if _demo_file().exists():
        demo = json.loads(_demo_file().read_text())
        lines += ["", "Sign in as"]
        lines += [f"  {person['email']}  {person['password']}  ({person['who']})" for person in demo["sign_ins"]]
        body = json.dumps({"subject": demo["subject"], **EXAMPLE})
        lines += [
            "",
            "Write a memory as an agent",
            f"  curl -X POST {address}/api/v1/memories -H 'Authorization: Bearer {demo['key']}'"
            f" -H 'Content-Type: application/json' -d '{body}'",
        ]
    return "\n".join([*lines, "", "Ctrl-C stops everything."])


def _demo_file() -> Path:
    return env.data_dir() / "demo.json"


def _refuse_busy(port: int) -> None:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError as error:
            raise CommandError(f"Port {port} is busy: stop what uses it, or choose another with PORT=8001.") from error


@contextmanager
def _only_run(folder: Path) -> Iterator[None]:
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "run.lock").open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise CommandError(f"It runs already, with the data in {folder}.") from error
        yield


def _answers(port: int) -> bool:
    client = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        client.request("GET", "/api/v1/livez", headers={"Host": f"localhost:{port}"})
        return client.getresponse().status < 500
    except OSError:
        return False
    finally:
        client.close()


def _leave_database() -> None:
    connection.close()
    connection.close_pool()  # type: ignore[attr-defined]
