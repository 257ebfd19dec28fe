"""Letting agents learn again what was kept out."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from django.db import transaction

from accounts.actors import Actor
from memory_admin import audit
from memory_admin.audit import Action
from memory_admin.errors import NotAllowed, NotFound
from memory_admin.memories import changes
from memory_admin.memories.models import Tombstone


class OnlyTheirOwnWord(NotAllowed):
    """What a person had removed comes back by their own word alone."""

    code = "only_their_own_word"
    sentence = "Only the person it is about can allow this again."


@transaction.atomic
def allow_again(*, tombstone_id: UUID, by: Actor, now: datetime) -> int:
    """Lift a tombstone, and with it all that were set at the same time; tell how many.

    One removal sets one for each wording and each source. Any of them left would still keep the thing out.

    :raises OnlyTheirOwnWord: the actor is not a person about themselves
    :raises NotFound: there is no such tombstone of theirs, or it is lifted already
    """
    if not by.is_person or by.subject_id is None:
        raise OnlyTheirOwnWord
    changes.lock_subject(by.subject_id)
    standing = Tombstone.objects.filter(subject_id=by.subject_id, lifted_at=None)
    set_at = standing.filter(id=tombstone_id).values_list("created_at", flat=True).first()
    if set_at is None:
        raise NotFound
    lifted = standing.filter(created_at=set_at).update(lifted_at=now)
    audit.record(
        action=Action.MEMORY_ALLOWED_AGAIN,
        by=by,
        target=("tombstone", tombstone_id),
        at=now,
        payload={"tombstones": lifted},
    )
    return lifted
