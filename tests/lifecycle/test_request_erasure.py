"""Taking memories out of use at once, and erasing them a little later."""

from collections.abc import Callable
from datetime import timedelta
from importlib import import_module
from typing import Any

import pytest

from accounts.actors import Actor
from accounts.models import Subject
from memory_admin.audit import Action
from memory_admin.audit.models import Event
from memory_admin.audit.queries import payload_of
from memory_admin.errors import NotFound
from memory_admin.indexing.models import Entry
from memory_admin.jobs.models import Job
from memory_admin.lifecycle import services as lifecycle
from memory_admin.lifecycle.models import ErasureRequest, State
from memory_admin.memories import queries
from memory_admin.memories import services as memories
from memory_admin.memories.models import Memory, MemoryRevision, Source, Tombstone
from memory_admin.memories.queries import BeingErased
from memory_admin.memories.services.pause import OnlyForOneself
from memory_admin.memories.vocabulary import DisputeReason, PauseTarget
from memory_admin.retrieval import services as retrieval
from tests.factories import NOON, Person, audited, claim, person, remembered
from tests.lifecycle.erasing import let_its_time_come, run_job, run_jobs

SAID = memories.SourceIn(trace_id="t-1", message_id="m-1", quote="I keep a heron called Quillon at home.")
WORDS = "Keeps a heron called Quillon at home"
LATER = NOON + timedelta(seconds=20)
CARRYING_ON = import_module("memory_admin.lifecycle.services.carry_on")


def _delete(*gone: Memory, by: Person, **terms: Any) -> ErasureRequest:
    terms = {"grace": lifecycle.GRACE, **terms}
    return lifecycle.request_erasure(memory_ids=[one.id for one in gone], by=by.actor, now=NOON, **terms)


def _write(alice: Person, by: Actor, words: str = WORDS, **fields: Any) -> str:
    outcome = memories.capture(claim=claim(alice.subject, words, kind="fact", **fields), by=by, now=LATER)
    return str(outcome.result)


def _found(alice: Person, by: Actor) -> list[str]:
    ask = retrieval.Ask(subjects=[alice.subject.ref], query="heron at home", purpose="answer", include_profile=True)
    return [item.statement for item in retrieval.search(ask=ask, by=by, now=LATER).items]


def test_while_it_waits_it_is_out_of_every_use(alice: Person, relay: Actor) -> None:
    memory = remembered(alice, WORDS, by=relay, kind="fact", key="pet", value="heron", source=SAID)
    assert _found(alice, relay) == [WORDS]

    erasure = _delete(memory, by=alice)

    assert erasure.state == State.WAITING
    assert timedelta(seconds=29) < erasure.time_left <= timedelta(seconds=30)
    assert _found(alice, relay) == []
    assert not queries.visible_to(relay).exists()
    assert not queries.visible_to(alice.actor).exists()
    assert not queries.profile(alice.subject.id, by=relay, now=LATER)
    held = queries.visible_to(relay)
    assert not queries.as_of(held, valid_at=NOON, recorded_at=NOON, by=relay).exists()
    with pytest.raises(NotFound):
        queries.one(memory.id, by=relay)
    with pytest.raises(BeingErased):
        queries.one(memory.id, by=alice.actor)


@pytest.mark.parametrize(
    "act",
    [
        lambda memory, by: memories.correct(memory_id=memory.id, statement="Keeps a stork", by=by, now=LATER),
        lambda memory, by: memories.confirm(memory_id=memory.id, by=by, now=LATER),
        lambda memory, by: memories.dispute(memory_id=memory.id, by=by, reason=DisputeReason.WRONG, now=LATER),
        lambda memory, by: memories.pause(target=PauseTarget.MEMORY, memory_id=memory.id, by=by, now=LATER),
    ],
    ids=["correct", "confirm", "dispute", "pause"],
)
def test_nothing_else_is_done_with_it_and_only_its_person_is_told_why(
    alice: Person, relay: Actor, act: Callable[[Memory, Actor], Any]
) -> None:
    memory = remembered(alice, WORDS, by=relay, kind="fact")
    _delete(memory, by=alice)

    with pytest.raises(BeingErased):
        act(memory, alice.actor)
    for stranger in (person(alice.house, "bob").actor, relay):
        with pytest.raises((NotFound, OnlyForOneself)):
            act(memory, stranger)


def test_asked_again_it_answers_with_the_erasure_that_runs(alice: Person, relay: Actor) -> None:
    memory = remembered(alice, WORDS, by=relay, kind="fact")
    other = remembered(alice, "Lives by the river", by=relay, kind="fact")

    first = _delete(memory, by=alice)

    assert _delete(memory, by=alice).id == first.id
    assert Job.objects.filter(object_id=first.id).count() == 1
    for by in (person(alice.house, "bob").actor, relay):
        with pytest.raises((NotFound, lifecycle.NotYoursToErase)):
            lifecycle.request_erasure(memory_ids=[memory.id], by=by, now=LATER)
    with pytest.raises(NotFound):
        _delete(memory, other, by=alice)
    with pytest.raises(NotFound):
        lifecycle.erase(memory_ids=[memory.id], by=relay, now=LATER)


def test_what_says_the_same_and_what_was_made_from_it_goes_along(alice: Person, relay: Actor, helper: Actor) -> None:
    memory = remembered(alice, WORDS, by=relay, kind="fact")
    guess = remembered(alice, WORDS.upper(), by=helper, kind="event", origin="inferred")
    made = remembered(alice, "Loves birds", kind="summary", derived_from=(memory.id,))
    other = remembered(alice, "Lives by the river", kind="fact")

    erasure = _delete(memory, by=alice)

    assert set(erasure.memory_ids) == {memory.id, guess.id, made.id}
    assert set(Memory.objects.filter(status="erasing").values_list("id", flat=True)) == set(erasure.memory_ids)
    assert Memory.objects.get(id=other.id).status == "active"


def test_the_words_and_their_source_are_not_learned_while_it_waits_nor_afterwards(alice: Person, relay: Actor) -> None:
    memory = remembered(alice, WORDS, by=relay, kind="fact", source=SAID)
    erasure = _delete(memory, by=alice)

    def results() -> set[str]:
        return {_write(alice, relay, WORDS.upper()), _write(alice, relay, "Has a pet bird", source=SAID)}

    assert results() == {"blocked"}
    let_its_time_come(erasure.id)
    run_jobs(erasure.id)
    assert results() == {"blocked"}


def test_what_the_person_types_meanwhile_is_new_and_stays_whole(alice: Person, relay: Actor) -> None:
    erasure = _delete(remembered(alice, WORDS, by=relay, kind="fact", source=SAID), by=alice)
    anew = remembered(alice, WORDS, kind="fact", now=LATER)
    memories.correct(memory_id=anew.id, statement=f"{WORDS}, since May", by=alice.actor, now=LATER)

    let_its_time_come(erasure.id)
    run_jobs(erasure.id)

    assert Memory.objects.get(id=anew.id).status == "active"
    assert MemoryRevision.objects.filter(memory_id=anew.id).count() == 2
    assert Entry.objects.filter(memory_id=anew.id).exists()


def test_the_job_erases_at_its_time_and_not_before(alice: Person, relay: Actor) -> None:
    memory = remembered(alice, WORDS, by=relay, kind="fact", source=SAID)
    erasure = _delete(memory, by=alice)

    run_job(erasure.id)
    assert Memory.objects.get(id=memory.id).statement == WORDS

    let_its_time_come(erasure.id)
    assert run_jobs(erasure.id) == 1
    lifecycle.carry_on(erasure_id=erasure.id, now=LATER)

    stub = Memory.objects.get(id=memory.id)
    assert (stub.status, stub.statement, stub.version) == ("erased", "", 2)
    assert not MemoryRevision.objects.exists()
    assert not Source.objects.exists()
    done = ErasureRequest.objects.get(id=erasure.id)
    assert (done.state, done.done, done.counts["memories"], done.counts["sources"]) == (State.ERASED, 1, 1, 1)
    assert audited(memory) == ["memory.stored", "memory.erased"]
    assert done.audit_seq == Event.objects.count()


def test_the_request_is_recorded_and_the_epoch_grows_once(alice: Person, relay: Actor) -> None:
    erasure = _delete(remembered(alice, WORDS, by=relay, kind="fact"), by=alice)
    event = Event.objects.get(action=Action.ERASURE_REQUESTED)
    let_its_time_come(erasure.id)
    run_jobs(erasure.id)

    assert (event.seq, event.actor, event.target_id) == (erasure.audit_seq, alice.actor.ref, str(erasure.id))
    assert payload_of(event.seq) == {"scope": "memories", "grace_seconds": 30, "keeps_out": True, "memories": 1}
    assert Subject.objects.get(id=alice.subject.id).erasure_epoch == erasure.epoch == 1


def test_what_may_be_learned_again_is_kept_out_until_it_is_erased(alice: Person, relay: Actor) -> None:
    erasure = _delete(remembered(alice, WORDS, by=relay, kind="fact", source=SAID), by=alice, keeps_out=False)

    assert _write(alice, relay) == "blocked"
    let_its_time_come(erasure.id)
    run_jobs(erasure.id)

    assert not Tombstone.objects.exists()
    assert _write(alice, relay) == "stored"


def test_many_are_erased_in_parts_and_go_on_where_they_were_stopped(
    alice: Person, relay: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(CARRYING_ON, "PART", 2)
    gone = [remembered(alice, f"Likes city number {n}", by=relay, kind="event", source=SAID) for n in range(5)]
    erasure = _delete(*gone, by=alice, grace=timedelta(0))
    assert (erasure.state, erasure.can_be_taken_back) == (State.ERASING, False)
    assert not queries.visible_to(alice.actor).exists()

    run_job(erasure.id)
    with monkeypatch.context() as stopped:
        stopped.setattr(CARRYING_ON, "remove", _die)
        run_job(erasure.id)
    halfway = ErasureRequest.objects.get(id=erasure.id)
    assert (halfway.state, halfway.done, halfway.counts["memories"]) == (State.ERASING, 2, 2)
    assert run_jobs(erasure.id) == 2

    done = ErasureRequest.objects.get(id=erasure.id)
    assert (done.state, done.done) == (State.ERASED, 5)
    assert done.counts == {
        "memories": 5,
        "versions": 5,
        "sources": 1,
        "uses": 0,
        "by_kind_and_origin": {"event/stated": 5},
    }
    assert set(Memory.objects.values_list("status", flat=True)) == {"erased"}


def _die(*_: Any, **__: Any) -> None:
    raise RuntimeError("the worker was killed")


def test_erasing_the_subject_meanwhile_ends_the_wait(alice: Person, relay: Actor) -> None:
    memory = remembered(alice, WORDS, by=relay, kind="fact", source=SAID)
    erasure = _delete(memory, by=alice)

    whole = lifecycle.erase_subject(ref=alice.subject.ref, by=alice.actor, now=LATER)

    assert Memory.objects.get(id=memory.id).statement == ""
    assert ErasureRequest.objects.get(id=erasure.id).state == State.ERASED
    assert whole.counts["memories"] == 0
    with pytest.raises(lifecycle.TooLate):
        lifecycle.take_back(erasure_id=erasure.id, by=alice.actor, now=LATER)
    assert run_jobs(erasure.id) == 1
    assert audited(memory) == ["memory.stored", "memory.erased"]
