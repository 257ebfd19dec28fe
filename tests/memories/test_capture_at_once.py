"""Writers that meet: whatever they write about, in whatever order, none stops another."""

import threading
from collections.abc import Callable

import pytest
from django.db import connection

from memory_admin import audit
from memory_admin.memories import services as memories
from memory_admin.tenancy.scope import tenant_scope
from tests.api.cast import Organisation, organisation
from tests.factories import NOON, agent, claim

pytestmark = pytest.mark.django_db(transaction=True)


def at_once(*acts: Callable[[int], object], times: int) -> list[Exception]:
    """Run each act again and again in a thread of its own, all of them in step; give what they raised."""
    together, raised = threading.Barrier(len(acts)), list[Exception]()

    def run(act: Callable[[int], object]) -> None:
        for number in range(times):
            together.wait()
            try:
                act(number)
            except Exception as error:
                raised.append(error)
        connection.close()

    threads = [threading.Thread(target=run, args=[act]) for act in acts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return raised


def test_a_batch_about_somebody_new_and_a_write_about_somebody_known_do_not_wait_for_each_other() -> None:
    house: Organisation = organisation("acme")
    known, importer = house.subject("user:mia"), agent(house)
    ready = memories.prepare(
        [claim(known, f"Likes tea number {n}", kind="fact", origin="inferred") for n in range(40)], by=importer
    )

    def alone(number: int) -> None:
        with tenant_scope(house.tenant.id):
            memories.capture(claim=ready[number], by=importer, now=NOON)

    def batch(number: int) -> None:
        claims = [
            memories.Claim(subject_ref=f"user:a-{number}", statement="Likes coffee", kind="fact", origin="inferred"),
            memories.Claim(subject_ref="user:mia", statement=f"Has cup {number}", kind="fact", origin="inferred"),
        ]
        prepared = memories.prepare(claims, by=importer)
        with tenant_scope(house.tenant.id):
            memories.capture_many(claims=prepared, by=importer, now=NOON)

    raised = at_once(alone, batch, times=15)

    assert raised == []
    assert audit.verify(house.tenant.id).holds
