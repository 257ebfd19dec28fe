"""The last stage of an erasure: looking for what is left, again and again until nothing is."""

from __future__ import annotations

from datetime import datetime, timedelta
from uuid import UUID

from django.db import transaction

from accounts.actors import system
from memory_admin import audit, jobs
from memory_admin.audit import Action
from memory_admin.lifecycle import verification
from memory_admin.lifecycle.models import ErasureRequest, State
from memory_admin.memories import changes

FIRST_WAIT = timedelta(seconds=30)
LONGEST_WAIT = timedelta(days=1)


@transaction.atomic
def verify(*, erasure_id: UUID, now: datetime) -> None:
    """Look for what is left of what was erased. Nothing: the erasure is complete. Something, or an error: it says so,
    and looks again after a while, longer each time.

    Done twice, it is complete once.
    """
    asked = ErasureRequest.objects.filter(id=erasure_id).first()
    if asked is None:
        return
    changes.lock_subject(asked.subject_id)
    erasure = ErasureRequest.objects.get(id=erasure_id)
    if erasure.state != State.ERASED or erasure.verified_at is not None:
        return
    erasure.looks += 1
    try:
        with transaction.atomic():
            verification.look_for(erasure)
    except verification.LeftBehind as left:
        _look_again(erasure, f"found_in_{left.way}", now=now)
    except Exception as error:  # whatever a store may raise: the stage has failed, the erasure stands
        _look_again(erasure, type(error).__name__, now=now)
    else:
        erasure.verified_at, erasure.trouble, erasure.next_look_at = now, "", None
        audit.record(
            action=Action.ERASURE_VERIFIED,
            by=system("erasure", tenant_id=erasure.tenant_id),
            target=("erasure", erasure.id),
            at=now,
            payload={"ways": len(verification.WAYS), "looks": erasure.looks},
        )
    erasure.save(update_fields=["looks", "verified_at", "trouble", "next_look_at"])


def _look_again(erasure: ErasureRequest, trouble: str, *, now: datetime) -> None:
    wait = min(FIRST_WAIT * 2 ** min(erasure.looks - 1, 16), LONGEST_WAIT)
    erasure.trouble, erasure.next_look_at = trouble, now + wait
    jobs.after_commit(jobs.VERIFY_ERASURE, object_id=erasure.id, epoch=erasure.looks, at=erasure.next_look_at)
