"""My requests: everything the person asked for, with a number, how it stands, and the answer."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from accounts.queries import privacy_officers
from memory_admin.errors import NotFound
from memory_admin.memories import services as memories
from memory_admin.memories.models import DataRequest
from memory_admin.memories.services.dispute import WordsHoldASecret
from memory_admin.memories.vocabulary import DisputeResult, Status
from memory_admin.portal import queries
from memory_admin.portal.forms import StatementForm
from memory_admin.portal.frame import show
from memory_admin.portal.standing import standings_of
from memory_admin.web.access import PersonRequest, signed_in
from memory_admin.web.paging import links, page_of


@signed_in
@require_safe
def show_requests(request: PersonRequest) -> HttpResponse:
    """List the person's requests, the newest first."""
    page = page_of(queries.requests(request.actor), request)
    rows = standings_of(list(page), now=timezone.now())
    shown = {"rows": rows, "page": page, "wishes": queries.wishes(request.actor), **links(page, request)}
    return show(request, "portal/requests.html", shown)


@signed_in
@require_safe
def show_request(request: PersonRequest, request_id: UUID) -> HttpResponse:
    """Show one request, or the page that tells more of it: of a deletion its receipt."""
    return _page(request, _own(request, request_id))


@signed_in
@require_POST
def state(request: PersonRequest, request_id: UUID) -> HttpResponse:
    """Put a statement of the person's own beside a memory that stays as it is."""
    asked = _own(request, request_id)
    form = StatementForm(request.POST)
    if not form.is_valid():
        return _page(request, asked, form)
    said = form.cleaned_data["statement"]
    try:
        memories.state(dispute_id=asked.object_id, statement=said, by=request.actor, now=timezone.now())
    except WordsHoldASecret as error:
        form.add_error("statement", error.said)
        return _page(request, asked, form)
    messages.success(request, "Your statement stands beside the memory." if said else "Your statement is taken away.")
    return redirect("portal:request", request_id)


def _own(request: PersonRequest, request_id: UUID) -> DataRequest:
    found = queries.requests(request.actor).filter(id=request_id).first()
    if found is None:
        raise NotFound
    return found


def _page(request: PersonRequest, asked: DataRequest, form: StatementForm | None = None) -> HttpResponse:
    now = timezone.now()
    told = standings_of([asked], now=now)[0]
    if told.address != reverse("portal:request", args=[asked.id]):
        return redirect(told.address)
    page: dict[str, Any] = {"told": told, "officers": privacy_officers()}
    if told.dispute is not None and told.text:
        memory, dispute = told.dispute.memory, told.dispute
        stays = dispute.result == DisputeResult.NOT_UPHELD
        page |= {
            "memory": memory,
            "can_take_back": memory.status == Status.DISPUTED and dispute.closed_at is None,
            "is_held_back": memory.status == Status.DISPUTED and stays,
            "form": (form or StatementForm(initial={"statement": dispute.statement})) if stays else None,
        }
    return show(request, "portal/request.html", page, status=422 if form else 200)
