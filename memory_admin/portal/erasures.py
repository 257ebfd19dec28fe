"""Deleting a memory: first the question with its consequences, then what came of it, and taking it back in time."""

from typing import Any
from urllib.parse import urlsplit
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.models import Subject
from memory_admin.errors import NotFound
from memory_admin.lifecycle import services as lifecycle
from memory_admin.lifecycle.models import ErasureRequest
from memory_admin.lifecycle.queries import allowed_again_at, erasure, extent_of, numbers_of, receipts, unfinished
from memory_admin.lifecycle.scopes import WholeSubject
from memory_admin.memories import queries
from memory_admin.portal.forms import DeleteForm, EraseEverythingForm
from memory_admin.portal.frame import show
from memory_admin.portal.receipts import Receipt, receipt_of, told
from memory_admin.portal.rows import row_of
from memory_admin.web.access import PersonRequest, recently_signed_in, signed_in
from memory_admin.web.paging import links, page_of

CHANGED = "memories-changed"
"""Tells an open list that it shows something old."""
NEWS = "toast"
"""What the parts of a page begin with in which news are shown."""


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def delete_memory(request: PersonRequest, memory_id: UUID) -> HttpResponse:
    """Ask whether to delete a memory, saying what goes and what stays; take it out of use when that is answered."""
    form = DeleteForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        asked = lifecycle.request_erasure(
            memory_ids=[memory_id],
            by=request.actor,
            now=timezone.now(),
            grace=lifecycle.GRACE,
            keeps_out=form.cleaned_data["keeps_out"],
        )
        return _toast(request, asked) if _is_within_the_list(request) else redirect("portal:deleted", asked.id)
    try:
        memory = queries.one(memory_id, by=request.actor)
    except queries.BeingErased:
        return to_its_receipt(request, memory_id)
    page = {
        "memory": memory,
        "row": row_of(memory, now=timezone.now()),
        "extent": extent_of([memory_id], by=request.actor),
        "form": form,
        "in_list": urlsplit(request.headers.get("HX-Current-URL", "")).path == reverse("portal:memories"),
    }
    return show(request, "portal/delete.html", page)


@recently_signed_in
@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def erase_everything(request: PersonRequest) -> HttpResponse:
    """Ask whether to erase everything about the person; take it out of use, to be erased, when that is answered."""
    if request.actor.subject_id is None:
        return show(request, "portal/nobody.html", {})
    form = EraseEverythingForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        ref = Subject.objects.get(id=request.actor.subject_id).ref
        now = timezone.now()
        asked = lifecycle.request_scope(ref=ref, scope=WholeSubject(), by=request.actor, now=now)
        return redirect("portal:deleted", asked.id)
    page = {"form": form, "count": queries.visible_to(request.actor).count()}
    return show(request, "portal/erase_everything.html", page, status=422 if form.errors else 200)


def to_its_receipt(request: PersonRequest, memory_id: UUID) -> HttpResponse:
    """Answer for a memory that is being erased with the receipt of that.

    :raises NotFound: it is erased by now
    """
    running = unfinished([memory_id], by=request.actor)
    if running is None:
        raise NotFound
    return redirect("portal:deleted", running.id)


@signed_in
@require_safe
def show_deleted(request: PersonRequest, erasure_id: UUID) -> HttpResponse:
    """Show what came of a deletion, or how far it is, without a word of what was deleted."""
    return show(request, "portal/deleted.html", _page(erasure(erasure_id, by=request.actor)))


@signed_in
@require_safe
def show_progress(request: PersonRequest, erasure_id: UUID) -> HttpResponse:
    """Show the same within the page that is open already; it asks again until the erasure is done."""
    page = _page(erasure(erasure_id, by=request.actor))
    return render(request, "portal/_receipt.html", {**page, "heard": request.GET.get("said"), "is_part": True})


@signed_in
@require_POST
def take_back(request: PersonRequest, erasure_id: UUID) -> HttpResponse:
    """Undo a deletion; too late, say so and show how far it is."""
    try:
        asked, refusal = lifecycle.take_back(erasure_id=erasure_id, by=request.actor, now=timezone.now()), ""
    except lifecycle.TooLate as late:
        asked, refusal = erasure(erasure_id, by=request.actor), late.said
    if _is_within_the_list(request):
        return _toast(request, asked, refusal=refusal, status=409 if refusal else 200)
    if refusal:
        messages.warning(request, refusal)
    return redirect("portal:deleted", asked.id)


@signed_in
@require_POST
def try_again(request: PersonRequest, erasure_id: UUID) -> HttpResponse:
    """Have an erasure tried once more that takes longer than it should."""
    lifecycle.try_again(erasure_id=erasure_id, by=request.actor)
    return redirect("portal:deleted", erasure_id)


@signed_in
@require_safe
def download_receipt(request: PersonRequest, erasure_id: UUID) -> HttpResponse:
    """Give a receipt as a file to keep."""
    receipt = _receipt(erasure(erasure_id, by=request.actor))
    answer = JsonResponse(told(receipt, organisation=request.membership.tenant_name), json_dumps_params={"indent": 2})
    answer["Content-Disposition"] = f'attachment; filename="receipt-{receipt.number}.json"'
    return answer


@signed_in
@require_safe
def show_receipts(request: PersonRequest) -> HttpResponse:
    """List everything the person had deleted: when, how much, and under which entry of the audit trail."""
    page = page_of(receipts(by=request.actor), request)
    numbers = numbers_of(list(page))
    rows = [receipt_of(one, numbers[one.id]) for one in page]
    return show(request, "portal/receipts.html", {"page": page, "rows": rows, **links(page, request)})


def _page(asked: ErasureRequest) -> dict[str, Any]:
    return {"receipt": _receipt(asked)}


def _receipt(asked: ErasureRequest) -> Receipt:
    return receipt_of(asked, numbers_of([asked])[asked.id], allowed_at=allowed_again_at(asked))


def _toast(request: PersonRequest, asked: ErasureRequest, *, refusal: str = "", status: int = 200) -> HttpResponse:
    """Say what became of it beside the list, which is asked to show what is there now."""
    answer = render(request, "portal/_toast.html", {**_page(asked), "refusal": refusal}, status=status)
    answer["HX-Trigger"] = CHANGED
    return answer


def _is_within_the_list(request: PersonRequest) -> bool:
    """Tell whether a list asks for the news to be shown beside it."""
    return request.headers.get("HX-Target", "").startswith(NEWS)
