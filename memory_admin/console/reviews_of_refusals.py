"""The reviewers' room: refusals that somebody asks to look at again, and the answer to each."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from accounts.models import Agent
from memory_admin.console import naming, rooms
from memory_admin.console.labels import CHANNELS
from memory_admin.console.reviews import rows_of, rule_of, show_asked, show_list
from memory_admin.console.reviews_forms import RefusalForm
from memory_admin.console.version_backing import link_to_test
from memory_admin.memories.models import RefusalReview, WriteDecision
from memory_admin.memories.services.dispute import WordsHoldASecret
from memory_admin.memories.vocabulary import ReviewResult
from memory_admin.reviews import desk, queries, services
from memory_admin.reviews.services.refusals import RuleStands
from memory_admin.web.access import StaffRequest, staff
from memory_admin.web.paging import page_of
from memory_admin.web.words import Word

ENDED: dict[str, Word] = {
    ReviewResult.LET_IN: Word("Let in", "check", "good"),
    ReviewResult.KEPT_OUT: Word("Kept refused", "x", "calm"),
    ReviewResult.SENT_ON: Word("Sent on to those who decide policies", "right", "calm"),
    ReviewResult.OVERTAKEN: Word("The text was deleted before anybody answered", "trash", "calm"),
}

#: How a review can end by each decision.
BY_DECISION: dict[str, tuple[ReviewResult, ...]] = {
    ReviewResult.LET_IN: (ReviewResult.LET_IN, ReviewResult.SENT_ON),
    ReviewResult.KEPT_OUT: (ReviewResult.KEPT_OUT,),
}


@staff(*rooms.REVIEWS)
@require_safe
def show_refusals(request: StaffRequest) -> HttpResponse:
    """List the refusals that this reviewer can look at again; nobody's words are on this page."""
    page = page_of(queries.open_reviews(request.actor), request)
    rows = rows_of(
        list(page),
        address="console:refusal",
        about=lambda one: one.subject.ref,
        why=lambda one: f"Rule {one.decision.rule_ids[-1]}" if one.decision.rule_ids else "",
    )
    return show_list(request, "refusals", page, rows)


@staff(*rooms.REVIEWS)
@require_http_methods(["GET", "HEAD", "POST"])
def answer_review(request: StaffRequest, review_id: UUID) -> HttpResponse:
    """Show one refusal with its text, which is recorded, and answer; a closed one shows how it ended."""
    review = queries.review(review_id)
    form = RefusalForm(request.POST if request.method == "POST" else None)
    if not form.is_valid():
        return _page(request, review, form)
    try:
        _answer(request, review_id, form.cleaned_data)
    except desk.AlreadyAnswered as error:
        found = queries.review(review_id)
        is_sent_twice = found.result in BY_DECISION[form.cleaned_data["decision"]]
        if not is_sent_twice or error.details["by"] != request.actor.ref:
            return _page(request, found, form, status=409)
    except RuleStands as error:
        form.add_error("decision", f"It cannot be let in, whoever says it: {error.said}. Rule {error.rule_ids[-1]}.")
    except WordsHoldASecret as error:
        form.add_error("answer", error.said)
    if form.errors:
        return _page(request, review, form)
    messages.success(request, "Answered. The person is told.")
    return redirect("console:refusals")


def _answer(request: StaffRequest, review_id: UUID, asked: dict[str, Any]) -> None:
    decide = services.let_in if asked["decision"] == ReviewResult.LET_IN else services.keep_out
    decide(review_id=review_id, answer=asked["answer"], by=request.actor, now=timezone.now())


def _page(request: StaffRequest, review: RefusalReview, form: RefusalForm, *, status: int = 200) -> HttpResponse:
    def read(now: datetime) -> dict[str, Any]:
        decision = services.read_review(review_id=review.id, by=request.actor, now=now).decision
        return {
            "decision": decision,
            "writer": _writer(decision),
            "came_by": CHANNELS[decision.channel],
            "rule": rule_of(decision.rule_ids, decision.policy_version),
        }

    page = {
        "what": "Refusal",
        "tab": "refusals",
        "about": review.subject.ref,
        "ended": ENDED.get(str(review.result)),
        "test": link_to_test(request, review.decision_id),
    }
    return show_asked(request, "console/refusal.html", review, page, form, read=read, status=status)


def _writer(decision: WriteDecision) -> str:
    agent = Agent.objects.filter(id=decision.agent_id).first() if decision.agent_id else None
    return agent.name if agent else naming.actors({decision.asserted_by})[decision.asserted_by]
