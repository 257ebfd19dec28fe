"""What was not saved, and asking somebody to look at it again."""

from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from memory_admin.memories.queries import decision as decision_about
from memory_admin.memories.services.dispute import ANSWER_WITHIN, WordsHoldASecret
from memory_admin.portal.forms import ReviewForm
from memory_admin.portal.frame import show
from memory_admin.portal.queries import refused, request_of, review_of
from memory_admin.portal.rows import refusals_of
from memory_admin.reviews import services as reviews
from memory_admin.reviews.services.refusals import NothingToRead
from memory_admin.web.access import PersonRequest, signed_in
from memory_admin.web.paging import links, page_of


@signed_in
@require_safe
def show_refusals(request: PersonRequest) -> HttpResponse:
    """List what agents wanted to keep and were not allowed to."""
    page = page_of(refused(request.actor), request)
    rows = refusals_of(list(page), now=timezone.now())
    return show(request, "portal/not_saved.html", {"rows": rows, "page": page, **links(page, request)})


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def ask_for_review(request: PersonRequest, decision_id: UUID) -> HttpResponse:
    """Ask that somebody looks at a refusal again; one that was asked for before leads to its request."""
    decision, now = decision_about(decision_id, by=request.actor), timezone.now()
    if (asked := review_of(decision.id)) is not None:
        return redirect("portal:request", request_of(asked.id, by=request.actor).id)
    (row,) = refusals_of([decision], now=now)
    if not row.may_ask:
        raise NothingToRead
    form = ReviewForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            opened = reviews.ask_for_review(
                decision_id=decision.id, words=form.cleaned_data["words"], by=request.actor, now=now
            )
        except WordsHoldASecret as error:
            form.add_error("words", error.said)
        else:
            return redirect("portal:request", request_of(opened.id, by=request.actor).id)
    page = {"form": form, "row": row, "decision": decision, "answer_by": now + ANSWER_WITHIN}
    return show(request, "portal/ask_for_review.html", page, status=422 if form.errors else 200)
