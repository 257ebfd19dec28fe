"""Correcting a memory."""

from datetime import timedelta

import pytest

from accounts.actors import Actor
from memory_admin.indexing.models import Entry
from memory_admin.memories import queries
from memory_admin.memories import services as memories
from memory_admin.memories.changes import ChangedMeanwhile
from memory_admin.memories.models import Memory, MemoryRevision
from memory_admin.memories.services.correct import CorrectionRefused, NothingChanged, NotYours
from memory_admin.memories.vocabulary import CorrectionReason
from tests.factories import NOON, Person, audited, claim, remembered

LATER = NOON + timedelta(days=10)


def test_a_wrong_memory_gets_new_words_and_keeps_the_old_ones_in_its_history(alice: Person) -> None:
    memory = remembered(alice, "Prefers the aisle seat")

    memories.correct(memory_id=memory.id, statement="Prefers the window seat", by=alice.actor, now=LATER)

    now = Memory.objects.get(id=memory.id)
    assert (now.statement, now.version, now.origin, now.confirmed_at) == ("Prefers the window seat", 2, "stated", LATER)
    history = [(r.version, r.statement, r.recorded_to) for r in queries.history(memory.id, by=alice.actor)]
    assert history == [(1, "Prefers the aisle seat", LATER), (2, "Prefers the window seat", None)]
    assert audited(memory) == ["memory.stored", "memory.corrected"]


def test_the_corrected_words_are_what_search_reads(alice: Person) -> None:
    memory = remembered(alice, "Prefers the aisle seat")
    before = Entry.objects.get(memory_id=memory.id).lexemes

    memories.correct(memory_id=memory.id, statement="Takes the night train", by=alice.actor, now=LATER)

    assert Entry.objects.get(memory_id=memory.id).lexemes != before


def test_words_that_never_held_are_not_learned_again(alice: Person, relay: Actor) -> None:
    memory = remembered(alice, "Is allergic to peanuts", kind="fact", by=None)
    memories.correct(memory_id=memory.id, statement="Is fond of hazelnuts", by=alice.actor, now=LATER)

    again = memories.capture(claim=claim(alice.subject, "IS ALLERGIC TO PEANUTS!"), by=relay, now=LATER)

    assert again.result in ("blocked", "proposed")
    assert not Memory.objects.filter(statement__iexact="is allergic to peanuts!", status="active").exists()


def test_a_change_ends_the_old_memory_and_begins_a_new_one(alice: Person) -> None:
    memory = remembered(alice, "Lives in Oslo", kind="fact")
    moved = NOON + timedelta(days=5)

    new = memories.correct(
        memory_id=memory.id,
        statement="Lives in Bergen",
        reason=CorrectionReason.CHANGED,
        changed_at=moved,
        by=alice.actor,
        now=LATER,
    )

    old = Memory.objects.get(id=memory.id)
    assert (old.status, old.valid_to) == ("superseded", moved)
    assert (new.statement, new.status, new.valid_from) == ("Lives in Bergen", "active", moved)


def test_questions_about_the_past_are_answered_on_both_axes(alice: Person) -> None:
    memory = remembered(alice, "Lives in Oslo", kind="fact", valid_from=NOON - timedelta(days=100))
    memories.correct(memory_id=memory.id, statement="Lives in Rome", by=alice.actor, now=LATER)

    def held(*, valid: int, recorded: int) -> list[str]:
        found = queries.as_of(
            queries.visible_to(alice.actor),
            valid_at=NOON + timedelta(days=valid),
            recorded_at=NOON + timedelta(days=recorded),
            by=alice.actor,
        )
        return [revision.statement for revision in found]

    assert held(valid=0, recorded=1) == ["Lives in Oslo"]
    assert held(valid=0, recorded=11) == ["Lives in Rome"]
    assert held(valid=-200, recorded=11) == []
    assert held(valid=0, recorded=-1) == []


def test_the_same_words_change_nothing(alice: Person) -> None:
    memory = remembered(alice, "Prefers the aisle seat")

    with pytest.raises(NothingChanged):
        memories.correct(memory_id=memory.id, statement="Prefers the aisle seat", by=alice.actor, now=LATER)

    assert MemoryRevision.objects.count() == 1
    assert audited(memory) == ["memory.stored"]


def test_somebody_who_read_an_older_version_is_told(alice: Person) -> None:
    memory = remembered(alice, "Prefers the aisle seat")
    memories.correct(memory_id=memory.id, statement="Prefers the window seat", by=alice.actor, now=LATER, version=1)

    with pytest.raises(ChangedMeanwhile):
        memories.correct(memory_id=memory.id, statement="Prefers no seat at all", by=alice.actor, now=LATER, version=1)

    assert Memory.objects.get(id=memory.id).statement == "Prefers the window seat"


def test_an_agent_cannot_correct_what_the_person_said(alice: Person, helper: Actor) -> None:
    memory = remembered(alice, "Prefers the aisle seat")

    with pytest.raises(NotYours):
        memories.correct(memory_id=memory.id, statement="Prefers the window seat", by=helper, now=LATER)


def test_a_correction_into_a_secret_is_refused_and_leaves_no_trace(alice: Person) -> None:
    memory = remembered(alice, "Has a backup job")

    with pytest.raises(CorrectionRefused) as refused:
        memories.correct(
            memory_id=memory.id, statement="The key is AKIA" + "QYLPMN5HHHFPZAM2", by=alice.actor, now=LATER
        )

    assert refused.value.rule_ids
    assert refused.value.policy_version == "write/1"
    assert audited(memory) == ["memory.stored"]


def test_a_sensitive_correction_by_the_person_is_their_consent(alice: Person) -> None:
    memory = remembered(alice, "Has a standing appointment on Mondays", kind="fact")

    memories.correct(memory_id=memory.id, statement="I have type 1 diabetes", by=alice.actor, now=LATER)

    now = Memory.objects.get(id=memory.id)
    assert (now.status, now.categories) == ("active", ["health"])


def test_a_guess_that_the_person_corrects_lives_as_long_as_what_they_say(alice: Person, helper: Actor) -> None:
    guess = remembered(alice, "Likes early flights", by=helper, origin="inferred")
    assert guess.expires_at is not None

    memories.correct(memory_id=guess.id, statement="Likes late flights", by=alice.actor, now=LATER)

    assert Memory.objects.get(id=guess.id).expires_at is None
