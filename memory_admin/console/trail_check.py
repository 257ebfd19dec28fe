"""Checking the audit trail: what the last check found, a new one with its progress, and a checkpoint that is pasted."""

from typing import Any

from django import forms
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from memory_admin.audit import checking, checkpoints, keeping, signing
from memory_admin.audit.models import Check, Event
from memory_admin.console import naming, rooms
from memory_admin.console.frame import show
from memory_admin.console.labels import PROBLEMS
from memory_admin.tenancy.scope import required_tenant
from memory_admin.web.access import StaffRequest, staff

ROOM = "audit"


class CheckpointForm(forms.Form):
    """A checkpoint that somebody was given."""

    note = forms.CharField(
        label="The checkpoint",
        max_length=2_000,
        widget=forms.Textarea(attrs={"rows": 7, "spellcheck": "false"}),
        error_messages={"required": "Paste the checkpoint, with its signature."},
    )


@staff(*rooms.AUDIT)
@require_POST
def verify_trail(request: StaffRequest) -> HttpResponse:
    """Ask to have the whole chain checked now."""
    checking.ask(by=request.actor, now=timezone.now())
    return redirect("console:audit")


@staff(*rooms.AUDIT)
@require_safe
def show_progress(request: StaffRequest) -> HttpResponse:
    """Show how far the running check has come, or what it found; a page without JavaScript is loaded anew instead."""
    return render(request, "console/_integrity.html", panel())


@staff(*rooms.AUDIT)
@require_http_methods(["GET", "HEAD", "POST"])
def compare_checkpoint(request: StaffRequest) -> HttpResponse:
    """Say whether the trail is still the one that a checkpoint was signed for."""
    form = CheckpointForm(request.POST or None)
    found: dict[str, Any] = {}
    if request.method == "POST" and form.is_valid():
        try:
            found = _compared(form.cleaned_data["note"])
        except ValueError as error:
            form.add_error("note", str(error))
    status = 422 if form.errors else 200
    return show(request, "console/audit_compare.html", ROOM, {"form": form, **found}, status=status)


def panel() -> dict[str, Any]:
    """Tell what the last check found, how far the running one is, and when the last checkpoint was kept, and where."""
    last, running = checking.last(), checking.running(now=timezone.now())
    tenant_id = required_tenant()
    return {
        "last": {"check": last, "who": _who(last), "says": PROBLEMS.get(last.problem, "")} if last else None,
        "running": running,
        "read": checking.progress_of(running) if running else 0,
        "checkpoint": keeping.last(tenant_id),
        "kept_in": keeping.place_of(tenant_id),
    }


def _who(check: Check) -> str:
    return naming.within(naming.actors({check.asked_by}).get(check.asked_by, "somebody"))


def _compared(note: str) -> dict[str, Any]:
    """Compare the stored hash with the one of a checkpoint.

    :raises ValueError: it is none of this trail, or not signed by us
    """
    # What a text field sends has the line ends of the web, and may lack the last one.
    read = signing.read_note(note.replace("\r\n", "\n").strip("\n") + "\n")
    checkpoint = checkpoints.parse(read.text)
    if checkpoint.tenant_id != required_tenant():
        raise checkpoints.NotACheckpoint("This is a checkpoint of another audit trail.")
    event = Event.objects.filter(seq=checkpoint.size).first()
    agrees = event is not None and bytes(event.hash) == checkpoint.head
    return {"checkpoint": checkpoint, "agrees": agrees, "is_there": event is not None}
