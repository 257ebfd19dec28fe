"""The check finds what was changed behind the chain's back."""

import threading
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import pytest
from django.db import connection

from memory_admin import audit
from memory_admin.audit.actions import Action
from memory_admin.audit.chain import Finding, Problem
from memory_admin.tenancy.scope import tenant_scope

pytestmark = pytest.mark.django_db(transaction=True)

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
MEMORY = UUID("018f0000-0000-7000-8000-00000000000a")


@pytest.fixture
def trail(acme: Any) -> Any:
    """Five events, each with a payload."""
    with tenant_scope(acme.tenant_id):
        audit.record_many(
            [
                audit.Entry(
                    action=Action.MEMORY_STORED, by=acme, target=("memory", MEMORY), at=NOON, payload={"rule": f"w-{n}"}
                )
                for n in range(5)
            ]
        )
    return acme


def test_an_untouched_trail_holds(trail: Any) -> None:
    checked = audit.verify(trail.tenant_id)

    assert (checked.holds, checked.events, checked.first_bad) == (True, 5, None)


def test_a_tenant_without_events_holds(globex: Any) -> None:
    assert audit.verify(globex.tenant_id).holds


def test_an_edited_byte_is_found(trail: Any, tamper: Any) -> None:
    tamper("UPDATE audit_event SET canonical = overlay(canonical placing 'x' from 13) WHERE seq = 3")

    assert audit.verify(trail.tenant_id).first_bad == Finding(3, Problem.EDITED)


def test_a_dropped_row_is_found(trail: Any, tamper: Any) -> None:
    tamper("DELETE FROM audit_event WHERE seq = 2")

    assert audit.verify(trail.tenant_id).first_bad == Finding(2, Problem.DROPPED)


def test_rows_in_another_order_are_found(trail: Any, tamper: Any) -> None:
    tamper("UPDATE audit_event SET seq = 100 - seq WHERE seq IN (2, 3)")
    tamper("UPDATE audit_event SET seq = CASE seq WHEN 98 THEN 3 ELSE 2 END WHERE seq IN (97, 98)")

    assert audit.verify(trail.tenant_id).first_bad == Finding(2, Problem.UNLINKED)


def test_a_cut_tail_is_found(trail: Any, tamper: Any) -> None:
    tamper("DELETE FROM audit_event WHERE seq > 3")

    assert audit.verify(trail.tenant_id).first_bad == Finding(4, Problem.CUT)


def test_a_trail_without_its_chain_row_is_found(trail: Any, tamper: Any) -> None:
    tamper("DELETE FROM audit_chain")

    assert audit.verify(trail.tenant_id).first_bad == Finding(1, Problem.CUT)


def test_an_emptied_trail_is_found(trail: Any, tamper: Any) -> None:
    tamper("DELETE FROM audit_event")

    assert audit.verify(trail.tenant_id).first_bad == Finding(1, Problem.CUT)


def test_a_forged_payload_is_found(trail: Any, tamper: Any) -> None:
    tamper("""UPDATE audit_payload SET body = '{"rule":"w-0"}' WHERE seq = 4""")

    assert audit.verify(trail.tenant_id).first_bad == Finding(4, Problem.PAYLOAD_FORGED)


def test_a_payload_taken_without_an_event_is_found(trail: Any, tamper: Any) -> None:
    tamper("DELETE FROM audit_payload WHERE seq = 5")

    assert audit.verify(trail.tenant_id).first_bad == Finding(5, Problem.PAYLOAD_MISSING)


def test_another_tenants_trail_is_not_touched_by_the_fault(trail: Any, globex: Any, tamper: Any) -> None:
    with tenant_scope(globex.tenant_id):
        audit.record(action=Action.MEMORY_STORED, by=globex, target=("memory", MEMORY), at=NOON)
    tamper("DELETE FROM audit_event WHERE seq = 1")

    assert audit.verify(globex.tenant_id).holds
    assert not audit.verify(trail.tenant_id).holds


def test_a_long_trail_is_read_in_parts(acme: Any) -> None:
    with tenant_scope(acme.tenant_id):
        entry = audit.Entry(action=Action.MEMORY_STORED, by=acme, target=("memory", MEMORY), at=NOON)
        audit.record_many([entry] * 5001)

    checked = audit.verify(acme.tenant_id)

    assert (checked.holds, checked.events) == (True, 5001)


def test_a_trail_that_grows_and_sheds_payloads_meanwhile_holds_at_every_look(trail: Any) -> None:
    entry = audit.Entry(action=Action.MEMORY_STORED, by=trail, target=("memory", MEMORY), at=NOON, payload={"n": 1})

    def write_and_erase() -> None:
        for _ in range(40):
            with tenant_scope(trail.tenant_id):
                numbers = audit.record_many([entry] * 3)
            with tenant_scope(trail.tenant_id):
                audit.erase_payloads(seqs=numbers, by=trail, at=NOON)
        connection.close()

    writer = threading.Thread(target=write_and_erase)
    writer.start()
    looks = [audit.verify(trail.tenant_id)]
    while writer.is_alive():
        looks.append(audit.verify(trail.tenant_id))
    writer.join()

    assert [look.first_bad for look in looks if not look.holds] == []
    assert audit.verify(trail.tenant_id).events == 5 + 40 * 4
