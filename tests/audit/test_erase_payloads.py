"""Erasing the bodies of events, and only these."""

import json
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import pytest
from django.db import connection

from memory_admin import audit
from memory_admin.audit.actions import Action
from memory_admin.audit.models import Event, Payload
from memory_admin.audit.queries import erased_by, payloads_on
from memory_admin.tenancy.scope import AnotherTenant

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
MEMORY = UUID("018f0000-0000-7000-8000-00000000000a")


@pytest.fixture
def trail(in_acme: Any) -> Any:
    """Six events, each with a payload."""
    entry = audit.Entry(
        action=Action.MEMORY_CORRECTED, by=in_acme, target=("memory", MEMORY), at=NOON, payload={"reason": "typo"}
    )
    audit.record_many([entry] * 6)
    return in_acme


def test_erased_payloads_are_gone_and_the_chain_holds(trail: Any) -> None:
    audit.erase_payloads(seqs=[2, 3, 5], by=trail, at=NOON)

    assert list(Payload.objects.order_by("seq").values_list("seq", flat=True)) == [1, 4, 6]
    assert audit.verify(trail.tenant_id).holds


def test_the_erasure_is_itself_an_event_that_says_which(trail: Any) -> None:
    number = audit.erase_payloads(seqs=[5, 2, 3, 3], by=trail, at=NOON)

    event = Event.objects.get(seq=number)
    assert (number, event.action) == (7, Action.PAYLOAD_ERASED)
    assert json.loads(bytes(event.canonical))["erases"] == [[2, 3], [5, 5]]


def test_all_payloads_can_go_and_nothing_is_reported(trail: Any) -> None:
    audit.erase_payloads(seqs=range(1, 7), by=trail, at=NOON)

    assert Payload.objects.count() == 0
    assert audit.verify(trail.tenant_id).holds


def test_an_erasure_reaches_no_payload_yet_to_come(trail: Any) -> None:
    audit.erase_payloads(seqs=[8], by=trail, at=NOON)
    audit.record(
        action=Action.MEMORY_CORRECTED, by=trail, target=("memory", MEMORY), at=NOON, payload={"reason": "typo"}
    )

    assert Payload.objects.filter(seq=8).exists()
    assert audit.verify(trail.tenant_id).holds


def test_the_payloads_of_one_object_are_found_until_they_are_erased(trail: Any) -> None:
    other = UUID("018f0000-0000-7000-8000-00000000000b")
    audit.record(
        action=Action.MEMORY_CORRECTED, by=trail, target=("memory", other), at=NOON, payload={"reason": "typo"}
    )
    audit.record(action=Action.MEMORY_CONFIRMED, by=trail, target=("memory", other), at=NOON)

    assert payloads_on([other]) == [7]
    audit.erase_payloads(seqs=[7], by=trail, at=NOON)
    assert payloads_on([other]) == []


def test_a_stranger_erases_nothing(trail: Any, globex: Any) -> None:
    with pytest.raises(AnotherTenant):
        audit.erase_payloads(seqs=[1], by=globex, at=NOON)

    assert Payload.objects.count() == 6


def test_the_event_that_took_a_payload_is_found_also_beside_a_forged_one(trail: Any) -> None:
    forged = b'{"action":"payload.erased","at":"x","by":"system:x","erases":[["a",{}],7]}'
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT audit_append(%s, %s::bytea[], ARRAY[NULL]::bytea[], ARRAY[NULL]::text[])",
            [trail.tenant_id, [forged]],
        )
    number = audit.erase_payloads(seqs=[2, 3, 5], by=trail, at=NOON)

    found = {seq: erased_by(seq) for seq in range(1, 7)}

    assert {seq: event.seq for seq, event in found.items() if event} == dict.fromkeys((2, 3, 5), number)
