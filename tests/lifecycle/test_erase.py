"""Erasing memories, and keeping them from coming back."""

from dataclasses import replace

import pytest

from accounts.actors import Actor
from accounts.models import Subject
from accounts.vocabulary import Channel
from memory_admin import jobs
from memory_admin.errors import NotFound
from memory_admin.indexing.models import Entry
from memory_admin.jobs.models import Job
from memory_admin.jobs.outbox import run_once
from memory_admin.lifecycle import services as lifecycle
from memory_admin.memories import queries
from memory_admin.memories import services as memories
from memory_admin.memories.models import Evidence, Link, Memory, MemoryRevision, Source, Tombstone, WriteDecision
from memory_admin.memories.tasks import embed_memory
from tests.factories import NOON, Person, agent, audited, claim, person, remembered

SAID = memories.SourceIn(trace_id="t-1", message_id="m-1", quote="I keep a heron called Quillon at home.")
WORDS = "Keeps a heron called Quillon at home"


def _erase(memory: Memory, by: Actor) -> None:
    lifecycle.erase(memory_ids=[memory.id], by=by, now=NOON)


def test_nothing_of_an_erased_memory_is_left_but_a_stub(alice: Person, relay: Actor) -> None:
    memory = remembered(alice, WORDS, by=relay, kind="fact", source=SAID, aliases=("Quillon",), value={"pet": "heron"})
    memories.correct(memory_id=memory.id, statement=f"{WORDS}, since May", by=alice.actor, now=NOON)

    _erase(memory, alice.actor)

    stub = Memory.objects.get(id=memory.id)
    assert (stub.status, stub.statement, stub.value, stub.aliases, bytes(stub.digest)) == ("erased", "", None, [], b"")
    for table in (MemoryRevision, Source, Evidence, Entry, Link):
        assert not table.objects.exists()
    assert audited(memory)[-1] == "memory.erased"


def test_an_erased_memory_exists_for_nobody(alice: Person, relay: Actor) -> None:
    memory = remembered(alice, WORDS, by=relay, source=SAID)

    _erase(memory, alice.actor)

    for by in (alice.actor, relay):
        with pytest.raises(NotFound):
            queries.one(memory.id, by=by)
        with pytest.raises(NotFound):
            _erase(memory, by)


@pytest.mark.parametrize(
    "again", [WORDS, WORDS.upper(), "Keeps a he\u00adron called Quillon at home!!", f"  {WORDS}. "]
)
@pytest.mark.parametrize("channel", [Channel.USER_MESSAGE, Channel.IMPORT, Channel.AGENT, Channel.TOOL])
def test_the_erased_words_are_not_learned_again(alice: Person, relay: Actor, again: str, channel: Channel) -> None:
    _erase(remembered(alice, WORDS, by=relay, kind="fact", source=SAID), alice.actor)

    outcome = memories.capture(claim=claim(alice.subject, again, kind="fact"), by=agent(alice.house, channel), now=NOON)

    assert outcome.result == "blocked"
    assert not Memory.objects.exclude(status="erased").exists()


def test_another_wording_from_the_same_source_is_not_learned(alice: Person, relay: Actor) -> None:
    _erase(remembered(alice, WORDS, by=relay, kind="fact", source=SAID), alice.actor)

    outcome = memories.capture(
        claim=claim(alice.subject, "Has a pet bird", kind="fact", source=replace(SAID, quote="")), by=relay, now=NOON
    )

    assert outcome.result == "blocked"


def test_what_the_person_types_anew_is_accepted(alice: Person, relay: Actor) -> None:
    _erase(remembered(alice, WORDS, by=relay, kind="fact", source=SAID), alice.actor)

    assert remembered(alice, WORDS, kind="fact").status == "active"


def test_every_wording_the_memory_ever_had_stays_out(alice: Person, relay: Actor) -> None:
    memory = remembered(alice, WORDS, by=relay, kind="fact")
    memories.correct(memory_id=memory.id, statement="Keeps a stork", by=alice.actor, now=NOON)
    _erase(memory, alice.actor)

    results = {
        memories.capture(claim=claim(alice.subject, words, kind="fact"), by=relay, now=NOON).result
        for words in (WORDS, "Keeps a stork")
    }

    assert results == {"blocked"}


def test_what_was_made_from_it_goes_too_and_stays_out(alice: Person, relay: Actor) -> None:
    source = remembered(alice, WORDS, by=relay, kind="fact")
    made = remembered(alice, "Loves birds", kind="summary", derived_from=(source.id,))
    further = remembered(alice, "Is an animal person", kind="summary", derived_from=(made.id,))

    _erase(source, alice.actor)

    assert set(Memory.objects.values_list("status", flat=True)) == {"erased"}
    assert audited(further)[-1] == "memory.erased"


def test_others_stay_and_keep_their_source_without_the_quoted_words(alice: Person, relay: Actor) -> None:
    memory = remembered(alice, WORDS, by=relay, kind="fact", source=SAID)
    other = remembered(alice, "Lives by the river", by=relay, kind="fact", source=SAID)

    _erase(memory, alice.actor)

    kept = Memory.objects.select_related("source").get(id=other.id)
    assert kept.status == "active"
    assert kept.source is not None
    assert kept.source.quote == ""


def test_a_job_queued_before_brings_nothing_back(alice: Person, relay: Actor) -> None:
    memory = remembered(alice, WORDS, by=relay, kind="fact")
    jobs.after_commit(jobs.EMBED_MEMORY, object_id=memory.id)
    queued = Job.objects.get()
    _erase(memory, alice.actor)

    embed_memory(str(alice.house.tenant.id), str(queued.id))

    assert not Entry.objects.exists()
    assert Memory.objects.get(id=memory.id).statement == ""
    assert Job.objects.get(id=queued.id).done_at is not None


def test_an_erasure_grows_the_epoch_and_its_receipt_counts(alice: Person, relay: Actor) -> None:
    memory = remembered(alice, WORDS, by=relay, kind="fact", source=SAID)

    request = lifecycle.erase(memory_ids=[memory.id], by=alice.actor, now=NOON)

    assert Subject.objects.get(id=alice.subject.id).erasure_epoch == request.epoch == 1
    assert request.counts["memories"] == 1
    assert request.counts["by_kind_and_origin"] == {"fact/stated": 1}
    assert request.audit_seq is not None


def test_tombstones_hold_no_words(alice: Person, relay: Actor) -> None:
    _erase(remembered(alice, WORDS, by=relay, kind="fact", source=SAID), alice.actor)

    assert {stone.of for stone in Tombstone.objects.all()} == {"statement", "source"}
    assert all(len(bytes(stone.digest)) == 32 for stone in Tombstone.objects.all())


def test_a_stranger_and_an_agent_on_its_own_channel_cannot_erase(alice: Person, relay: Actor, helper: Actor) -> None:
    memory = remembered(alice, WORDS, by=relay, kind="fact")
    bob = person(alice.house, "bob")

    with pytest.raises(NotFound):
        _erase(memory, bob.actor)
    with pytest.raises(lifecycle.NotYoursToErase):
        _erase(memory, helper)

    assert Memory.objects.get(id=memory.id).statement == WORDS
    assert audited(memory) == ["memory.stored"]


def test_erasing_a_subject_leaves_nothing_of_it(alice: Person, relay: Actor, helper: Actor) -> None:
    remembered(alice, WORDS, by=relay, kind="fact", source=SAID)
    remembered(alice, "Prefers the window seat", by=helper, origin="inferred")
    bob = person(alice.house, "bob")
    kept = remembered(bob, WORDS, kind="fact")

    request = lifecycle.erase_subject(ref=alice.subject.ref, by=alice.actor, now=NOON)

    assert request.counts["memories"] == 2
    assert set(Memory.objects.exclude(status="erased").values_list("id", flat=True)) == {kept.id}
    assert not Source.objects.filter(subject_id=alice.subject.id).exists()


def test_a_job_of_a_gone_tenant_row_does_nothing(alice: Person) -> None:
    run_once(lambda **_: pytest.fail("ran"), alice.house.tenant.id, alice.subject.id)


def test_a_memory_that_was_kept_with_placeholders_is_not_learned_again_from_the_full_words(
    alice: Person, relay: Actor
) -> None:
    words = "My card is 4111 1111 1111 1111 expiring 09/31."
    _erase(remembered(alice, words, by=relay, kind="fact"), alice.actor)

    outcome = memories.capture(claim=claim(alice.subject, words, kind="fact"), by=relay, now=NOON)

    assert outcome.result == "blocked"


def test_what_was_decided_about_it_no_longer_tells_what_it_was(alice: Person, relay: Actor) -> None:
    words = "I have type 1 diabetes, so please plan meals around insulin times."
    memory = remembered(alice, words, by=relay, kind="fact")
    assert WriteDecision.objects.get().categories == ["health"]

    _erase(memory, alice.actor)

    decision = WriteDecision.objects.get()
    assert (decision.categories, decision.findings, decision.rule_ids) == ([], [], [])
    assert Memory.objects.get(id=memory.id).rule_ids == []


def test_the_name_of_somebody_without_an_account_goes_with_everything_else(alice: Person, relay: Actor) -> None:
    outcome = memories.capture(
        claim=memories.Claim(subject_ref="user:guest", kind="fact", statement="Likes tea", origin="stated"),
        by=relay,
        now=NOON,
    )
    assert outcome.memory is not None
    guest = outcome.memory.subject
    for subject in (guest, alice.subject):
        Subject.objects.filter(id=subject.id).update(display_name="Quillon")
        lifecycle.erase_subject(ref=subject.ref, by=relay, now=NOON)

    assert Subject.objects.get(id=guest.id).display_name == ""
    assert Subject.objects.get(id=alice.subject.id).display_name == "Quillon"


def test_whatever_else_says_the_same_goes_with_it(alice: Person, relay: Actor, helper: Actor) -> None:
    guess = remembered(alice, WORDS, by=helper, kind="fact", origin="inferred")
    said = remembered(alice, WORDS.lower(), by=relay, kind="fact")
    importer = agent(alice.house, Channel.IMPORT)
    turn = remembered(alice, WORDS, by=importer, kind="event", origin="observed", source=SAID)
    other = remembered(alice, "Lives by the river", kind="fact")

    _erase(said, alice.actor)

    assert {guess.id, said.id, turn.id} == set(Memory.objects.filter(status="erased").values_list("id", flat=True))
    assert Memory.objects.get(id=other.id).status == "active"


def test_the_history_of_another_memory_keeps_nothing_of_the_words(alice: Person, relay: Actor) -> None:
    other = remembered(alice, WORDS, by=relay, kind="fact")
    memories.correct(memory_id=other.id, statement="Keeps a stork at home", by=alice.actor, now=NOON)
    mine = remembered(alice, WORDS, kind="fact")

    _erase(mine, alice.actor)

    assert not MemoryRevision.objects.filter(statement=WORDS).exists()
    assert Memory.objects.get(id=other.id).status == "active"
