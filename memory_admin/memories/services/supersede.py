"""Replacing one memory by a newer statement, named by the caller."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from uuid import UUID

from django.db import transaction

from accounts.actors import Actor
from memory_admin.memories import changes
from memory_admin.memories.claims import Claim
from memory_admin.memories.deciding import Outcome
from memory_admin.memories.services.capture import capture
from memory_admin.memories.vocabulary import Status


@transaction.atomic
def supersede(*, memory_id: UUID, claim: Claim, by: Actor, now: datetime, version: int | None = None) -> Outcome:
    """Write a newer statement about the same subject that ends the validity of this one.

    Where the writer ranks below whoever stands behind the old one, the new one waits as a proposal.

    :raises NotFound: it does not exist for this actor
    :raises ChangedMeanwhile: it has another version by now
    :raises WrongState: it holds no more
    """
    memory = changes.locked(memory_id, by=by, version=version)
    if memory.status != Status.ACTIVE:
        raise changes.WrongState(details={"status": memory.status})
    return capture(
        claim=replace(claim, subject_ref=memory.subject.ref, supersedes=memory.id, key=claim.key or memory.key),
        by=by,
        now=now,
    )
