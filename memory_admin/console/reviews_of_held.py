"""The reviewers' room: what was held back for a check, with its hidden characters written out."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from memory_admin.console import naming, rooms
from memory_admin.console.frame import show
from memory_admin.console.labels import CHANNELS
from memory_admin.console.reviews import ROOM, Row, rule_of, show_list
from memory_admin.console.reviews_forms import HARMFUL, HARMLESS, HeldForm
from memory_admin.console.version_backing import link_to_test
from memory_admin.memories.changes import ChangedMeanwhile
from memory_admin.memories.models import Memory, WriteDecision
from memory_admin.memories.vocabulary import Status, WriteResult
from memory_admin.reviews import desk, queries, services
from memory_admin.screening.hidden import reveal
from memory_admin.web.access import StaffRequest, staff
from memory_admin.web.paging import page_of


@staff(*rooms.REVIEWS)
@require_safe
def show_held(request: StaffRequest) -> HttpResponse:
    """List what this reviewer can check, the oldest first; nobody's words are on this page."""
    page = page_of(queries.held(request.actor), request)
    return show_list(request, "held", page, [_row(memory) for memory in page])


@staff(*rooms.REVIEWS)
@require_http_methods(["GET", "HEAD", "POST"])
def check_memory(request: StaffRequest, held_id: UUID) -> HttpResponse:
    """Show one held memory with its text, which is recorded, and say what is to happen."""
    memory = queries.memory(held_id)
    if request.method != "POST":
        return _page(request, memory, HeldForm(initial={"version": memory.version}))
    form = HeldForm(request.POST)
    if not form.is_valid():
        return _page(request, memory, form)
    try:
        services.check_held(
            memory_id=held_id,
            is_harmless=form.cleaned_data["decision"] == HARMLESS,
            version=form.cleaned_data["version"],
            by=request.actor,
            now=timezone.now(),
        )
    except desk.AlreadyAnswered as error:
        memory = queries.memory(held_id)
        is_sent_twice = (memory.status == Status.REJECTED) == (form.cleaned_data["decision"] == HARMFUL)
        if not is_sent_twice or error.details["by"] != request.actor.ref:
            return _page(request, memory, form, status=409)
    except ChangedMeanwhile:
        memory = queries.memory(held_id)
        form.data = {**form.cleaned_data, "version": memory.version}
        form.add_error(None, "The memory was changed since you opened it. This is how it reads now.")
        return _page(request, memory, form, status=409)
    messages.success(request, "Checked.")
    return redirect("console:held")


def _page(request: StaffRequest, memory: Memory, form: HeldForm, *, status: int = 200) -> HttpResponse:
    """Show a held memory; it is read by the service that records who looked, if the policy lets them look."""
    now = timezone.now()
    held = WriteDecision.objects.filter(memory_id=memory.id, result=WriteResult.QUARANTINED).order_by("-decided_at")
    page: dict[str, Any] = {
        "tab": "held",
        "about": memory.subject.ref,
        "memory": memory,
        "test": link_to_test(request, held.values_list("id", flat=True).first()),
    }
    if desk.reading_role(request.actor, now=now) is None:
        return show(request, "console/held_masked.html", ROOM, page)
    try:
        services.read_held(memory_id=memory.id, by=request.actor, now=now)
    except desk.AlreadyAnswered as error:
        who = str(error.details["by"])
        page |= {
            "checked_by": naming.actors({who})[who],
            "is_late": status == 409,
            "is_own": who == request.actor.ref,
        }
        return show(request, "console/held_closed.html", ROOM, page, status=status)
    page |= {
        "form": form,
        "text": reveal(memory.statement),
        "quote": reveal(memory.source.quote) if memory.source else "",
        "writer": memory.agent.name if memory.agent else naming.actors({memory.asserted_by})[memory.asserted_by],
        "came_by": CHANNELS[memory.channel],
        "rule": rule_of(memory.rule_ids, memory.policy_version),
    }
    return show(request, "console/held.html", ROOM, page, status=422 if form.errors and status == 200 else status)


def _row(memory: Memory) -> Row:
    return Row(
        address=reverse("console:held_memory", args=[memory.id]),
        number=f"Rule {memory.rule_ids[-1]}" if memory.rule_ids else "Held",
        about=memory.subject.ref,
        by=memory.agent.name if memory.agent else "",
        why=CHANNELS[memory.channel],
        opened_at=memory.recorded_at,
    )
