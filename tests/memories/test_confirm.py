"""Answering a proposal."""

import pytest

from accounts.actors import Actor
from memory_admin.errors import NotFound
from memory_admin.indexing.models import Entry
from memory_admin.memories import services as memories
from memory_admin.memories.changes import ChangedMeanwhile, WrongState
from memory_admin.memories.models import Memory
from memory_admin.memories.services.confirm import OnlyThePerson
from tests.factories import NOON, Person, audited, claim, remembered


def test_a_yes_puts_a_proposal_into_use(alice: Person, helper: Actor) -> None:
    proposal = remembered(alice, "Likes early flights", by=helper, origin="inferred")

    memories.confirm(memory_id=proposal.id, by=alice.actor, now=NOON)

    memory = Memory.objects.get(id=proposal.id)
    assert (memory.status, memory.confirmed_by) == ("active", alice.actor.ref)
    assert Entry.objects.filter(memory_id=memory.id).exists()
    assert audited(memory) == ["memory.proposed", "memory.confirmed"]


def test_a_yes_replaces_what_the_proposal_contradicts(alice: Person, helper: Actor) -> None:
    old = remembered(alice, "Lives in Oslo", kind="fact", key="city", value="Oslo")
    new = remembered(alice, "Lives in Bergen", by=helper, kind="fact", key="city", value="Bergen", origin="observed")

    memories.confirm(memory_id=new.id, by=alice.actor, now=NOON)

    assert Memory.objects.get(id=old.id).status == "superseded"
    assert Memory.objects.get(id=new.id).status == "active"


def test_a_no_keeps_the_statement_out_for_good(alice: Person, helper: Actor) -> None:
    proposal = remembered(alice, "Likes early flights", by=helper, origin="inferred")

    memories.reject(memory_id=proposal.id, by=alice.actor, now=NOON)

    again = memories.capture(claim=claim(alice.subject, "likes EARLY flights"), by=helper, now=NOON)
    assert again.result == "blocked"
    assert audited(proposal) == ["memory.proposed", "memory.rejected"]


def test_an_agent_cannot_answer_for_the_person(alice: Person, helper: Actor, relay: Actor) -> None:
    memory = remembered(alice, "Prefers the window seat", by=relay)
    proposal = remembered(alice, "Likes early flights", by=helper, origin="inferred")

    with pytest.raises(OnlyThePerson):
        memories.confirm(memory_id=memory.id, by=helper, now=NOON)
    with pytest.raises(NotFound):
        memories.confirm(memory_id=proposal.id, by=helper, now=NOON)
    with pytest.raises(NotFound):
        memories.reject(memory_id=proposal.id, by=helper, now=NOON)


def test_what_was_answered_is_not_answered_twice(alice: Person, helper: Actor) -> None:
    proposal = remembered(alice, "Likes early flights", by=helper, origin="inferred")
    memories.reject(memory_id=proposal.id, by=alice.actor, now=NOON)

    with pytest.raises(WrongState):
        memories.confirm(memory_id=proposal.id, by=alice.actor, now=NOON)


def test_the_same_answer_is_taken_once(alice: Person, helper: Actor) -> None:
    yes = remembered(alice, "Likes early flights", by=helper, origin="inferred")
    no = remembered(alice, "Likes late flights", by=helper, origin="inferred")

    for _ in range(2):
        memories.confirm(memory_id=yes.id, version=yes.version, by=alice.actor, now=NOON)
        memories.reject(memory_id=no.id, by=alice.actor, now=NOON)

    assert audited(yes) == ["memory.proposed", "memory.confirmed"]
    assert audited(no) == ["memory.proposed", "memory.rejected"]


def test_an_answer_is_not_taken_as_given_when_more_than_that_happened_since(alice: Person, helper: Actor) -> None:
    memory = remembered(alice, "Likes early flights", by=helper, origin="inferred")
    memories.confirm(memory_id=memory.id, version=memory.version, by=alice.actor, now=NOON)
    memories.correct(memory_id=memory.id, statement="Likes late flights", by=alice.actor, now=NOON)
    memories.confirm(memory_id=memory.id, by=alice.actor, now=NOON)

    with pytest.raises(ChangedMeanwhile):
        memories.confirm(memory_id=memory.id, version=memory.version, by=alice.actor, now=NOON)
