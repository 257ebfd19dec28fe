"""The demo tenant."""

import json
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from accounts.models import Tenant
from memory_admin.memories.models import Memory, WriteDecision
from memory_admin.tenancy.scope import tenant_scope

Load = Callable[[], dict[str, Any]]


@pytest.fixture
def load(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, transactional_db: None) -> Load:
    """Load the demo into a data folder of the test's own, and read the file it writes."""
    monkeypatch.setenv("DATA_DIR", str(tmp_path))

    def run() -> dict[str, Any]:
        call_command("load_demo", verbosity=0)
        file = tmp_path / "demo.json"
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        read: dict[str, Any] = json.loads(file.read_text())
        return read

    return run


def test_the_demo_is_loaded_once_by_the_services_and_can_be_signed_in_to(load: Load, client: Client) -> None:
    demo = load()

    with tenant_scope(Tenant.objects.get(slug="larkfield").id):
        memories = Memory.objects.filter(subject__ref=demo["subject"])
        by_status = {status: memories.filter(status=status).count() for status in ("proposed", "disputed", "rejected")}
        assert memories.count() >= 20
        assert by_status == {"proposed": 3, "disputed": 1, "rejected": 1}
        assert WriteDecision.objects.filter(result="refused").count() == 2
        assert memories.filter(use_count__gt=0).exists()
    mia = demo["sign_ins"][0]
    assert client.login(email=mia["email"], password=mia["password"])
    assert "What agents remember about me" in client.get("/").content.decode()

    assert load() == demo
    assert Tenant.objects.count() == 1


def test_a_lost_file_is_written_anew_without_loading_again(load: Load, tmp_path: Path, client: Client) -> None:
    before = load()
    (tmp_path / "demo.json").unlink()

    after = load()

    assert after["key"] != before["key"]
    assert client.login(email=after["sign_ins"][0]["email"], password=after["sign_ins"][0]["password"])
    assert Tenant.objects.count() == 1
