"""Agents and their keys: register, pause, retire; issue, rotate, revoke."""

from dataclasses import dataclass
from datetime import datetime, time, timedelta
from uuid import UUID

from django.contrib import messages
from django.db.models import Max
from django.forms import Form
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from accounts import services as accounts
from accounts.models import Agent, ApiKey, Subject, User
from accounts.queries import subject_for
from accounts.vocabulary import Channel, Scope
from memory_admin.console import keys, rooms
from memory_admin.console.forms import AgentForm, KeyForm, RotateForm
from memory_admin.console.frame import show
from memory_admin.console.labels import AGENT_STATUSES
from memory_admin.console.people_rows import orphaned
from memory_admin.errors import Invalid, NotFound
from memory_admin.memories.models import Memory
from memory_admin.memories.vocabulary import GONE
from memory_admin.retrieval.models import Retrieval
from memory_admin.tenancy.scope import uuid7
from memory_admin.web.access import StaffRequest, form_page, recently_signed_in, staff
from memory_admin.web.paging import links, page_of
from memory_admin.web.words import Word

ROOM = "agents"


@dataclass(frozen=True, slots=True)
class AgentRow:
    """One agent of the list."""

    agent: Agent
    status: Word
    keys: int
    idle: int
    is_orphan: bool
    last_used_at: datetime | None


@staff(*rooms.AGENTS)
@require_safe
def show_agents(request: StaffRequest) -> HttpResponse:
    """List the agents, with how many keys of each work and when one was last used."""
    page = page_of(Agent.objects.order_by("status", "name", "id"), request)
    rows = _rows(list(page), now=timezone.now())
    return _show(request, "agents", {"rows": rows, "page": page, **links(page, request)})


@staff(*rooms.AGENTS)
@require_safe
def show_agent(request: StaffRequest, agent_id: UUID) -> HttpResponse:
    """Show one agent with its keys."""
    agent = _agent(agent_id)
    rows = keys.rows_of(agent_id, now=timezone.now())
    page = {
        "agent": agent,
        "status": Word(*AGENT_STATUSES[agent.status]),
        "owner": User.objects.filter(id=agent.owner_id).first() if agent.owner_id else None,
        "living": [row for row in rows if row.is_living],
        "ended": [row for row in rows if not row.is_living],
        "idle": sum(row.is_idle for row in rows),
        "is_orphan": orphaned(now=timezone.now()).filter(id=agent_id).exists(),
        "memories": Memory.objects.filter(agent_id=agent_id).exclude(status__in=GONE).count(),
        "asked": Retrieval.objects.filter(agent_id=agent_id).count(),
        "may_read_log": rooms.may(request.actor.roles, rooms.RETRIEVALS),
    }
    return _show(request, "agent", page)


@staff(*rooms.CHANGE_AGENTS)
@form_page
def register_agent(request: StaffRequest) -> HttpResponse:
    """Register an agent."""
    form = AgentForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        asked = form.cleaned_data
        try:
            agent = accounts.create_agent(
                name=asked["name"],
                purpose=asked["purpose"],
                owner=request.user,
                by=request.actor,
                now=timezone.now(),
            )
        except accounts.AgentExists as error:
            form.add_error("name", error.said)
        else:
            messages.success(request, "Registered. It can do nothing until it has a key.")
            return redirect("console:agent", agent.id)
    return _show(request, "register_agent", {"form": form}, form)


@staff(*rooms.CHANGE_AGENTS)
@require_POST
def pause_agent(request: StaffRequest, agent_id: UUID) -> HttpResponse:
    """Refuse every key of an agent for now."""
    accounts.pause_agent(agent_id=agent_id, by=request.actor, now=timezone.now())
    messages.success(request, "Paused. None of its keys works until you resume it.")
    return redirect("console:agent", agent_id)


@staff(*rooms.CHANGE_AGENTS)
@require_POST
def resume_agent(request: StaffRequest, agent_id: UUID) -> HttpResponse:
    """Let the keys of a paused agent work again."""
    accounts.resume_agent(agent_id=agent_id, by=request.actor, now=timezone.now())
    messages.success(request, "Active again. Its keys work.")
    return redirect("console:agent", agent_id)


@staff(*rooms.CHANGE_AGENTS)
@form_page
def retire_agent(request: StaffRequest, agent_id: UUID) -> HttpResponse:
    """End an agent and its keys for good, after saying what that means."""
    agent = _agent(agent_id)
    now = timezone.now()
    if request.method == "POST":
        accounts.retire_agent(agent_id=agent_id, by=request.actor, now=now)
        messages.success(request, "Retired. None of its keys will work again.")
        return redirect("console:agent", agent_id)
    count = keys.living(now=now).filter(agent_id=agent_id).count()
    memories = Memory.objects.filter(agent_id=agent_id).exclude(status__in=GONE).count()
    return _show(request, "retire_agent", {"agent": agent, "living_count": count, "memories": memories})


@recently_signed_in
@staff(*rooms.CHANGE_AGENTS)
@form_page
def issue_key(request: StaffRequest, agent_id: UUID) -> HttpResponse:
    """Issue a key; the answer to the form is the only page that ever shows its text."""
    agent = _agent(agent_id)
    if agent.status == "retired":
        raise accounts.AgentRetired
    form = KeyForm(request.POST if request.method == "POST" else None, initial={"key_id": uuid7()})
    if form.is_valid():
        issued = _issue(request, agent, form)
        if issued is not None:
            return _show(request, "secret", {"agent": agent, "text": issued.text, "key": issued.key})
    return _show(request, "issue_key", {"agent": agent, "form": form}, form)


@recently_signed_in
@staff(*rooms.CHANGE_AGENTS)
@form_page
def rotate_key(request: StaffRequest, key_id: UUID) -> HttpResponse:
    """Issue the successor of a key, which goes on for a while."""
    key, now = _living(key_id), timezone.now()
    initial = {"key_id": uuid7(), "expires": keys.last_day_of_successor(key, now=now)}
    form = RotateForm(request.POST if request.method == "POST" else None, initial=initial)
    if form.is_valid():
        asked = form.cleaned_data
        try:
            issued = accounts.rotate_key(
                key_id=key_id,
                overlap=timedelta(hours=asked["overlap"]),
                expires_at=_end_of(asked["expires"]) if asked["expires"] else None,
                successor_id=asked["key_id"],
                by=request.actor,
                now=now,
            )
        except Invalid as error:
            form.add_error("expires", error.fields["expires_at"])
        else:
            page = {"agent": key.agent, "text": issued.text, "key": issued.key, "old": ApiKey.objects.get(id=key_id)}
            return _show(request, "secret", page)
    return _show(request, "rotate_key", {"agent": key.agent, "mark": keys.mark_of(key), "form": form}, form)


@staff(*rooms.CHANGE_AGENTS)
@form_page
def revoke_key(request: StaffRequest, key_id: UUID) -> HttpResponse:
    """End a key at once, after saying what that means."""
    key = _living(key_id)
    if request.method == "POST":
        accounts.revoke_key(key_id=key_id, by=request.actor, now=timezone.now())
        messages.success(request, f"Revoked. Calls with {keys.mark_of(key)} are refused from now on.")
        return redirect("console:agent", key.agent_id)
    return _show(request, "revoke_key", {"agent": key.agent, "key": key, "mark": keys.mark_of(key)})


def _show(request: StaffRequest, name: str, page: dict[str, object], form: Form | None = None) -> HttpResponse:
    page = {"may_change": rooms.may(request.actor.roles, rooms.CHANGE_AGENTS), **page}
    status = 422 if form is not None and form.errors else 200
    return show(request, f"console/{name}.html", ROOM, page, status=status)


def _rows(agents: list[Agent], *, now: datetime) -> list[AgentRow]:
    ids = [agent.id for agent in agents]
    held: dict[UUID, list[ApiKey]] = {}
    for key in keys.living(now=now).filter(agent_id__in=ids):
        held.setdefault(key.agent_id, []).append(key)
    used = ApiKey.objects.filter(agent_id__in=ids).order_by().values_list("agent_id").annotate(at=Max("last_used_at"))
    last = dict(used)
    orphans = set(orphaned(now=now).filter(id__in=ids).values_list("id", flat=True))
    return [
        AgentRow(
            agent=agent,
            status=Word(*AGENT_STATUSES[agent.status]),
            keys=len(held.get(agent.id, ())),
            idle=sum(keys.is_idle(key, now) for key in held.get(agent.id, ())),
            is_orphan=agent.id in orphans,
            last_used_at=last.get(agent.id),
        )
        for agent in agents
    ]


def _issue(request: StaffRequest, agent: Agent, form: KeyForm) -> accounts.IssuedKey | None:
    """Issue the key, or put what stands in the way into the form."""
    asked = form.cleaned_data
    try:
        subject = _bound_to(request, asked["subject"], is_test=asked["is_test"])
        return accounts.issue_key(
            agent=agent,
            scopes=[Scope(scope) for scope in asked["scopes"]],
            channel=Channel(asked["channel"]),
            subject=subject,
            expires_at=_end_of(asked["expires"]) if asked["expires"] else None,
            is_test=asked["is_test"],
            key_id=asked["key_id"],
            by=request.actor,
            now=timezone.now(),
        )
    except NotFound:
        form.add_error("subject", "There is no subject of this reference.")
    except Invalid as error:
        fields = {"expires_at": "expires"}
        for name, problems in error.fields.items():
            form.add_error(fields.get(name, name), problems)
    return None


def _bound_to(request: StaffRequest, ref: str, *, is_test: bool) -> Subject | None:
    if not ref:
        return None
    subject = subject_for(ref, by=request.actor)
    if subject.is_test != is_test:
        said = "A test key sees test subjects only, and other keys never do."
        raise Invalid(fields={"subject": [said]})
    return subject


def _end_of(day: datetime) -> datetime:
    return timezone.make_aware(datetime.combine(day + timedelta(days=1), time()))


def _agent(agent_id: UUID) -> Agent:
    agent = Agent.objects.filter(id=agent_id).first()
    if agent is None:
        raise NotFound
    return agent


def _living(key_id: UUID) -> ApiKey:
    key = ApiKey.objects.select_related("agent").filter(id=key_id).first()
    if key is None:
        raise NotFound
    if not keys.is_living(key, timezone.now()):
        raise accounts.KeyEnded
    return key
