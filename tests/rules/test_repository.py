"""The repository speaks of the product alone, and works wherever it is cloned."""

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TEXT = {".py", ".md", ".toml", ".html", ".css", ".js", ".txt", ".sql", ".json", ".yaml", ".yml", ".ini", ".example", ""}


@pytest.fixture(scope="module")
def files() -> list[Path]:
    """Every text file that git holds or would take in."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    found = [ROOT / name for name in listed.stdout.splitlines()]
    return [path for path in found if path.suffix in TEXT and path.is_file()]


def lines_with(pattern: str, files: list[Path]) -> list[str]:
    looked_for = re.compile(pattern)
    return [
        f"{path.relative_to(ROOT)}:{number}"
        for path in files
        for number, line in enumerate(path.read_text().splitlines(), start=1)
        if looked_for.search(line)
    ]


def test_no_path_of_one_machine_is_written_down(files: list[Path]) -> None:
    roots = "|".join(["home", "root", "work", "Users", "tmp"])

    # The attacks that screening is tested with name paths as attackers do.
    ours = [path for path in files if not path.is_relative_to(ROOT / "tests" / "screening")]

    assert lines_with(rf"(?<![\w.~{{}}])/(?:{roots})(?:/|\b(?=[\"'\s]))", ours) == []


def test_nothing_is_left_for_later_in_the_code(files: list[Path]) -> None:
    marks = "|".join(["TO" + "DO", "FIX" + "ME", "X" + "XX", "HA" + "CK"])

    assert lines_with(rf"\b(?:{marks})\b|\bbreakpoint\(\)", files) == []


def test_no_test_is_skipped_or_sleeps(files: list[Path]) -> None:
    tests = [path for path in files if path.is_relative_to(ROOT / "tests") and path != Path(__file__)]

    assert lines_with(r"time\.sleep\(|mark\.skip|mark\.xfail", tests) == []


def test_no_secret_is_in_the_repository(files: list[Path]) -> None:
    assert (
        lines_with(r"-----BEGIN [A-Z ]*PRIVATE KEY-----\n|(?i:password)\s*=\s*[\"'][^\"'{}\s]{24,}[\"']", files) == []
    )
