"""What a vector is like, without the vector: a keyed signature by which a paraphrase of erased words is recognised.

The signs of the vector under a secret random projection of the tenant (Charikar 2002) are cut into bands, and each band
is replaced by a byte of an HMAC under a secret of the subject. Two signatures of one subject agree in as many bands as
their vectors are alike; nothing else can be read from them, and those of two subjects have nothing in common.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Sequence
from functools import lru_cache
from typing import Final
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from memory_admin.indexing.embedding import DIMENSIONS, model_name
from memory_admin.memories.digests import tenant_key

SIGNS: Final = 1024
BAND: Final = 4
"""How many signs make a band: half a byte."""

BANDS: Final = SIGNS // BAND
BITS: Final = 8 * BANDS
"""Length of a signature in bits: a byte for each band."""

ALIKE_WITHIN: Final = 766
"""In how many bits the signatures of two statements differ at most that are taken as the same thing said differently.

A differing band differs in four bits on average. That is about a cosine of 0.6: `docs/adr/0017` has the measurements.
"""


def likenesses(vectors: Sequence[NDArray[np.float32]], *, tenant_id: UUID, subject_id: UUID) -> list[bytes]:
    """Sign unit vectors of what is said about a subject: 256 bytes each, comparable under one model only."""
    if not len(vectors):
        return []
    key, model = tenant_key(tenant_id), model_name()
    signs = np.stack(vectors).astype(np.float32) @ _projection(key, model) > 0
    pairs = np.packbits(signs, axis=1)  # of bands: the upper and the lower half of each byte
    bands = np.stack([pairs >> BAND, pairs & (2**BAND - 1)], axis=2).reshape(len(vectors), BANDS)
    signed: NDArray[np.uint8] = _bytes_of_bands(key, model, subject_id)[np.arange(BANDS), bands]
    return [row.tobytes() for row in signed]


@lru_cache(maxsize=32)
def _projection(key: bytes, model: str) -> NDArray[np.float32]:
    """Give the secret directions of a tenant, each made of plus and minus one (Achlioptas 2003)."""
    seed = hmac.digest(key, f"projection\x1f{model}".encode(), "sha256")
    bits = np.unpackbits(np.frombuffer(hashlib.shake_256(seed).digest(DIMENSIONS * SIGNS // 8), np.uint8))
    return np.where(bits, np.float32(1), np.float32(-1)).reshape(DIMENSIONS, SIGNS)


@lru_cache(maxsize=1024)
def _bytes_of_bands(key: bytes, model: str, subject_id: UUID) -> NDArray[np.uint8]:
    """Give the byte that stands for each content of each band: of one HMAC for each band, a byte for each content."""
    rows = [
        hmac.digest(key, f"band\x1f{model}\x1f{subject_id}\x1f{band}".encode(), "sha256")[: 2**BAND]
        for band in range(BANDS)
    ]
    return np.frombuffer(b"".join(rows), np.uint8).reshape(BANDS, 2**BAND)
