"""The policies: what is in force, what is under way, what was, and what one version says against another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, cast
from uuid import UUID

from django.contrib import messages
from django.db.models import Q, QuerySet
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from accounts.models import Agent
from memory_admin.console import policy_reading, policy_words, rooms, sentences, version_backing, version_forms
from memory_admin.console.frame import show
from memory_admin.console.policy_viewer import Viewer, auth_level, viewer_of
from memory_admin.console.version_steps import put_into, sent
from memory_admin.errors import Invalid, NotFound
from memory_admin.web.access import StaffRequest, form_page, recently_signed_in, staff
from memory_admin.web.words import Word
from policies import roles, services
from policies.documents import FAMILIES, Family
from policies.models import (
    EVERYWHERE,
    ActivationState,
    Attention,
    DecisionKind,
    EffectiveWindow,
    Lane,
    PolicyActivation,
    PolicyEditor,
    PolicyFamily,
    PolicyFreeze,
    PolicyReview,
    PolicyTestRun,
    PolicyVersion,
    ReviewDecision,
    ReviewStatus,
    RiskClass,
    VersionState,
)
from policies.queries import document_of, versions_of, windows_in_force

ROOM = "policies"
AHEAD = (ActivationState.PLANNED, ActivationState.SCHEDULED)
STRIP_DAYS = timedelta(days=90)
STRIP_WIDTH = 100
#: The least width, in hundredths, of a bar that is named by its number, and in full.
ROOM_FOR_NUMBER, ROOM_FOR_NAME = 3, 20


@dataclass(frozen=True, slots=True)
class Open:
    """One version in force: for whom, since when, and the digest it was approved with; altered, it decides nothing."""

    version_id: UUID
    family: str
    title: str
    label: str
    where: str
    mode: str
    how: str
    since: datetime
    until: datetime | None
    digest: str
    is_altered: bool
    approved_by: str
    note: str


@dataclass(frozen=True, slots=True)
class Underway:
    """One version that is not in force yet."""

    version: PolicyVersion
    standing: Word
    when: datetime | None


@dataclass(frozen=True, slots=True)
class FamilyRow:
    """One family: what decides, what is under way, what waits for the viewer, what needs attention."""

    family: PolicyFamily
    risk: str
    in_force: list[Open]
    scheduled: list[Underway]
    underway: list[Underway]
    waiting: list[PolicyVersion]
    attention: list[tuple[PolicyVersion, str]]
    run: PolicyTestRun | None


@dataclass(frozen=True, slots=True)
class Bar:
    """A stretch of a timeline strip, in hundredths of its width, named as far as there is room."""

    x: str
    width: str
    middle: str
    label: str
    group: str


@dataclass(frozen=True, slots=True)
class Strip:
    """What decided in one scope over the last ninety days, as a drawing and as rows."""

    where: str
    bars: list[Bar]
    windows: list[EffectiveWindow]


@staff(*rooms.POLICIES)
@require_safe
def show_policies(request: StaffRequest) -> HttpResponse:
    """List the families with what is in force, what is under way, and what waits for the viewer."""
    viewer, now = viewer_of(request), timezone.now()
    shown = request.GET.get("show", "")
    rows = [row for row in _families(request.user.id, viewer) if _is_shown(row, shown)]
    page = {
        "rows": rows,
        "shown": shown,
        "views": [("", "All"), ("waiting", "Wait for me"), ("open", "Under way"), ("attention", "Need attention")],
        "viewer": viewer,
        "freezes": PolicyFreeze.objects.select_related("set_by").filter(ends_at__gt=now).order_by("begins_at"),
        "now": now,
    }
    return show(request, "console/policies.html", ROOM, page)


def _is_shown(row: FamilyRow, shown: str) -> bool:
    kept = {"waiting": row.waiting, "open": [*row.underway, *row.scheduled], "attention": row.attention}
    return bool(kept.get(shown, [row]))


@staff(*rooms.POLICIES)
@require_safe
def show_policy(request: StaffRequest, family: str) -> HttpResponse:
    """Show one policy: what decides as sentences and numbers, what decided when, and every version."""
    now = timezone.now()
    windows = [one for one in _in_force() if one.family == family]
    deciding = next((one for one in windows if one.where == "Everywhere" and one.mode == "enforce"), None)
    document = document_of(deciding.label) if deciding else None
    if deciding is None or document is None:
        raise NotFound
    found = versions_of(cast(Family, family))
    uses = _uses_by_version(PolicyActivation.objects.filter(version__family__key=family))
    page = {
        "policy": deciding,
        "others": [one for one in windows if one is not deciding],
        "rules": sentences.rules_of(document),
        "tables": sentences.tables_of(document),
        "procedures": getattr(document, "procedures", ()),
        "strips": _strips(family, now=now),
        "strips_begin": now - STRIP_DAYS,
        "versions": [(one, policy_words.standing_of(one, uses.get(one.id, []))) for one in found],
        "viewer": viewer_of(request),
    }
    return show(request, "console/policy.html", ROOM, page)


@staff(*rooms.POLICIES)
@require_safe
def compare_policies(request: StaffRequest) -> HttpResponse:
    """Compare any two versions of one family, by meaning and field by field."""
    before, after = (_asked_version(request.GET.get(name, "")) for name in ("before", "after"))
    page: dict[str, Any] = {"choices": _choices(), "before": before, "after": after}
    if before and after and before.family_id == after.family_id:
        said = policy_reading.examine(after.family.key, after.content, before)
        marks = [(policy_words.DIRECTIONS[one.direction], one) for one in said.changes]
        page |= {"version": after, "base": before, "said": said, "marks": marks}
    return show(request, "console/policy_compare.html", ROOM, page)


@staff(*roles.EDITORS)
@form_page
def begin_policy(request: StaffRequest) -> HttpResponse:
    """Ask what changes, and begin a draft of what decides now, or of the version that is named."""
    source = _asked_version(request.GET.get("source", ""))
    family = source.family.key if source else request.GET.get("family", "")
    decision = version_backing.decision_of(request.GET["from"]) if "from" in request.GET else None
    form = version_forms.BeginForm(sent(request), initial={"family": family, "source": source.id if source else None})
    if form.is_valid():
        asked = form.cleaned_data
        try:
            made = services.begin(
                family=asked["family"],
                title=asked["title"],
                reason=asked["reason"],
                source_id=asked["source"],
                by=request.actor,
                now=timezone.now(),
            )
        except Invalid as error:
            put_into(form, error)
        else:
            messages.success(request, f"Begun as version {made.number}. Say what changes.")
            if decision and asked["family"] == "write":
                return redirect(f"{reverse('console:add_policy_test', args=[made.id])}?from={decision.id}")
            return redirect("console:edit_version", made.id)
    page = {"form": form, "source": source, "decision": decision}
    return show(request, "console/policy_begin.html", ROOM, page, status=422 if form.errors else 200)


# --- emergencies -----------------------------------------------------------------------------------------------------


@recently_signed_in
@staff(*roles.GUARDIANS)
@form_page
def close_now(request: StaffRequest) -> HttpResponse:
    """Ask what to close to agents at once, and why, and close it."""
    form = version_forms.RestrictForm(sent(request))
    if form.is_valid():
        asked = form.cleaned_data
        try:
            made = services.restrict(
                target=asked["target"],
                agent_id=UUID(asked["agent"]) if asked["agent"] else None,
                category=asked["category"],
                reason=asked["reason"],
                by=request.actor,
                auth_level=auth_level(request),
                now=timezone.now(),
            )
        except Invalid as error:
            put_into(form, error)
        else:
            messages.success(request, "Closed from now on. Others review it within 24 hours.")
            return redirect("console:version", made.version_id)
    page = {"form": form, "viewer": viewer_of(request)}
    return show(request, "console/policy_emergency.html", ROOM, page, status=422 if form.errors else 200)


@staff(*roles.GUARDIANS)
@form_page
def freeze_policies(request: StaffRequest) -> HttpResponse:
    """Ask from when until when no policy takes effect, and stop changes for that time."""
    form = version_forms.FreezeForm(sent(request))
    if form.is_valid():
        try:
            services.freeze(**form.cleaned_data, by=request.actor, now=timezone.now())
        except Invalid as error:
            put_into(form, error)
        else:
            messages.success(request, "Stopped for that time. Emergencies and revocations go on.")
            return redirect("console:policies")
    return show(request, "console/policy_freeze.html", ROOM, {"form": form}, status=422 if form.errors else 200)


@staff(*roles.GUARDIANS)
@require_POST
def thaw_policies(request: StaffRequest, freeze_id: UUID) -> HttpResponse:
    """Let policies take effect again before the time that was set."""
    services.thaw(freeze_id=freeze_id, by=request.actor, now=timezone.now())
    messages.success(request, "Changes go on.")
    return redirect("console:policies")


# --- reading ---------------------------------------------------------------------------------------------------------


def _in_force() -> list[Open]:
    agents = dict(Agent.objects.values_list("id", "name"))
    return [_open(window, agents) for window in windows_in_force(timezone.now())]


def _open(window: EffectiveWindow, agents: Mapping[UUID, str]) -> Open:
    use = window.activation
    version = use.version
    mode = use.mode if window.lane == Lane.SHADOW else "enforce"
    where = policy_words.scope(use.region, agents.get(use.agent_id, "") if use.agent_id else "")
    return Open(
        version_id=version.id,
        family=window.family.key,
        title=services.TITLES[cast(Family, window.family.key)][0],
        label=f"{window.family.key}/{version.number}",
        where=where[0].upper() + where[1:],
        mode=mode,
        how=policy_words.MODES[mode],
        since=window.effective.lower,
        until=window.effective.upper,
        digest=version.content_sha256,
        is_altered=policy_words.is_altered(version),
        approved_by="the makers of the product" if str(version.approved_by).startswith("system:") else "staff",
        note=version.approval_note,
    )


def _families(user_id: UUID, viewer: Viewer) -> list[FamilyRow]:
    """Read every family at a constant number of statements."""
    in_force = _in_force()
    live = PolicyActivation.objects.filter(state__in=[*AHEAD, ActivationState.EFFECTIVE])
    moving = live.filter(Q(state__in=AHEAD) | ~Q(attention=""))
    is_open = Q(state__in=[VersionState.DRAFT, VersionState.IN_REVIEW])
    versions = PolicyVersion.objects.filter(is_open | Q(id__in=moving.values("version_id")))
    ahead = list(versions.defer("content").order_by("number"))
    uses = _uses_by_version(live.filter(version_id__in=[one.id for one in ahead]))
    waiting = _waiting_for(user_id) if viewer.may_approve else set()
    newest = PolicyTestRun.objects.select_related("version")
    runs = {
        run.version.family_id: run
        for run in newest.order_by("version__family_id", "-finished_at", "-id").distinct("version__family_id")
    }
    families = {family.key: family for family in PolicyFamily.objects.all()}
    rows = []
    for key in FAMILIES:
        if key not in families:
            continue
        open_here = [one for one in in_force if one.family == key]
        mine = [one for one in ahead if one.family_id == families[key].id]
        underway = [_underway(one, uses.get(one.id, [])) for one in mine]
        rows.append(
            FamilyRow(
                family=families[key],
                risk=RiskClass(families[key].risk_class).label,
                in_force=open_here,
                scheduled=[one for one in underway if one.when is not None],
                underway=[one for one in underway if one.when is None and _is_ahead(one.version, uses)],
                waiting=[one for one in mine if one.id in waiting],
                attention=[
                    (one, Attention(use.attention).label)
                    for one in mine
                    for use in uses.get(one.id, [])
                    if use.attention
                ],
                run=runs.get(families[key].id),
            )
        )
    return rows


def _underway(version: PolicyVersion, uses: Sequence[PolicyActivation]) -> Underway:
    scheduled = next((use for use in uses if use.state == ActivationState.SCHEDULED), None)
    return Underway(version, policy_words.standing_of(version, uses), scheduled.effective_from if scheduled else None)


def _is_ahead(version: PolicyVersion, uses: Mapping[UUID, list[PolicyActivation]]) -> bool:
    return any(use.state == ActivationState.PLANNED for use in uses.get(version.id, []))


def _uses_by_version(found: QuerySet[PolicyActivation]) -> dict[UUID, list[PolicyActivation]]:
    by_version: dict[UUID, list[PolicyActivation]] = {}
    for use in found.order_by("-id"):
        by_version.setdefault(use.version_id, []).append(use)
    return by_version


def _waiting_for(user_id: UUID) -> set[UUID]:
    """Name the versions in review that the viewer may decide and has not decided yet."""
    reviews = PolicyReview.objects.filter(status=ReviewStatus.OPEN)
    own = PolicyEditor.objects.filter(user_id=user_id).values("version_id")
    decided = ReviewDecision.objects.filter(reviewer_id=user_id).exclude(kind=DecisionKind.COMMENT).values("review_id")
    waiting = reviews.exclude(version_id__in=own).exclude(id__in=decided)
    return set(waiting.values_list("version_id", flat=True))


def _strips(family: str, *, now: datetime) -> list[Strip]:
    """Draw what decided in each scope over the last ninety days, each version in its stretch."""
    agents = dict(Agent.objects.values_list("id", "name"))
    begins = now - STRIP_DAYS
    windows = EffectiveWindow.objects.select_related("activation__version").filter(
        family__key=family, lane=Lane.ENFORCE, effective__endswith__isnull=True
    ) | EffectiveWindow.objects.select_related("activation__version").filter(
        family__key=family, lane=Lane.ENFORCE, effective__endswith__gt=begins
    )
    by_scope: dict[str, list[EffectiveWindow]] = {}
    for window in windows.order_by("effective"):
        by_scope.setdefault(window.scope, []).append(window)
    strips = []
    for scope in sorted(by_scope, key=lambda one: (one != EVERYWHERE, one)):
        held = by_scope[scope]
        use = held[0].activation
        where = policy_words.scope(use.region, agents.get(use.agent_id, "") if use.agent_id else "")
        strips.append(Strip(where[0].upper() + where[1:], [_bar(one, begins, now) for one in held], held[::-1]))
    return strips


def _bar(window: EffectiveWindow, begins: datetime, now: datetime) -> Bar:
    starts = max(window.effective.lower, begins)
    ends = min(window.effective.upper or now, now)
    width = max((ends - starts) / STRIP_DAYS * STRIP_WIDTH, 0.2)
    x = min((starts - begins) / STRIP_DAYS * STRIP_WIDTH, STRIP_WIDTH - width)
    number = window.activation.version.number
    label = f"Version {number}" if width >= ROOM_FOR_NAME else str(number) if width >= ROOM_FOR_NUMBER else ""
    return Bar(f"{x:.2f}", f"{width:.2f}", f"{x + width / 2:.2f}", label, "p1" if number % 2 else "p2")


def _asked_version(version_id: str) -> PolicyVersion | None:
    if not version_id:
        return None
    try:
        return policy_reading.version_of(UUID(version_id))
    except ValueError:
        raise NotFound from None


def _choices() -> list[tuple[str, list[tuple[str, str]]]]:
    """List every version to choose from, by family, the newest first."""
    versions = PolicyVersion.objects.select_related("family").order_by("-number")
    by_family: dict[str, list[tuple[str, str]]] = {key: [] for key in FAMILIES}
    for one in versions:
        name = f"Version {one.number}{f', {one.title}' if one.title else ''}"
        by_family[one.family.key].append((str(one.id), name))
    return [(services.TITLES[cast(Family, key)][0], found) for key, found in by_family.items() if found]
