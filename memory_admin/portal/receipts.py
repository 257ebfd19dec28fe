"""What a receipt says: how far an erasure is, what went, what stays. Never a word of what was erased."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone

from memory_admin.lifecycle.models import ErasureRequest, State
from memory_admin.lifecycle.verification import WAYS
from memory_admin.web import words

#: Longer than this nothing takes: something is in the way, and somebody should try again.
USUAL = timedelta(minutes=3)
#: A part of the whole that is worth telling.
QUARTER = 25

#: What is said of where something was found that should be gone.
FOUND_IN = {
    "texts": "Something of the text is still there.",
    "wordings": "The same words are still somewhere else.",
    "index": "Something is still in the search index, out of use.",
    "sources": "Something of the words it came from is still there.",
    "uses": "Something is still in the record of uses.",
}

PARTLY_DONE = words.Word("Partly done", "alert", "warn")

STATES = {
    State.WAITING: words.Word("Being deleted", "clock", "warn"),
    State.ERASING: words.Word("Being deleted", "clock", "warn"),
    State.ERASED: words.Word("Deleted", "check", "good"),
    State.TAKEN_BACK: words.Word("Taken back", "right", "calm"),
}


@dataclass(frozen=True, slots=True)
class Stage:
    """One step of an erasure: done at a time, going on, or still to come."""

    title: str
    says: str
    tone: str
    icon: str
    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Share:
    """How many of the erased memories were of one kind and origin."""

    origin: words.Word
    key: str
    kind: str
    count: int


@dataclass(frozen=True, slots=True)
class Receipt:
    """One erasure as its page shows it.

    :ivar number: as it is read out
    :ivar allowed_at: when the person let agents learn it again
    :ivar said: what is announced; it changes with the state, and at each quarter of the way
    :ivar is_stuck: its time has long come, and it is not done
    """

    erasure: ErasureRequest
    number: str
    state: words.Word
    title: str
    lead: str
    said: str
    stages: list[Stage]
    shares: list[Share]
    stays: list[str]
    total: int
    seconds_left: int
    until: str
    is_stuck: bool
    allowed_at: datetime | None

    @property
    def is_waiting(self) -> bool:
        """Tell whether it can still be taken back."""
        return self.seconds_left > 0


def receipt_of(erasure: ErasureRequest, number: str, *, allowed_at: datetime | None = None) -> Receipt:
    """Say in words how far an erasure is."""
    total = len(erasure.memory_ids)
    left = erasure.time_left
    seconds_left = max(1, round(left.total_seconds())) if erasure.can_be_taken_back else 0
    title, lead = _heading(erasure, total=total, seconds_left=seconds_left)
    return Receipt(
        erasure=erasure,
        number=number,
        state=PARTLY_DONE if erasure.is_partly_done else STATES[State(erasure.state)],
        title=title,
        lead=lead,
        said=f"{title}. {_quarters(erasure, total)}".strip(),
        stages=_stages(erasure, total=total, seconds_left=seconds_left, allowed_at=allowed_at),
        shares=_shares(erasure.counts),
        stays=_stays(erasure, allowed_at),
        total=total,
        seconds_left=seconds_left,
        until=f"{timezone.localtime(erasure.due_at):%H:%M:%S %Z}" if seconds_left else "",
        is_stuck=erasure.is_partly_done or (erasure.is_unfinished and left < -USUAL),
        allowed_at=allowed_at,
    )


def told(receipt: Receipt, *, organisation: str) -> dict[str, Any]:
    """Give a receipt as data to keep."""
    erasure = receipt.erasure
    return {
        "receipt": receipt.number,
        "erasure": str(erasure.id),
        "organisation": organisation,
        "state": erasure.state,
        "scope": erasure.scope,
        "requested_at": erasure.requested_at,
        "erased_at": erasure.erased_at,
        "taken_back_at": erasure.taken_back_at,
        "verified_at": erasure.verified_at,
        "partly_done": erasure.trouble or None,
        "memories": receipt.total,
        "erased": erasure.counts,
        "kept_from_coming_back": erasure.keeps_out and erasure.state != State.TAKEN_BACK and receipt.allowed_at is None,
        "allowed_again_at": receipt.allowed_at,
        "stays": receipt.stays,
        "audit_entry": erasure.audit_seq,
    }


def _heading(erasure: ErasureRequest, *, total: int, seconds_left: int) -> tuple[str, str]:
    what = "The memory is" if total == 1 else f"{total} memories are"
    nobody = "No agent, page or export shows " + ("it" if total == 1 else "them")
    if erasure.scope == "subject":
        what, nobody = "Everything is", "No agent, page or export shows any of it"
    match erasure.state:
        case State.TAKEN_BACK:
            return f"{what} back", "You took the deletion back. Everything is as it was."
        case State.ERASED:
            if erasure.is_partly_done:
                return f"{what} deleted, and one step has failed", f"{nobody} any more. The step that failed is below."
            return f"{what} deleted", f"{nobody} any more, and none has since you asked."
    if seconds_left:
        return f"{what} being deleted", f"{nobody} any more. You can take this back for {_seconds(seconds_left)} more."
    return f"{what} being deleted", f"{nobody} any more. What is stored of {'it' if total == 1 else 'them'} goes now."


def _quarters(erasure: ErasureRequest, total: int) -> str:
    if erasure.state != State.ERASING or not erasure.done:
        return ""
    return f"{erasure.done * 100 // total // QUARTER * QUARTER} percent are gone."


def _stages(erasure: ErasureRequest, *, total: int, seconds_left: int, allowed_at: datetime | None) -> list[Stage]:
    if erasure.state == State.TAKEN_BACK:
        return [
            Stage("Removed from use", "", "done", "check", erasure.requested_at),
            Stage("Taken back", "In use as before, and found as before.", "done", "check", erasure.taken_back_at),
        ]
    counts = erasure.counts
    text = ", ".join(
        words.several(counts.get(name, 0), one, many)
        for name, one, many in (("memories", "memory", "memories"), ("versions", "version", "versions"))
    )
    shown, told = (
        ("No agent, page or export shows it any more.", "Its words and its meaning are gone from there.")
        if total == 1
        else ("No agent, page or export shows them any more.", "Their words and their meaning are gone from there.")
    )
    stages = [
        Stage("Removed from use", shown, "done", "check", erasure.requested_at),
        Stage("Search index", told, "done", "check", erasure.requested_at),
        _kept_out(erasure, allowed_at),
    ]
    content = [
        ("Text and history", text),
        (f"The words {'it' if total == 1 else 'they'} came from", _how_many(counts, "sources", "source")),
        (f"The record of {'its' if total == 1 else 'their'} uses", _how_many(counts, "uses", "entry", "entries")),
    ]
    if erasure.state == State.ERASED:
        gone = [Stage(title, says, "done", "check", erasure.erased_at) for title, says in content]
        return [*stages, *gone, _looked_for(erasure)]
    says = f"In {_seconds(seconds_left)}" if seconds_left else f"{erasure.done} of {total} so far"
    return [*stages, *[Stage(title, says, "wait", "clock") for title, _ in content]]


def _how_many(counts: Mapping[str, Any], name: str, one: str, many: str = "") -> str:
    """Say how many of something went: "2 sources", or that there were none."""
    count = counts.get(name, 0)
    return words.several(count, one, many or name) if count else "There were none."


def _looked_for(erasure: ErasureRequest) -> Stage:
    title = "Looked for what is left"
    if erasure.verified_at is not None:
        return Stage(title, f"In {len(WAYS)} ways: nothing found.", "done", "check", erasure.verified_at)
    if erasure.is_partly_done:
        found = erasure.trouble.removeprefix("found_in_")
        says = FOUND_IN.get(found, "It could not be looked for.")
        at = f" We try again by ourselves: {words.exact(erasure.next_look_at)}." if erasure.next_look_at else ""
        return Stage(title, f"{says}{at}", "wait", "alert")
    return Stage(title, "Still to come", "wait", "clock")


def _kept_out(erasure: ErasureRequest, allowed_at: datetime | None) -> Stage:
    if allowed_at is not None:
        return Stage("Allowed again", "You let agents learn it again.", "done", "check", allowed_at)
    if erasure.keeps_out:
        says = "The same words, or the same source, are not learned again."
        return Stage("Kept from coming back", says, "done", "check", erasure.requested_at)
    says = "You chose that agents may learn it again."
    return Stage("Not kept from coming back", says, "next", "open")


def _shares(counts: Mapping[str, Any]) -> list[Share]:
    shares = []
    for name, count in counts.get("by_kind_and_origin", {}).items():
        kind, _, origin = name.partition("/")
        shares.append(Share(words.ORIGINS[origin], origin, words.KINDS[kind], count))
    return sorted(shares, key=lambda share: (-share.count, share.key, share.kind))


def _stays(erasure: ErasureRequest, allowed_at: datetime | None) -> list[str]:
    if erasure.state == State.TAKEN_BACK:
        return ["everything, as it was"]
    again = "so that no agent learns it again" if len(erasure.memory_ids) == 1 else "so that no agent learns them again"
    for_what = again if allowed_at is None else "which keeps nothing out any more"
    kept_out = [f"a fingerprint that cannot be read back, {for_what}"] if erasure.keeps_out else []
    return [
        "this receipt, without the text",
        "entries in the audit trail, without the text",
        *kept_out,
        "backups that were made before, until they run out",
    ]


def _seconds(count: int) -> str:
    return words.several(count, "second", "seconds")
