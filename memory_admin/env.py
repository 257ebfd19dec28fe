"""What the environment says, typed: the only place where the process's variables are read."""

import fcntl
import json
import os
import re
import secrets
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qsl, unquote, urlsplit

ROOT: Final = Path(__file__).resolve().parent.parent
SHORTEST_KEY: Final = 32  # characters
_HOST: Final = re.compile(r"\[?(.*?)\]?(?::(\d+))?")  # brackets surround an IPv6 address


class Misconfigured(RuntimeError):
    """A variable that must be set is missing, or its value cannot be read."""


def text(name: str, default: str = "") -> str:
    """Read a variable from the environment, else from the file `.env` at the root, else the default.

    A variable set to nothing counts as not set.
    """
    return os.environ.get(name) or _file().get(name) or default


def flag(name: str, default: bool = False) -> bool:
    """Read a yes or no.

    :raises Misconfigured: it is neither
    """
    value = text(name, str(default)).lower()
    if value in ("1", "true", "yes", "on"):
        return True
    if value in ("0", "false", "no", "off"):
        return False
    raise Misconfigured(f"{name} must be true or false.")


def number(name: str, default: int) -> int:
    """Read a whole number.

    :raises Misconfigured: it is none
    """
    try:
        return int(text(name, str(default)))
    except ValueError as error:
        raise Misconfigured(f"{name} must be a whole number.") from error


def words(name: str, default: str = "") -> list[str]:
    """Read a list separated by commas."""
    return [word for part in text(name, default).split(",") if (word := part.strip())]


def production() -> bool:
    """Tell whether this process serves real people; anything but `production` is development."""
    return text("ENVIRONMENT", "development") == "production"


def data_dir() -> Path:
    """Name the folder of everything that is kept between runs and is not in an external server."""
    return ROOT / text("DATA_DIR", ".data")


def key(name: str) -> bytes:
    """Read a secret that must outlive every run and lie outside the database.

    In development a missing one is made once and kept in `keys.json` of the data folder; in production it must come
    from the environment. Use each secret for one purpose: derive further keys from it, never share it.

    :raises Misconfigured: it is missing in production, or too short to be a secret
    """
    if not (secret := text(name)):
        if production():
            raise Misconfigured(f"{name} must be set in production: {SHORTEST_KEY} random characters or more.")
        secret = _kept_key(name)
    if len(secret) < SHORTEST_KEY:
        raise Misconfigured(f"{name} is too short: it needs {SHORTEST_KEY} random characters or more.")
    return secret.encode()


def database(url: str) -> dict[str, Any]:
    """Turn a database URL into Django's settings, without ENGINE.

    Reads `postgresql://user:password@host:port/name?option=value`. A server on a unix socket is named either way that
    PostgreSQL knows: `postgresql://user@/name?host=/folder` or `postgresql://user@%2Ffolder/name`.

    :raises Misconfigured: it is no PostgreSQL URL with a database name
    """
    parts = urlsplit(url)
    name = unquote(parts.path.removeprefix("/"))
    if parts.scheme not in ("postgres", "postgresql") or not name:
        raise Misconfigured("A database URL must read postgresql://user:password@host:port/name.")

    options = dict(parse_qsl(parts.query))
    # Not parts.hostname: it would lower the case of a folder's name.
    host, port = _HOST.fullmatch(parts.netloc.rpartition("@")[2]).groups("")  # type: ignore[union-attr]  # matches all
    return {
        "NAME": name,
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": options.pop("host", unquote(host)),
        "PORT": options.pop("port", port),
        "OPTIONS": options,
    }


@cache
def _file() -> Mapping[str, str]:
    path = ROOT / ".env"
    return read_file(path.read_text()) if path.exists() else {}


def read_file(content: str) -> dict[str, str]:
    """Read lines of NAME=value, with or without quotes around the value; lines that begin with # say nothing."""
    pairs = (line.split("=", 1) for line in content.splitlines() if "=" in line and not line.lstrip().startswith("#"))
    return {name.strip(): value.strip().strip("\"'") for name, value in pairs}


def _kept_key(name: str) -> str:
    path = data_dir() / "keys.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    opened = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    with os.fdopen(opened, "r+") as file:
        fcntl.flock(file, fcntl.LOCK_EX)  # two processes of a first run must not each make their own
        keys: dict[str, str] = json.loads(file.read() or "{}")
        if name not in keys:
            keys[name] = secrets.token_urlsafe(48)
            file.seek(0)
            json.dump(keys, file, indent=1)
            file.truncate()
        return keys[name]
