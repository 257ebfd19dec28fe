"""Removing refused texts when the days are over for which their subject may see them."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from memory_admin.memories.models import RefusalReview, WriteDecision


@transaction.atomic
def purge_sealed_texts(*, now: datetime) -> int:
    """Remove the refused texts of the open tenant whose time is over; tell how many.

    What somebody is to look at again is kept until they have answered.
    """
    over = WriteDecision.objects.filter(sealed_text__isnull=False, sealed_until__lte=now)
    over = over.exclude(id__in=RefusalReview.objects.filter(closed_at=None).values("decision_id"))
    return over.update(sealed_text=None, sealed_digest=None)
