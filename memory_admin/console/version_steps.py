"""The steps that a version takes by somebody's hand: each is asked in a dialog, or on a page of its own."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any, TypeVar
from uuid import UUID

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_POST

from memory_admin.audit import queries as trail
from memory_admin.console import policy_history, policy_reading, policy_words, version_forms, versions
from memory_admin.console.frame import show
from memory_admin.console.policy_viewer import auth_level, viewer_of
from memory_admin.errors import DomainError, Invalid, NotFound
from memory_admin.web import words
from memory_admin.web.access import StaffRequest, form_page, recently_signed_in, staff
from policies import roles, services, standing
from policies.models import ActivationState, DecisionKind, PolicyActivation, PolicyReview, PolicyVersion
from policies.services.emergency import NotRestricting
from policies.services.releasing import GuardsFail
from policies.services.reviewing import NotReady, NotWhatYouRead, ReviewClosed

ROOM = "policies"
Act = Callable[[dict[str, Any]], str | HttpResponse]
T = TypeVar("T")


def ask(
    request: StaffRequest,
    version: PolicyVersion,
    *,
    question: str,
    verb: str,
    form: forms.Form,
    act: Act,
    says: Sequence[str] = (),
    keep: str = "Not yet",
    takes_factor: bool = False,
) -> HttpResponse:
    """Ask before a step, with what follows from it, and take it when that is answered.

    :param act: takes the step from what was filled in, and says what was done, or leads elsewhere
    :param takes_factor: without a second factor there is no button, and a way to one instead
    """
    missing: list[str] = []
    if request.method == "POST" and form.is_valid():
        try:
            done = act(form.cleaned_data)
        except (NotReady, NotRestricting, GuardsFail) as error:
            missing = [error.said, *_listed(error)]
        except Invalid as error:
            put_into(form, error)
        else:
            if isinstance(done, HttpResponse):
                return done
            messages.success(request, done)
            return redirect("console:version", version.id)
    page = {
        "version": version,
        "question": question,
        "verb": verb,
        "keep": keep,
        "says": says,
        "form": form,
        "missing": missing,
        "viewer": viewer_of(request, version),
        "takes_factor": takes_factor,
    }
    return show(request, "console/version_ask.html", ROOM, page, status=409 if missing else 422 if form.errors else 200)


def put_into(form: forms.Form, error: Invalid) -> None:
    """Put what a service found wrong beside the fields of a form; what has no field stands above it."""
    if not error.fields:
        form.add_error(None, error.said)
    for name, problems in error.fields.items():
        place = {"effective_from": "starts", "effective_until": "ends"}.get(name, name)
        form.add_error(place if place in form.fields else None, list(problems))


def _listed(error: DomainError) -> list[str]:
    found = error.details.get("missing") or error.details.get("loosens") or []
    return [str(one) for one in found] if isinstance(found, list) else []


def sent(request: StaffRequest) -> Any:
    """Give what was sent, or None when the page is only opened."""
    return request.POST if request.method == "POST" else None


# --- review ----------------------------------------------------------------------------------------------------------


@staff(*roles.EDITORS)
@form_page
def submit_version(request: StaffRequest, version_id: UUID) -> HttpResponse:
    """Ask whom to ask, and hand a draft in for review."""
    version = policy_reading.version_of(version_id)
    return ask(
        request,
        version,
        question=f"Send version {version.number} for review?",
        verb="Send for review",
        says=[
            "Its tests run, and its text is frozen. An edit begins a new round.",
            versions.demands_of(standing.planned(version), None, now=timezone.now()) + ".",
        ],
        form=version_forms.ReviewersForm(sent(request), able=versions.able_reviewers(version)),
        act=lambda asked: _submit(request, version, asked),
    )


def _submit(request: StaffRequest, version: PolicyVersion, asked: dict[str, Any]) -> str:
    review = services.submit(version_id=version.id, reviewers=asked["reviewers"], by=request.actor, now=timezone.now())
    return f"Sent for review, round {review.round}. Its reviewers are told."


@staff(*roles.EDITORS, *roles.APPROVERS)
@form_page
def ask_reviewers(request: StaffRequest, version_id: UUID) -> HttpResponse:
    """Ask other people to review."""
    version = policy_reading.version_of(version_id)
    review = _review_of(version)
    initial = {"reviewers": [str(one) for one in review.requested_reviewers]}
    form = version_forms.ReviewersForm(sent(request), able=versions.able_reviewers(version), initial=initial)
    form.fields["reviewers"].required = True
    form.fields["reviewers"].help_text = "Whoever is asked for the first time is told."

    def act(asked: dict[str, Any]) -> str:
        services.ask_reviewers(review_id=review.id, reviewers=asked["reviewers"], by=request.actor, now=timezone.now())
        return "Asked. Whoever is new is told."

    return ask(
        request, version, question="Whom do you ask to review it?", verb="Ask them", form=form, act=act, keep="Cancel"
    )


@recently_signed_in
@staff(*roles.APPROVERS)
@form_page
def approve_version(request: StaffRequest, version_id: UUID) -> HttpResponse:
    """Ask whether to approve exactly what was read, and approve it."""
    return _decide(request, version_id, DecisionKind.APPROVE, version_forms.ApproveForm)


@recently_signed_in
@staff(*roles.APPROVERS)
@form_page
def request_changes(request: StaffRequest, version_id: UUID) -> HttpResponse:
    """Ask what is to change, and send it back to its editors."""
    return _decide(request, version_id, DecisionKind.REQUEST_CHANGES, version_forms.ObjectForm)


@recently_signed_in
@staff(*roles.APPROVERS)
@form_page
def reject_version(request: StaffRequest, version_id: UUID) -> HttpResponse:
    """Ask why, and reject a version for good."""
    return _decide(request, version_id, DecisionKind.REJECT, version_forms.RejectForm)


@staff(*roles.EDITORS, *roles.APPROVERS)
@form_page
def comment_on_version(request: StaffRequest, version_id: UUID) -> HttpResponse:
    """Take a remark that decides nothing."""
    return _decide(request, version_id, DecisionKind.COMMENT, version_forms.RemarkForm)


QUESTIONS = {
    DecisionKind.APPROVE: ("Approve version {}?", "Approve {}"),
    DecisionKind.REQUEST_CHANGES: ("Ask for changes to version {}?", "Ask for changes"),
    DecisionKind.REJECT: ("Reject version {}?", "Reject it"),
    DecisionKind.COMMENT: ("Comment on version {}", "Add the comment"),
}
FOLLOWS = {
    DecisionKind.REQUEST_CHANGES: "It goes back to its editors as a draft. This round is over.",
    DecisionKind.REJECT: "It ends here. Somebody can begin a new version from it.",
    DecisionKind.COMMENT: "Everybody who opens the version reads it.",
}
DID = {
    DecisionKind.APPROVE: "Approved.",
    DecisionKind.REQUEST_CHANGES: "Sent back. Its editors are told.",
    DecisionKind.REJECT: "Rejected. Its editors are told.",
    DecisionKind.COMMENT: "Added.",
}


def _decide(
    request: StaffRequest, version_id: UUID, kind: DecisionKind, form_class: type[version_forms.ReadForm]
) -> HttpResponse:
    version = policy_reading.version_of(version_id)
    review = _review_of(version)
    digest = standing.review_digest_of(review.activation)
    read = request.GET.get("read", digest)
    seen = request.GET.get("seen") or str(_last_event(version))
    initial = {"read": read, "seen": seen, "content": _carried(version)}
    form = form_class(sent(request), initial=initial)
    if request.method != "POST" and read != digest:
        return _changed(request, version, review, seen=seen, content="")
    said = policy_reading.examine(version.family.key, version.content, review.activation.base_version)
    question, verb = QUESTIONS[kind]

    def act(asked: dict[str, Any]) -> str:
        services.decide(
            review_id=review.id,
            kind=kind,
            read_digest=asked["read"],
            by=request.actor,
            auth_level=auth_level(request),
            comment=asked["comment"],
            now=timezone.now(),
        )
        return DID[kind]

    try:
        return ask(
            request,
            version,
            question=question.format(version.number),
            verb=verb.format(words.several(len(said.changes), "change", "changes")),
            says=[FOLLOWS[kind]] if kind in FOLLOWS else _covered(version, review, said),
            form=form,
            act=act,
            takes_factor=kind == DecisionKind.APPROVE,
        )
    except NotWhatYouRead:
        asked = form.cleaned_data
        return _changed(request, version, review, seen=str(asked["seen"] or ""), content=asked["content"])


def _covered(version: PolicyVersion, review: PolicyReview, said: policy_reading.Examined) -> list[str]:
    """Say exactly what an approval covers."""
    use = review.activation
    starts = f"from {words.exact(timezone.localtime(use.effective_from))}" if use.effective_from else ""
    counted = words.several(len(said.changes), "change", "changes")
    begins = starts or "from its release"
    told = [
        f"You approve digest {policy_words.digest(standing.review_digest_of(use))}: {counted}, {begins}, "
        f"{policy_words.MODES[use.mode]}, {versions.where(use)}."
    ]
    effect = policy_reading.foresee(said.document, use, now=timezone.now())
    if effect is not None and effect.ends_now:
        told.append(policy_words.ending(effect.ends_now))
    return told


def _changed(
    request: StaffRequest, version: PolicyVersion, review: PolicyReview, *, seen: str, content: str
) -> HttpResponse:
    """Answer that something changed since the reviewer opened the page, and what."""
    steps = policy_history.joined(policy_history.steps_of(version))
    page = {
        "version": version,
        "review": review,
        "since": [one for one in steps if seen.isdigit() and one.seq > int(seen)],
        "changes": _differences(version, content),
    }
    return show(request, "console/version_changed.html", ROOM, page, status=409)


def _differences(version: PolicyVersion, content: str) -> list[Any]:
    """List by meaning how a version differs from what its reviewer had read."""
    try:
        before = json.loads(content)
        earlier = PolicyVersion(family=version.family, number=version.number, content=before)
        return policy_reading.examine(version.family.key, version.content, earlier).changes
    except (ValueError, TypeError, RecursionError):
        return []


def _carried(version: PolicyVersion) -> str:
    text = json.dumps(version.content, ensure_ascii=False)
    return text if len(text) <= version_forms.LONGEST_JSON else ""


def _last_event(version: PolicyVersion) -> int:
    newest = trail.events_of(version.id).last()
    return newest.seq if newest else 0


def _review_of(version: PolicyVersion) -> PolicyReview:
    review = policy_reading.open_review(version)
    if review is None:
        raise ReviewClosed
    return review


@staff(*roles.APPROVERS)
@form_page
def dismiss_objection(request: StaffRequest, version_id: UUID) -> HttpResponse:
    """Ask why a wish for changes is set aside, and set it aside."""
    version = policy_reading.version_of(version_id)

    def act(asked: dict[str, Any]) -> str:
        _own(version, PolicyReview.objects.filter(version_id=version.id, decisions__id=asked["decision"]).first())
        services.dismiss(decision_id=asked["decision"], reason=asked["reason"], by=request.actor, now=timezone.now())
        return "Set aside. Both the wish and your reason stay to be read."

    return ask(
        request,
        version,
        question="Set this request for changes aside?",
        verb="Set it aside",
        form=version_forms.DismissForm(sent(request), initial={"decision": request.GET.get("decision", "")}),
        act=act,
        keep="Leave it",
    )


# --- release ---------------------------------------------------------------------------------------------------------


@staff(*roles.EDITORS, *roles.APPROVERS)
@form_page
def withdraw_version(request: StaffRequest, version_id: UUID) -> HttpResponse:
    """Ask why, and give a version up."""
    version = policy_reading.version_of(version_id)

    def act(asked: dict[str, Any]) -> str:
        services.withdraw(version_id=version.id, reason=asked["reason"], by=request.actor, now=timezone.now())
        return "Withdrawn."

    return ask(
        request,
        version,
        question=f"Withdraw version {version.number}?",
        verb="Withdraw it",
        says=["It ends here. Whatever is in force stays in force."],
        form=version_forms.ReasonForm(sent(request)),
        act=act,
        keep="Keep it",
    )


@staff(*roles.RELEASERS)
@require_POST
def schedule_version(request: StaffRequest, version_id: UUID) -> HttpResponse:
    """Let an approved version take effect at its time."""
    version = policy_reading.version_of(version_id)
    use = _waiting(version)
    done = services.schedule(activation_id=use.id, by=request.actor, now=timezone.now())
    if done.attention:
        messages.warning(request, "It needs attention first: see above.")
    else:
        messages.success(request, "Scheduled. Everything is checked once more at that moment.")
    return redirect("console:version", version.id)


@recently_signed_in
@staff(*roles.RELEASERS)
@form_page
def release_version(request: StaffRequest, version_id: UUID) -> HttpResponse:
    """Ask whether to put an approved version in force now, and do so."""
    version = policy_reading.version_of(version_id)
    use = _waiting(version)

    def act(asked: dict[str, Any]) -> str:
        services.release(activation_id=use.id, by=request.actor, now=timezone.now())
        return "In force from now on."

    return ask(
        request,
        version,
        question=f"Put version {version.number} in force now?",
        verb="Put it in force",
        says=[f"From the next decision on, {versions.where(use)}. Every guard is checked once more."],
        form=forms.Form(sent(request)),
        act=act,
    )


@staff(*roles.EDITORS)
@form_page
def plan_use(request: StaffRequest, version_id: UUID) -> HttpResponse:
    """Ask how else an approved version is to be used, and hand that in for review."""
    version = policy_reading.version_of(version_id)
    form = PlanForm(sent(request), able=versions.able_reviewers(version), initial={"mode": "enforce"})

    def act(asked: dict[str, Any]) -> str:
        services.plan_use(
            version_id=version.id,
            terms=form.terms,
            reviewers=asked["reviewers"],
            by=request.actor,
            now=timezone.now(),
        )
        return "Planned, and sent for review."

    return ask(
        request,
        version,
        question=f"How else is version {version.number} to be used?",
        verb="Send for review",
        says=["It is reviewed like the first use. The text stays as it is."],
        form=form,
        act=act,
    )


class PlanForm(version_forms.TermsForm, version_forms.ReviewersForm):
    """Another use of a version, and whom to ask about it."""


@staff(*roles.EDITORS)
@form_page
def restore_version(request: StaffRequest, version_id: UUID) -> HttpResponse:
    """Ask why, and begin a new draft that says what an old version said."""
    version = policy_reading.version_of(version_id)

    def act(asked: dict[str, Any]) -> HttpResponse:
        made = services.restore(version_id=version.id, reason=asked["reason"], by=request.actor, now=timezone.now())
        messages.success(request, f"Begun as version {made.number}. It takes the ordinary way from here.")
        return redirect("console:version", made.id)

    return ask(
        request,
        version,
        question=f"Go back to version {version.number}?",
        verb="Begin the way back",
        says=["A new draft that says the same. If it was in force within 90 days, one approval is enough."],
        form=version_forms.ReasonForm(sent(request)),
        act=act,
    )


@staff(*roles.RELEASERS)
@require_POST
def stop_watching(request: StaffRequest, version_id: UUID) -> HttpResponse:
    """End a use that only watches."""
    version = policy_reading.version_of(version_id)
    use = _use_of(version, request.POST.get("use", ""))
    services.stop_watching(activation_id=use.id, by=request.actor, now=timezone.now())
    messages.success(request, "It watches no longer.")
    return redirect("console:version", version.id)


# --- taking out of force ---------------------------------------------------------------------------------------------


@recently_signed_in
@staff(*roles.APPROVERS)
@form_page
def revoke_version(request: StaffRequest, version_id: UUID) -> HttpResponse:
    """Ask what decides instead, and take a version out of force; what allows more waits for a second person."""
    version = policy_reading.version_of(version_id)

    def act(asked: dict[str, Any]) -> str:
        made = services.revoke(
            activation_id=_use_of(version, str(asked["use"])).id,
            fallback=asked["fallback"],
            reason=asked["reason"],
            by=request.actor,
            auth_level=auth_level(request),
            now=timezone.now(),
        )
        return "Asked. It allows more, so somebody else has to agree." if made.status == "open" else "Revoked."

    return ask(
        request,
        version,
        question=f"Revoke version {version.number}?",
        verb="Revoke it",
        says=["What takes its place decides at once. If that allows more, a second person has to agree first."],
        form=version_forms.RevokeForm(sent(request), initial={"use": request.GET.get("use", "")}),
        act=act,
        keep="Keep it in force",
        takes_factor=True,
    )


@recently_signed_in
@staff(*roles.APPROVERS)
@form_page
def decide_revocation(request: StaffRequest, version_id: UUID) -> HttpResponse:
    """Ask a second person about a revocation that allows more."""
    version = policy_reading.version_of(version_id)
    waiting = policy_history.revocations_of(version, viewer_id=request.user.id)
    if not waiting:
        raise NotFound
    row = waiting[0]

    def act(asked: dict[str, Any]) -> str:
        _own(version, next((one for one in waiting if one.revocation.id == asked["revocation"]), None))
        agrees = asked["answer"] == "agree"
        services.decide_revocation(
            revocation_id=asked["revocation"],
            agree=agrees,
            by=request.actor,
            auth_level=auth_level(request),
            now=timezone.now(),
        )
        return "Revoked." if agrees else "Declined. It stays in force."

    return ask(
        request,
        version,
        question=f"Revoke version {version.number}?",
        verb="Answer",
        says=[f"{row.who} asks for it: “{row.revocation.reason}”", f"Instead decides {row.falls_back_to}."],
        form=version_forms.AgreeForm(sent(request), initial={"revocation": row.revocation.id}),
        act=act,
        takes_factor=True,
    )


@recently_signed_in
@staff(*roles.GUARDIANS)
@form_page
def break_glass(request: StaffRequest, version_id: UUID) -> HttpResponse:
    """Ask why, and put a draft that only restricts in force at once; others review it within a day."""
    version = policy_reading.version_of(version_id)

    def act(asked: dict[str, Any]) -> str:
        services.break_glass(
            version_id=version.id,
            reason=asked["reason"],
            by=request.actor,
            auth_level=auth_level(request),
            now=timezone.now(),
        )
        return "In force now. Others review it within 24 hours."

    return ask(
        request,
        version,
        question=f"Put version {version.number} in force at once?",
        verb="Put it in force",
        says=["It allows nothing new, so one person may. It is marked as an emergency, and reviewed within 24 hours."],
        form=version_forms.ReasonForm(sent(request)),
        act=act,
        takes_factor=True,
    )


def _waiting(version: PolicyVersion) -> PolicyActivation:
    """Find the use of a version that is to be released.

    :raises NotFound: there is none
    """
    states = [ActivationState.PLANNED, ActivationState.SCHEDULED]
    uses = PolicyActivation.objects.select_related("agent_scope", "version__family")
    return _own(version, uses.filter(version_id=version.id, state__in=states).order_by("-id").first())


def _use_of(version: PolicyVersion, use_id: str) -> PolicyActivation:
    found = next((one for one in policy_reading.uses_of(version) if str(one.id) == use_id), None)
    return _own(version, found)


def _own(version: PolicyVersion, found: T | None) -> T:
    """Let pass what belongs to the version.

    :raises NotFound: there is none, or it belongs to another
    """
    if found is None:
        raise NotFound
    return found
