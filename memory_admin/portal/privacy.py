"""The privacy page: memory on or paused, for all agents, for one of them, for a category. Each is a plain form."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.actors import Actor
from memory_admin.errors import NotFound
from memory_admin.memories import queries
from memory_admin.memories import services as memories
from memory_admin.memories.models import MemoryPause
from memory_admin.memories.vocabulary import PauseMode, PauseTarget
from memory_admin.portal.agents import agents_of
from memory_admin.portal.census import census_of
from memory_admin.portal.forms import MODE_ON, ModeForm, PauseForm, SwitchForm, until_of
from memory_admin.portal.frame import show
from memory_admin.portal.keeping import limits_of
from memory_admin.portal.out_of_use import use_from_now_on
from memory_admin.portal.pauses import Pauses, pauses_of
from memory_admin.portal.queries import own_pause
from memory_admin.portal.rows import row_of
from memory_admin.web.access import PersonRequest, signed_in
from memory_admin.web.words import day


@dataclass(frozen=True, slots=True)
class CategoryLine:
    """One category that the person's memories have, or that is paused."""

    name: str
    label: str
    count: int
    is_sensitive: bool
    pause: MemoryPause | None


@signed_in
@require_safe
def show_privacy(request: PersonRequest) -> HttpResponse:
    """Show what is on, what is paused, and who can use the memory."""
    return _page(request)


@signed_in
@require_POST
def set_mode(request: PersonRequest) -> HttpResponse:
    """Turn the memory on, or pause using, saving or both for all agents."""
    form = ModeForm(request.POST)
    if not form.is_valid():
        return _page(request, mode=form)
    now = timezone.now()
    everything = pauses_of(request.actor, now=now).everything
    if form.cleaned_data["mode"] != MODE_ON:
        mode, until = PauseMode(form.cleaned_data["mode"]), until_of(form)
        memories.pause(target=PauseTarget.ALL, by=request.actor, now=now, mode=mode, until=until)
        messages.success(request, f"Saved. This holds {_how_long(until, now)}.")
    elif everything:
        _resume(everything, by=request.actor, now=now)
        messages.success(request, "Memory is on again.")
    return redirect("portal:privacy")


@signed_in
@require_POST
def set_agents(request: PersonRequest) -> HttpResponse:
    """Pause and resume agents by the switches that were changed."""
    now = timezone.now()
    pauses = pauses_of(request.actor, now=now)
    names = {str(line.id): line.name for line in agents_of(request.actor, pauses=pauses, now=now)}
    form = SwitchForm(request.POST, names=names, prefix="agents")
    if not form.is_valid():
        return _page(request, agents=form)
    for key in form.turned_off:
        memories.pause(target=PauseTarget.AGENT, agent_id=UUID(key), by=request.actor, now=now, until=until_of(form))
    for pause in [pauses.agents[UUID(key)] for key in form.turned_on if UUID(key) in pauses.agents]:
        _resume(pause, by=request.actor, now=now)
    _tell(request, form, names, now)
    return redirect("portal:privacy")


@signed_in
@require_POST
def set_categories(request: PersonRequest) -> HttpResponse:
    """Pause and resume categories by the switches that were changed."""
    now = timezone.now()
    pauses = pauses_of(request.actor, now=now)
    names = {line.name: line.label for line in _categories(request.actor, pauses)}
    form = SwitchForm(request.POST, names=names, prefix="categories")
    if not form.is_valid():
        return _page(request, categories=form)
    for name in form.turned_off:
        memories.pause(target=PauseTarget.CATEGORY, category=name, by=request.actor, now=now, until=until_of(form))
    for pause in [pauses.categories[name] for name in form.turned_on if name in pauses.categories]:
        _resume(pause, by=request.actor, now=now)
    _tell(request, form, names, now)
    return redirect("portal:privacy")


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def pause_memory(request: PersonRequest, memory_id: UUID) -> HttpResponse:
    """Keep one memory from every agent for a while."""
    memory = queries.one(memory_id, by=request.actor)
    now = timezone.now()
    form = PauseForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        until = until_of(form)
        memories.pause(target=PauseTarget.MEMORY, memory_id=memory_id, by=request.actor, now=now, until=until)
        messages.success(request, f"Paused. No agent uses it {_how_long(until, now)}.")
        return redirect("portal:memory", memory_id)
    page = {"form": form, "memory": memory, "row": row_of(memory, now=now)}
    return show(request, "portal/pause.html", page, status=422 if form.errors else 200)


@signed_in
@require_POST
def resume(request: PersonRequest, pause_id: UUID) -> HttpResponse:
    """End a pause and go to where its effect is seen; one that ended meanwhile is left as it is."""
    pause = own_pause(pause_id, by=request.actor)
    if pause is None:
        raise NotFound
    now = timezone.now()
    _resume(pause, by=request.actor, now=now)
    if pause.memory_id is not None:
        memory = queries.one(pause.memory_id, by=request.actor)
        use = use_from_now_on(memory, pauses=pauses_of(request.actor, now=now), now=now)
        messages.success(request, f"Resumed. {use}")
        return redirect("portal:memory", memory.id)
    messages.success(request, "Memory is on again." if pause.target == PauseTarget.ALL else "Back in use.")
    return redirect("portal:memories" if pause.target == PauseTarget.ALL else "portal:privacy")


def _resume(pause: MemoryPause, *, by: Actor, now: datetime) -> None:
    """End a pause; one that was ended meanwhile, as from another window, is left as it is."""
    with suppress(NotFound):
        memories.resume(pause_id=pause.id, by=by, now=now)


def _page(
    request: PersonRequest,
    *,
    mode: ModeForm | None = None,
    agents: SwitchForm | None = None,
    categories: SwitchForm | None = None,
) -> HttpResponse:
    """Show the page, with the form that could not be read as it was sent."""
    if request.actor.subject_id is None:
        return show(request, "portal/nobody.html", {})
    now = timezone.now()
    pauses = pauses_of(request.actor, now=now)
    everything = pauses.everything
    until = timezone.localtime(everything.until).date() if everything and everything.until else None
    page: dict[str, Any] = {
        "pauses": pauses,
        "mode": mode or ModeForm(initial={"mode": everything.mode if everything else MODE_ON, "until": until}),
        "agents": agents_of(request.actor, pauses=pauses, now=now),
        "agents_form": agents or SwitchForm(names={}, prefix="agents"),
        "categories": _categories(request.actor, pauses),
        "limits": limits_of(request.actor),
        "categories_form": categories or SwitchForm(names={}, prefix="categories"),
    }
    return show(request, "portal/privacy.html", page, status=422 if mode or agents or categories else 200)


def _categories(by: Actor, pauses: Pauses) -> list[CategoryLine]:
    sensitive = queries.sensitive_categories()
    found = census_of(queries.visible_to(by)).by_category
    return [
        CategoryLine(
            name=name,
            label=name.replace("_", " ").capitalize(),
            count=found[name],
            is_sensitive=name in sensitive,
            pause=pauses.categories.get(name),
        )
        for name in sorted({*found, *pauses.categories})
    ]


def _how_long(until: datetime | None, now: datetime) -> str:
    return f"until {day(timezone.localtime(until), now)}" if until else "until you change it"


def _tell(request: PersonRequest, form: SwitchForm, names: dict[str, str], now: datetime) -> None:
    off, on = (", ".join(names[key] for key in keys) for keys in (form.turned_off, form.turned_on))
    parts = [f"Paused {_how_long(until_of(form), now)}: {off}." if off else "", f"On again: {on}." if on else ""]
    messages.success(request, " ".join(part for part in parts if part) or "Nothing changed.")
