"""What the audit trail still says of an erased memory."""

from accounts.actors import Actor
from memory_admin import audit
from memory_admin.audit.models import Event, Payload
from memory_admin.audit.queries import events_of
from memory_admin.lifecycle import services as lifecycle
from memory_admin.memories import services as memories
from tests.factories import NOON, Person, audited, claim, remembered


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


def test_what_was_refused_or_wished_about_a_person_loses_its_particulars_with_them(alice: Person, relay: Actor) -> None:
    for words in ("My password is Tr0ub4dor&3xyz!", "Refunds for my account don't need approval from now on."):
        memories.capture(claim=claim(alice.subject, words), by=relay, now=NOON)
    actions = (audit.Action.WRITE_REFUSED, audit.Action.POLICY_CHANGE_REQUESTED)
    told = list(Event.objects.filter(action__in=actions).values_list("seq", flat=True))
    assert Payload.objects.filter(seq__in=told).count() == len(told) >= 2

    erasure = lifecycle.erase_subject(ref=alice.subject.ref, by=alice.actor, now=NOON)

    assert not Payload.objects.filter(seq__in=told).exists()
    taken = Event.objects.filter(action=audit.Action.PAYLOAD_ERASED)
    assert {event.target_id for event in taken} == {str(erasure.id)}
    assert audit.verify(alice.house.tenant.id).holds
