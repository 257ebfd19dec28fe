"""What was not saved."""

from datetime import timedelta

from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from accounts.actors import Actor
from memory_admin.memories.models import WriteDecision
from memory_admin.memories.vocabulary import WriteResult
from memory_admin.portal.rows import refusals_of
from memory_admin.web.access import PersonRequest, signed_in
from memory_admin.web.paging import links, page_of

SHOWN_FOR = timedelta(days=30)
NOT_SAVED = (WriteResult.REFUSED, WriteResult.BLOCKED, WriteResult.POLICY_CHANGE)


def refused(by: Actor) -> QuerySet[WriteDecision]:
    """Read what was refused about this person lately, the newest first."""
    if by.subject_id is None:
        return WriteDecision.objects.none()
    return WriteDecision.objects.filter(
        subject_id=by.subject_id,
        result__in=NOT_SAVED,
        decided_at__gt=timezone.now() - SHOWN_FOR,
    ).order_by("-decided_at", "-id")


@signed_in
@require_safe
def show_refusals(request: PersonRequest) -> HttpResponse:
    """List what agents wanted to keep and were not allowed to."""
    page = page_of(refused(request.actor), request)
    rows = refusals_of(list(page), now=timezone.now())
    return render(request, "portal/not_saved.html", {"rows": rows, "page": page, **links(page, request)})
