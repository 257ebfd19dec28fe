"""What a person does about a memory: add, confirm, reject, correct, dispute, bring back. Each is a plain form."""

from datetime import datetime, time
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.forms import Form
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.dateformat import format as date_format
from django.views.decorators.http import require_POST

from accounts.models import Subject
from memory_admin.errors import Invalid
from memory_admin.memories import queries
from memory_admin.memories import services as memories
from memory_admin.memories.changes import ChangedMeanwhile, WrongState
from memory_admin.memories.models import Memory
from memory_admin.memories.services import Claim, Outcome
from memory_admin.memories.services.correct import (
    CorrectionRefused,
    Foreseen,
    NothingChanged,
    foresee,
    has_the_same_words,
    is_correctable,
)
from memory_admin.memories.services.dispute import ANSWER_WITHIN, AlreadyDisputed, WordsHoldASecret
from memory_admin.memories.vocabulary import CorrectionReason, DisputeReason, Origin, Status, WriteResult
from memory_admin.portal import detail
from memory_admin.portal.forms import AddForm, AnswerForm, CorrectForm, DisputeForm
from memory_admin.portal.frame import show
from memory_admin.portal.out_of_use import use_from_now_on
from memory_admin.portal.pauses import pauses_of
from memory_admin.portal.queries import request_of
from memory_admin.portal.rows import row_of
from memory_admin.retrieval.packing import one_line
from memory_admin.web import words
from memory_admin.web.access import PersonRequest, form_page, signed_in

NOTHING_CHANGED = "This is how it reads already. Nothing changed."


@signed_in
@form_page
def add_memory(request: PersonRequest) -> HttpResponse:
    """Add something that agents should know."""
    subject = Subject.objects.filter(id=request.actor.subject_id).first() if request.actor.subject_id else None
    if subject is None:
        return show(request, "portal/nobody.html", {})
    form = AddForm(request.POST or None)
    if not form.is_valid():
        return show(request, "portal/add.html", {"form": form}, status=_status(form))
    asked = form.cleaned_data
    claim = Claim(subject_ref=subject.ref, kind=asked["kind"], statement=asked["statement"], origin=Origin.STATED)
    now = timezone.now()
    outcome = memories.capture(claim=claim, by=request.actor, now=now)
    if outcome.memory is None:
        form.add_error("statement", _why_not(outcome))
        return show(request, "portal/add.html", {"form": form}, status=422)
    messages.success(request, _what_became(outcome, _use_of(outcome.memory, request, now)))
    return redirect("portal:memory", outcome.memory.id)


@signed_in
@require_POST
def confirm_memory(request: PersonRequest, memory_id: UUID) -> HttpResponse:
    """Say that a memory is right, as the page showed it."""
    now = timezone.now()
    form = AnswerForm(request.POST)
    if not form.is_valid():
        raise Invalid
    confirmed = memories.confirm(memory_id=memory_id, version=form.cleaned_data["version"], by=request.actor, now=now)
    messages.success(request, f"Confirmed. {_use_of(confirmed, request, now)}")
    return redirect("portal:memory", memory_id)


@signed_in
@require_POST
def reject_memory(request: PersonRequest, memory_id: UUID) -> HttpResponse:
    """Say that a proposed memory is not to be kept."""
    memories.reject(memory_id=memory_id, by=request.actor, now=timezone.now())
    messages.success(request, "Not kept. No agent uses it, and none will ask you about it again.")
    return redirect("portal:memories")


@signed_in
@require_POST
def restore_memory(request: PersonRequest, memory_id: UUID) -> HttpResponse:
    """Bring a resting memory back into use."""
    now = timezone.now()
    restored = memories.restore(memory_id=memory_id, by=request.actor, now=now)
    messages.success(request, f"Brought back. {_use_of(restored, request, now)}")
    return redirect("portal:memory", memory_id)


@signed_in
@form_page
def correct_memory(request: PersonRequest, memory_id: UUID) -> HttpResponse:
    """Put right what a memory says."""
    memory = queries.one(memory_id, by=request.actor)
    if request.method != "POST":
        if not is_correctable(memory, now=timezone.now()):
            raise WrongState
        return _correct_page(
            request, memory, CorrectForm(initial={"statement": memory.statement, "version": memory.version})
        )
    form = CorrectForm(request.POST)
    foreseen = _foresee(request, memory, form) if form.is_valid() else None
    if foreseen is not None and form.is_valid() and "preview" not in request.POST:
        corrected = _correct(request, memory_id, form)
        if corrected is not None:
            messages.success(request, _told_of(corrected, was=memory, now=timezone.now()))
            return redirect("portal:memory", corrected.id)
        memory = queries.one(memory_id, by=request.actor)
    return _correct_page(request, memory, form, foreseen)


@signed_in
@form_page
def dispute_memory(request: PersonRequest, memory_id: UUID) -> HttpResponse:
    """Take a memory out of use until somebody has checked it."""
    memory = queries.one(memory_id, by=request.actor)
    if request.method != "POST" and memory.status != Status.ACTIVE:
        raise AlreadyDisputed if memory.status == Status.DISPUTED else WrongState
    now = timezone.now()
    form = DisputeForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        asked = form.cleaned_data
        try:
            opened = memories.dispute(
                memory_id=memory_id,
                by=request.actor,
                reason=DisputeReason(asked["reason"]),
                words=asked["words"],
                now=now,
            )
        except WordsHoldASecret as error:
            form.add_error("words", error.said)
        else:
            messages.success(request, "No agent uses this while it is checked.")
            return redirect("portal:request", request_of(opened.id, by=request.actor).id)
    page = {"form": form, "memory": memory, "row": row_of(memory, now=now), "answer_by": now + ANSWER_WITHIN}
    return show(request, "portal/dispute.html", page, status=_status(form))


def _foresee(request: PersonRequest, memory: Memory, form: CorrectForm) -> Foreseen:
    """See what the words would come to, and put into the form what the person has to answer first."""
    asked = form.cleaned_data
    foreseen = foresee(memory_id=memory.id, statement=asked["statement"], by=request.actor, now=timezone.now())
    if has_the_same_words(asked["statement"], memory):
        form.add_error("statement", NOTHING_CHANGED)
    elif foreseen.verdict.outcome not in ("accept", "propose"):
        form.add_error("statement", f"{foreseen.verdict.reason} Rule {foreseen.verdict.rule_ids[-1]}.")
    elif foreseen.needs_consent and not asked["consent"] and "preview" not in request.POST:
        form.add_error("consent", "This is sensitive. Say that you want it kept, or leave it out.")
    return foreseen


def _correct(request: PersonRequest, memory_id: UUID, form: CorrectForm) -> Memory | None:
    """Correct, or put what stands in the way into the form."""
    asked = form.cleaned_data
    try:
        return memories.correct(
            memory_id=memory_id,
            statement=asked["statement"],
            reason=CorrectionReason(asked["reason"]),
            changed_at=timezone.make_aware(datetime.combine(asked["since"], time())) if asked["since"] else None,
            version=asked["version"],
            by=request.actor,
            now=timezone.now(),
        )
    except NothingChanged:
        form.add_error("statement", NOTHING_CHANGED)
    except CorrectionRefused as error:
        form.add_error("statement", f"{error.said} Rule {error.rule_ids[-1]}.")
    except ChangedMeanwhile:
        form.add_error(None, "It was changed since you opened it. Above is how it reads now; your text is below.")
        form.data = {**asked, "version": queries.one(memory_id, by=request.actor).version}
    except Invalid as error:
        form.add_error("since", " ".join(text for texts in error.fields.values() for text in texts) or error.said)
    return None


def _told_of(corrected: Memory, *, was: Memory, now: datetime) -> str:
    if corrected.id == was.id or corrected.valid_from <= now:
        return "Corrected. No agent uses the old text any more."
    begins = date_format(corrected.valid_from, "j F Y")
    return f"Noted. Agents use the old text until {begins}, and the new one from then on."


def _correct_page(
    request: PersonRequest, memory: Memory, form: CorrectForm, foreseen: Foreseen | None = None
) -> HttpResponse:
    is_preview = foreseen is not None and "preview" in request.POST and not form.errors
    page = {
        "form": form,
        "memory": memory,
        "row": row_of(memory, now=timezone.now()),
        "derived_count": len(detail.derived(memory, by=request.actor)),
        "seen_by_agents": one_line(foreseen.statement) if foreseen and is_preview else "",
        "newly_sensitive": [words.category(name) for name in foreseen.newly_sensitive]
        if foreseen and foreseen.needs_consent
        else [],
    }
    return show(request, "portal/correct.html", page, status=_status(form))


def _status(form: Form) -> int:
    return 422 if form.errors else 200


def _why_not(outcome: Outcome) -> str:
    parts = [outcome.reason, outcome.hint or "", f"Rule {outcome.rule_ids[-1]}." if outcome.rule_ids else ""]
    return " ".join(part for part in parts if part)


def _what_became(outcome: Outcome, use: str) -> str:
    said: dict[Any, str] = {
        WriteResult.STORED: f"Added. {use}",
        WriteResult.DUPLICATE: "It is remembered already.",
        WriteResult.PROPOSED: "Added, but no agent uses it until you confirm it below.",
        WriteResult.QUARANTINED: "Somebody looks at it first. No agent uses it until then.",
    }
    return said[outcome.result]


def _use_of(memory: Memory, request: PersonRequest, now: datetime) -> str:
    return use_from_now_on(memory, pauses=pauses_of(request.actor, now=now), now=now)
