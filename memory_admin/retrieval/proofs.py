"""Showing that what the log says of a read is what was sealed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from uuid import UUID

from memory_admin.audit import merkle
from memory_admin.audit.models import Event
from memory_admin.audit.queries import told_of
from memory_admin.retrieval.models import Retrieval, RetrievalCandidate, Seal
from memory_admin.retrieval.sealing import OF_A_CANDIDATE, OF_AN_ANSWER, body_of, leaf_of


@dataclass(frozen=True, slots=True)
class UseProof:
    """That one use was sealed: its row and salt, the way to the root, and the event that names the root.

    `holds` tells whether the way leads there now: it does not when the row was changed since.
    """

    body: bytes
    salt: bytes
    path: Sequence[merkle.Step]
    root: bytes
    leaves: int
    event: Event
    holds: bool


@dataclass(frozen=True, slots=True)
class Sealing:
    """What the check of all seals of a tenant found.

    `gone` counts what was sealed and is no longer there, as after an erasure; `bad` names seals that are not what their
    event says, and `edited` the answers with a row that was changed since.
    """

    seals: int
    rows: int
    gone: int
    bad: tuple[UUID, ...]
    edited: tuple[UUID, ...]

    @property
    def holds(self) -> bool:
        return not self.bad and not self.edited


def proof_of_use(candidate_id: UUID) -> UseProof | None:
    """Prove one weighing of a memory; None while it is not sealed. Ask first whether the reader may see the memory."""
    found = RetrievalCandidate.objects.filter(id=candidate_id)
    row = found.values(*OF_A_CANDIDATE, "salt", "retrieval__sealed_in").first()
    seal = Seal.objects.filter(id=row.pop("retrieval__sealed_in")).first() if row else None
    if row is None or seal is None:
        return None
    leaf, leaves = leaf_of(row), seal.every_leaf()
    path = merkle.path_of(leaves, leaves.index(leaf)) if leaf in leaves else []
    event = Event.objects.get(seq=seal.audit_seq)
    return UseProof(
        body=body_of(row),
        salt=row["salt"].bytes,
        path=path,
        root=bytes(seal.root),
        leaves=len(leaves),
        event=event,
        holds=leaf in leaves and merkle.climb(leaf, path) == bytes(seal.root) == sealed_root(event),
    )


def sealed_root(event: Event) -> bytes | None:
    """Read the root that an event names; None when it names none."""
    seals = told_of(event).get("seals")
    root = seals.get("root") if isinstance(seals, dict) else None
    try:
        return bytes.fromhex(root) if isinstance(root, str) else None
    except ValueError:
        return None


def check_seals() -> Sealing:
    """Check every seal of the open tenant against its event, and every row of the log against its seal."""
    seals = rows = gone = 0
    bad: list[UUID] = []
    edited: list[UUID] = []
    for seal in Seal.objects.order_by("id").iterator(chunk_size=50):
        leaves = set(seal.every_leaf())
        event = Event.objects.filter(seq=seal.audit_seq).first()
        if event is None or not merkle.root_of(seal.every_leaf()) == bytes(seal.root) == sealed_root(event):
            bad.append(seal.id)
        still = list(_rows_of(seal))
        edited += (answer for answer, leaf in still if leaf not in leaves)
        seals, rows, gone = seals + 1, rows + len(still), gone + max(0, len(leaves) - len(still))
    return Sealing(seals, rows, gone, tuple(bad), tuple(dict.fromkeys(edited)))


def _rows_of(seal: Seal) -> Iterator[tuple[UUID, bytes]]:
    """Give the answer and the leaf of each row that is still there."""
    answers = Retrieval.objects.filter(sealed_in=seal.id)
    for row in answers.values(*OF_AN_ANSWER, "salt"):
        yield row["id"], leaf_of(row)
    for row in RetrievalCandidate.objects.filter(retrieval_id__in=answers.values("id")).values(*OF_A_CANDIDATE, "salt"):
        yield row["retrieval_id"], leaf_of(row)
