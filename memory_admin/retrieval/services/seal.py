"""Sealing the log: reads are too many for an event each, so one event stands for a batch of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction

from accounts.actors import system
from memory_admin import audit, jobs
from memory_admin.audit import Action, merkle
from memory_admin.audit.chain import Sealed
from memory_admin.retrieval.models import Retrieval, RetrievalCandidate, Seal
from memory_admin.retrieval.sealing import OF_A_CANDIDATE, OF_AN_ANSWER, leaf_of
from memory_admin.tenancy.scope import required_tenant, uuid7

ANSWERS_AT_ONCE = 200
"""The answers of one seal: with all their candidates some thousand leaves, which are hashed within a second."""


@transaction.atomic
def seal_reads(*, now: datetime) -> Seal | None:
    """Seal the oldest answers that are not sealed yet, and queue the next batch if there are more.

    :return: the seal, if there was something to seal
    """
    waiting = Retrieval.objects.filter(sealed_in=None).order_by("created_at", "id")
    rows = list(waiting.values(*OF_AN_ANSWER, "salt")[:ANSWERS_AT_ONCE])
    leaves = _leaves_of(rows)
    # The trail first and rows only if they are free: an erasure may hold them and wait for the trail.
    audit.hold()
    free = waiting.select_for_update(skip_locked=True, no_key=True).filter(id__in=list(leaves))
    ids = list(free.values_list("id", flat=True))
    if not ids:
        return None
    times = [row["created_at"] for row in rows if row["id"] in set(ids)]
    seal = _seal(ids, [leaf for at in ids for leaf in leaves[at]], first=min(times), last=max(times), now=now)
    if len(rows) == ANSWERS_AT_ONCE:
        jobs.after_commit(jobs.SEAL_READS, object_id=required_tenant())
    return seal


def _leaves_of(rows: Iterable[dict[str, Any]]) -> dict[UUID, list[bytes]]:
    """Compute the leaves of answers: each has its own and, behind it, those of its candidates."""
    leaves: dict[UUID, list[bytes]] = defaultdict(list)
    for row in rows:
        leaves[row["id"]].append(leaf_of(row))
    candidates = RetrievalCandidate.objects.filter(retrieval_id__in=list(leaves)).order_by("id")
    for row in candidates.values(*OF_A_CANDIDATE, "salt"):
        leaves[row["retrieval_id"]].append(leaf_of(row))
    return leaves


def _seal(ids: list[UUID], leaves: list[bytes], *, first: datetime, last: datetime, now: datetime) -> Seal:
    root = merkle.root_of(leaves)
    seal_id = uuid7()
    Retrieval.objects.filter(id__in=ids).update(sealed_in=seal_id)
    seq = audit.record(
        action=Action.READS_SEALED,
        by=system("retrieval_log", tenant_id=required_tenant()),
        target=("seal", seal_id),
        at=now,
        seals=Sealed(root=root, leaves=len(leaves), answers=len(ids), first=first, last=last),
    )
    return Seal.objects.create(
        id=seal_id, root=root, leaves=b"".join(leaves), audit_seq=seq, answers=len(ids), sealed_at=now
    )
