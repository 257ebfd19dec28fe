"""The editor of a draft: a form by section, and the same text as JSON, checked by the server while it is typed."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError as Unreadable
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST
from pydantic import ValidationError

from memory_admin.console import naming, policy_merge, policy_reading, policy_words, sentences, version_forms, versions
from memory_admin.console.frame import show
from memory_admin.console.policy_fields import Section, changed_list, content_of, sections_of
from memory_admin.console.policy_viewer import viewer_of
from memory_admin.console.templatetags.policy_values import field_id
from memory_admin.console.version_steps import put_into, sent
from memory_admin.errors import Invalid
from memory_admin.web import words
from memory_admin.web.access import StaffRequest, form_page, staff
from policies import cases, compare, roles, services, standing
from policies.digests import Terms
from policies.documents import AccessRule, Part, ProcedurePolicy, WriteRule, parse
from policies.models import PolicyVersion
from policies.services.drafts import EDITABLE, EditedMeanwhile, NotADraft, NothingChanged
from policies.services.drafts import save as save_draft

ROOM = "policies"
LISTS = ("add", "remove", "up", "down", "open", "close")


class DraftForm(version_forms.TermsForm):
    """What is said about a text: its title, why, and how it is to be used."""

    title = forms.CharField(
        label="What changes, in one line", max_length=200, error_messages={"required": "Say in one line what changes."}
    )
    reason = forms.CharField(label="Why", required=False, max_length=4000, widget=version_forms.REASON)
    read = forms.CharField(widget=forms.HiddenInput)
    field_order = ("title", "reason", "region", "agent", "mode", "starts", "ends")


@dataclass(frozen=True, slots=True)
class Text:
    """The text of a draft as it is being edited; `typed` and `problem` when it was typed as JSON and is none.

    `reader_at` names the element at which the page begins that answers a button.
    """

    content: dict[str, Any]
    as_json: bool = False
    open_item: tuple[str, int] | None = None
    reader_at: str = ""
    typed: str | None = None
    problem: str = ""

    @property
    def json(self) -> str:
        return self.typed if self.typed is not None else json.dumps(self.content, indent=2, ensure_ascii=False)


@staff(*roles.EDITORS)
@form_page
def edit_version(request: StaffRequest, version_id: UUID) -> HttpResponse:
    """Edit a draft: each button sends the whole form, and all but one only show it anew."""
    version = _editable(version_id)
    form = DraftForm(sent(request), initial=_initial(version))
    text = _text_of(version, request.POST) if request.method == "POST" else Text(version.content)
    act, path, at = _asked(request.POST.get("do", ""))
    if text.problem:
        return _page(request, version, form, text, status=422)
    if act in LISTS:
        text = _with_list(version, text, act, path, at)
    elif act in ("json", "form"):
        first = "s-json" if act == "json" else f"s-{sections_of(version.family.key, text.content)[0].path}"
        text = replace(text, as_json=act == "json", open_item=None, reader_at=first)
    elif act == "check":
        text = replace(text, reader_at="s-check")
    elif request.method == "POST" and act != "check" and form.is_valid():
        return _save(request, version, form, text)
    is_wrong = act == "save" and bool(form.errors)
    # Only what is saved has to be filled in.
    shown = form if is_wrong or request.method != "POST" else DraftForm(initial=_typed(form))
    return _page(request, version, shown, text, status=422 if is_wrong else 200)


@staff(*roles.EDITORS)
@require_POST
def check_version(request: StaffRequest, version_id: UUID) -> HttpResponse:
    """Say what is to be noticed about a text as it is typed; nothing is saved."""
    version = _editable(version_id)
    text = _text_of(version, request.POST)
    return render(request, "console/_editor_check.html", _noticed(version, text) | {"is_part": True})


def _save(request: StaffRequest, version: PolicyVersion, form: DraftForm, text: Text) -> HttpResponse:
    asked = form.cleaned_data
    try:
        save_draft(
            version_id=version.id,
            read_sha256=asked["read"],
            content=text.content,
            title=asked["title"],
            reason=asked["reason"],
            terms=form.terms,
            by=request.actor,
            now=timezone.now(),
        )
    except NothingChanged:
        messages.info(request, "No change: this is what the draft says already.")
    except EditedMeanwhile as error:
        return _conflict(request, version, form, text, by=str(error.details.get("by", "")))
    except Invalid as error:
        put_into(form, error)
        return _page(request, version, form, text, status=422)
    else:
        messages.success(request, "Saved.")
    there = "?view=json" if text.as_json else ""
    return redirect(f"{request.path}{there}")


def _conflict(request: StaffRequest, version: PolicyVersion, form: DraftForm, text: Text, *, by: str) -> HttpResponse:
    """Show both texts when somebody else has saved meanwhile; saving once more puts this one in place of theirs."""
    again = DraftForm(initial=_typed(form) | {"read": version.content_sha256})
    theirs = PolicyVersion(family=version.family, number=version.number, content=version.content)
    page = {
        "conflict": {
            "by": naming.actors({by}).get(by, "Somebody else"),
            "changes": _changes(theirs, text.content),
            "theirs": version.content,
        }
    }
    return _page(request, version, again, text, status=409, more=page)


def _changes(before: PolicyVersion, content: dict[str, Any]) -> list[compare.Change]:
    try:
        return policy_reading.examine(before.family.key, content, before).changes
    except ValidationError:
        return []


# --- the page --------------------------------------------------------------------------------------------------------


def _page(
    request: StaffRequest,
    version: PolicyVersion,
    form: DraftForm,
    text: Text,
    *,
    status: int = 200,
    more: dict[str, Any] | None = None,
) -> HttpResponse:
    if request.method != "POST" and request.GET.get("view") == "json":
        text = replace(text, as_json=True)
    page: dict[str, Any] = {
        "version": version,
        "form": form,
        "text": text,
        "sections": [] if text.as_json else _sections(version, text),
        "review": policy_reading.open_review(version),
        "standing": policy_words.standing_of(version, []),
        "people": versions.people_of(version, None),
        "viewer": viewer_of(request, version),
        "now": timezone.now(),
        **_noticed(version, text),
        **(more or {}),
    }
    return show(request, "console/version_edit.html", ROOM, page, status=status)


def _sections(version: PolicyVersion, text: Text) -> list[dict[str, Any]]:
    """Make the sections of the form; each entry of a list has a sentence that says what it does."""
    made = sections_of(version.family.key, text.content, open_item=text.open_item)
    return [{"section": one, "entries": _entries(version, one)} for one in made]


def _entries(version: PolicyVersion, section: Section) -> list[tuple[Any, str]]:
    return [(one, _summary(version.family.key, section.path, one.value)) for one in section.items or []]


def _summary(family: str, path: str, value: Any) -> str:
    """Say in one sentence what an entry of a list does."""
    kinds: dict[tuple[str, str], type[Part]] = {("write", "rules"): WriteRule, ("access", "rules"): AccessRule}
    model = kinds.get((family, path))
    if model is not None:
        try:
            return sentences.sentence_of(model.model_validate(value))
        except ValidationError:
            return "It is not complete yet."
    if not isinstance(value, dict):
        return "It is not complete yet."
    named = value.get("title") or value.get("region") or value.get("name") or "New"
    days = value.get("maximum_days")
    return f"{named}: at most {words.several(days, 'day', 'days')}" if isinstance(days, int) else str(named)


def _noticed(version: PolicyVersion, text: Text) -> dict[str, Any]:
    """Read what the checks say of a text: findings, changes, tests that are missing, what it does to what is stored."""
    use = standing.planned(version)
    base = use.base_version if use else version.base_version
    if text.problem:
        wrong = [(policy_words.SEVERITIES["error"], {"sentence": text.problem, "path": ""}, "")]
        return {"noticed": [(False, wrong)], "summary": "1 error", "marks": [], "base": base}
    said = policy_reading.examine(version.family.key, text.content, base)
    family = version.family.key
    before = parse(family, base.content) if base else None
    missing = cases.untested(family, before, said.document, standing.cases_of(version)) if said.document else []
    return {
        "noticed": policy_reading.noticed(said, lambda path: _place(path, text)),
        "summary": said.summary,
        "marks": [(policy_words.DIRECTIONS[one.direction], one) for one in said.changes],
        "base": base,
        "untested": missing,
        "effect": policy_reading.foresee(said.document, use, now=timezone.now()) if said.changes else None,
        "previews": _previews(version, said.document),
    }


def _place(path: str, text: Text) -> str:
    """Name the element that a finding is about: a field that is shown, or the entry of a list; empty for neither."""
    if text.as_json:
        return ""
    listed = re.match(r"(\w+)\[([^\]]+)\]", path)
    if listed is None:
        return field_id(path) if "." in path else ""
    name, wanted = listed.groups()
    items = text.content.get(name)
    for at, one in enumerate(items if isinstance(items, list) else []):
        if wanted == str(at) or (isinstance(one, dict) and wanted in (one.get("id"), one.get("name"))):
            return f"f-{name}-{at}"
    return ""


def _previews(version: PolicyVersion, document: Any) -> list[dict[str, Any]]:
    """Show what an agent gets that reads a procedure by its name."""
    if not isinstance(document, ProcedurePolicy):
        return []
    label = f"procedure/{version.number}"
    return [{**one.model_dump(mode="json"), "policy_version": label} for one in document.procedures]


# --- what was sent ---------------------------------------------------------------------------------------------------


def _editable(version_id: UUID) -> PolicyVersion:
    version = policy_reading.version_of(version_id)
    if version.state not in EDITABLE:
        raise NotADraft
    return version


def _initial(version: PolicyVersion) -> dict[str, Any]:
    use = standing.planned(version)
    terms = standing.terms_of(use) if use else Terms()
    said = {"title": version.title, "reason": version.reason, "read": version.content_sha256}
    return said | version_forms.TermsForm.initial_of(terms)


def _typed(form: DraftForm) -> dict[str, Any]:
    """Give back what was typed, right or wrong."""
    return {name: form.data.get(name, "") for name in form.fields}


def _text_of(version: PolicyVersion, posted: QueryDict) -> Text:
    """Read the text that was sent: as JSON, or as a JSON that the fields of the form are put into."""
    as_json = "json" in posted
    typed = posted.get("json" if as_json else "content", "")
    try:
        content = version_forms.read_json(typed)
    except Unreadable as error:
        return Text(version.content, as_json=True, typed=typed, problem=" ".join(error.messages))
    if as_json:
        return Text(content, as_json=True)
    _, path, at = _asked(f"open:{posted.get('open', '')}")
    open_item = (path, at) if path else None
    fields = {name: posted.getlist(name) for name in posted}
    return Text(content_of(version.family.key, content, fields, open_item=open_item), open_item=open_item)


def _with_list(version: PolicyVersion, text: Text, act: str, path: str, at: int) -> Text:
    """Do to a list what a button says, and open the entry that is to be seen next."""
    if act == "open":
        return replace(text, open_item=(path, at), reader_at=f"f-{path}-{at}")
    if act == "close":
        path, at = text.open_item or ("", -1)
        return replace(text, open_item=None, reader_at=f"f-{path}-{at}")
    content, to = changed_list(version.family.key, text.content, act, path, at)
    # What is removed leaves the reader at the entry that follows, or at the head of the list.
    left = content.get(path)
    near = to if to >= 0 else at if isinstance(left, list) and at < len(left) else -1
    opened = (path, to) if act == "add" and to >= 0 else None
    reader_at = f"f-{path}-{near}" if near >= 0 else f"s-{path}"
    return replace(text, content=content, open_item=opened, reader_at=reader_at)


def _asked(said: str) -> tuple[str, str, int]:
    """Read a button such as ``up:rules:3``."""
    act, _, rest = said.partition(":")
    path, _, at = rest.partition(":")
    return act or "save", path, int(at) if at.isdigit() else -1


# --- rebasing --------------------------------------------------------------------------------------------------------


@staff(*roles.EDITORS)
@form_page
def rebase_version(request: StaffRequest, version_id: UUID) -> HttpResponse:
    """Show what a draft was begun against, what decides now and the draft side by side, and move it to what decides."""
    version = _editable(version_id)
    use = standing.planned(version)
    base = use.base_version if use else version.base_version
    now = timezone.now()
    terms = standing.terms_of(use) if use else Terms()
    theirs = standing.deciding(version.family_id, region=terms.region, agent_id=terms.agent_id, now=now)
    if theirs is None or base is None or theirs.id == base.id:
        raise NothingChanged("What it was begun against decides still.")
    both = policy_merge.merged(base.content, theirs.content, version.content)
    if request.method == "POST":
        if request.POST.get("keep") != "mine":
            _keep_both(request, version, both)
        services.rebase(version_id=version.id, by=request.actor, now=now)
        messages.success(request, f"Moved: it is compared with version {theirs.number} now.")
        return redirect("console:version", version.id)
    page = {
        "version": version,
        "base": base,
        "theirs": theirs,
        "lines": policy_merge.lines_of(_changes(base, theirs.content), _changes(base, version.content)),
        "together": _changes(theirs, both),
    }
    return show(request, "console/version_rebase.html", ROOM, page)


def _keep_both(request: StaffRequest, version: PolicyVersion, both: dict[str, Any]) -> None:
    try:
        save_draft(
            version_id=version.id,
            read_sha256=version.content_sha256,
            content=both,
            by=request.actor,
            now=timezone.now(),
        )
    except NothingChanged:
        return
