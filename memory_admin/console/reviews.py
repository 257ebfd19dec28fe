"""The reviewers' room: disputes, first due first, and the answer to each."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.forms import Form
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from memory_admin.console import naming, rooms, sentences
from memory_admin.console.frame import show
from memory_admin.console.reviews_forms import STAYS, AnswerForm
from memory_admin.memories.changes import ChangedMeanwhile
from memory_admin.memories.models import DataRequest, Dispute, Evidence, RefusalReview, Source
from memory_admin.memories.requests import due_soon_at
from memory_admin.memories.services.correct import CorrectionRefused, NothingChanged
from memory_admin.memories.services.dispute import WordsHoldASecret
from memory_admin.memories.vocabulary import DisputeReason, DisputeResult, Remedy
from memory_admin.reviews import desk, queries, services
from memory_admin.web.access import StaffRequest, staff
from memory_admin.web.paging import links, page_of
from memory_admin.web.words import Word
from policies.queries import document_of

ROOM = "reviews"

REASONS: dict[str, str] = {
    DisputeReason.WRONG: "It is wrong",
    DisputeReason.SOMEONE_ELSE: "It is about somebody else",
    DisputeReason.TOO_PRIVATE: "It is too private",
    DisputeReason.OUT_OF_DATE: "It is out of date",
    DisputeReason.OTHER: "Another reason",
}
ENDED: dict[str, Word] = {
    DisputeResult.WITHDRAWN: Word("Taken back: it was confirmed as right", "check", "calm"),
    DisputeResult.UPHELD: Word("Upheld", "check", "good"),
    DisputeResult.NOT_UPHELD: Word("Not upheld: it stays as it is", "right", "calm"),
    DisputeResult.OVERTAKEN: Word("The memory was deleted before anybody answered", "trash", "calm"),
}
REMEDIED: dict[str, Word] = {
    Remedy.ERASED: Word("Upheld: the memory was erased", "trash", "good"),
    Remedy.CORRECTED: Word("Upheld: the memory was corrected", "pencil", "good"),
    Remedy.RETIRED: Word("Upheld: the memory was ended", "clock", "good"),
}


@dataclass(frozen=True, slots=True)
class Row:
    """One request in the queue, without its texts."""

    address: str
    number: str
    about: str
    by: str
    why: str
    opened_at: datetime
    due_at: datetime | None = None
    due: Word | None = None


@staff(*rooms.REVIEWS)
@require_safe
def show_disputes(request: StaffRequest) -> HttpResponse:
    """List the disputes that this reviewer can answer; nobody's words are on this page."""
    page = page_of(queries.open_disputes(request.actor), request)
    rows = rows_of(
        list(page),
        address="console:dispute",
        about=lambda one: one.memory.subject.ref,
        why=lambda one: REASONS[one.reason],
    )
    return show_list(request, "disputes", page, rows)


@staff(*rooms.REVIEWS)
@require_http_methods(["GET", "HEAD", "POST"])
def answer_dispute(request: StaffRequest, dispute_id: UUID) -> HttpResponse:
    """Show one dispute with its texts, which is recorded, and answer it; a closed one shows how it ended."""
    dispute = queries.dispute(dispute_id)
    if request.method != "POST":
        return _page(request, dispute, AnswerForm(initial={"version": dispute.memory.version}))
    form = AnswerForm(request.POST)
    if not form.is_valid():
        return _page(request, dispute, form)
    try:
        _answer(request, dispute_id, form.cleaned_data)
    except desk.AlreadyAnswered as error:
        found = queries.dispute(dispute_id)
        is_sent_twice = (found.remedy or found.result) == form.cleaned_data["decision"]
        if not is_sent_twice or error.details["by"] != request.actor.ref:
            return _page(request, found, form, status=409)
    except ChangedMeanwhile:
        form.data = {**form.cleaned_data, "version": queries.dispute(dispute_id).memory.version}
        form.add_error(None, "The memory was changed since you opened it. Above is how it reads now.")
        return _page(request, queries.dispute(dispute_id), form, status=409)
    except NothingChanged:
        form.add_error("statement", "This is how it reads already.")
    except CorrectionRefused as error:
        form.add_error("statement", f"{error.said} {f'Rule {error.rule_ids[-1]}.' if error.rule_ids else ''}".strip())
    except WordsHoldASecret as error:
        form.add_error("answer", error.said)
    if form.errors:
        return _page(request, dispute, form)
    messages.success(request, "Answered. The person is told.")
    return redirect("console:reviews")


def _answer(request: StaffRequest, dispute_id: UUID, asked: dict[str, Any]) -> None:
    terms: dict[str, Any] = {
        "dispute_id": dispute_id,
        "answer": asked["answer"],
        "version": asked["version"],
        "by": request.actor,
        "now": timezone.now(),
    }
    if asked["decision"] == STAYS:
        services.turn_down(**terms)
    else:
        services.uphold(remedy=Remedy(asked["decision"]), statement=asked["statement"], **terms)


def _page(request: StaffRequest, dispute: Dispute, form: AnswerForm, *, status: int = 200) -> HttpResponse:
    def read(now: datetime) -> dict[str, Any]:
        memory = services.read_dispute(dispute_id=dispute.id, by=request.actor, now=now).memory
        return {
            "memory": memory,
            "sources": _sources(memory.id),
            "writer": memory.agent.name if memory.agent else naming.actors({memory.asserted_by})[memory.asserted_by],
            "rule": rule_of(memory.rule_ids, memory.policy_version),
        }

    page = {
        "what": "Dispute",
        "tab": "disputes",
        "about": dispute.memory.subject.ref,
        "why": REASONS[dispute.reason],
        "ended": REMEDIED[dispute.remedy] if dispute.remedy else ENDED.get(str(dispute.result)),
    }
    return show_asked(request, "console/dispute.html", dispute, page, form, read=read, status=status)


def show_asked(
    request: StaffRequest,
    template: str,
    asked: Dispute | RefusalReview,
    page: dict[str, Any],
    form: Form,
    *,
    read: Callable[[datetime], dict[str, Any]],
    status: int,
) -> HttpResponse:
    """Show what was asked: how it ended, or its texts if the policy lets this reviewer read them.

    :param read: reads the texts by the service that records who looked, and gives what the template needs of them
    """
    now = timezone.now()
    names = naming.actors({asked.opened_by, *([asked.closed_by] if asked.closed_by else [])})
    page = {
        "asked": asked,
        "number": DataRequest.objects.get(object_id=asked.id).spoken,
        "opened_by": names[asked.opened_by],
        **page,
    }
    if asked.closed_at is not None:
        page |= {
            "closed_by": names[str(asked.closed_by)],
            "is_late": status == 409,
            "is_own": asked.closed_by == request.actor.ref,
        }
        return show(request, "console/review_closed.html", ROOM, page, status=status)
    page |= {"due": due_in_words(asked.opened_at, asked.due_at, now)}
    if desk.reading_role(request.actor, now=now) is None:
        return show(request, "console/review_masked.html", ROOM, page)
    page |= {"form": form, **read(now)}
    return show(request, template, ROOM, page, status=422 if form.errors and status == 200 else status)


def show_list(request: StaffRequest, tab: str, page: Any, rows: list[Row]) -> HttpResponse:
    """Show one tab of the queue, with how much waits in each."""
    now = timezone.now()
    waiting = {
        "disputes": queries.waiting(queries.open_disputes(request.actor), now=now),
        "refusals": queries.waiting(queries.open_reviews(request.actor), now=now),
        "held": queries.waiting_held(request.actor),
    }
    tabs = [
        ("Disputes", "console:reviews", "disputes", waiting["disputes"].count),
        ("Refusals to look at again", "console:refusals", "refusals", waiting["refusals"].count),
        ("On hold for a check", "console:held", "held", waiting["held"].count),
    ]
    shown = {"tab": tab, "tabs": tabs, "page": page, "rows": rows, "waiting": waiting[tab], **links(page, request)}
    return show(request, "console/reviews.html", ROOM, shown)


def rows_of(found: list[Any], *, address: str, about: Callable[[Any], str], why: Callable[[Any], str]) -> list[Row]:
    """Make the rows of disputes or reviews: a few queries more, however many there are."""
    now = timezone.now()
    registered = DataRequest.objects.filter(object_id__in=[one.id for one in found])
    numbers = {one.object_id: one.spoken for one in registered}
    names = naming.actors({one.opened_by for one in found})
    return [
        Row(
            address=reverse(address, args=[one.id]),
            number=numbers[one.id],
            about=about(one),
            by=names[one.opened_by],
            why=why(one),
            opened_at=one.opened_at,
            due_at=one.due_at,
            due=due_in_words(one.opened_at, one.due_at, now),
        )
        for one in found
    ]


def due_in_words(opened_at: datetime, due_at: datetime, now: datetime) -> Word:
    """Say how much time is left: red when overdue or when less than a quarter is left."""
    if due_at <= now:
        late = (now - due_at).days
        return Word(f"Overdue by {_days(late)}" if late else "Overdue", "alert", "bad")
    left = _days((due_at - now + timedelta(hours=12)).days) if due_at - now >= timedelta(days=1) else "less than a day"
    return Word(f"{left[0].upper()}{left[1:]} left", "clock", "bad" if now >= due_soon_at(opened_at, due_at) else "")


def _days(count: int) -> str:
    return f"{count} day{'' if count == 1 else 's'}"


def _sources(memory_id: UUID) -> list[Source]:
    evidence = Evidence.objects.filter(memory_id=memory_id).select_related("source").order_by("created_at", "id")
    return [one.source for one in evidence[:20]]


def rule_of(rule_ids: Iterable[str], policy_version: str) -> tuple[str, str]:
    """Give the rule that decided, and what it says; the id alone for a rule that stands in no policy."""
    last = [*rule_ids][-1:]
    document = document_of(policy_version) if last else None
    said = {rule.id: rule.sentence for rule in sentences.rules_of(document)} if document else {}
    return (last[0], said.get(last[0], "")) if last else ("", "")
