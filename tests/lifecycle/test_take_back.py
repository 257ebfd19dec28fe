"""Undoing a deletion in time."""

from datetime import timedelta
from typing import Any

import pytest

from accounts.actors import Actor
from memory_admin.audit import Action
from memory_admin.audit.models import Event
from memory_admin.errors import NotFound
from memory_admin.indexing.models import Entry
from memory_admin.lifecycle import services as lifecycle
from memory_admin.lifecycle.models import ErasureRequest, State
from memory_admin.memories import queries
from memory_admin.memories import services as memories
from memory_admin.memories.models import Dispute, Evidence, Memory, MemoryPause, MemoryRevision, Tombstone
from memory_admin.memories.vocabulary import DisputeReason, PauseTarget, Status
from tests.factories import NOON, Person, claim, person, remembered
from tests.lifecycle.erasing import let_its_time_come, run_jobs

SAID = memories.SourceIn(trace_id="t-1", message_id="m-1", quote="I keep a heron called Quillon at home.")
WORDS = "Keeps a heron called Quillon at home"
LATER = NOON + timedelta(seconds=20)


def _delete(memory: Memory, by: Person) -> ErasureRequest:
    return lifecycle.request_erasure(memory_ids=[memory.id], by=by.actor, now=NOON, grace=lifecycle.GRACE)


def _take_back(erasure: ErasureRequest, by: Person) -> ErasureRequest:
    return lifecycle.take_back(erasure_id=erasure.id, by=by.actor, now=LATER)


def _entries() -> list[Any]:
    fields = ("memory_id", "model", "kind", "valid_from", "valid_to", "expires_at", "embedding", "lexemes")
    return [tuple(str(value) for value in row) for row in Entry.objects.order_by("memory_id").values_list(*fields)]


def test_everything_is_as_it_was(alice: Person, relay: Actor) -> None:
    memory = remembered(alice, WORDS, by=relay, kind="fact", source=SAID, aliases=("Quillon",), value={"pet": "heron"})
    made = remembered(alice, "Loves birds", kind="summary", derived_from=(memory.id,))
    memories.pause(target=PauseTarget.MEMORY, memory_id=made.id, by=alice.actor, now=NOON)
    before, entries = {one.id: one for one in Memory.objects.all()}, _entries()
    erasure = _delete(memory, alice)
    assert not Entry.objects.exists()

    back = _take_back(erasure, alice)

    assert (back.state, back.taken_back_at) == (State.TAKEN_BACK, LATER)
    assert _entries() == entries
    for one in Memory.objects.all():
        was = before[one.id]
        assert (one.version, one.changed_at) == (was.version + 1, LATER)
        same = [f.attname for f in Memory._meta.concrete_fields if f.attname not in ("version", "changed_at")]
        assert [getattr(one, name) for name in same] == [getattr(was, name) for name in same]
    assert not Tombstone.objects.exists()
    assert Evidence.objects.count() == 1
    assert MemoryPause.objects.filter(resumed_at=None).count() == 1
    assert [version.reason for version in queries.history(memory.id, by=alice.actor)] == ["", "deletion taken back"]
    event = Event.objects.get(action=Action.ERASURE_TAKEN_BACK)
    assert (event.seq, event.target_id) == (back.audit_seq, str(erasure.id))
    assert run_jobs(erasure.id) == 1
    assert Memory.objects.get(id=memory.id).statement == WORDS


def test_each_comes_back_with_the_status_it_had(alice: Person, relay: Actor, helper: Actor) -> None:
    asked = remembered(alice, "Might like museums", by=helper, origin="inferred")
    disputed = remembered(alice, WORDS, by=relay, kind="fact")
    memories.dispute(memory_id=disputed.id, by=alice.actor, reason=DisputeReason.WRONG, now=NOON)
    resting = remembered(alice, "Lives by the river", by=relay, kind="fact")
    memories.archive(memory_id=resting.id, by=relay, now=NOON)

    for memory, status in ((asked, Status.PROPOSED), (disputed, Status.DISPUTED), (resting, Status.ARCHIVED)):
        _take_back(_delete(memory, alice), alice)
        assert Memory.objects.get(id=memory.id).status == status
    assert Dispute.objects.get(closed_at=None).memory_id == disputed.id
    assert not Entry.objects.exists()


def test_twice_brings_back_nothing_twice(alice: Person, relay: Actor) -> None:
    memory = remembered(alice, WORDS, by=relay, kind="fact")
    erasure = _delete(memory, alice)

    _take_back(erasure, alice)
    assert _take_back(erasure, alice).state == State.TAKEN_BACK

    assert Memory.objects.get(id=memory.id).version == 2
    assert Event.objects.filter(action=Action.ERASURE_TAKEN_BACK).count() == 1


def test_once_its_time_is_over_it_is_too_late_though_no_job_has_run(alice: Person, relay: Actor) -> None:
    memory = remembered(alice, WORDS, by=relay, kind="fact")
    erasure = _delete(memory, alice)
    let_its_time_come(erasure.id)

    with pytest.raises(lifecycle.TooLate):
        _take_back(erasure, alice)

    assert Memory.objects.get(id=memory.id).status == "erasing"
    assert run_jobs(erasure.id) == 1
    with pytest.raises(lifecycle.TooLate):
        _take_back(erasure, alice)


def test_nobody_else_takes_it_back(alice: Person, relay: Actor) -> None:
    erasure = _delete(remembered(alice, WORDS, by=relay, kind="fact"), alice)

    for by in (person(alice.house, "bob").actor, relay):
        with pytest.raises(NotFound):
            lifecycle.take_back(erasure_id=erasure.id, by=by, now=LATER)


def test_deleted_taken_back_and_deleted_again_it_is_erased(alice: Person, relay: Actor) -> None:
    memory = remembered(alice, WORDS, by=relay, kind="fact")
    first = _delete(memory, alice)
    _take_back(first, alice)

    second = _delete(memory, alice)
    let_its_time_come(second.id)
    run_jobs(first.id)
    run_jobs(second.id)

    assert Memory.objects.get(id=memory.id).status == "erased"
    assert set(ErasureRequest.objects.values_list("state", flat=True)) == {State.TAKEN_BACK, State.ERASED}


def test_it_may_be_learned_again_but_not_what_was_erased_before(alice: Person, relay: Actor) -> None:
    lifecycle.erase(memory_ids=[remembered(alice, WORDS, by=relay, kind="fact").id], by=alice.actor, now=NOON)
    anew = remembered(alice, WORDS, kind="fact", source=SAID)

    _take_back(_delete(anew, alice), alice)

    again = [
        memories.capture(claim=claim(alice.subject, words, kind="fact", source=source), by=relay, now=LATER).result
        for words, source in ((WORDS, None), ("Has a pet bird", SAID))
    ]
    assert again == ["blocked", "stored"]


def test_a_value_whose_key_was_taken_meanwhile_comes_back_as_replaced(alice: Person, relay: Actor) -> None:
    old = remembered(alice, "Lives in Oslo", by=relay, kind="fact", key="residence", value="Oslo")
    erasure = _delete(old, alice)
    new = remembered(alice, "Lives in Bergen", by=relay, kind="fact", key="residence", value="Bergen", now=LATER)

    _take_back(erasure, alice)

    back = Memory.objects.get(id=old.id)
    assert (back.status, back.valid_to) == (Status.SUPERSEDED, new.valid_from)
    assert [one.statement for one in queries.profile(alice.subject.id, by=relay, now=LATER)] == ["Lives in Bergen"]
    assert MemoryRevision.objects.filter(memory_id=old.id, recorded_to=None).get().status == Status.SUPERSEDED
