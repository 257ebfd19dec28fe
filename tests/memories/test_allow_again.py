"""What was kept out may be learned again when its person says so, and only then."""

import json
from uuid import uuid4

import pytest

from accounts.actors import Actor
from memory_admin.audit import Action
from memory_admin.audit.models import Event, Payload
from memory_admin.audit.queries import actions_on
from memory_admin.errors import NotFound
from memory_admin.memories import services as memories
from memory_admin.memories.models import Tombstone
from memory_admin.memories.services.allow_again import OnlyTheirOwnWord
from memory_admin.memories.vocabulary import CorrectionReason, WriteResult
from tests.factories import NOON, Person, claim, person, remembered

WORDS = "Prefers the window seat"


def corrected_as_wrong(alice: Person) -> Tombstone:
    memory = remembered(alice, WORDS)
    memories.correct(
        memory_id=memory.id,
        statement="Prefers the aisle seat",
        reason=CorrectionReason.WRONG,
        changed_at=None,
        version=None,
        by=alice.actor,
        now=NOON,
    )
    return Tombstone.objects.get(subject_id=alice.subject.id)


def test_what_is_allowed_again_can_be_learned_and_the_permission_is_recorded(alice: Person, relay: Actor) -> None:
    kept_out = corrected_as_wrong(alice)
    before = memories.capture(claim=claim(alice.subject, WORDS), by=relay, now=NOON).result

    lifted = memories.allow_again(tombstone_id=kept_out.id, by=alice.actor, now=NOON)

    assert (before, lifted) == (WriteResult.BLOCKED, 1)
    assert memories.capture(claim=claim(alice.subject, WORDS), by=relay, now=NOON).result == WriteResult.STORED
    assert actions_on(kept_out.id) == [Action.MEMORY_ALLOWED_AGAIN]
    assert json.loads(Payload.objects.get(seq=Event.objects.latest("seq").seq).body or "{}")


def test_what_was_removed_together_is_allowed_together(alice: Person) -> None:
    kept_out = corrected_as_wrong(alice)
    beside = Tombstone.objects.create(
        subject=alice.subject, of="source", digest=b"s" * 32, canonical_version=1, created_at=kept_out.created_at
    )
    other = Tombstone.objects.create(
        subject=alice.subject, of="statement", digest=b"o" * 32, canonical_version=1, created_at=NOON.replace(hour=13)
    )

    memories.allow_again(tombstone_id=beside.id, by=alice.actor, now=NOON)

    assert list(Tombstone.objects.filter(lifted_at=None)) == [other]


def test_a_second_time_there_is_nothing_to_allow(alice: Person) -> None:
    kept_out = corrected_as_wrong(alice)
    memories.allow_again(tombstone_id=kept_out.id, by=alice.actor, now=NOON)
    before = Event.objects.count()

    for unknown in (kept_out.id, uuid4()):
        with pytest.raises(NotFound):
            memories.allow_again(tombstone_id=unknown, by=alice.actor, now=NOON)
    assert Event.objects.count() == before


def test_nobody_else_allows_it(alice: Person, relay: Actor, helper: Actor) -> None:
    kept_out = corrected_as_wrong(alice)
    bob = person(alice.house, "bob")

    for agent in (relay, helper):
        with pytest.raises(OnlyTheirOwnWord):
            memories.allow_again(tombstone_id=kept_out.id, by=agent, now=NOON)
    with pytest.raises(NotFound):
        memories.allow_again(tombstone_id=kept_out.id, by=bob.actor, now=NOON)
    assert Tombstone.objects.filter(lifted_at=None).count() == 1
