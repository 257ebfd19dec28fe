"""Appending events."""

import json
import threading
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import pytest
from django.db import DatabaseError, connection, transaction

from memory_admin import audit
from memory_admin.audit import chain
from memory_admin.audit.actions import Action
from memory_admin.audit.models import Chain, Event, Payload
from memory_admin.audit.queries import actions_on, events_of
from memory_admin.tenancy.scope import AnotherTenant, NoTenantScope, tenant_scope

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
MEMORY = UUID("018f0000-0000-7000-8000-00000000000a")
OTHER_MEMORY = UUID("018f0000-0000-7000-8000-00000000000b")


def stored(by: Any, *, memory: UUID = MEMORY, action: Action = Action.MEMORY_STORED, **told: Any) -> audit.Entry:
    return audit.Entry(action=action, by=by, target=("memory", memory), at=NOON, **told)


def test_events_are_numbered_from_one_and_linked(in_acme: Any) -> None:
    numbers = [
        audit.record(action=Action.MEMORY_STORED, by=in_acme, target=("memory", MEMORY), at=NOON) for _ in range(3)
    ]

    events = list(Event.objects.order_by("seq"))
    assert numbers == [1, 2, 3]
    assert [bytes(event.prev_hash) for event in events] == [
        chain.genesis(in_acme.tenant_id),
        bytes(events[0].hash),
        bytes(events[1].hash),
    ]
    assert (Chain.objects.get().size, bytes(Chain.objects.get().head)) == (3, bytes(events[2].hash))


def test_an_event_tells_its_metadata_and_nothing_else(in_acme: Any) -> None:
    audit.record(
        action=Action.MEMORY_STORED,
        by=in_acme,
        target=("memory", MEMORY),
        at=NOON,
        policy_version="write/1",
        request_id="req-7",
    )

    event = Event.objects.get()
    assert json.loads(bytes(event.canonical)) == {
        "action": "memory.stored",
        "at": "2026-03-01T12:00:00.000000Z",
        "by": in_acme.ref,
        "policy_version": "write/1",
        "request_id": "req-7",
        "target": {"kind": "memory", "id": str(MEMORY)},
    }
    assert (event.action, event.actor, event.target_id) == ("memory.stored", in_acme.ref, str(MEMORY))


def test_an_event_need_not_have_a_target(in_acme: Any) -> None:
    audit.record(action=Action.WRITE_REFUSED, by=in_acme, target=None, at=NOON)

    assert Event.objects.get().target_id is None


def test_a_payload_stands_apart_and_is_only_committed_to(in_acme: Any) -> None:
    audit.record_many([stored(in_acme, payload={"rules": ["w-2", "w-9"], "confidence": 0.7, "source": OTHER_MEMORY})])

    payload, told = Payload.objects.get(), json.loads(bytes(Event.objects.get().canonical))
    assert json.loads(payload.body) == {"rules": ["w-2", "w-9"], "confidence": 0.7, "source": str(OTHER_MEMORY)}
    assert told["payload"] == chain.commitment(bytes(payload.salt), payload.body.encode()).hex()
    assert "rules" not in told


def test_equal_payloads_do_not_show_as_equal(in_acme: Any) -> None:
    audit.record_many([stored(in_acme, payload={"reason": "wrong"})] * 2)

    first, second = (json.loads(bytes(event.canonical))["payload"] for event in Event.objects.all())
    assert first != second


def test_an_empty_payload_is_a_payload(in_acme: Any) -> None:
    audit.record_many([stored(in_acme, payload={})])

    assert Payload.objects.get().body == "{}"


def test_many_events_are_one_statement(in_acme: Any, django_assert_num_queries: Callable[[int], Any]) -> None:
    entries = [stored(in_acme, payload={"n": n} if n % 2 else None) for n in range(500)]

    with django_assert_num_queries(1):
        numbers = audit.record_many(entries)

    assert numbers == range(1, 501)
    assert Payload.objects.count() == 250
    assert audit.verify(in_acme.tenant_id).holds


def test_nothing_to_record_asks_nothing(in_acme: Any, django_assert_num_queries: Callable[[int], Any]) -> None:
    with django_assert_num_queries(0):
        assert list(audit.record_many([])) == []


def test_the_trail_of_one_object_is_read_in_order(in_acme: Any) -> None:
    audit.record_many(
        [
            stored(in_acme),
            stored(in_acme, memory=OTHER_MEMORY),
            stored(in_acme, action=Action.MEMORY_DISPUTED),
        ]
    )

    assert actions_on(MEMORY) == [Action.MEMORY_STORED, Action.MEMORY_DISPUTED]
    assert [event.seq for event in events_of(MEMORY)] == [1, 3]


def test_what_is_rolled_back_was_never_recorded(in_acme: Any) -> None:
    with transaction.atomic():
        audit.record_many([stored(in_acme)])
        transaction.set_rollback(True)

    assert audit.record_many([stored(in_acme)]) == range(1, 2)
    assert Event.objects.count() == 1


def test_words_never_reach_the_chain(in_acme: Any) -> None:
    with pytest.raises(chain.NotAReference):
        audit.record_many([stored(in_acme, request_id="Prefers the window seat")])

    assert Event.objects.count() == 0


def test_an_actor_of_another_tenant_is_refused(in_acme: Any, globex: Any) -> None:
    with pytest.raises(AnotherTenant):
        audit.record_many([stored(in_acme), stored(globex)])

    assert Event.objects.count() == 0


def test_nothing_is_recorded_outside_a_scope(acme: Any, db: None) -> None:
    with pytest.raises(NoTenantScope):
        audit.record_many([stored(acme)])


def test_each_tenant_has_a_chain_of_its_own(acme: Any, globex: Any, db: None) -> None:
    for somebody in (acme, globex, acme):
        with tenant_scope(somebody.tenant_id):
            audit.record_many([stored(somebody)])

    with tenant_scope(acme.tenant_id):
        assert list(Event.objects.order_by("seq").values_list("seq", flat=True)) == [1, 2]
    with tenant_scope(globex.tenant_id):
        assert list(Event.objects.values_list("seq", flat=True)) == [1]


@pytest.mark.parametrize(
    "call",
    [
        "audit_append(%s, ARRAY['{}']::bytea[], ARRAY[NULL]::bytea[], ARRAY[NULL]::text[])",
        "audit_erase(%s, ARRAY[1]::bigint[], '{}'::bytea)",
    ],
)
def test_the_database_appends_to_no_other_tenants_chain(in_acme: Any, globex: Any, call: str) -> None:
    with pytest.raises(DatabaseError, match="not the tenant"), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"SELECT {call}", [globex.tenant_id])


@pytest.mark.django_db(transaction=True)
def test_writers_at_the_same_time_make_one_unbroken_chain(acme: Any) -> None:
    writers, events = 4, 25
    together = threading.Barrier(writers)
    numbers: list[int] = []

    def write() -> None:
        together.wait()
        for _ in range(events):
            with tenant_scope(acme.tenant_id):
                numbers.extend(audit.record_many([stored(acme, payload={"by": "a writer"})] * 2))
        connection.close()

    threads = [threading.Thread(target=write) for _ in range(writers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    checked = audit.verify(acme.tenant_id)
    assert sorted(numbers) == list(range(1, writers * events * 2 + 1))
    assert (checked.holds, checked.events) == (True, writers * events * 2)
