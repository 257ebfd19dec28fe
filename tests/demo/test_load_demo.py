"""The demo tenant."""

import json
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from accounts.actors import system
from accounts.models import Agent, Membership, Tenant, User
from accounts.services import create_agent, create_tenant
from memory_admin.audit.verification import verify
from memory_admin.demo.stage import Stage
from memory_admin.jobs.models import Job
from memory_admin.memories.models import Dispute, Memory, MemoryPause, RefusalReview, WriteDecision
from memory_admin.memories.vocabulary import Kind, Origin, WriteResult
from memory_admin.retrieval.models import Retrieval
from memory_admin.tenancy.scope import tenant_scope
from policies.guards import approval_guards
from policies.models import PolicyActivation, PolicyChangeRequest, PolicySimulation, PolicyVersion

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


def test_the_demo_is_loaded_once_beside_another_tenant_and_can_be_signed_in_to(
    load: Load, tmp_path: Path, client: Client
) -> None:
    other = create_tenant(slug="elsewhere", name="Elsewhere", now=timezone.now())

    demo = load()

    with tenant_scope(Tenant.objects.get(slug="larkfield").id):
        every = Memory.objects.all()
        assert set(every.values_list("kind", flat=True)) == set(Kind)
        assert set(every.values_list("origin", flat=True)) == set(Origin)
        assert set(every.values_list("status", flat=True)) == {
            "active", "proposed", "quarantined", "disputed", "superseded", "expired", "archived", "rejected", "erased",
        }  # fmt: skip
        assert every.filter(subject__ref="user:mia").count() > 50 > every.filter(subject__ref="user:jonas").count() > 10
        assert set(WriteDecision.objects.values_list("result", flat=True)) == set(WriteResult)
        assert set(MemoryPause.objects.values_list("target", flat=True)) == {"all", "agent", "category", "memory"}
        assert set(Dispute.objects.values_list("result", flat=True)) == {None, "upheld", "not_upheld"}
        assert set(RefusalReview.objects.values_list("result", flat=True)) == {None, "let_in"}
        assert not Job.objects.filter(name__contains=".mail_", done_at=None).exists()
        versions = {f"{one.family.key}/{one.number}": one for one in PolicyVersion.objects.select_related("family")}
        used = {f"{use.version.family.key}/{use.version.number}": use.state for use in PolicyActivation.objects.all()}
        assert used["retention/1"] == used["procedure/1"] == "superseded"
        assert used["retention/2"] == used["procedure/2"] == used["write/1"] == "effective"
        assert used["retention/3"] == "scheduled"
        assert (versions["write/2"].state, used["write/2"]) == ("in_review", "planned")
        assert set(PolicySimulation.objects.values_list("state", flat=True)) == {"succeeded"}
        assert set(PolicyChangeRequest.objects.values_list("status", flat=True)) == {"open", "dismissed"}
        waiting = approval_guards(versions["write/2"].reviews.get(), now=timezone.now())
        assert [guard.code for guard in waiting if not guard.holds] == ["approved_by_enough", "privacy_officer"]
        assert Membership.objects.exclude(seen_at=None).count() >= 5
        answered = Retrieval.objects.all()
        assert 150 <= answered.count() <= 250
        assert {name for row in answered for name in row.left_out} >= {"paused", "disputed", "sensitive", "access"}
        assert {name for row in answered for name in row.dropped} >= {"k", "budget", "below_threshold"}
        assert answered.filter(returned=0).count() >= 3
        assert answered.filter(counted_at=None).count() == 0
    assert verify(Tenant.objects.get(slug="larkfield").id).holds
    with tenant_scope(other.id):
        assert not Agent.objects.exists()
    for one in (demo["sign_ins"][0], demo["sign_ins"][-1]):
        assert client.login(email=one["email"], password=one["password"])
        assert client.get("/", follow=True).status_code == 200

    assert load() == demo
    (tmp_path / "demo.json").unlink()
    again = load()

    assert again["key"] != demo["key"]
    assert client.login(email=again["sign_ins"][0]["email"], password=again["sign_ins"][0]["password"])
    assert Tenant.objects.count() == 2


def test_what_is_loaded_by_half_leaves_nothing(load: Load, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def die(stage: Stage, event: object, at: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Stage, "_do", die)

    with pytest.raises(KeyboardInterrupt):
        load()

    assert not Tenant.objects.exists()
    assert not User.objects.exists()
    assert not (tmp_path / "demo.json").exists()


def test_nobody_of_another_tenant_is_given_a_new_password(load: Load) -> None:
    mia = User.objects.create_user("mia@larkfield.example", "four plain words here")

    with pytest.raises(CommandError, match="not of the demo"):
        load()

    assert not Tenant.objects.exists()
    assert mia.check_password("four plain words here")


def test_a_tenant_of_the_same_name_is_left_as_it_is(load: Load) -> None:
    now = timezone.now()
    tenant = create_tenant(slug="larkfield", name="Larkfield", now=now)
    with tenant_scope(tenant.id):
        agent = create_agent(name="Travel assistant", by=system("tests", tenant_id=tenant.id), now=now)

    with pytest.raises(CommandError, match="not of the demo"):
        load()

    with tenant_scope(tenant.id):
        assert not agent.keys.exists()
