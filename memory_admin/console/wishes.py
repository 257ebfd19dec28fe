"""The queue of wishes to change a policy: each becomes a draft, or is turned down with a reason."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_safe

from accounts.models import Agent, Subject
from memory_admin.console import rooms
from memory_admin.console.forms import RequestForm
from memory_admin.console.frame import show
from memory_admin.console.version_forms import ReasonForm
from memory_admin.console.version_steps import put_into, sent
from memory_admin.errors import Invalid, NotFound
from memory_admin.web.access import StaffRequest, form_page, staff
from memory_admin.web.paging import links, page_of
from policies import roles, services
from policies.documents import FAMILIES
from policies.models import PolicyChangeRequest, RequestStatus
from policies.services.requests import RequestAnswered

ROOM = "requests"
STATUSES = {
    RequestStatus.OPEN: ("Open", "open", "warn"),
    RequestStatus.DRAFTED: ("Drafted", "pencil", "good"),
    RequestStatus.DISMISSED: ("Dismissed", "x", "calm"),
}


@dataclass(frozen=True, slots=True)
class Wish:
    """One request to change a policy; its words only for those who decide policies."""

    request: PolicyChangeRequest
    subject: str
    agent: str
    status: tuple[str, str, str]


class DraftForm(forms.Form):
    """Which policy a wish is about."""

    family = forms.ChoiceField(
        label="Which policy is it about?",
        widget=forms.RadioSelect,
        choices=[(one, services.TITLES[one][0]) for one in FAMILIES],
        error_messages={"required": "Choose a policy."},
    )


@staff(*rooms.POLICIES)
@require_safe
def show_requests(request: StaffRequest) -> HttpResponse:
    """List what people and agents wished to change; an auditor sees that, and not the words."""
    form = RequestForm(request.GET)
    form.is_valid()
    found = PolicyChangeRequest.objects.order_by("-created_at", "-id")
    if status := form.cleaned_data.get("status"):
        found = found.filter(status=status)
    page = page_of(found, request)
    shown: dict[str, Any] = {
        "form": form,
        "page": page,
        "rows": _wishes(list(page)),
        "may_read": rooms.may(request.actor.roles, rooms.READ_REQUESTS),
        "may_answer": rooms.may(request.actor.roles, roles.EDITORS),
        "is_narrowed": any(form.cleaned_data.values()),
        **links(page, request),
    }
    return show(request, "console/requests.html", ROOM, shown)


@staff(*roles.EDITORS)
@form_page
def draft_from_wish(request: StaffRequest, wish_id: UUID) -> HttpResponse:
    """Ask which policy a wish is about, and begin a draft of it; whoever made it is told."""
    row = _open_wish(wish_id)
    form = DraftForm(sent(request))
    if form.is_valid():
        made = services.draft_from(
            request_id=wish_id, family=form.cleaned_data["family"], by=request.actor, now=timezone.now()
        )
        messages.success(request, f"Begun as version {made.number}. Whoever asked is told.")
        return redirect("console:edit_version", made.id)
    return _asked(request, row, form, "Draft a policy from this?", "Begin the draft")


@staff(*roles.EDITORS)
@form_page
def dismiss_wish(request: StaffRequest, wish_id: UUID) -> HttpResponse:
    """Ask why a wish is turned down, and turn it down; whoever made it reads the reason."""
    row = _open_wish(wish_id)
    form = ReasonForm(sent(request))
    form.fields["reason"].help_text = "At least ten characters. Whoever asked reads it."
    if form.is_valid():
        try:
            services.dismiss_request(
                request_id=wish_id, reason=form.cleaned_data["reason"], by=request.actor, now=timezone.now()
            )
        except Invalid as error:
            put_into(form, error)
        else:
            messages.success(request, "Dismissed. Whoever asked is told.")
            return redirect("console:requests")
    return _asked(request, row, form, "Dismiss this request?", "Dismiss it")


def _asked(request: StaffRequest, row: Wish, form: forms.Form, question: str, verb: str) -> HttpResponse:
    page = {"row": row, "form": form, "question": question, "verb": verb}
    return show(request, "console/request_answer.html", ROOM, page, status=422 if form.errors else 200)


def _open_wish(wish_id: UUID) -> Wish:
    found = PolicyChangeRequest.objects.filter(id=wish_id).first()
    if found is None:
        raise NotFound
    if found.status != RequestStatus.OPEN:
        raise RequestAnswered
    return _wishes([found])[0]


def _wishes(found: list[PolicyChangeRequest]) -> list[Wish]:
    refs = dict(Subject.objects.filter(id__in={one.subject_id for one in found}).values_list("id", "ref"))
    agents = dict(Agent.objects.filter(id__in={one.agent_id for one in found}).values_list("id", "name"))
    return [
        Wish(
            request=one,
            subject=refs.get(one.subject_id, ""),
            agent=agents.get(one.agent_id, "") if one.agent_id else "",
            status=STATUSES[RequestStatus(one.status)],
        )
        for one in found
    ]
