"""The policies in force in plain words, and the queue of wishes to change one."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.http import HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from accounts.models import Agent, Subject
from memory_admin.console import rooms, sentences
from memory_admin.console.forms import RequestForm
from memory_admin.console.frame import show
from memory_admin.errors import NotFound
from memory_admin.web.access import StaffRequest, staff
from memory_admin.web.paging import links, page_of
from policies.digests import sha256_of
from policies.models import EVERYWHERE, EffectiveWindow, Lane, PolicyChangeRequest, RequestStatus
from policies.queries import document_of, windows_in_force
from policies.services import TITLES

STATUSES = {
    RequestStatus.OPEN: ("Open", "open", "warn"),
    RequestStatus.DRAFTED: ("Drafted", "pencil", "good"),
    RequestStatus.DISMISSED: ("Dismissed", "x", "calm"),
}


@dataclass(frozen=True, slots=True)
class Open:
    """One version in force: for whom, since when, and the digest it was approved with; altered, it decides nothing."""

    family: str
    title: str
    label: str
    where: str
    mode: str
    since: datetime
    until: datetime | None
    digest: str
    is_altered: bool
    approved_by: str
    note: str


@dataclass(frozen=True, slots=True)
class Wish:
    """One request to change a policy; its words only for those who decide policies."""

    request: PolicyChangeRequest
    subject: str
    agent: str
    status: tuple[str, str, str]


@staff(*rooms.POLICIES)
@require_safe
def show_policies(request: StaffRequest) -> HttpResponse:
    """List what is in force now, family by family."""
    return show(request, "console/policies.html", "policies", {"rows": _in_force()})


@staff(*rooms.POLICIES)
@require_safe
def show_policy(request: StaffRequest, family: str) -> HttpResponse:
    """Show one policy in force as sentences and numbers."""
    windows = [one for one in _in_force() if one.family == family]
    deciding = next((one for one in windows if one.where == "Everywhere" and one.mode != "shadow"), None)
    document = document_of(deciding.label) if deciding else None
    if deciding is None or document is None:
        raise NotFound
    page = {
        "policy": deciding,
        "others": [one for one in windows if one is not deciding],
        "rules": sentences.rules_of(document),
        "tables": sentences.tables_of(document),
    }
    return show(request, "console/policy.html", "policies", page)


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
        "is_narrowed": any(form.cleaned_data.values()),
        **links(page, request),
    }
    return show(request, "console/requests.html", "requests", shown)


def _in_force() -> list[Open]:
    agents = {str(at): name for at, name in Agent.objects.values_list("id", "name")}
    return [_open(window, agents) for window in windows_in_force(timezone.now())]


def _where(scope: str, agents: Mapping[str, str]) -> str:
    """Name a scope, such as ``region:eu/agent:…``, in words."""
    parts = [part.partition(":") for part in scope.split("/")]
    named = [f"{kind} {agents.get(name, name) if kind == 'agent' else name}" for kind, _, name in parts]
    return "Everywhere" if scope == EVERYWHERE else ", ".join(named)


def _open(window: EffectiveWindow, agents: Mapping[str, str]) -> Open:
    version = window.activation.version
    return Open(
        family=window.family.key,
        title=TITLES[window.family.key][0],
        label=f"{window.family.key}/{version.number}",
        where=_where(window.scope, agents),
        mode="shadow" if window.lane == Lane.SHADOW else window.activation.mode,
        since=window.effective.lower,
        until=window.effective.upper,
        digest=version.content_sha256,
        is_altered=sha256_of(version.content) != version.content_sha256,
        approved_by="the makers of the product" if str(version.approved_by).startswith("system:") else "staff",
        note=version.approval_note,
    )


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
