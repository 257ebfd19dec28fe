"""Reading the environment."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from memory_admin import env


def test_a_variable_set_to_nothing_counts_as_not_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLOUR", "")

    assert env.text("COLOUR", "red") == "red"


@pytest.mark.parametrize(("written", "meant"), [("1", True), ("Yes", True), ("off", False), ("FALSE", False)])
def test_a_flag_is_read_in_any_common_spelling(monkeypatch: pytest.MonkeyPatch, written: str, meant: bool) -> None:
    monkeypatch.setenv("LOUD", written)

    assert env.flag("LOUD") is meant


def test_a_flag_that_is_neither_yes_nor_no_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOUD", "perhaps")

    with pytest.raises(env.Misconfigured, match="LOUD must be true or false"):
        env.flag("LOUD")


def test_a_number_that_is_none_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PORT", "http")

    with pytest.raises(env.Misconfigured, match="PORT must be a whole number"):
        env.number("PORT", 8000)


def test_a_list_drops_blanks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOSTS", "a.example, ,b.example,")

    assert env.words("HOSTS") == ["a.example", "b.example"]


def test_a_file_of_settings_is_read_without_comments_and_quotes() -> None:
    content = "# a comment\n\nPORT=8001\nSECRET = 'a=b'\nnonsense\n"

    assert env.read_file(content) == {"PORT": "8001", "SECRET": "a=b"}


@pytest.mark.parametrize(
    ("url", "host", "port"),
    [
        ("postgresql://me:p%2Fw@db.example:5433/memory", "db.example", "5433"),
        ("postgres://me:p%2Fw@[::1]:5433/memory", "::1", "5433"),
        ("postgresql://me:p%2Fw@/memory?host=%2FVar%2Frun", "/Var/run", ""),
        ("postgresql://me:p%2Fw@%2FVar%2Frun:5433/memory", "/Var/run", "5433"),
    ],
)
def test_a_database_url_names_a_host_or_a_folder_of_sockets(url: str, host: str, port: str) -> None:
    assert env.database(url) == {
        "NAME": "memory",
        "USER": "me",
        "PASSWORD": "p/w",
        "HOST": host,
        "PORT": port,
        "OPTIONS": {},
    }


def test_what_else_a_database_url_says_becomes_options() -> None:
    assert env.database("postgresql://me@db/memory?sslmode=verify-full")["OPTIONS"] == {"sslmode": "verify-full"}


@pytest.mark.parametrize("url", ["mysql://me@db/memory", "postgresql://me@db", "memory"])
def test_a_url_of_no_postgres_database_is_refused_without_repeating_it(url: str) -> None:
    with pytest.raises(env.Misconfigured, match="must read postgresql://") as refused:
        env.database(url)

    assert url not in str(refused.value)


@pytest.fixture
def data_dir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("DATA_DIR", str(tmp_path))
    monkeypatch.setenv("ENVIRONMENT", "development")
    return tmp_path


def test_a_key_of_development_is_made_once_and_kept_for_its_owner_alone(data_dir: Path) -> None:
    first = env.key("A_KEY")

    assert env.key("A_KEY") == first
    assert env.key("ANOTHER_KEY") != first
    assert (data_dir / "keys.json").stat().st_mode & 0o777 == 0o600


def test_processes_that_start_together_agree_on_a_key(data_dir: Path) -> None:
    read = [sys.executable, "-c", "from memory_admin import env; print(env.key('A_KEY').decode())"]

    processes = [subprocess.Popen(read, cwd=env.ROOT, stdout=subprocess.PIPE) for _ in range(4)]

    assert {process.communicate()[0].decode().strip() for process in processes} == {env.key("A_KEY").decode()}
    assert list(json.loads((data_dir / "keys.json").read_text())) == ["A_KEY"]


def test_production_makes_no_key(data_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ENVIRONMENT", "production")

    with pytest.raises(env.Misconfigured, match="A_KEY must be set in production"):
        env.key("A_KEY")

    assert not (data_dir / "keys.json").exists()


def test_a_short_key_is_refused(data_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("A_KEY", "letmein")

    with pytest.raises(env.Misconfigured, match="A_KEY is too short"):
        env.key("A_KEY")


@pytest.mark.parametrize(
    ("changed", "missed"),
    [
        ({}, ""),
        ({"SECRET_KEY": ""}, "SECRET_KEY must be set"),
        ({"TOMBSTONE_KEY": ""}, "TOMBSTONE_KEY must be set"),
        ({"FACTOR_KEY": "letmein"}, "FACTOR_KEY is too short"),
        ({"SIGNING_KEY": ""}, "SIGNING_KEY must be set"),
        ({"ALLOWED_HOSTS": ".example.org"}, "SITE_URL must be set"),
        ({"OIDC_ISSUER": "https://id.example.org"}, "Single sign-on needs every OIDC variable"),
    ],
)
def test_a_process_of_production_that_lacks_something_does_not_start(changed: dict[str, str], missed: str) -> None:
    keys = {name: name.lower() * 4 for name in ("SECRET_KEY", "TOMBSTONE_KEY", "FACTOR_KEY", "SIGNING_KEY")}
    given = {"ENVIRONMENT": "production", "ALLOWED_HOSTS": "memory.example.org", **keys, **changed}

    started = subprocess.run(
        [sys.executable, "-c", "import memory_admin.settings"],
        cwd=env.ROOT,
        env={"PATH": os.defpath, **given},
        capture_output=True,
        text=True,
    )

    assert (started.returncode == 0) is (missed == "")
    assert missed in started.stderr
