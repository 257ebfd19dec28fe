"""A PostgreSQL of the operator's own, reached over TCP with passwords and prepared as the operations page says."""

from __future__ import annotations

import os
import re
import secrets
import socket
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import psycopg
import pytest

from memory_admin import env
from memory_admin.embedded import postgres

SUPERUSER = "dba"
LOGINS = ("memory_app", "memory_migrate", "memory_backup")


@dataclass(frozen=True)
class External:
    """A server that only listens on the loopback and asks everybody for a password."""

    port: int
    passwords: dict[str, str]
    folder: Path

    def url(self, role: str, database: str = "memory") -> str:
        return f"postgresql://{role}:{self.passwords[role]}@127.0.0.1:{self.port}/{database}"

    def manage(self, *arguments: str, **settings: str) -> subprocess.CompletedProcess[str]:
        """Run a command of the product on this server."""
        environment = {
            name: value for name, value in os.environ.items() if name not in ("CELERY_BROKER_URL", "CACHE_URL")
        }
        environment |= {
            "DATA_DIR": str(self.folder / "data"),
            "DATABASE_URL": self.url("memory_app"),
            "DATABASE_OWNER_URL": self.url("memory_migrate"),
            **settings,
        }
        return subprocess.run(
            [sys.executable, "manage.py", *arguments],
            cwd=env.ROOT,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )


@pytest.fixture(scope="module")
def unprepared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[External]:
    """A server as it comes: a superuser, and no role or database of the product."""
    folder = tmp_path_factory.mktemp("external")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    passwords = {name: secrets.token_urlsafe(16) for name in (SUPERUSER, *LOGINS)}
    data = folder / "server"
    data.mkdir(mode=0o700)
    if os.geteuid() == 0:
        os.chown(data, postgres._system_user().pw_uid, -1)
    (folder / "password").write_text(passwords[SUPERUSER])
    (folder / "password").chmod(0o644)
    postgres._call(
        data,
        "initdb",
        f"--username={SUPERUSER}",
        f"--pwfile={folder / 'password'}",
        "--auth=scram-sha-256",
        "--encoding=UTF8",
        "--locale=C",
    )
    options = f"-c port={port} -c listen_addresses=127.0.0.1 -c unix_socket_directories="
    postgres._call(data, "pg_ctl", "-w", "-l", str(data / "log"), "-o", options, "start")
    yield External(port, passwords, folder)
    postgres._call(data, "pg_ctl", "-w", "-m", "fast", "stop")


@pytest.fixture(scope="module")
def prepared(unprepared: External) -> External:
    """The same, after what the operations page asks for."""
    script = postgres.BOOTSTRAP.read_bytes()
    with psycopg.connect(unprepared.url(SUPERUSER, "postgres"), autocommit=True) as connection:
        connection.execute("CREATE DATABASE memory")
    with psycopg.connect(unprepared.url(SUPERUSER)) as connection:
        connection.execute(script)
        for role in LOGINS:
            connection.execute(f"ALTER ROLE {role} PASSWORD '{unprepared.passwords[role]}'")
        for statement in QUIET.findall((env.ROOT / "docs" / "operations.md").read_text()):
            connection.execute(statement)
    migrated = unprepared.manage("migrate", "--verbosity", "0")
    assert migrated.returncode == 0, migrated.stderr
    return unprepared


@pytest.fixture(scope="module")
def written(prepared: External) -> str:
    """What a process said that wrote a memory there and read it."""
    done = prepared.manage("shell", "--command", WRITE)
    assert done.returncode == 0, done.stderr
    return done.stdout


QUIET = re.compile(r"^ALTER ROLE \w+ SET .*;$", re.MULTILINE)

WRITE = """
from django.utils import timezone
from memory_admin.memories.models import Memory
from memory_admin.memories.services import Claim, SourceIn, capture
from memory_admin.tenancy.scope import tenant_scope
from tests.api.cast import organisation
from tests.factories import agent
from accounts.vocabulary import Channel

house = organisation("north")
with tenant_scope(house.tenant.id):
    by = agent(house, Channel.USER_MESSAGE)
    claim = Claim(subject_ref="user:mia", kind="preference", statement="Takes the night train", origin="stated")
    print(capture(claim=claim, by=by, now=timezone.now()).result)
    print(Memory.objects.get().statement)
"""


def test_an_unprepared_database_is_refused_in_plain_words(unprepared: External) -> None:
    superuser = unprepared.url(SUPERUSER, "postgres")

    refused = unprepared.manage("migrate", DATABASE_URL=superuser, DATABASE_OWNER_URL=superuser)

    assert refused.returncode != 0
    assert refused.stderr.startswith("CommandError: The database was not prepared.")
    assert "docs/operations.md" in refused.stderr


def test_no_migration_is_missing(prepared: External) -> None:
    checked = prepared.manage("makemigrations", "--check", "--dry-run")

    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_migrations_can_be_run_again(prepared: External) -> None:
    again = prepared.manage("migrate")

    assert again.returncode == 0, again.stderr
    assert "No migrations to apply" in again.stdout


def test_the_preparation_can_be_run_again(prepared: External) -> None:
    with psycopg.connect(prepared.url(SUPERUSER)) as connection:
        connection.execute(postgres.BOOTSTRAP.read_bytes())


def test_a_memory_is_written_as_the_app_role(written: str) -> None:
    assert written.split("\n")[-3:-1] == ["stored", "Takes the night train"]


def test_the_app_role_owns_nothing_there(prepared: External) -> None:
    with psycopg.connect(prepared.url("memory_app")) as connection:
        owned = connection.execute("SELECT count(*) FROM pg_class WHERE relowner = current_user::regrole").fetchone()
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute("CREATE TABLE mine (id int)")

    assert owned == (0,)


def test_a_process_does_not_start_as_the_superuser(prepared: External) -> None:
    superuser = prepared.url(SUPERUSER)

    started = prepared.manage(
        "shell", "--command", "import memory_admin.wsgi", DATABASE_URL=superuser, DATABASE_OWNER_URL=superuser
    )

    assert started.returncode != 0
    assert "superuser" in started.stderr


def test_a_dump_as_the_backup_role_is_restored_whole(prepared: External, written: str) -> None:
    dump = prepared.folder / "memory.dump"
    program("pg_dump", "-Fc", prepared.url("memory_backup"), "-f", str(dump))
    with psycopg.connect(prepared.url(SUPERUSER, "postgres"), autocommit=True) as connection:
        connection.execute("CREATE DATABASE restored")
    with psycopg.connect(prepared.url(SUPERUSER, "restored")) as connection:
        connection.execute(postgres.BOOTSTRAP.read_bytes())

    program("pg_restore", "--exit-on-error", "-d", prepared.url(SUPERUSER, "restored"), str(dump))

    checked = prepared.manage("verify_audit", "--all", DATABASE_URL=prepared.url("memory_app", "restored"))
    assert checked.stdout.startswith("north: holds"), checked.stderr
    with psycopg.connect(prepared.url("memory_backup", "restored")) as connection:
        assert connection.execute("SELECT statement FROM memories_memory").fetchall() == [("Takes the night train",)]
    started = prepared.manage(
        "shell", "--command", "import memory_admin.wsgi", DATABASE_URL=prepared.url("memory_app", "restored")
    )
    assert started.returncode == 0, started.stderr


def program(name: str, *arguments: str) -> None:
    done = subprocess.run([postgres.PROGRAMS / name, *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_the_server_log_repeats_no_row(prepared: External, written: str) -> None:
    with psycopg.connect(prepared.url("memory_app")) as connection, pytest.raises(psycopg.errors.UniqueViolation):
        connection.execute("INSERT INTO accounts_tenant SELECT * FROM accounts_tenant")

    log = (prepared.folder / "server" / "log").read_text()
    assert "ready to accept connections" in log
    assert "INSERT INTO" not in log
    assert "already exists" not in log
