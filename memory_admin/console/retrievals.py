"""The retrieval log: what agents asked, and why each candidate was returned or dropped."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.http import HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from accounts.models import Agent, Subject
from memory_admin.console import rooms, waterfall
from memory_admin.console.forms import LogForm, ViewForm
from memory_admin.console.frame import show
from memory_admin.retrieval import queries
from memory_admin.retrieval import services as retrieval_services
from memory_admin.retrieval.models import Retrieval
from memory_admin.retrieval.scoring import scoring_of
from memory_admin.retrieval.services import Revealed, ViewReason
from memory_admin.web.access import StaffRequest, recently_signed_in, staff
from memory_admin.web.paging import links, page_of
from policies.documents import RetrievalPolicy
from policies.queries import document_of

ROOM = "retrievals"


@dataclass(frozen=True, slots=True)
class LogRow:
    """One answered question, without its words."""

    retrieval: Retrieval
    agent: str
    about: list[str]
    purpose: str
    held_back: int
    milliseconds: float


@staff(*rooms.RETRIEVALS)
@require_safe
def show_log(request: StaffRequest) -> HttpResponse:
    """List the questions, the newest first, narrowed by agent and subject."""
    agents = [(str(at), name) for at, name in Agent.objects.order_by("name").values_list("id", "name")]
    form = LogForm(request.GET, agents=agents)
    form.is_valid()
    page = page_of(_narrowed(queries.retrievals(by=request.actor), form.cleaned_data), request)
    rows = _rows(list(page))
    narrowed = any(form.cleaned_data.values())
    return _show(request, "retrievals", {"form": form, "page": page, "rows": rows, "is_narrowed": narrowed})


@staff(*rooms.RETRIEVALS)
@require_safe
def show_retrieval(request: StaffRequest, retrieval_id: UUID) -> HttpResponse:
    """Show where each candidate of one question ended, with every text masked."""
    return _page(request, retrieval_id, None, ViewForm())


@recently_signed_in
@staff(*rooms.READ_CONTENT)
@require_POST
def reveal_texts(request: StaffRequest, retrieval_id: UUID) -> HttpResponse:
    """Show the same page with its texts; who looked and why is recorded for each person."""
    form = ViewForm(request.POST)
    if not form.is_valid():
        return _page(request, retrieval_id, None, form)
    revealed = retrieval_services.reveal(
        retrieval_id=retrieval_id,
        reason=ViewReason(form.cleaned_data["reason"]),
        by=request.actor,
        now=timezone.now(),
    )
    return _page(request, retrieval_id, revealed, form)


def _page(request: StaffRequest, retrieval_id: UUID, revealed: Revealed | None, form: ViewForm) -> HttpResponse:
    retrieval, candidates = queries.one(retrieval_id, by=request.actor)
    policy = document_of(retrieval.policy_version)
    scoring = scoring_of(policy) if isinstance(policy, RetrievalPolicy) else None
    texts = revealed.statements if revealed else {}
    steps = waterfall.steps_of(retrieval, candidates, scoring, texts)
    held_back = {str(name): count for name, count in retrieval.left_out.items() if count}
    page = {
        "retrieval": retrieval,
        "row": _rows([retrieval])[0],
        "returned": [step for step in steps if step.candidate.returned],
        "dropped": [step for step in steps if not step.candidate.returned],
        "unlisted": sum(retrieval.dropped.values()) - sum(not one.returned for one in candidates),
        "held_back": [(waterfall.LEFT_OUT.get(name, name), count) for name, count in sorted(held_back.items())],
        "threshold": waterfall.threshold_at(retrieval, candidates),
        "formula": waterfall.formula(scoring) if scoring else "",
        "half_life": scoring.half_life.days if scoring else 0,
        "asked_about": waterfall.is_about_the_past(retrieval),
        "revealed": revealed,
        "may_reveal": retrieval_services.may_reveal(request.actor, now=timezone.now()),
        "is_officer": rooms.may(request.actor.roles, rooms.READ_CONTENT),
        "may_read_policy": rooms.may(request.actor.roles, rooms.POLICIES),
        "form": form,
    }
    return _show(request, "retrieval", page, status=422 if form.errors else 200)


def _show(request: StaffRequest, name: str, page: dict[str, Any], *, status: int = 200) -> HttpResponse:
    paged = links(page["page"], request) if "page" in page else {}
    return show(request, f"console/{name}.html", ROOM, {**page, **paged}, status=status)


def _narrowed(log: QuerySet[Retrieval], asked: dict[str, Any]) -> QuerySet[Retrieval]:
    if agent := asked.get("agent"):
        log = log.filter(agent_id=agent)
    if ref := asked.get("subject"):
        subject_ids = list(Subject.objects.filter(ref=ref).values_list("id", flat=True))
        log = log.filter(subject_ids__overlap=subject_ids) if subject_ids else log.none()
    return log


def _rows(found: list[Retrieval]) -> list[LogRow]:
    agents = dict(Agent.objects.filter(id__in={one.agent_id for one in found}).values_list("id", "name"))
    subject_ids = {at for one in found for at in one.subject_ids}
    refs = dict(Subject.objects.filter(id__in=subject_ids).values_list("id", "ref"))
    return [
        LogRow(
            retrieval=one,
            agent=agents.get(one.agent_id, "The system") if one.agent_id else "A person or the system",
            about=[refs.get(at, "somebody gone") for at in one.subject_ids],
            purpose=one.purpose.replace("_", " ").capitalize(),
            held_back=sum(one.left_out.values()),
            milliseconds=waterfall.milliseconds(one),
        )
        for one in found
    ]
