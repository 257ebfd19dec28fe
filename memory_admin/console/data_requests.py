"""What people asked for about their data: each with its number, how it stands and until when it is to be answered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django import forms
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.http import HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from memory_admin.console import rooms
from memory_admin.console.frame import show
from memory_admin.console.reviews import due_in_words
from memory_admin.lifecycle.models import UNFINISHED, ErasureRequest, Export, ExportState, State
from memory_admin.memories.models import DataRequest, Dispute, RefusalReview
from memory_admin.memories.vocabulary import RequestKind
from memory_admin.web.access import StaffRequest, staff
from memory_admin.web.paging import links, page_of
from memory_admin.web.words import Word, several

KINDS = {
    RequestKind.DISPUTE: "Dispute of a memory",
    RequestKind.REVIEW: "Review of a refusal",
    RequestKind.ERASURE: "Erasure",
    RequestKind.OBJECTION: "Objection to conclusions",
    RequestKind.EXPORT: "Copy to take away",
}
OPEN, ANSWERED = Word("Open", "clock", "warn"), Word("Answered", "check", "good")
DONE = Word("Done at once", "check", "good")
ERASURES = {
    State.WAITING: Word("Can be taken back", "clock", "warn"),
    State.ERASING: Word("Being erased", "clock", "warn"),
    State.ERASED: Word("Erased", "check", "good"),
    State.TAKEN_BACK: Word("Taken back", "right", "calm"),
}
EXPORTS = {
    ExportState.PENDING: Word("Being made", "clock", "warn"),
    ExportState.READY: Word("Made", "check", "good"),
    ExportState.ENDED: Word("Made, and gone since", "check", "calm"),
    ExportState.WITHDRAWN: Word("Made, and gone since", "check", "calm"),
}


class DataRequestForm(forms.Form):
    """What the list is narrowed to."""

    number = forms.CharField(
        label="Number", required=False, max_length=20, widget=forms.TextInput(attrs={"type": "search"})
    )
    kind = forms.ChoiceField(label="What", required=False, choices=[("", "Anything"), *KINDS.items()])
    standing = forms.ChoiceField(
        label="How it stands", required=False, choices=[("", "Any"), ("open", "Open"), ("done", "Done")]
    )


@dataclass(frozen=True, slots=True)
class DataRequestRow:
    """One request, without anybody's words."""

    request: DataRequest
    kind: str
    state: Word
    due: Word | None
    due_at: datetime | None
    says: str


@staff(*rooms.DATA_REQUESTS)
@require_safe
def show_data_requests(request: StaffRequest) -> HttpResponse:
    """List what was asked for, the newest first; nobody's words are on this page."""
    form = DataRequestForm(request.GET)
    form.is_valid()
    page = page_of(_narrowed(form.cleaned_data), request)
    shown = {
        "form": form,
        "page": page,
        "rows": _rows(list(page), now=timezone.now()),
        "is_narrowed": any(form.cleaned_data.values()),
        **links(page, request),
    }
    return show(request, "console/data_requests.html", "data_requests", shown)


def _narrowed(asked: dict[str, str]) -> QuerySet[DataRequest]:
    found = DataRequest.objects.select_related("subject").order_by("-opened_at", "-id")
    if number := "".join(filter(str.isdigit, asked.get("number", ""))):
        found = found.filter(number__startswith=number)
    if kind := asked.get("kind"):
        found = found.filter(kind=kind)
    of_it = {"id": OuterRef("object_id")}
    is_open = (
        Q(Exists(Dispute.objects.filter(**of_it, closed_at=None)))
        | Q(Exists(RefusalReview.objects.filter(**of_it, closed_at=None)))
        | Q(Exists(ErasureRequest.objects.filter(**of_it, state__in=UNFINISHED)))
        | Q(Exists(Export.objects.filter(**of_it, state=ExportState.PENDING)))
    )
    return {"open": found.filter(is_open), "done": found.exclude(is_open)}.get(asked.get("standing", ""), found)


def _rows(requests: Sequence[DataRequest], *, now: datetime) -> list[DataRequestRow]:
    """Make the rows: one query for each kind of object, however many there are."""
    ids = [one.object_id for one in requests]
    answered: dict[UUID, Dispute | RefusalReview] = {}
    for table in (Dispute, RefusalReview):
        answered |= {one.id: one for one in table.objects.filter(id__in=ids)}
    erasures = {one.id: one for one in ErasureRequest.objects.filter(id__in=ids)}
    exports = {one.id: one for one in Export.objects.defer("content").filter(id__in=ids)}
    rows = []
    for one in requests:
        state, due_at, says = DONE, None, ""
        if found := answered.get(one.object_id):
            state, due_at = (ANSWERED, None) if found.closed_at else (OPEN, found.due_at)
        elif erasure := erasures.get(one.object_id):
            state, says = ERASURES[State(erasure.state)], several(len(erasure.memory_ids), "memory", "memories")
        elif export := exports.get(one.object_id):
            state = EXPORTS[ExportState(export.state)]
            says = "" if export.memories is None else several(export.memories, "memory", "memories")
        due = due_in_words(one.opened_at, due_at, now) if due_at else None
        rows.append(DataRequestRow(one, KINDS[RequestKind(one.kind)], state, due, due_at, says))
    return rows
