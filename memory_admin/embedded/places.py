"""Where the embedded servers keep their sockets: beside their data, or in a short private folder."""

import hashlib
import os
import tempfile
from pathlib import Path
from typing import Final

# The system's limit of a socket's path, in bytes: 107 on Linux, 103 on macOS.
LONGEST_PATH: Final = 103
POSTGRES_SOCKET: Final = ".s.PGSQL.5432"
VALKEY_SOCKET: Final = "valkey.sock"


class UnsafeFolder(RuntimeError):
    """The short folder for sockets belongs to somebody else or is open to others."""


def postgres_sockets(data: Path) -> Path:
    """Name the folder of the socket of the server that keeps its data here."""
    return _folder(data, POSTGRES_SOCKET)


def valkey_socket(data: Path) -> Path:
    """Name the socket of the server that keeps its data here."""
    return _folder(data, VALKEY_SOCKET) / VALKEY_SOCKET


def make_private(folder: Path, uid: int | None = None) -> None:
    """Make a folder that only one user may enter: this one, or the user given by number when this one is root.

    :raises UnsafeFolder: it is there already and is not private to that user
    """
    owner = os.geteuid() if uid is None else uid
    try:
        folder.mkdir(mode=0o700, parents=True)
        os.chown(folder, owner, -1)
    except FileExistsError:
        found = folder.lstat()
        if folder.is_symlink() or found.st_uid != owner or found.st_mode & 0o077:
            raise UnsafeFolder(f"{folder} must be a folder of mode 0700 of the user number {owner}.") from None


def _folder(data: Path, socket: str) -> Path:
    if len(os.fsencode(data / socket)) <= LONGEST_PATH:
        return data
    digest = hashlib.sha256(os.fsencode(data)).hexdigest()[:12]
    return Path(tempfile.gettempdir()) / f"memory-admin-{os.geteuid()}-{digest}"
