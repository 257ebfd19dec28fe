"""A part of the trail that was taken away is checked by a program that knows nothing of the product."""

import csv
import io
import json
import subprocess
import sys
import zipfile
from collections.abc import Callable
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from memory_admin import audit
from memory_admin.audit import exporting, signing
from memory_admin.audit.actions import Action
from memory_admin.audit.models import Event
from memory_admin.audit.queries import payload_of
from memory_admin.errors import Invalid
from memory_admin.tenancy.scope import tenant_scope

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
pytestmark = pytest.mark.django_db


@pytest.fixture
def folder(acme: Any, tmp_path: Path) -> Path:
    """Six events, the second without its particulars, checkpoints at two, four and six; exported from the second."""
    for _ in range(2):
        with tenant_scope(acme.tenant_id):
            entry = audit.Entry(action=Action.TENANT_CREATED, by=acme, target=None, at=NOON, payload={"rule": "w-1"})
            audit.record_many([entry] * 2)
        with tenant_scope(acme.tenant_id):
            audit.checkpoint(at=NOON)
    with tenant_scope(acme.tenant_id):
        audit.erase_payloads(seqs=[2], by=acme, at=NOON)
    return taken(acme, tmp_path, first=2, last=5)


def taken(by: Any, place: Path, **terms: Any) -> Path:
    file = io.BytesIO()
    with tenant_scope(by.tenant_id):
        exporting.export(by=by, at=NOON, to=file, **{"with_particulars": True, **terms})
    (place / "export.zip").write_bytes(file.getvalue())
    with zipfile.ZipFile(file) as archive:
        archive.extractall(place / "export")
    return place / "export"


def check(place: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    program = Path(exporting.__file__).parent / "verify_audit.py"
    command = [sys.executable, "-I", "-S", "-c", _WITH_PACKAGES, str(program), str(place), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


# Without the product on the path, and without its settings.
_WITH_PACKAGES = f"""
import runpy, sys
sys.path[:] = [path for path in {sys.path!r} if "site-packages" in path or "lib/python" in path]
sys.argv = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name="__main__")
"""


def test_an_export_holds_from_its_folder_and_from_its_file(folder: Path, tmp_path: Path) -> None:
    keys = tmp_path / "trusted.txt"
    keys.write_text(f"{signing.public_keys()[0]}\n")

    for place in (folder, tmp_path / "export.zip"):
        checked = check(place, "--keys", str(keys))
        assert checked.stdout.splitlines() == [
            "       2 checkpoints agree, the last of event 4.",
            "Events 2 to 5 hold.",
        ]
        assert checked.returncode == 0


def edit(name: str, old: str, new: str) -> Callable[[Path], None]:
    """Change a file of an export, and its digest in the manifest with it."""

    def change(folder: Path) -> None:
        content = (folder / name).read_text()
        assert old in content
        (folder / name).write_text(content.replace(old, new, 1))
        manifest = json.loads((folder / "manifest.json").read_text())
        manifest["files"][name] = sha256((folder / name).read_bytes()).hexdigest()
        (folder / "manifest.json").write_text(json.dumps(manifest))

    return change


def drop_line(folder: Path) -> None:
    lines = (folder / "events.jsonl").read_text().splitlines(keepends=True)
    edit("events.jsonl", lines[1], "")(folder)


def swap_lines(folder: Path) -> None:
    lines = (folder / "events.jsonl").read_text().splitlines(keepends=True)
    edit("events.jsonl", lines[1] + lines[2], lines[2] + lines[1])(folder)


@pytest.mark.parametrize(
    ("tamper", "found"),
    [
        (edit("events.jsonl", "tenant.created", "tenant.deleted"), "Event 2 was edited."),
        (edit("events.jsonl", 'w-1\\"}', 'w-2\\"}'), "The particulars of event 3 are not the ones"),
        (drop_line, "Event 3 is missing"),
        (swap_lines, "Event 3 is missing, or stands elsewhere"),
        (edit("checkpoints.notes", "\n4\n", "\n3\n"), "The checkpoint of event 3 is signed by no known key"),
        (lambda folder: (folder / "events.csv").write_text(""), "events.csv is not the file"),
        (lambda folder: (folder / "events.csv").unlink(), "events.csv is missing"),
    ],
)
def test_what_was_changed_is_named(folder: Path, tamper: Callable[[Path], None], found: str) -> None:
    tamper(folder)

    checked = check(folder)

    assert found in checked.stdout
    assert checked.stdout.splitlines()[-1] == "Events 2 to 5 do not hold."
    assert checked.returncode == 1


def test_keys_that_are_not_trusted_are_no_keys(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "none.txt").write_text("")

    assert "signed by no known key" in check(folder, "--keys", str(tmp_path / "none.txt")).stdout


@pytest.mark.parametrize("spoil", ["manifest.json", "keys.txt"])
def test_what_cannot_be_read_is_told_apart(folder: Path, spoil: str) -> None:
    (folder / spoil).write_text("nonsense")

    checked = check(folder)

    assert checked.returncode == 2
    assert "cannot be read" in checked.stderr


def test_the_table_says_what_the_lines_say_and_the_export_is_recorded(acme: Any, folder: Path) -> None:
    rows = list(csv.DictReader((folder / "events.csv").read_text().splitlines()))

    assert [(row["number"], row["particulars"]) for row in rows] == [
        ("2", "erased"),
        ("3", "kept"),
        ("4", "kept"),
        ("5", "none"),
    ]
    with tenant_scope(acme.tenant_id):
        event = Event.objects.latest("seq")
        assert event.action == Action.AUDIT_EXPORTED
        assert payload_of(event.seq) == {"first": 2, "last": 5, "with_particulars": True}


def test_particulars_stay_where_they_are_unless_they_are_asked_for(acme: Any, folder: Path, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    without = taken(acme, tmp_path / "other", first=1, last=4, with_particulars=False)

    assert "w-1" not in (without / "events.jsonl").read_text()
    assert check(without).stdout.splitlines()[-1] == "Events 1 to 4 hold."


@pytest.mark.parametrize(("first", "last"), [(0, 2), (3, 2), (1, 99), (1, exporting.MOST + 1)])
def test_a_part_that_is_not_there_is_refused(acme: Any, folder: Path, first: int, last: int) -> None:
    with pytest.raises(Invalid), tenant_scope(acme.tenant_id):
        exporting.export(first=first, last=last, with_particulars=False, by=acme, at=NOON, to=io.BytesIO())
