"""Differences of retrieval policies: whatever may hand out more loosens. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from policies import wording
from policies.compare.change import Change, Direction
from policies.compare.measures import Choice, Measure, Members, Row, measured, rewritten
from policies.documents import CHANNELS, ORIGINS, Purpose, RetrievalPolicy, Weights
from policies.engine import is_trusted_for

#: The parts of the score set the order of what may be handed out, and so they are neutral.
RETRIEVAL: tuple[Row, ...] = (
    Choice(
        "form",
        {"weighted_sum": "neutral", "product": "neutral"},
        {
            "weighted_sum": "The parts of a score are added up instead of multiplied.",
            "product": "The parts of a score are multiplied instead of added up.",
        },
    ),
    *(
        Measure(
            f"weights.{name}",
            "neutral",
            "neutral",
            f"In the score, {name} counts {{after}} instead of {{before}}.",
        )
        for name in Weights.model_fields
    ),
    Measure(
        "half_life_days",
        "neutral",
        "neutral",
        "“Recent” counts half after {after} days instead of {before}.",
    ),
    Choice(
        "recency_anchor",
        {"last_use": "neutral", "creation": "neutral"},
        {
            "last_use": "How recent a memory is counts from its last use instead of its recording.",
            "creation": "How recent a memory is counts from its recording instead of its last use.",
        },
    ),
    Measure(
        "minimum_score",
        "tightens",
        "loosens",
        "A memory is handed out from a score of {after} on instead of {before}.",
    ),
    Measure(
        "k.default",
        "loosens",
        "tightens",
        "An answer usually holds up to {after} memories instead of {before}.",
    ),
    Measure(
        "k.maximum",
        "loosens",
        "tightens",
        "An agent may ask for up to {after} memories at once instead of {before}.",
    ),
    Measure(
        "candidates.vector",
        "loosens",
        "tightens",
        "The search by meaning looks at {after} memories instead of {before}.",
    ),
    Measure(
        "candidates.lexical",
        "loosens",
        "tightens",
        "The search by words looks at {after} memories instead of {before}.",
    ),
    Measure(
        "token_budget.default",
        "loosens",
        "tightens",
        "An answer usually holds up to {after} tokens instead of {before}.",
    ),
    Measure(
        "token_budget.maximum",
        "loosens",
        "tightens",
        "An agent may ask for up to {after} tokens at once instead of {before}.",
    ),
    Measure(
        "profile_share",
        "neutral",
        "neutral",
        "The profile may take {after} of the tokens of an answer instead of {before}.",
    ),
    Measure(
        "source_share.maximum",
        "loosens",
        "tightens",
        "One source may fill {after} of an answer instead of {before}.",
    ),
    Members(
        "source_share.kinds",
        "tightens",
        "loosens",
        "{one} from one source now count toward its share of an answer.",
        "{one} from one source no longer count toward its share of an answer.",
        wording.KINDS.__getitem__,
    ),
    Measure(
        "near_duplicate",
        "loosens",
        "tightens",
        "Two memories are handed out as one from a likeness of {after} on instead of {before}.",
    ),
    Measure(
        "lift.neighbour",
        "loosens",
        "tightens",
        "The turns beside one in a conversation lift it by {after} of their score instead of {before}.",
    ),
    Measure(
        "lift.session",
        "loosens",
        "tightens",
        "The best turn of a conversation lifts the others by {after} of its score instead of {before}.",
    ),
    Members(
        "lift.kinds",
        "loosens",
        "tightens",
        "{one} of one conversation now lift each other.",
        "{one} of one conversation no longer lift each other.",
        wording.KINDS.__getitem__,
    ),
    Choice(
        "conflicts",
        {"return_both_marked": "loosens", "newest_only": "tightens"},
        {
            "return_both_marked": "Of two memories that contradict each other both are handed out, marked as such.",
            "newest_only": "Of two memories that contradict each other only the newest is handed out.",
        },
    ),
    Choice(
        "summary_fallback",
        {True: "loosens", False: "tightens"},
        {
            True: "A summary is handed out when no memory is good enough.",
            False: "Nothing is handed out when no memory is good enough, not even a summary.",
        },
    ),
    Measure(
        "query_text_days",
        "loosens",
        "tightens",
        "The text of a question is kept {after} days instead of {before}.",
    ),
)


def _trust(purpose: str) -> tuple[Row, ...]:
    return (
        Members(
            "origins",
            "loosens",
            "tightens",
            f"For {purpose}, memories that are {{one}} now count.",
            f"For {purpose}, memories that are {{one}} no longer count.",
            wording.ORIGINS.__getitem__,
        ),
        Members(
            "channels",
            "loosens",
            "tightens",
            f"For {purpose}, memories that came by {{one}} now count.",
            f"For {purpose}, memories that came by {{one}} no longer count.",
            wording.CHANNELS.__getitem__,
        ),
        Measure(
            "minimum_confidence",
            "tightens",
            "loosens",
            f"For {purpose}, a memory needs a confidence of at least {{after}} instead of {{before}}.",
        ),
        Choice(
            "confirmed_suffices",
            {True: "loosens", False: "tightens"},
            {
                True: f"For {purpose}, a confirmation now makes up for where a memory came from.",
                False: f"For {purpose}, a confirmation no longer makes up for where a memory came from.",
            },
        ),
    )


def retrieval_changes(before: RetrievalPolicy, after: RetrievalPolicy) -> Iterator[Change]:
    """List every difference of two retrieval policies: whatever may hand out more loosens, and the order is neutral."""
    yield from measured(RETRIEVAL, before, after)
    yield from measured(
        _trust("purposes without rules of their own"), before.other_purposes, after.other_purposes, at="other_purposes."
    )
    if before.other_purposes.name != after.other_purposes.name:
        yield Change(
            "other_purposes.name",
            "What holds for purposes without rules of their own has another name.",
            "neutral",
            before.other_purposes.name,
            after.other_purposes.name,
        )
    yield from _purposes(before, after)


def _purposes(before: RetrievalPolicy, after: RetrievalPolicy) -> Iterator[Change]:
    if before.purposes == after.purposes:
        return
    held, holds = ({one.name for one in document.purposes} for document in (before, after))
    differing = False
    for name in dict.fromkeys(one.name for one in (*before.purposes, *after.purposes)):
        was, now = before.purpose(name), after.purpose(name)
        if name in held and name in holds:
            found = list(measured(_trust(f"the purpose {wording.quoted(name)}"), was, now, at=f"purposes[{name}]."))
        else:
            found = [_listed(name, was, now, is_new=name in holds)]
        differing = differing or bool(found)
        yield from found
    if not differing:
        yield rewritten(
            "purposes",
            [one.model_dump(mode="json") for one in before.purposes],
            [one.model_dump(mode="json") for one in after.purposes],
        )


def _listed(name: str, was: Purpose, now: Purpose, *, is_new: bool) -> Change:
    says = "has rules of its own now" if is_new else "has no rules of its own any more"
    direction: Direction = "neutral"
    if _trusts_more(was, now):
        direction = "loosens"
    elif _trusts_more(now, was):
        direction = "tightens"
    effect = {"loosens": "more memories serve it", "tightens": "fewer memories serve it", "neutral": "nothing changes"}
    return Change(
        f"purposes[{name}]",
        f"The purpose {wording.quoted(name)} {says}: {effect[direction]}.",
        direction,
        None if is_new else was.model_dump(mode="json"),
        now.model_dump(mode="json") if is_new else None,
    )


def _trusts_more(was: Purpose, now: Purpose) -> bool:
    """Tell whether some memory serves a purpose now that did not before."""
    served, serves = _served(was), _served(now)
    return bool(serves - served) or (bool(serves) and now.minimum_confidence < was.minimum_confidence)


def _served(purpose: Purpose) -> set[tuple[str, str, bool]]:
    return {
        (origin, channel, is_confirmed)
        for origin in ORIGINS
        for channel in CHANNELS
        for is_confirmed in (False, True)
        if is_trusted_for(purpose, origin=origin, channel=channel, confidence=1.0, is_confirmed=is_confirmed)
    }
