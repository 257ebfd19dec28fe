"""Starting the embedded PostgreSQL, whatever became of it before."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest

from memory_admin import env
from memory_admin.embedded import places, postgres


def connected(data: Path, role: str = "memory_migrate", database: str = "memory") -> psycopg.Connection:
    return psycopg.connect(
        host=str(places.postgres_sockets(data)),
        port=places.POSTGRES_PORT,
        user=role,
        dbname=database,
        autocommit=True,
        options="-c role=memory_owner" if role == "memory_migrate" else "",
    )


def postmaster(data: Path) -> int:
    return int((data / "postmaster.pid").read_text().split("\n", 1)[0])


def test_the_app_role_owns_nothing_and_bypasses_nothing(own_postgres: Path) -> None:
    with connected(own_postgres, "memory_app") as connection:
        powers = connection.execute(
            "SELECT rolsuper, rolbypassrls, rolcreatedb, rolcreaterole, rolinherit FROM pg_roles "
            "WHERE rolname = current_user"
        ).fetchone()
        groups = connection.execute("SELECT FROM pg_auth_members WHERE member = current_user::regrole").fetchall()

        assert powers == (False, False, False, False, False)
        assert groups == []
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute("CREATE TABLE mine (id int)")


def test_migrations_may_make_a_database_that_has_the_extensions(own_postgres: Path) -> None:
    with connected(own_postgres) as connection:
        connection.execute("CREATE DATABASE test_copy")

        with connected(own_postgres, database="test_copy") as copy:
            extensions = copy.execute("SELECT extname FROM pg_extension").fetchall()
            owner = copy.execute(
                "SELECT pg_get_userbyid(datdba) FROM pg_database WHERE datname = 'test_copy'"
            ).fetchone()

        connection.execute("DROP DATABASE test_copy")
        assert {("vector",), ("btree_gist",)} <= set(extensions)
        assert owner == ("memory_owner",)


def test_only_the_backup_role_reads_past_row_level_security(own_postgres: Path) -> None:
    with connected(own_postgres) as connection:
        connection.execute("CREATE TABLE guarded (word text); INSERT INTO guarded VALUES ('kept')")
        connection.execute("ALTER TABLE guarded ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY")
        seen_by_owner = connection.execute("SELECT word FROM guarded").fetchall()

        with connected(own_postgres, "memory_backup") as backup:
            seen_by_backup = backup.execute("SELECT word FROM guarded").fetchall()
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                backup.execute("DELETE FROM guarded")

        assert (seen_by_owner, seen_by_backup) == ([], [("kept",)])


def test_processes_that_start_together_share_one_server(own_postgres: Path) -> None:
    postgres.stop(own_postgres)
    start = (
        "import sys; from pathlib import Path; from memory_admin.embedded import postgres; "
        "data = Path(sys.argv[1]); postgres.ensure(data); print((data / 'postmaster.pid').read_text().split()[0])"
    )

    processes = [
        subprocess.Popen([sys.executable, "-c", start, str(own_postgres)], cwd=env.ROOT, stdout=subprocess.PIPE)
        for _ in range(3)
    ]

    assert {int(process.communicate()[0]) for process in processes} == {postmaster(own_postgres)}


def test_committed_rows_survive_a_killed_server(own_postgres: Path) -> None:
    with connected(own_postgres) as connection:
        connection.execute("CREATE TABLE kept (word text); INSERT INTO kept VALUES ('here')")
        os.kill(postmaster(own_postgres), signal.SIGKILL)

    postgres.ensure(own_postgres)

    with connected(own_postgres) as connection:
        assert connection.execute("SELECT word FROM kept").fetchall() == [("here",)]


def test_a_pid_file_that_names_another_program_does_not_keep_the_server_down(own_postgres: Path) -> None:
    postgres.stop(own_postgres)
    other = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    (own_postgres / "postmaster.pid").write_text(f"{other.pid}\n{own_postgres}\n")

    assert not postgres.runs(own_postgres)
    postgres.ensure(own_postgres)

    other.communicate(b"\n")
    assert postgres.runs(own_postgres)
    assert postmaster(own_postgres) != other.pid


def test_half_made_data_is_made_anew(tmp_path: Path) -> None:
    data = tmp_path / "postgres"
    (tmp_path / "postgres.new").mkdir()
    (tmp_path / "postgres.new" / "PG_VERSION").write_text("18\n")

    postgres.ensure(data)

    assert postgres.connections(data) == 0
    postgres.stop(data)
    assert not postgres.runs(data)


def test_the_log_of_a_refused_row_does_not_repeat_it(own_postgres: Path) -> None:
    with connected(own_postgres) as connection:
        connection.execute("CREATE TABLE once (word text PRIMARY KEY)")
        connection.execute("INSERT INTO once VALUES ('canary-sentence')")

        with pytest.raises(psycopg.errors.UniqueViolation):
            connection.execute("INSERT INTO once VALUES (%s)", ["canary-sentence"])
        with pytest.raises(psycopg.errors.InvalidTextRepresentation):
            connection.execute("SELECT %s::uuid", ["canary-sentence"])

    written = postgres.log(own_postgres).read_text()
    assert "ready to accept connections" in written
    assert "canary-sentence" not in written
