"""``manage.py verify_audit``."""

from datetime import UTC, datetime
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from accounts.models import Tenant
from memory_admin import audit
from memory_admin.audit import keeping
from memory_admin.audit.actions import Action
from memory_admin.tenancy.scope import tenant_scope

pytestmark = pytest.mark.django_db(transaction=True)

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.fixture
def trails(acme: Any, globex: Any) -> None:
    for somebody, slug in ((acme, "acme"), (globex, "globex")):
        Tenant.objects.create(id=somebody.tenant_id, slug=slug, name=slug)
        with tenant_scope(somebody.tenant_id):
            entry = audit.Entry(action=Action.TENANT_CREATED, by=somebody, target=None, at=NOON, payload={"n": 1})
            audit.record_many([entry] * 3)


def verify_audit(*arguments: str) -> str:
    said = StringIO()
    call_command("verify_audit", *arguments, stdout=said)
    return said.getvalue()


def test_every_trail_that_holds_is_named_with_its_head(trails: None, acme: Any) -> None:
    said = verify_audit("--all").splitlines()

    assert (
        said[0]
        == f"acme: holds, 3 events, head {audit.verify(acme.tenant_id).head.hex()}, no checkpoint to compare with"
    )
    assert said[1].startswith("globex: holds, 3 events")


def test_a_broken_trail_is_told_with_its_first_bad_event_and_fails(trails: None, tamper: Any) -> None:
    tamper("""UPDATE audit_payload SET body = '{"n":2}' WHERE seq = 2""")
    said = StringIO()

    with pytest.raises(CommandError, match="1 of 2 audit trails are broken") as failed:
        call_command("verify_audit", "--all", stdout=said)

    assert failed.value.returncode == 1
    assert "acme: broken, first at event 2 (payload_forged)" in said.getvalue()
    assert "globex: holds" in said.getvalue()


def test_it_says_up_to_where_a_trail_is_the_one_that_was_signed_for(trails: None, acme: Any) -> None:
    with tenant_scope(acme.tenant_id):
        audit.checkpoint(at=NOON)
    with keeping.place_of(acme.tenant_id).open("a") as file:
        file.write("anything\n\n— at all\n\n")

    said = verify_audit("--tenant", "acme")

    assert "as its checkpoint of event 3 says" in said
    assert f"1 in {keeping.place_of(acme.tenant_id)} signed by no known key" in said


def test_one_tenant_can_be_checked_alone(trails: None, tamper: Any) -> None:
    tamper("DELETE FROM audit_event WHERE seq = 1")

    assert verify_audit("--tenant", "globex").startswith("globex: holds")
    with pytest.raises(CommandError):
        verify_audit("--tenant", "acme")


def test_an_unknown_tenant_is_an_error(trails: None) -> None:
    with pytest.raises(CommandError, match="no tenant named initech"):
        verify_audit("--tenant", "initech")
