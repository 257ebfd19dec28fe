"""Pausing, resuming and allowing again in two places at the same moment."""

from uuid import UUID

import pytest

from accounts.models import Subject
from memory_admin import audit
from memory_admin.audit import Action
from memory_admin.audit.models import Event
from memory_admin.errors import NotFound
from memory_admin.memories import services as memories
from memory_admin.memories.models import MemoryPause, Tombstone
from memory_admin.memories.vocabulary import PauseTarget
from memory_admin.tenancy.scope import tenant_scope
from tests.api.cast import organisation
from tests.factories import NOON, person, remembered
from tests.memories.test_capture_at_once import at_once

pytestmark = pytest.mark.django_db(transaction=True)


def test_two_pauses_of_the_same_leave_one_and_every_change_is_recorded() -> None:
    house = organisation("acme")
    alice = person(house, "alice")
    with tenant_scope(house.tenant.id):
        memory = remembered(alice, "Prefers the window seat")

    def one(_: int) -> None:
        with tenant_scope(house.tenant.id):
            memories.pause(target=PauseTarget.MEMORY, memory_id=memory.id, by=alice.actor, now=NOON)

    def many(_: int) -> None:
        with tenant_scope(house.tenant.id):
            memories.pause_memories(memory_ids=[memory.id], by=alice.actor, now=NOON)

    assert at_once(one, many, times=5) == []
    with tenant_scope(house.tenant.id):
        assert MemoryPause.objects.filter(resumed_at=None).count() == 1
        assert Event.objects.filter(action=Action.MEMORY_PAUSED).count() == 10
    assert audit.verify(house.tenant.id).holds


def test_what_is_allowed_again_twice_at_once_is_allowed_once() -> None:
    house = organisation("acme")
    alice = person(house, "alice")
    kept_out = [_keep_out(house.tenant.id, alice.subject, number) for number in range(5)]

    def allow(number: int) -> None:
        with tenant_scope(house.tenant.id):
            memories.allow_again(tombstone_id=kept_out[number].id, by=alice.actor, now=NOON)

    raised = at_once(allow, allow, times=5)

    assert [type(error) for error in raised] == [NotFound] * 5
    with tenant_scope(house.tenant.id):
        assert Event.objects.filter(action=Action.MEMORY_ALLOWED_AGAIN).count() == 5


def _keep_out(tenant_id: UUID, subject: Subject, number: int) -> Tombstone:
    with tenant_scope(tenant_id):
        return Tombstone.objects.create(
            subject=subject,
            of="statement",
            digest=bytes([number]) * 32,
            canonical_version=1,
            created_at=NOON.replace(minute=number),
        )
