"""Pausing and resuming many memories at once."""

from datetime import timedelta
from uuid import uuid4

import pytest

from accounts.actors import Actor
from memory_admin.audit import Action
from memory_admin.audit.models import Event
from memory_admin.audit.queries import actions_on
from memory_admin.errors import Invalid, NotFound
from memory_admin.memories import services as memories
from memory_admin.memories.models import MemoryPause
from memory_admin.memories.services.pause import OnlyForOneself
from memory_admin.memories.vocabulary import PauseTarget
from tests.factories import NOON, Person, person, remembered


def test_many_are_paused_and_resumed_each_with_its_record(alice: Person) -> None:
    first, second = (remembered(alice, f"Likes city number {number}") for number in range(2))
    memories.pause(target=PauseTarget.MEMORY, memory_id=first.id, by=alice.actor, now=NOON)

    paused = memories.pause_memories(memory_ids=[first.id, second.id], by=alice.actor, now=NOON)
    ended = memories.resume_memories(memory_ids=[first.id, second.id], by=alice.actor, now=NOON)

    assert {pause.memory_id for pause in paused} == {first.id, second.id}
    assert ended == 2
    assert not MemoryPause.objects.filter(resumed_at=None).exists()
    told = {pause.memory_id: actions_on(pause.id) for pause in paused}
    assert told[first.id] == [Action.MEMORY_PAUSED, Action.MEMORY_PAUSED, Action.MEMORY_RESUMED]
    assert told[second.id] == [Action.MEMORY_PAUSED, Action.MEMORY_RESUMED]


def test_what_is_refused_leaves_no_trace(alice: Person, relay: Actor) -> None:
    memory = remembered(alice, "Prefers the window seat")
    bob = person(alice.house, "bob")
    before = Event.objects.count()

    with pytest.raises(NotFound):
        memories.pause_memories(memory_ids=[memory.id, uuid4()], by=alice.actor, now=NOON)
    with pytest.raises(NotFound):
        memories.pause_memories(memory_ids=[memory.id], by=bob.actor, now=NOON)
    with pytest.raises(Invalid):
        memories.pause_memories(memory_ids=[memory.id], by=alice.actor, now=NOON, until=NOON - timedelta(days=1))
    for act in (memories.pause_memories, memories.resume_memories):
        with pytest.raises(OnlyForOneself):
            act(memory_ids=[memory.id], by=relay, now=NOON)

    assert Event.objects.count() == before
    assert not MemoryPause.objects.exists()
