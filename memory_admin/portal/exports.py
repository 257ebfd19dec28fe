"""Copies to take away, and bringing one in again. Each is a plain form."""

from __future__ import annotations

from collections import Counter
from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_safe

from memory_admin.lifecycle import services as lifecycle
from memory_admin.lifecycle.models import Export, ExportScope, ExportState
from memory_admin.lifecycle.services.bring_in import LARGEST
from memory_admin.memories import queries
from memory_admin.portal.census import census_of
from memory_admin.portal.forms import Choice
from memory_admin.portal.frame import show
from memory_admin.web import words
from memory_admin.web.access import PersonRequest, ask_who_it_is, form_page, recently_signed_in, signed_in
from memory_admin.web.words import Word

SHOWN = 10
STATES = {
    ExportState.PENDING: Word("Being made", "clock", "warn"),
    ExportState.READY: Word("Ready", "check", "good"),
    ExportState.ENDED: Word("Its week is over", "clock", "calm"),
    ExportState.WITHDRAWN: Word("Removed, for something of it was deleted since", "trash", "calm"),
}
#: What is told of each result of bringing memories in.
CAME_TO = {
    "stored": ("memory is there now", "memories are there now"),
    "duplicate": ("was there already", "were there already"),
    "proposed": ("waits for your answer", "wait for your answer"),
    "quarantined": ("waits for a check", "wait for a check"),
    "refused": ("was refused by a rule", "were refused by a rule"),
    "policy_change": ("was refused by a rule", "were refused by a rule"),
    "left_out": ("was not in use, and is left out", "were not in use, and are left out"),
}


class ExportForm(forms.Form):
    """How much a copy holds."""

    scope = forms.ChoiceField(
        label="What should it hold?",
        widget=forms.RadioSelect,
        initial=ExportScope.ALL,
        choices=[
            (ExportScope.ALL, Choice("Everything", "Every memory with its history and uses, what was not saved, and "
                                     "what you chose.")),
            (ExportScope.PORTABLE, Choice("What you said or did yourself", "What you may take to another service.")),
            (ExportScope.CATEGORY, Choice("One category", "The memories about one thing.")),
        ],
        error_messages={"required": "Choose what it should hold."},
    )  # fmt: skip
    category = forms.ChoiceField(label="Which category?", required=False)

    def __init__(self, *form: Any, categories: list[str]) -> None:
        super().__init__(*form)
        field = self.fields["category"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [("", "None"), *((name, words.category(name).capitalize()) for name in categories)]

    def clean(self) -> dict[str, Any]:
        asked = super().clean() or {}
        if asked.get("scope") == ExportScope.CATEGORY and not asked.get("category"):
            self.add_error("category", "Choose which category.")
        if asked.get("scope") != ExportScope.CATEGORY:
            asked["category"] = ""
        return asked


class BringInForm(forms.Form):
    """A copy that was taken away before."""

    file = forms.FileField(
        label="The file",
        help_text="A copy made here or by another installation, as memories.zip; 20 MB at most.",
        error_messages={"required": "Choose a file.", "empty": "This file is empty.", "invalid": "Choose a file."},
    )

    def clean_file(self) -> bytes:
        file = self.cleaned_data["file"]
        if file.size > LARGEST:
            raise forms.ValidationError("This file is too large: 20 MB are the most.")
        content: bytes = file.read()
        return content


@recently_signed_in
@signed_in
@form_page
def show_exports(request: PersonRequest) -> HttpResponse:
    """List the copies there are, and ask for one."""
    if request.actor.subject_id is None:
        return show(request, "portal/nobody.html", {})
    census = census_of(queries.visible_to(request.actor))
    form = ExportForm(request.POST if request.method == "POST" else None, categories=sorted(census.by_category))
    if form.is_valid():
        asked = form.cleaned_data
        now = timezone.now()
        lifecycle.ask_for_export(
            scope=ExportScope(asked["scope"]), category=asked["category"], by=request.actor, now=now
        )
        messages.success(request, "Asked. It is made now, and stands below for a week when it is done.")
        return redirect("portal:exports")
    exports = lifecycle.exports_of(request.actor).defer("content")[:SHOWN]
    page = {"form": form, "rows": [(one, STATES[_state(one)]) for one in exports], "count": census.total}
    return show(request, "portal/exports.html", page, status=422 if form.errors else 200)


def _state(export: Export) -> ExportState:
    is_over = export.ends_at is not None and export.ends_at <= timezone.now()
    return ExportState.ENDED if export.state == ExportState.READY and is_over else ExportState(export.state)


@signed_in
@require_safe
def download_export(request: PersonRequest, export_id: UUID) -> HttpResponse:
    """Give a copy as a file; of what is none of theirs nobody is asked who they are."""
    is_own = lifecycle.exports_of(request.actor).filter(id=export_id).exists()
    if is_own and (question := ask_who_it_is(request)):
        return question
    export = lifecycle.fetch_export(export_id=export_id, by=request.actor, now=timezone.now())
    answer = HttpResponse(bytes(export.content or b""), content_type="application/zip")
    answer["Content-Disposition"] = 'attachment; filename="memories.zip"'
    return answer


@recently_signed_in
@signed_in
@form_page
def bring_in(request: PersonRequest) -> HttpResponse:
    """Take a copy in again: what it holds is written anew, each memory by the rules in force now."""
    if request.actor.subject_id is None:
        return show(request, "portal/nobody.html", {})
    sent = (request.POST, request.FILES) if request.method == "POST" else ()
    form = BringInForm(*sent)
    if form.is_valid():
        try:
            results = lifecycle.bring_in(content=form.cleaned_data["file"], by=request.actor, now=timezone.now())
        except lifecycle.NotACopy as error:
            form.add_error("file", error.said)
        else:
            messages.success(request, _came_to(results))
            return redirect("portal:memories")
    return show(request, "portal/bring_in.html", {"form": form}, status=422 if form.errors else 200)


def _came_to(results: Counter[str]) -> str:
    told = [f"{count} {CAME_TO[name][count != 1]}" for name, count in results.items() if name in CAME_TO]
    return f"Brought in: {'; '.join(told)}." if told else "There was nothing in this file that was in use."
