"""How long memories are kept and whether agents may conclude anything: the person's own limits, never wider ones."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_POST

from accounts.actors import Actor
from accounts.models import Subject
from memory_admin.errors import Invalid
from memory_admin.memories import queries
from memory_admin.memories import services as memories
from memory_admin.memories.vocabulary import Kind, Origin
from memory_admin.memories.wishes import Wishes, wishes_of
from memory_admin.portal.census import census_of
from memory_admin.portal.forms import UntilField, until_of
from memory_admin.portal.frame import show
from memory_admin.portal.rows import row_of
from memory_admin.web import words
from memory_admin.web.access import PersonRequest, form_page, signed_in
from policies.documents import RetentionPolicy
from policies.engine import days_kept
from policies.queries import in_force

#: The lives to choose from, in days.
LIVES = {1: "1 day", 7: "7 days", 30: "30 days", 90: "90 days", 180: "180 days", 365: "1 year", 730: "2 years"}


class KeepingForm(forms.Form):
    """How long each kind and category is kept at most.

    `seen` is how many memories would end at once, as the person has read.
    """

    seen = forms.IntegerField(required=False, widget=forms.HiddenInput)

    def __init__(self, *form: Any, wishes: Wishes, categories: Iterable[str], hints: dict[str, str]) -> None:
        super().__init__(*form)
        held = {f"kind-{name}": (words.KINDS[name], wishes.days_of_kind.get(name)) for name in Kind.values}
        held |= {
            f"category-{name}": (words.category(name).capitalize(), wishes.days_of_category.get(name))
            for name in sorted({*categories, *wishes.days_of_category})
        }
        for name, (label, days) in held.items():
            lives = LIVES if days is None or days in LIVES else {**LIVES, days: f"{days} days"}
            self.fields[name] = forms.TypedChoiceField(
                label=label,
                required=False,
                coerce=int,
                empty_value=None,
                initial=days or "",
                choices=[("", "No limit of my own"), *sorted(lives.items())],
                help_text=hints.get(name, ""),
            )

    @property
    def kinds(self) -> list[forms.BoundField]:
        return [self[name] for name in self.fields if name.startswith("kind-")]

    @property
    def categories(self) -> list[forms.BoundField]:
        return [self[name] for name in self.fields if name.startswith("category-")]

    def days(self, of: str) -> dict[str, int]:
        """Give what was chosen for kinds or categories."""
        chosen = {name.removeprefix(f"{of}-"): days for name, days in self.cleaned_data.items() if name.startswith(of)}
        return {name: days for name, days in chosen.items() if days is not None}


class EndForm(forms.Form):
    """When one memory ends."""

    until = UntilField(label="Delete it on", help_text="Leave it empty for no end of your own.")


@dataclass(frozen=True, slots=True)
class Limits:
    """What the privacy page tells of a person's own limits."""

    says: list[str]
    objects_to_inference: bool
    guesses: int


def limits_of(by: Actor) -> Limits:
    """Read a person's own limits, and how many conclusions there are about them."""
    wishes = _wishes(by)
    says = [f"{words.KINDS[name]}: {_life(days)}" for name, days in wishes.days_of_kind.items()]
    says += [f"{words.category(name).capitalize()}: {_life(days)}" for name, days in wishes.days_of_category.items()]
    guesses = queries.visible_to(by).filter(origin=Origin.INFERRED).order_by().count()
    return Limits(says, wishes.objects_to_inference, guesses)


@signed_in
@form_page
def set_keeping(request: PersonRequest) -> HttpResponse:
    """Choose how long each kind and category is kept; what would end at once is asked about first."""
    if request.actor.subject_id is None:
        return show(request, "portal/nobody.html", {})
    now = timezone.now()
    policies = in_force(now)
    categories = census_of(queries.visible_to(request.actor)).by_category
    form = KeepingForm(
        request.POST if request.method == "POST" else None,
        wishes=_wishes(request.actor),
        categories=categories,
        hints=_hints(policies.retention.document, region=policies.region),
    )
    ends_now = 0
    if form.is_valid():
        days = {"kinds": form.days("kind"), "categories": form.days("category")}
        ends_now = memories.foresee_keeping(**days, by=request.actor, now=now).ends_now
        if ends_now == (form.cleaned_data["seen"] or 0):
            moved = memories.keep_for(**days, by=request.actor, now=now)
            messages.success(request, f"Saved. {_moved(moved)}")
            return redirect("portal:privacy")
    page = {"form": form, "ends_now": ends_now}
    return show(request, "portal/keeping.html", page, status=422 if form.errors else 200)


@signed_in
@require_POST
def set_conclusions(request: PersonRequest) -> HttpResponse:
    """Let nobody conclude anything about the person, or let agents propose conclusions again."""
    objects = {"none": True, "ask": False}.get(request.POST.get("conclusions", ""))
    if objects is None:
        raise Invalid
    memories.object_to_inference(objects=objects, by=request.actor, now=timezone.now())
    said = "Nothing is concluded about you any more." if objects else "Agents may propose conclusions again."
    messages.success(request, f"Saved. {said}")
    return redirect("portal:privacy")


@signed_in
@form_page
def choose_end(request: PersonRequest, memory_id: UUID) -> HttpResponse:
    """Choose the day on which one memory is deleted by itself."""
    memory = queries.one(memory_id, by=request.actor)
    now = timezone.now()
    asked = timezone.localtime(memory.asked_expiry).date() if memory.asked_expiry else None
    form = EndForm(request.POST if request.method == "POST" else None, initial={"until": asked})
    if form.is_valid():
        until = until_of(form)
        ends = memories.keep_until(memory_id=memory_id, until=until, by=request.actor, now=now).expires_at
        messages.success(request, _ends(ends, asked=until))
        return redirect("portal:memory", memory_id)
    page = {"form": form, "memory": memory, "row": row_of(memory, now=now)}
    return show(request, "portal/end.html", page, status=422 if form.errors else 200)


def _wishes(by: Actor) -> Wishes:
    return wishes_of(Subject.objects.get(id=by.subject_id)) if by.subject_id else Wishes()


def _hints(policy: RetentionPolicy, *, region: str) -> dict[str, str]:
    """Say for each kind how long a policy keeps it."""
    hints = {}
    for kind in Kind.values:
        days = {days_kept(policy, kind=kind, origin=origin, region=region) for origin in Origin.values}
        limited = sorted(one for one in days if one is not None)
        if not limited:
            hint = "Kept until you delete it."
        elif None in days:
            hint = f"Kept {limited[0]} days or longer, some until you delete it: that depends on where it comes from."
        elif len(limited) == 1:
            hint = f"Kept {limited[0]} days."
        else:
            hint = f"Kept between {limited[0]} and {limited[-1]} days: that depends on where it comes from."
        hints[f"kind-{kind}"] = hint
    return hints


def _life(days: int) -> str:
    return f"at most {LIVES.get(days, f'{days} days')}"


def _moved(count: int) -> str:
    if not count:
        return "No memory has another end by it."
    return f"{words.several(count, 'memory has', 'memories have')} another end now."


def _ends(ends: datetime | None, *, asked: datetime | None) -> str:
    if ends is None:
        return "Saved. It is kept until you delete it."
    day = words.day(timezone.localtime(ends), timezone.localtime())
    if asked is not None and ends < asked:
        return f"Saved. It ends sooner than that, on {day}: no rule keeps it longer."
    return f"Saved. It is deleted on {day}."
