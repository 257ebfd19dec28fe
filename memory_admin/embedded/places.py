"""The folders and sockets of the embedded servers, and the lock around starting and stopping them."""

import fcntl
import hashlib
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

# The system's limit of a socket's path, in bytes: 107 on Linux, 103 on macOS.
LONGEST_PATH: Final = 103
POSTGRES_PORT: Final = 5432  # no port is opened: the number is part of the socket's name
POSTGRES_SOCKET: Final = f".s.PGSQL.{POSTGRES_PORT}"
VALKEY_SOCKET: Final = "valkey.sock"


class ServerFailed(RuntimeError):
    """An embedded server cannot be started or stopped; the message says why or names the log that does."""


def postgres_sockets(data: Path) -> Path:
    """Name the folder of the socket of the server that keeps its data here."""
    return _folder(data, POSTGRES_SOCKET)


def valkey_socket(data: Path) -> Path:
    """Name the socket of the server that keeps its data here."""
    return _folder(data, VALKEY_SOCKET) / VALKEY_SOCKET


def make_private(folder: Path, owner: int) -> None:
    """Make a folder that only the user of this number may enter, or see that it is one.

    :raises ServerFailed: it is there already and is not private to that user: somebody may have put it in our way
    """
    try:
        folder.mkdir(mode=0o700, parents=True)
        os.chown(folder, owner, -1)
    except FileExistsError:
        found = folder.lstat()
        if folder.is_symlink() or found.st_uid != owner or found.st_mode & 0o077:
            raise ServerFailed(f"{folder} must be a folder of mode 0700 of the user number {owner}.") from None


@contextmanager
def alone(data: Path) -> Iterator[None]:
    """Wait until no other process starts or stops the server of this data folder, and keep others waiting meanwhile."""
    data.parent.mkdir(parents=True, exist_ok=True)
    with data.with_name(f"{data.name}.lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _folder(data: Path, socket: str) -> Path:
    if len(os.fsencode(data / socket)) <= LONGEST_PATH:
        return data
    digest = hashlib.sha256(os.fsencode(data)).hexdigest()[:12]
    return Path(tempfile.gettempdir()) / f"memory-admin-{os.geteuid()}-{digest}"
