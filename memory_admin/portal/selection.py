"""Doing something about many memories: those that were ticked, or all that match the filters.

Each is asked first, on a page that names what it will touch. The answer counts only for exactly that: the form carries
a fingerprint of what was shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from hashlib import sha256
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils import timezone

from memory_admin.errors import NotFound
from memory_admin.lifecycle import services as lifecycle
from memory_admin.lifecycle.queries import extent_of
from memory_admin.memories import queries
from memory_admin.memories import services as memories
from memory_admin.memories.models import MemoryQuerySet
from memory_admin.memories.vocabulary import Status
from memory_admin.portal.census import census_of
from memory_admin.portal.forms import TYPED_FROM, DeleteManyForm, ManyForm, PauseManyForm, until_of
from memory_admin.portal.frame import show
from memory_admin.portal.narrowing import filters_of, narrowed, uuid_of
from memory_admin.portal.pauses import Pauses, pauses_of
from memory_admin.web.access import PersonRequest, ask_who_it_is, form_page, signed_in
from memory_admin.web.words import several

SHOWN = 5


@signed_in
@form_page
def delete_many(request: PersonRequest) -> HttpResponse:
    """Ask whether to delete the selected memories, saying what goes; have them erased when that is answered."""
    now = timezone.now()
    chosen = _chosen(request, pauses=pauses_of(request.actor, now=now), now=now)
    ids = _ids(chosen)
    if not ids:
        return _nothing(request)
    if len(ids) >= TYPED_FROM and (question := ask_who_it_is(request)):
        return question
    form = DeleteManyForm(request.POST if request.method == "POST" else None, seen=_fingerprint(ids), count=len(ids))
    if form.is_valid():
        keeps_out = form.cleaned_data["keeps_out"]
        try:
            asked = lifecycle.request_erasure(memory_ids=ids, by=request.actor, now=now, keeps_out=keeps_out)
        except NotFound:  # one of them went while this one waited for its turn
            return _nothing(request)
        return redirect("portal:deleted", asked.id)
    page = {"extent": extent_of(ids, by=request.actor)}
    return _question(request, "portal/delete_many.html", chosen, ids, form, page)


@signed_in
@form_page
def pause_many(request: PersonRequest) -> HttpResponse:
    """Ask until when to pause those of the selected memories that are in use; pause them when that is answered."""
    now = timezone.now()
    pauses = pauses_of(request.actor, now=now)
    chosen = _chosen(request, pauses=pauses, now=now).filter(status=Status.ACTIVE).exclude(id__in=list(pauses.memories))
    ids = _ids(chosen)
    if not ids:
        return _nothing(request)
    form = PauseManyForm(request.POST if request.method == "POST" else None, seen=_fingerprint(ids))
    if form.is_valid():
        memories.pause_memories(memory_ids=ids, by=request.actor, now=now, until=until_of(form))
        messages.success(
            request, f"Paused: {several(len(ids), 'memory', 'memories')}. No agent uses them until they are back."
        )
        return redirect("portal:memories")
    return _question(request, "portal/pause_many.html", chosen, ids, form, {})


@signed_in
@form_page
def resume_many(request: PersonRequest) -> HttpResponse:
    """Ask whether to resume those of the selected memories that were paused one by one; resume them when answered."""
    now = timezone.now()
    pauses = pauses_of(request.actor, now=now)
    chosen = _chosen(request, pauses=pauses, now=now).filter(id__in=list(pauses.memories))
    ids = _ids(chosen)
    if not ids:
        return _nothing(request)
    form = ManyForm(request.POST if request.method == "POST" else None, seen=_fingerprint(ids), count=0)
    if form.is_valid():
        memories.resume_memories(memory_ids=ids, by=request.actor, now=now)
        messages.success(request, f"Back in use: {several(len(ids), 'memory', 'memories')}.")
        return redirect("portal:memories")
    return _question(request, "portal/resume_many.html", chosen, ids, form, {})


def _chosen(request: PersonRequest, *, pauses: Pauses, now: datetime) -> MemoryQuerySet:
    """Give the ticked memories of this person, or all that match; what is not there is not among them."""
    everything = queries.visible_to(request.actor)
    if request.GET.get("all"):
        filters = filters_of(request.GET, census_of(everything))
        return narrowed(everything, filters, by=request.actor, pauses=pauses, now=now)
    ids = [found for found in map(uuid_of, request.GET.getlist("id")) if found]
    return everything.filter(id__in=ids)


def _ids(chosen: MemoryQuerySet) -> list[UUID]:
    return list(chosen.order_by("id").values_list("id", flat=True))


def _fingerprint(ids: Sequence[UUID]) -> str:
    return sha256(b"".join(one.bytes for one in ids)).hexdigest()


def _question(
    request: PersonRequest,
    template: str,
    chosen: MemoryQuerySet,
    ids: Sequence[UUID],
    form: ManyForm,
    page: dict[str, Any],
) -> HttpResponse:
    """Ask, with the first texts; a fingerprint that does not fit asks anew for what is there now."""
    shown = list(chosen.order_by("-recorded_at", "-id")[:SHOWN])
    more = {"form": form, "shown": shown, "chosen_count": len(ids), "more_count": len(ids) - len(shown)}
    status = (409 if form.is_outdated else 422) if form.errors else 200
    return show(request, template, {**page, **more}, status=status)


def _nothing(request: PersonRequest) -> HttpResponse:
    messages.warning(request, "Nothing was changed: none of your memories was selected for this.")
    return redirect("portal:memories")
