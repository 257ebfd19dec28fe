"""Made-up things to draw: none of them is stored."""

from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.contrib.messages import constants
from django.contrib.messages.storage.base import Message

from memory_admin.console.naming import Thing
from memory_admin.console.trail import EventRow
from memory_admin.console.waterfall import Part, Step, Stretch
from memory_admin.memories.models import Memory, MemoryPause
from memory_admin.memories.vocabulary import Origin, PauseMode, PauseTarget, Status
from memory_admin.portal.forms import AddForm, CorrectForm
from memory_admin.portal.memories import Share
from memory_admin.portal.out_of_use import OutOfUse
from memory_admin.portal.pauses import Pauses
from memory_admin.portal.rows import May, Row
from memory_admin.portal.uses import Use, Uses
from memory_admin.retrieval.models import RetrievalCandidate
from memory_admin.web import words

SOME_ID = UUID("018f0000-0000-7000-8000-00000000000a")

SAYINGS = {
    Origin.STATED: "Wants answers in English.",
    Origin.VERIFIED_OUTCOME: "The refund of €84 for the night train was paid.",
    Origin.OBSERVED: "Asked twice about rail passes for families.",
    Origin.INFERRED: "Probably works from home on Fridays.",
    Origin.IMPORTED: "Holds a silver loyalty card.",
}


def row(statement: str, *, now: datetime, pause: MemoryPause | None = None, **more: Any) -> Row:
    """Make one memory as the list shows it."""
    made = {"origin": Origin.STATED, "status": Status.ACTIVE, "kind": "preference", "recorded_at": now, **more}
    memory = Memory(id=UUID(int=SOME_ID.int + sum(statement.encode())), statement=statement, **made)
    is_on = memory.status == Status.ACTIVE and pause is None
    waits = memory.status == Status.PROPOSED
    return Row(
        memory=memory,
        writer="Travel assistant",
        written="to Travel assistant" if memory.origin == Origin.STATED else "by Travel assistant",
        written_at=now - timedelta(hours=2),
        basis="You said it yourself. Rule W-310 of write policy version 1.",
        quote="a window seat please" if memory.origin == Origin.STATED else "",
        asks="Travel assistant concluded this",
        was_removed=False,
        uses=memory.use_count,
        last_used_at=memory.last_used_at,
        last_used_by="Travel assistant" if memory.use_count else "",
        holds=("Expires", now + timedelta(days=18)) if waits else None,
        since="Today",
        out_of_use=None if is_on else OutOfUse("you paused it"),
        pause=pause,
        may=May(answer=waits, confirm=not waits, correct=True, dispute=is_on, pause=is_on, restore=False),
    )


def of_portal(now: datetime) -> dict[str, Any]:
    """Make what people see: rows of every origin and state, a question, the tally, uses, forms right and wrong."""
    ends_at = now + timedelta(days=15)
    pause = MemoryPause(id=SOME_ID, target=PauseTarget.ALL, mode=PauseMode.BOTH, until=ends_at)
    rows = [row(says, now=now, origin=origin, use_count=3, last_used_at=now) for origin, says in SAYINGS.items()]
    states = [
        row("Prefers an aisle seat on short flights.", now=now, origin=Origin.INFERRED, status=Status.PROPOSED),
        row("Is a vegetarian.", now=now, status=Status.DISPUTED),
        row("Lives in Bergen.", now=now, kind="fact", status=Status.SUPERSEDED),
        row("Wants boarding passes by e-mail.", now=now, pause=pause),
        row("Eats vegetarian on trips; fish is fine at home.", now=now, confirmed_at=now),
    ]
    return {
        "rows": rows,
        "states": states,
        "waiting": states[0],
        "waiting_count": 3,
        "count": 48,
        "changed_at": now - timedelta(hours=2),
        "tally": _tally({"stated": 28, "verified_outcome": 3, "observed": 4, "inferred": 12, "imported": 1}),
        "pauses": Pauses(everything=pause, agents={}, categories={}, memories={}),
        "uses": _uses(now),
        "empty_form": AddForm(),
        "wrong_form": CorrectForm({"reason": "", "statement": "", "version": "1", "since": ""}),
        "news": [
            Message(constants.SUCCESS, "Corrected. No agent uses the old text any more."),
            Message(constants.WARNING, "It is remembered already."),
            Message(constants.ERROR, "This could not be sent. Try again."),
        ],
        "chosen": [one.memory for one in rows],
        "more_count": 7,
    }


def of_console(now: datetime) -> dict[str, Any]:
    """Make what staff see: events of the trail, steps of a retrieval."""
    events = [
        EventRow(18_342, now, "Sofia", "issued a key", Thing("agent", "Travel assistant", None), "", "", "kept"),
        EventRow(
            18_341, now, "Travel assistant", "wrote a memory", Thing("memory", str(SOME_ID), None), "write/1", "", ""
        ),
    ]
    return {"events": events, "steps": [_step(1, 0.94, ""), _step(2, 0.31, "below_threshold")], "threshold": 420}


def _tally(counts: dict[str, int]) -> list[Share]:
    shares, begin, total = [], 0, sum(counts.values())
    for origin, count in counts.items():
        end = begin + round(count / total * 1000)
        says = words.tally(origin, count)
        shares.append(Share(origin, count, words.ORIGINS[origin], says, begin, end - 6))
        begin = end
    return shares


def _uses(now: datetime) -> Uses:
    use = Use(
        id=SOME_ID,
        agent="Travel assistant",
        was_given=True,
        purpose="Planning a trip",
        at=now,
        rank=1,
        reason="It mentions food on trips, and you confirmed it last month.",
        parts=(),
        score=1.24,
        needed=0.8,
        otherwise="It would not have been used if you had paused it.",
        policy_versions=("retrieval policy, version 3",),
    )
    return Uses(shown=[use], agents=[], agent="", outcome="", is_continued=False, next=None)


def _step(rank: int, score: float, drop: str) -> Step:
    candidate = RetrievalCandidate(
        memory_id=SOME_ID,
        rank=rank,
        origin=Origin.STATED,
        kind="preference",
        score=score,
        returned=not drop,
        drop_reason=drop or None,
    )
    parts = [Part("Close in meaning", score - 0.1, 1, 0, score - 0.1), Part("Same words", 0.1, 1, 0, 0.1)]
    bar = [Stretch("p1", 0, round((score - 0.1) * 900)), Stretch("p2", round((score - 0.1) * 900) + 4, 90)]
    outcome = "Below threshold" if drop else "Returned"
    return Step(candidate, "", outcome, "It is close in meaning to the question.", parts, bar, is_recomputed=True)
