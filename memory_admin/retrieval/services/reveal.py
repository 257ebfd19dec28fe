"""Showing the words of an answered question to somebody who may read them: never without a record."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import models, transaction

from accounts.actors import Actor
from accounts.vocabulary import Role
from memory_admin import audit
from memory_admin.errors import NotAllowed
from memory_admin.memories.models import MemoryRevision
from memory_admin.memories.queries import visible_to
from memory_admin.retrieval import queries
from policies.queries import in_force


class ViewReason(models.TextChoices):
    """Why somebody looks at the content of other people's memories."""

    REQUEST = "request"
    COMPLAINT = "complaint"
    INCIDENT = "incident"
    FAULT = "fault"


@dataclass(frozen=True, slots=True)
class Revealed:
    """What was asked, while it is kept, and what each memory said in the version that was weighed."""

    query: str | None
    statements: Mapping[UUID, str]


def may_reveal(by: Actor, *, now: datetime) -> bool:
    """Tell whether the actor may read the words: a privacy officer, unless the access policy closes it."""
    is_officer = by.kind == "staff" and Role.PRIVACY_OFFICER in by.roles
    return is_officer and in_force(now).access.document.staff.privacy_officer == "content"


@transaction.atomic
def reveal(*, retrieval_id: UUID, reason: ViewReason, by: Actor, now: datetime) -> Revealed:
    """Read the words of one answered question, and record for each subject who looked and why.

    :raises NotFound: there is no such question
    :raises NotAllowed: the actor is not a privacy officer, or the access policy in force closes texts to them
    """
    if not may_reveal(by, now=now):
        raise NotAllowed
    retrieval, candidates = queries.one(retrieval_id, by=by)
    seen = visible_to(by).filter(id__in=[one.memory_id for one in candidates]).values("id")
    versions = MemoryRevision.objects.filter(memory_id__in=seen).values_list("memory_id", "version", "statement")
    said = {(memory_id, version): statement for memory_id, version, statement in versions}
    found = {
        one.memory_id: said[one.memory_id, one.memory_version]
        for one in candidates
        if (one.memory_id, one.memory_version) in said
    }
    counted = Counter(one.subject_id for one in candidates if one.memory_id in found)
    audit.record_many(
        [
            audit.Entry(
                action=audit.Action.CONTENT_VIEWED,
                by=by,
                target=("subject", subject_id),
                at=now,
                payload={
                    "retrieval": str(retrieval_id),
                    "memories": counted[subject_id],
                    "reason": str(reason),
                    "role": str(Role.PRIVACY_OFFICER),
                },
            )
            for subject_id in retrieval.subject_ids
        ]
    )
    return Revealed(retrieval.query_text, found)
