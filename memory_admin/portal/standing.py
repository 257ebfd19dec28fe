"""How each request of a person stands, in words: disputes, reviews of refusals, deletions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.urls import reverse

from memory_admin.lifecycle.models import ErasureRequest, State
from memory_admin.memories.models import DataRequest, Dispute, RefusalReview
from memory_admin.memories.vocabulary import GONE, DisputeResult, Remedy, RequestKind, ReviewResult
from memory_admin.portal.agents import keys_behind
from memory_admin.portal.receipts import STATES
from memory_admin.web.words import Word, several

OPEN = Word("Being checked", "clock", "warn")
LATE = Word("Being checked, and late", "alert", "bad")

REMEDIED: dict[str, Word] = {
    Remedy.ERASED: Word("You were right: it is erased", "check", "good"),
    Remedy.CORRECTED: Word("You were right: it is corrected", "check", "good"),
    Remedy.RETIRED: Word("You were right: it is not used any more", "check", "good"),
}
ENDED: dict[str, Word] = {
    DisputeResult.UPHELD: Word("Corrected by you", "check", "good"),
    DisputeResult.WITHDRAWN: Word("Taken back: it was confirmed as right", "check", "calm"),
    DisputeResult.NOT_UPHELD: Word("It stays as it is", "right", "calm"),
    DisputeResult.OVERTAKEN: Word("The memory was deleted", "trash", "calm"),
}

REVIEWED: dict[str, Word] = {
    ReviewResult.LET_IN: Word("Let in: it is kept as your own word", "check", "good"),
    ReviewResult.KEPT_OUT: Word("It stays refused", "right", "calm"),
    ReviewResult.SENT_ON: Word("Passed on to those who decide the rules", "right", "calm"),
    ReviewResult.OVERTAKEN: Word("The text was deleted", "trash", "calm"),
}


@dataclass(frozen=True, slots=True)
class Standing:
    """One request as the person reads it.

    :ivar due_at: until when it is to be answered; none when it is answered or was done at once
    """

    request: DataRequest
    title: str
    text: str
    state: Word
    due_at: datetime | None
    answer: str
    origin: str = ""
    words: str = ""
    closed_at: datetime | None = None
    dispute: Dispute | None = None
    review: RefusalReview | None = None
    receipt_id: UUID | None = None

    @property
    def address(self) -> str:
        """Name the page that tells more: its own, the receipt, or where it can be changed."""
        if self.receipt_id is not None:
            return reverse("portal:deleted", args=[self.receipt_id])
        if self.request.kind == RequestKind.OBJECTION:
            return reverse("portal:privacy")
        if self.request.kind == RequestKind.EXPORT:
            return reverse("portal:exports")
        return reverse("portal:request", args=[self.request.id])


def standings_of(requests: Sequence[DataRequest], *, now: datetime) -> list[Standing]:
    """Tell how requests stand, in their order: one query for each kind of them, however many there are."""
    ids = {kind: [one.object_id for one in requests if one.kind == kind] for kind in RequestKind}
    disputed = Dispute.objects.select_related("memory").filter(id__in=ids[RequestKind.DISPUTE])
    disputes = {one.id: one for one in disputed}
    keys = keys_behind({one.opened_by for one in disputes.values()})
    agents = {ref: key.agent.name for ref, key in keys.items()}
    reviewed = RefusalReview.objects.select_related("decision").filter(id__in=ids[RequestKind.REVIEW])
    reviews = {one.id: one for one in reviewed}
    erasures = {one.id: one for one in ErasureRequest.objects.filter(id__in=ids[RequestKind.ERASURE])}
    told = []
    for one in requests:
        match one.kind:
            case RequestKind.DISPUTE:
                told.append(_of_dispute(one, disputes[one.object_id], agents, now))
            case RequestKind.REVIEW:
                told.append(_of_review(one, reviews[one.object_id], now))
            case RequestKind.ERASURE:
                told.append(_of_erasure(one, erasures[one.object_id]))
            case RequestKind.OBJECTION:
                told.append(_done(one, "You asked that nothing is concluded about you"))
            case RequestKind.EXPORT:
                told.append(_done(one, "You asked for a copy of your memories"))
    return told


def _of_dispute(request: DataRequest, dispute: Dispute, agents: dict[str, str], now: datetime) -> Standing:
    is_gone = dispute.memory.status in GONE
    is_open = dispute.closed_at is None and not is_gone
    who = agents.get(dispute.opened_by, "You")
    return Standing(
        request=request,
        title=f"{who} said that a memory is wrong",
        text="" if is_gone else dispute.memory.statement,
        state=_state(dispute, now),
        due_at=dispute.due_at if is_open else None,
        answer=dispute.answer,
        origin=dispute.memory.origin,
        words=dispute.words,
        closed_at=dispute.closed_at,
        dispute=dispute,
    )


def _of_review(request: DataRequest, review: RefusalReview, now: datetime) -> Standing:
    is_open = review.closed_at is None
    state = (OPEN if review.due_at > now else LATE) if is_open else REVIEWED[str(review.result)]
    return Standing(
        request=request,
        title="You asked to look at a refusal again",
        text=review.decision.sealed_text or "",
        state=state,
        due_at=review.due_at if is_open else None,
        answer=review.answer,
        origin=review.decision.origin,
        words=review.words,
        closed_at=review.closed_at,
        review=review,
    )


def _state(dispute: Dispute, now: datetime) -> Word:
    if dispute.closed_at is None:
        if dispute.memory.status in GONE:
            return ENDED[DisputeResult.OVERTAKEN]
        return OPEN if dispute.due_at > now else LATE
    return REMEDIED[dispute.remedy] if dispute.remedy else ENDED[str(dispute.result)]


def _done(request: DataRequest, title: str) -> Standing:
    done = Word("Done at once", "check", "good")
    return Standing(request=request, title=title, text="", state=done, due_at=None, answer="")


def _of_erasure(request: DataRequest, erasure: ErasureRequest) -> Standing:
    count = len(erasure.memory_ids)
    return Standing(
        request=request,
        title=f"Deletion of {several(count, 'memory', 'memories')}",
        text="",
        state=STATES[State(erasure.state)],
        due_at=None,
        answer="",
        receipt_id=erasure.id,
    )
