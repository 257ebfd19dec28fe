"""Texts as vectors, from disk."""

from collections.abc import Iterator

import numpy as np
import pytest
from pytest_django.fixtures import Settings

from memory_admin.indexing import embedding
from memory_admin.indexing.embedding import ModelUnavailable, embed, embed_query


@pytest.fixture(autouse=True)
def nothing_remembered() -> Iterator[None]:
    embedding.forget_queries()
    yield
    embedding.forget_queries()


def test_texts_become_unit_vectors_in_the_order_given() -> None:
    texts = ["A much longer sentence about trains, stations and the weather in spring.", "Tea", "Window seat"]

    vectors = embed(texts)

    assert vectors.shape == (3, 384)
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert np.allclose(vectors[1], embed(["Tea"])[0], atol=1e-4)


def test_what_means_the_same_is_near() -> None:
    seat, same, other = embed(["Prefers the window seat", "Likes to sit at the window", "Is allergic to peanuts"])

    assert seat @ same > seat @ other


def test_no_texts_make_no_vectors() -> None:
    assert embed([]).shape == (0, 384)


def test_a_query_is_remembered_by_digest_and_not_by_its_text() -> None:
    first = embed_query("Where does the secret canary live?")

    assert embed_query("Where does the secret canary live?") is first
    assert "canary" not in repr(embedding._remembered.keys())


def test_a_model_that_is_not_on_disk_is_unavailable_and_is_never_fetched(settings: Settings) -> None:
    settings.EMBEDDING_MODEL = "no-such-model-anywhere"

    with pytest.raises(ModelUnavailable):
        embed(["Tea"])
