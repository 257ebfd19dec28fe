"""What the audit trail still says of an erased memory."""

from accounts.actors import Actor
from memory_admin import audit
from memory_admin.audit.models import Event, Payload
from memory_admin.audit.queries import events_of
from memory_admin.lifecycle import services as lifecycle
from memory_admin.memories import services as memories
from tests.factories import NOON, Person, audited, remembered


def test_that_it_was_but_not_what_decided_about_it(alice: Person, relay: Actor) -> None:
    memory = remembered(alice, "Keeps a heron at home", by=relay)
    memories.correct(memory_id=memory.id, statement="Keeps two herons at home", by=alice.actor, now=NOON)

    erasure = lifecycle.erase(memory_ids=[memory.id], by=alice.actor, now=NOON)

    assert audited(memory) == ["memory.stored", "memory.corrected", "memory.erased"]
    left = Payload.objects.filter(seq__in=events_of(memory.id).values("seq"))
    assert [(one.seq, one.body) for one in left] == [(erasure.audit_seq, f'{{"erasure":"{erasure.id}"}}')]
    assert Event.objects.filter(action=audit.Action.PAYLOAD_ERASED).count() == 1
    assert audit.verify(alice.house.tenant.id).holds


def test_the_trail_of_other_memories_stays_whole(alice: Person, relay: Actor) -> None:
    gone, kept = remembered(alice, "Keeps a heron at home", by=relay), remembered(alice, "Drinks tea", by=relay)

    lifecycle.erase(memory_ids=[gone.id], by=alice.actor, now=NOON)

    assert Payload.objects.filter(seq__in=events_of(kept.id).values("seq")).count() == 1
