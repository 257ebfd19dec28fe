"""Replacing one memory by a newer statement, named by the caller."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from uuid import UUID

from django.db import transaction

from accounts.actors import Actor
from memory_admin.memories import changes
from memory_admin.memories.claims import Claim, Prepared, screen_claim
from memory_admin.memories.deciding import Outcome
from memory_admin.memories.models import Memory
from memory_admin.memories.services.capture import capture, prepare
from memory_admin.memories.vocabulary import Status


@transaction.atomic
def supersede(
    *, memory_id: UUID, claim: Claim | Prepared, by: Actor, now: datetime, version: int | None = None
) -> Outcome:
    """Write a newer statement about the same subject that ends the validity of this one.

    Where the writer ranks below whoever stands behind the old one, the new one waits as a proposal.

    :raises NotFound: it does not exist for this actor
    :raises ChangedMeanwhile: it has another version by now
    :raises WrongState: it holds no more
    """
    memory = changes.locked(memory_id, by=by, version=version)
    if memory.status != Status.ACTIVE:
        raise changes.WrongState(details={"status": memory.status})
    ready = claim if isinstance(claim, Prepared) else prepare([claim], by=by)[0]
    return capture(claim=_replacing(memory, ready), by=by, now=now)


def _replacing(memory: Memory, ready: Prepared) -> Prepared:
    """Let a claim name what it replaces; its words stay, and so does their vector."""
    names = {"subject_ref": memory.subject.ref, "supersedes": memory.id}
    if ready.claim.key is None and memory.key is not None:
        claim = replace(ready.claim, key=memory.key, **names)
        return replace(ready, claim=claim, screened=screen_claim(claim))  # a key may say what a value is
    redacted = replace(ready.screened.redacted, **names)
    return replace(ready, claim=replace(ready.claim, **names), screened=replace(ready.screened, redacted=redacted))
