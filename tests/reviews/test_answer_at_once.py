"""Two reviewers answer the same dispute at the same moment."""

import pytest

from accounts.vocabulary import Role
from memory_admin.audit.models import Event
from memory_admin.memories import services as memories
from memory_admin.memories.models import Dispute, Memory
from memory_admin.memories.vocabulary import DisputeReason, Remedy
from memory_admin.reviews import services
from memory_admin.reviews.desk import AlreadyAnswered
from memory_admin.tenancy.scope import tenant_scope
from tests.api.cast import organisation
from tests.factories import NOON, person, remembered
from tests.memories.test_capture_at_once import at_once
from tests.reviews.conftest import hired

pytestmark = pytest.mark.django_db(transaction=True)


def test_one_answers_and_the_other_is_told_by_whom() -> None:
    house = organisation("acme")
    alice = person(house, "alice")
    with tenant_scope(house.tenant.id):
        rosa, noor = hired(alice, "rosa", Role.REVIEWER), hired(alice, "noor", Role.REVIEWER)
        opened = []
        for number in range(4):
            memory = remembered(alice, f"Has {number + 2} cats")
            opened.append(
                memories.dispute(memory_id=memory.id, by=alice.actor, reason=DisputeReason.WRONG, now=NOON).id
            )

    def erase(number: int) -> None:
        with tenant_scope(house.tenant.id):
            services.uphold(dispute_id=opened[number], remedy=Remedy.ERASED, version=2, by=rosa, now=NOON)

    def keep(number: int) -> None:
        with tenant_scope(house.tenant.id):
            services.turn_down(dispute_id=opened[number], answer="It is right.", version=2, by=noor, now=NOON)

    raised = at_once(erase, keep, times=4)

    assert [type(error) for error in raised] == [AlreadyAnswered] * 4
    with tenant_scope(house.tenant.id):
        assert Event.objects.filter(action="memory.dispute_answered").count() == 4
        for dispute in Dispute.objects.select_related("memory"):
            statuses = {rosa.ref: "erased", noor.ref: "disputed"}
            assert dispute.memory.status == statuses[str(dispute.closed_by)]
        assert Memory.objects.count() == 4
