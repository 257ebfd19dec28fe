"""How well the signature of a tombstone tells paraphrases from what only sounds alike, and what it costs.

python -m benchmarks.measure_paraphrases
"""

import os
from time import perf_counter
from uuid import uuid4

import numpy as np

from tests.memories.paraphrases import OTHERS, PARAPHRASES

DRAWS = 8
BY_COSINE = 0.6
GROUPS = {"paraphrases": PARAPHRASES, "sound alike": OTHERS[:40], "unrelated": OTHERS[40:]}


def main() -> None:
    """Print what share of each group is taken as the same, under several secrets, and how long signing takes."""
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "memory_admin.settings")
    django.setup()

    from memory_admin.indexing.embedding import embed
    from memory_admin.memories.likeness import ALIKE_WITHIN, likenesses

    for name, pairs in GROUPS.items():
        sides = [embed([pair[side] for pair in pairs]) for side in (0, 1)]
        shares = []
        for _ in range(DRAWS):
            owner = {"tenant_id": uuid4(), "subject_id": uuid4()}
            one, other = (np.frombuffer(b"".join(likenesses(list(side), **owner)), np.uint8) for side in sides)
            differing = np.unpackbits((one ^ other).reshape(len(pairs), -1), axis=1).sum(axis=1)
            shares.append((differing <= ALIKE_WITHIN).mean())
        by_cosine = ((sides[0] * sides[1]).sum(axis=1) >= BY_COSINE).mean()
        print(
            f"{name:12} {np.mean(shares):.1%} ({min(shares):.1%} to {max(shares):.1%}), "
            f"by a cosine of {BY_COSINE}: {by_cosine:.1%}"
        )
    owner = {"tenant_id": uuid4(), "subject_id": uuid4()}
    vectors = list(embed([one for one, _ in PARAPHRASES]))
    likenesses(vectors, **owner)
    for count in (1, 10_000):
        many = (vectors * (count // len(vectors) + 1))[:count]
        began = perf_counter()
        likenesses(many, **owner)
        print(f"signing {count:,}: {(perf_counter() - began) * 1000:.2f} ms")


if __name__ == "__main__":
    main()
