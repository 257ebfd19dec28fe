"""A retention policy that takes effect moves the ends of what is stored, and never past what somebody asked for."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from accounts import services as accounts
from accounts.actors import Actor
from memory_admin.indexing.models import Entry
from memory_admin.memories import services as memories
from memory_admin.memories.models import Memory
from policies.baseline import RETENTION
from policies.digests import sha256_of
from policies.documents import RetentionPolicy, TimeToLive
from policies.models import EffectiveWindow, PolicyFamily, PolicyVersion, scope_name
from tests.factories import NOON, Person, remembered

DAY = timedelta(days=1)


def kept(days: int | None) -> RetentionPolicy:
    """Say that everything said about preferences is kept for so many days."""
    ends = TimeToLive(stated=days, observed=days, inferred=days, verified_outcome=days, imported=days)
    return RETENTION.model_copy(update={"days": RETENTION.days.model_copy(update={"preference": ends})})


def decides(document: RetentionPolicy, *, agent_id: Any = None) -> None:
    """Put a retention policy in force from noon on, in place of the one before."""
    family = PolicyFamily.objects.get(key="retention")
    scope = scope_name(agent_id=agent_id)
    EffectiveWindow.objects.filter(family_id=family.id, scope=scope).delete()
    content = document.model_dump(mode="json")
    version = PolicyVersion.objects.create(
        family=family,
        number=PolicyVersion.objects.filter(family_id=family.id).count() + 1,
        content=content,
        content_sha256=sha256_of(content),
        state="approved",
        created_by="system:test",
        created_at=NOON,
        approved_by="system:test",
        approved_at=NOON,
    )
    activation = version.activations.create(
        agent_id=agent_id, effective_from=NOON, state="effective", activation_sha256="0" * 64
    )
    EffectiveWindow.objects.create(family=family, activation=activation, scope=scope, effective=(NOON - DAY, None))


def end(memory: Memory) -> Any:
    held = Memory.objects.get(id=memory.id)
    entry = Entry.objects.filter(memory_id=memory.id).first()
    assert entry is None or entry.expires_at == held.expires_at
    return held.expires_at


def test_a_shorter_life_counts_from_when_it_was_recorded(alice: Person) -> None:
    memory = remembered(alice, "Prefers tea", now=NOON - 10 * DAY)
    decides(kept(30))

    assert memories.apply_retention(now=NOON) == 1
    assert end(memory) == NOON + 20 * DAY
    assert memories.apply_retention(now=NOON) == 0, "twice is once"


def test_a_longer_life_never_passes_what_somebody_asked_for(alice: Person) -> None:
    asked = remembered(alice, "Is in Lisbon", expires_at=NOON + 3 * DAY)
    other = remembered(alice, "Prefers tea")
    decides(kept(2))
    memories.apply_retention(now=NOON)
    decides(kept(None))
    memories.apply_retention(now=NOON)

    assert (end(asked), end(other)) == (NOON + 3 * DAY, None)


def test_what_is_past_its_time_stays_so(alice: Person) -> None:
    memory = remembered(alice, "Prefers tea", now=NOON - 10 * DAY)
    decides(kept(5))
    memories.apply_retention(now=NOON)
    decides(kept(100))
    memories.apply_retention(now=NOON)

    assert end(memory) == NOON - 5 * DAY


def test_an_agent_with_a_policy_of_its_own_keeps_to_that(alice: Person, relay: Actor) -> None:
    other = accounts.create_agent(name="other", by=alice.house.by, now=NOON)
    of_relay = remembered(alice, "Prefers tea", by=relay)
    of_other = remembered(alice, "Prefers rye bread", by=replace(relay, agent_id=other.id))
    decides(kept(7), agent_id=relay.agent_id)
    memories.apply_retention(now=NOON)

    assert end(of_relay) == NOON + 7 * DAY
    assert end(of_other) is None


@pytest.mark.parametrize(("days", "counts"), [(5, (1, 2, 0)), (30, (0, 2, 0)), (None, (0, 0, 0))])
def test_what_it_would_change_is_counted_before(
    alice: Person, days: int | None, counts: tuple[int, ...], django_assert_num_queries: Any
) -> None:
    old = remembered(alice, "Prefers tea", now=NOON - 10 * DAY)
    new = remembered(alice, "Prefers rye bread")
    with django_assert_num_queries(2):
        effect = memories.foresee_retention(kept(days), region=None, agent_id=None, now=NOON)

    assert (effect.ends_now, effect.shortened, effect.lengthened) == counts
    assert (end(old), end(new)) == (None, None)
