"""How long it takes to check an audit trail of a hundred thousand events, in the product and without it."""

from __future__ import annotations

import io
import subprocess
import sys
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any
from uuid import UUID, uuid4

from rich.console import Console

from benchmarks.goals import Goals

EVENTS = 100_000
AT_ONCE = 1000
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


@dataclass(frozen=True)
class Somebody:
    tenant_id: UUID
    ref: str = "user:018f0000-0000-7000-8000-0000000000aa"


def run(console: Console) -> None:
    """Record the events, each with its particulars, and check them."""
    from django.conf import settings

    from memory_admin import audit
    from memory_admin.audit import exporting
    from memory_admin.audit.actions import Action
    from memory_admin.tenancy.scope import tenant_scope

    by, goals = Somebody(uuid4()), Goals()
    with TemporaryDirectory() as folder:
        settings.CHECKPOINTS_DIR = Path(folder)
        entry: dict[str, Any] = {"action": Action.MEMORY_STORED, "by": by, "at": NOON, "payload": {"rules": ["W-310"]}}
        began = perf_counter()
        for _ in range(EVENTS // AT_ONCE):
            with tenant_scope(by.tenant_id):
                audit.record_many([audit.Entry(target=("memory", uuid4()), **entry) for _ in range(AT_ONCE)])
        console.print(f"{EVENTS:,} events recorded in {perf_counter() - began:.1f} s")
        with tenant_scope(by.tenant_id):
            audit.checkpoint(at=NOON)

        began = perf_counter()
        checked = audit.verify(by.tenant_id)
        goals.most("check of 100,000 events, s", perf_counter() - began, 5)
        assert checked.holds
        assert checked.agreed == checked.events == EVENTS

        file = io.BytesIO()
        with tenant_scope(by.tenant_id):
            exporting.export(first=1, last=exporting.MOST, with_particulars=True, by=by, at=NOON, to=file)
        place = Path(folder) / "export.zip"
        place.write_bytes(file.getvalue())
        program = str(Path(exporting.__file__).parent / "verify_audit.py")
        began = perf_counter()
        subprocess.run([sys.executable, program, str(place)], check=True, capture_output=True)
        goals.most("check of 50,000 exported events, s", perf_counter() - began, 5)
    console.print(goals.table)
