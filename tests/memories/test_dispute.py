"""Disputing, pausing and archiving: taking a memory out of use."""

from datetime import timedelta
from typing import Any

import pytest

from accounts.actors import Actor
from memory_admin.errors import Invalid, NotFound
from memory_admin.indexing.models import Entry
from memory_admin.memories import services as memories
from memory_admin.memories.models import Memory, MemoryPause
from memory_admin.memories.services.dispute import AlreadyDisputed, NotYoursToDispute, WordsHoldASecret
from memory_admin.memories.services.pause import OnlyForOneself
from memory_admin.memories.vocabulary import DisputeReason, PauseTarget
from tests.factories import NOON, Person, audited, claim, person, remembered


def test_a_disputed_memory_leaves_search_and_gets_a_due_date(alice: Person) -> None:
    memory = remembered(alice, "Prefers the window seat")

    opened = memories.dispute(memory_id=memory.id, by=alice.actor, reason=DisputeReason.WRONG, now=NOON)

    assert Memory.objects.get(id=memory.id).status == "disputed"
    assert opened.due_at == NOON + timedelta(days=30)
    assert not Entry.objects.exists()
    assert audited(memory) == ["memory.stored", "memory.disputed"]


def test_a_disputed_memory_is_not_disputed_again(alice: Person) -> None:
    memory = remembered(alice, "Prefers the window seat")
    memories.dispute(memory_id=memory.id, by=alice.actor, reason=DisputeReason.WRONG, now=NOON)

    with pytest.raises(AlreadyDisputed):
        memories.dispute(memory_id=memory.id, by=alice.actor, reason=DisputeReason.WRONG, now=NOON)


def test_a_secret_in_the_words_of_a_dispute_is_refused_and_personal_data_replaced(alice: Person) -> None:
    memory = remembered(alice, "Prefers the window seat")
    terms: dict[str, Any] = {"memory_id": memory.id, "by": alice.actor, "reason": DisputeReason.WRONG, "now": NOON}

    with pytest.raises(WordsHoldASecret):
        memories.dispute(words="My password is hunter2zebra", **terms)
    opened = memories.dispute(words="Wrong. Write to mia@example.org", **terms)

    assert opened.words == "Wrong. Write to [e-mail address]"


def test_an_agent_cannot_take_out_of_use_what_the_person_stands_behind(alice: Person, helper: Actor) -> None:
    memory = remembered(alice, "Prefers the window seat")

    with pytest.raises(NotYoursToDispute):
        memories.dispute(memory_id=memory.id, by=helper, reason=DisputeReason.WRONG, now=NOON)

    assert Memory.objects.get(id=memory.id).status == "active"


def test_a_stranger_cannot_tell_that_the_memory_exists(alice: Person) -> None:
    memory = remembered(alice, "Prefers the window seat")
    bob = person(alice.house, "bob")

    with pytest.raises(NotFound):
        memories.dispute(memory_id=memory.id, by=bob.actor, reason=DisputeReason.WRONG, now=NOON)


def test_confirming_closes_the_dispute_and_brings_the_memory_back(alice: Person) -> None:
    memory = remembered(alice, "Prefers the window seat")
    memories.dispute(memory_id=memory.id, by=alice.actor, reason=DisputeReason.OTHER, now=NOON)

    memories.confirm(memory_id=memory.id, by=alice.actor, now=NOON)

    assert Memory.objects.get(id=memory.id).status == "active"
    assert memory.disputes.get().result == "withdrawn"


def test_a_pause_of_everything_stops_agents_from_saving_and_not_the_person(alice: Person, relay: Actor) -> None:
    memories.pause(target=PauseTarget.ALL, by=alice.actor, now=NOON)

    refused = memories.capture(claim=claim(alice.subject, "Likes tea"), by=relay, now=NOON)
    mine = memories.capture(claim=claim(alice.subject, "Likes tea"), by=alice.actor, now=NOON)

    assert (refused.result, mine.result) == ("refused", "stored")


def test_a_pause_ends_by_itself_or_when_it_is_resumed(alice: Person, relay: Actor) -> None:
    until = NOON + timedelta(hours=1)
    memories.pause(target=PauseTarget.ALL, by=alice.actor, now=NOON, until=until)
    paused = memories.pause(target=PauseTarget.AGENT, agent_id=relay.agent_id, by=alice.actor, now=NOON)

    memories.resume(pause_id=paused.id, by=alice.actor, now=NOON)

    later = memories.capture(claim=claim(alice.subject, "Likes tea"), by=relay, now=until)
    assert later.result == "stored"


def test_a_pause_names_exactly_its_target_and_is_the_persons_own(alice: Person, helper: Actor) -> None:
    with pytest.raises(Invalid):
        memories.pause(target=PauseTarget.CATEGORY, by=alice.actor, now=NOON)
    with pytest.raises(Invalid):
        memories.pause(target=PauseTarget.ALL, by=alice.actor, now=NOON, until=NOON)
    with pytest.raises(OnlyForOneself):
        memories.pause(target=PauseTarget.ALL, by=helper, now=NOON)

    assert not MemoryPause.objects.exists()


def test_an_archived_memory_rests_until_its_subject_brings_it_back(alice: Person) -> None:
    memory = remembered(alice, "Prefers the window seat")

    memories.archive(memory_id=memory.id, by=alice.actor, now=NOON)
    assert not Entry.objects.exists()

    memories.restore(memory_id=memory.id, by=alice.actor, now=NOON)
    assert Entry.objects.count() == 1
    memories.restore(memory_id=memory.id, by=alice.actor, now=NOON)  # once more, as from a second window
    assert audited(memory) == ["memory.stored", "memory.archived", "memory.resumed"]
