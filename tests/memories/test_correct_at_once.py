"""Corrections that meet: nobody waits for a model, and of two only one is kept."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection

from memory_admin import audit
from memory_admin.indexing import embedding
from memory_admin.memories import services as memories
from memory_admin.memories.changes import ChangedMeanwhile
from memory_admin.memories.models import Memory
from memory_admin.memories.vocabulary import CorrectionReason
from memory_admin.tenancy.scope import tenant_scope
from tests.api.cast import organisation
from tests.factories import NOON, Person, person, remembered
from tests.memories.test_capture_at_once import at_once

pytestmark = pytest.mark.django_db(transaction=True)
LATER = NOON + timedelta(days=10)


@pytest.fixture
def alice() -> Person:
    return person(organisation("acme"), "alice")


def known(alice: Person, statement: str) -> Memory:
    with tenant_scope(alice.house.tenant.id):
        return remembered(alice, statement)


@pytest.mark.parametrize("reason", list(CorrectionReason))
def test_the_new_words_are_embedded_before_the_subject_is_locked(
    alice: Person, reason: CorrectionReason, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory, embed, locks = known(alice, "Prefers the aisle seat"), embedding.embed, []

    def watched(texts: Any) -> Any:
        if texts:
            with connection.cursor() as cursor:
                cursor.execute("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()")
                locks.append(cursor.fetchone()[0])
        return embed(texts)

    monkeypatch.setattr(embedding, "embed", watched)
    with tenant_scope(alice.house.tenant.id):
        memories.correct(
            memory_id=memory.id, statement="Prefers the window seat", by=alice.actor, now=LATER, reason=reason
        )

    assert locks == [0]


def test_of_two_corrections_of_one_version_one_is_told_that_it_came_late(alice: Person) -> None:
    memory = known(alice, "Prefers the aisle seat")

    def corrected_to(words: str) -> Any:
        def act(number: int) -> None:
            with tenant_scope(alice.house.tenant.id):
                memories.correct(memory_id=memory.id, statement=words, by=alice.actor, now=LATER)

        return act

    raised = at_once(corrected_to("Prefers the window seat"), corrected_to("Prefers the middle seat"), times=1)

    assert len(raised) <= 1
    assert all(isinstance(error, ChangedMeanwhile) for error in raised)
    with tenant_scope(alice.house.tenant.id):
        now = Memory.objects.get(id=memory.id)
        assert now.version == 3 - len(raised)
        assert now.revisions.filter(recorded_to=None).count() == 1
    assert audit.verify(alice.house.tenant.id).holds
