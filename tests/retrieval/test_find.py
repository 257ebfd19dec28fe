"""The candidate query against a plain computation over the same entries."""

import math
from collections import Counter
from datetime import timedelta
from uuid import UUID

import numpy as np
import pytest
from numpy.typing import NDArray

from memory_admin.indexing.lexemes import lexemes
from memory_admin.indexing.services import IndexInput, index, remove
from memory_admin.retrieval.candidates import Filters, Found, Question, find
from memory_admin.tenancy.scope import uuid7
from tests.factories import NOON, Person

WORDS = "river stone garden violin winter train coffee harbour lantern meadow orchard saddle".split()  # noqa: SIM905
Vector = NDArray[np.float32]
RANDOM = np.random.default_rng(11)


def unit(size: int, *, near: Vector | None = None) -> Vector:
    """Draw unit vectors, around one if it is given."""
    vectors = RANDOM.normal(size=(size, 384)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    if near is not None:
        vectors = near + vectors
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors


@pytest.fixture
def entries(alice: Person) -> dict[UUID, tuple[Vector, str]]:
    # Around twenty centres, as texts lie around topics.
    centres = [unit(20, near=centre) for centre in unit(20)]
    texts = [" ".join(RANDOM.choice(WORDS, size=5)) for _ in range(400)]
    made = {uuid7(): pair for pair in zip(np.concatenate(centres), texts, strict=True)}
    index([entry(alice, at, text, vector) for at, (vector, text) in made.items()])
    return made


def entry(who: Person, at: UUID, text: str, vector: Vector | None, kind: str = "fact") -> IndexInput:
    return IndexInput(
        memory_id=at,
        subject_id=who.subject.id,
        kind=kind,
        valid_from=NOON - timedelta(days=1),
        valid_to=None,
        expires_at=None,
        lexical_text=text,
        vector=vector,
    )


def found(who: Person, question: Question, *, nearest: int = 50, richest: int = 50, **filters: object) -> list[Found]:
    given = Filters(**{"at": NOON, **filters})  # type: ignore[arg-type]
    return find(subject_id=who.subject.id, question=question, filters=given, nearest=nearest, richest=richest)


def test_the_true_nearest_are_among_the_candidates(alice: Person, entries: dict[UUID, tuple[Vector, str]]) -> None:
    hits = 0
    asked = [unit(1, near=vector)[0] for vector, _ in list(entries.values())[::20]]
    for vector in asked:
        got = {one.memory_id for one in found(alice, Question(vector, ()), nearest=150)}
        true = sorted(entries, key=lambda at: -float(entries[at][0] @ vector))[:10]
        hits += len(got & set(true))

    assert hits / 200 >= 0.99


def test_cosine_and_share_of_words_are_those_of_a_plain_computation(
    alice: Person, entries: dict[UUID, tuple[Vector, str]]
) -> None:
    vector = unit(1)[0]
    question = Question.of("violin and harbour in winter, unheard", vector)

    got = found(alice, question)

    held = {at: set(lexemes(text)) for at, (_, text) in entries.items()}
    counts = Counter(word for words in held.values() for word in words)
    weights = {word: math.log(1 + (400 - counts[word] + 0.5) / (counts[word] + 0.5)) for word in question.words}
    share = {at: sum(weights[word] for word in question.words if word in words) for at, words in held.items()}
    for one in got:
        assert one.similarity == pytest.approx(float(entries[one.memory_id][0] @ vector), abs=2e-3)
        assert one.keyword == pytest.approx(share[one.memory_id] / sum(weights.values()), abs=1e-6)
    best = sorted(share.values(), reverse=True)[:20]
    assert sorted((share[one.memory_id] for one in got), reverse=True)[:20] == pytest.approx(best)


def test_as_many_come_as_there_are_however_few(alice: Person, entries: dict[UUID, tuple[Vector, str]]) -> None:
    some = list(entries)[:5]
    others = [at for at in entries if at not in some]

    got = found(alice, Question.of("violin", unit(1)[0]), excluded=others)

    assert {one.memory_id for one in got} == set(some)


def test_kinds_validity_and_expiry_are_hard_filters(alice: Person) -> None:
    now, later, before = NOON, NOON + timedelta(days=1), NOON - timedelta(days=1)
    ids = [uuid7() for _ in range(5)]
    given = [entry(alice, at, "violin", unit(1)[0]) for at in ids]
    changes: list[dict[str, object]] = [
        {"kind": "preference"},
        {"valid_from": later},
        {"valid_to": now},
        {"expires_at": now},
        {"valid_from": before, "valid_to": later, "expires_at": later},
    ]
    fields = [{name: getattr(one, name) for name in IndexInput.__slots__} for one in given]
    index([IndexInput(**{**one, **change}) for one, change in zip(fields, changes, strict=True)])

    got = found(alice, Question.of("violin", unit(1)[0]), kinds=["fact"])

    assert [one.memory_id for one in got] == [ids[4]]


def test_an_entry_without_a_vector_is_found_by_its_words(alice: Person) -> None:
    at = uuid7()
    index([entry(alice, at, "violin", None), entry(alice, uuid7(), "coffee", unit(1)[0])])

    got = {one.memory_id: one for one in found(alice, Question.of("violin", unit(1)[0]))}

    assert (got[at].similarity, got[at].keyword) == (0.0, 1.0)


def test_words_beyond_the_first_twenty_four_count_as_well(alice: Person) -> None:
    at = uuid7()
    index([entry(alice, at, "violin", None)])
    many = " ".join(f"word{number}" for number in range(30))

    [only] = found(alice, Question.of(f"{many} violin", None))

    assert only.memory_id == at
    assert only.keyword > 0


def test_a_changed_memory_is_found_as_it_now_is_and_a_removed_one_not_at_all(alice: Person) -> None:
    at = uuid7()
    index([entry(alice, at, "violin", None)])
    index([entry(alice, at, "harbour", None)])

    assert found(alice, Question.of("violin", None)) == []
    assert [one.memory_id for one in found(alice, Question.of("harbour", None))] == [at]

    remove([at])
    assert found(alice, Question.of("harbour", None)) == []
