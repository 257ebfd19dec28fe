"""Writing the search table and reading what is nearest."""

from collections.abc import Iterator
from uuid import UUID

import numpy as np
import pytest
from django.db import IntegrityError, transaction
from numpy.typing import NDArray

from memory_admin.indexing.models import Entry
from memory_admin.indexing.queries import nearest
from memory_admin.indexing.services import IndexInput, fill_vectors, index
from memory_admin.tenancy.scope import tenant_scope, uuid7
from tests.api.cast import organisation
from tests.factories import NOON, Person, person


@pytest.fixture
def alice(db: None) -> Iterator[Person]:
    alice = person(organisation("acme"), "alice")
    with tenant_scope(alice.house.tenant.id):
        yield alice


def axis(number: int) -> NDArray[np.float32]:
    vector = np.zeros(384, np.float32)
    vector[number] = 1
    return vector


def entry(who: Person, at: UUID, vector: NDArray[np.float32] | None, words: str = "tea") -> IndexInput:
    return IndexInput(
        memory_id=at,
        subject_id=who.subject.id,
        kind="fact",
        valid_from=NOON,
        valid_to=None,
        expires_at=None,
        lexical_text=words,
        vector=vector,
    )


def test_the_nearest_come_first_with_their_cosine(alice: Person) -> None:
    near, far, wordless = uuid7(), uuid7(), uuid7()
    index([entry(alice, near, axis(0)), entry(alice, far, axis(1)), entry(alice, wordless, None)])

    found = nearest(subject_id=alice.subject.id, vector=axis(0), limit=5)

    assert found == [(near, 1.0), (far, 0.0)]


def test_a_vector_that_was_missing_is_filled_once(alice: Person) -> None:
    at = uuid7()
    index([entry(alice, at, None)])

    filled = [fill_vectors({at: axis(3)}), fill_vectors({at: axis(4)})]

    assert filled == [1, 0]
    assert nearest(subject_id=alice.subject.id, vector=axis(3), limit=1) == [(at, 1.0)]


def test_indexing_again_replaces_what_was_known(alice: Person) -> None:
    at = uuid7()
    index([entry(alice, at, axis(1))])
    index([entry(alice, at, axis(2))])

    assert Entry.objects.filter(memory_id=at).count() == 1
    assert nearest(subject_id=alice.subject.id, vector=axis(2), limit=1) == [(at, 1.0)]


def test_the_signs_come_with_their_embedding(alice: Person) -> None:
    at = uuid7()
    index([entry(alice, at, axis(1))])

    with pytest.raises(IntegrityError), transaction.atomic():
        Entry.objects.filter(memory_id=at).update(embedding_bits=None)


def test_the_longest_text_of_another_script_fits_the_index(alice: Person) -> None:
    words = " ".join(f"слово{number}" for number in range(600))

    index([entry(alice, uuid7(), axis(1), words)])

    assert Entry.objects.count() == 1
