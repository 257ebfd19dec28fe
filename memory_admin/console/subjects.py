"""Subjects without content: how many memories there are about each, and whether agents may use them."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Q, QuerySet
from django.http import HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from accounts.models import Subject
from accounts.vocabulary import MemoryMode
from memory_admin.console import rooms
from memory_admin.console.forms import SubjectForm
from memory_admin.console.frame import show
from memory_admin.memories.models import Memory
from memory_admin.memories.vocabulary import GONE, Status
from memory_admin.web.access import StaffRequest, staff
from memory_admin.web.paging import links, page_of

MODES = {
    MemoryMode.ON: ("On", "check", "good"),
    MemoryMode.PAUSED: ("Paused", "pause", "warn"),
    MemoryMode.SAVE_ONLY: ("Saves, is not used", "pause", "warn"),
    MemoryMode.USE_ONLY: ("Used, saves nothing", "pause", "warn"),
}
WAITING = (Status.PROPOSED, Status.QUARANTINED, Status.DISPUTED)


@dataclass(frozen=True, slots=True)
class SubjectRow:
    """One subject: a reference and counts."""

    subject: Subject
    mode: tuple[str, str, str]
    total: int
    active: int
    waiting: int
    other: int


@staff(*rooms.SUBJECTS)
@require_safe
def show_subjects(request: StaffRequest) -> HttpResponse:
    """List the subjects with the counts of their memories by status; nothing of what is remembered."""
    form = SubjectForm(request.GET)
    form.is_valid()
    now = timezone.now()
    page = page_of(_narrowed(form.cleaned_data, now=now), request)
    shown = {
        "form": form,
        "page": page,
        "rows": _rows(list(page), now=now),
        "is_narrowed": any(form.cleaned_data.values()),
        **links(page, request),
    }
    return show(request, "console/subjects.html", "subjects", shown)


def _narrowed(asked: dict[str, str], *, now: datetime) -> QuerySet[Subject]:
    found = Subject.objects.order_by("ref", "id")
    if part := asked.get("q"):
        found = found.filter(ref__icontains=part)
    is_over = Q(paused_until__isnull=False, paused_until__lte=now)
    if mode := asked.get("mode"):
        is_on = Q(memory_mode=MemoryMode.ON) | is_over
        found = found.filter(is_on) if mode == MemoryMode.ON else found.filter(~is_on, memory_mode=mode)
    return found


def _rows(subjects: list[Subject], *, now: datetime) -> list[SubjectRow]:
    groups = (
        Memory.objects.filter(subject_id__in=[one.id for one in subjects])
        .exclude(status__in=GONE)
        .order_by()
        .values_list("subject_id", "status")
        .annotate(count=Count("id"))
    )
    counts: dict[object, dict[str, int]] = {}
    for subject_id, status, count in groups:
        counts.setdefault(subject_id, {})[status] = count
    return [_row(one, counts.get(one.id, {}), now) for one in subjects]


def _row(subject: Subject, counts: dict[str, int], now: datetime) -> SubjectRow:
    has_ended = subject.paused_until is not None and subject.paused_until <= now
    total, active = sum(counts.values()), counts.get(Status.ACTIVE, 0)
    waiting = sum(counts.get(status, 0) for status in WAITING)
    return SubjectRow(
        subject=subject,
        mode=MODES[MemoryMode.ON if has_ended else MemoryMode(subject.memory_mode)],
        total=total,
        active=active,
        waiting=waiting,
        other=total - active - waiting,
    )
