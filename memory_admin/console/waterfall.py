"""Where each candidate of an answer ended, with the parts of its score drawn and added up again."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from memory_admin.retrieval.models import Retrieval, RetrievalCandidate
from memory_admin.retrieval.ranking import Drop, Form, Parts, Scoring, score

WIDTH = 1000  # units of a bar
PARTS = (
    # part, its word, the group that a bar draws it in
    ("similarity", "Close in meaning", "p1"),
    ("keyword", "Same words", "p2"),
    ("recency", "Recent", "p3"),
    ("confidence", "Certain", "p3"),
    ("importance", "Important", "p4"),
    ("confirmed", "Confirmed", "p4"),
    ("neighbour", "Beside a match", "p4"),
    ("session", "Same conversation", "p4"),
)
OUTCOMES = {
    Drop.BELOW_THRESHOLD: "Below threshold",
    Drop.DUPLICATE: "Duplicate",
    Drop.SOURCE_SHARE: "Source is full",
    Drop.K: "Over the number",
    Drop.BUDGET: "Over budget",
}
LEFT_OUT = {
    "paused": "Paused by the person",
    "disputed": "Disputed, and not answered yet",
    "expired": "Expired",
    "superseded": "Replaced by something newer",
    "sensitive": "Sensitive, and the key may not read it",
    "access": "Closed by an access rule",
    "mode": "The person switched their memory off",
}


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a score: its value, what it is multiplied by, and what it adds."""

    label: str
    value: float
    weight: float
    less: float
    adds: float


@dataclass(frozen=True, slots=True)
class Stretch:
    """One stretch of a bar."""

    group: str
    x: int
    width: int


@dataclass(frozen=True, slots=True)
class Step:
    """One candidate: returned, or dropped and why."""

    candidate: RetrievalCandidate
    text: str
    outcome: str
    why: str
    parts: list[Part]
    bar: list[Stretch]
    is_recomputed: bool


def steps_of(
    retrieval: Retrieval,
    candidates: Sequence[RetrievalCandidate],
    scoring: Scoring | None,
    texts: Mapping[UUID, str],
) -> list[Step]:
    """Make the steps of a waterfall, by rank."""
    longest = longest_of(retrieval, candidates)
    steps = []
    for one in candidates:
        parts = _parts(one, scoring)
        steps.append(
            Step(
                candidate=one,
                text=texts.get(one.memory_id, ""),
                outcome="Returned" if one.returned else OUTCOMES[Drop(str(one.drop_reason))],
                why=_why(one, retrieval),
                parts=parts,
                bar=_bar(parts, longest),
                is_recomputed=bool(one.parts) and scoring is not None and _again(one, scoring) == one.score,
            )
        )
    return steps


def longest_of(retrieval: Retrieval, candidates: Sequence[RetrievalCandidate]) -> float:
    """Give the score that a whole bar stands for."""
    return max([one.score for one in candidates] + [retrieval.min_score, 0.01]) * 1.05


def threshold_at(retrieval: Retrieval, candidates: Sequence[RetrievalCandidate]) -> int:
    """Place the lowest score that is handed out on the bars."""
    return round(retrieval.min_score / longest_of(retrieval, candidates) * WIDTH)


def milliseconds(retrieval: Retrieval) -> float:
    """Add up the time of all stages."""
    return round(float(sum(retrieval.stages.values())), 1)


def formula(scoring: Scoring) -> str:
    """Write the score as it is computed: "1 close in meaning + 0.05 recent + …"."""
    if scoring.form is Form.PRODUCT:
        return "close in meaning × recent × (½ + important)"
    terms = []
    for name, label, _ in PARTS:
        weight = _weight(name, scoring)
        inner = f"(important − {scoring.importance_centre:g})" if name == "importance" else label.lower()
        terms.append(f"{weight:g} × {inner}")
    return " + ".join(terms)


def _parts(one: RetrievalCandidate, scoring: Scoring | None) -> list[Part]:
    if not one.parts or scoring is None:
        return []
    parts = []
    for name, label, _ in PARTS:
        value = float(one.parts.get(name, 0.0))
        less = scoring.importance_centre if name == "importance" else 0.0
        weight = _weight(name, scoring)
        parts.append(Part(label, value, weight, less, round(weight * (value - less), 6)))
    return parts


def _weight(name: str, scoring: Scoring) -> float:
    return float(getattr(scoring, f"lift_{name}" if name in ("neighbour", "session") else name))


def _again(one: RetrievalCandidate, scoring: Scoring) -> float:
    return score(Parts(**one.parts), scoring=scoring)


def _bar(parts: list[Part], longest: float) -> list[Stretch]:
    bar, x = [], 0
    for (_, _, group), part in zip(PARTS, parts, strict=False):
        width = round(part.adds / longest * WIDTH)
        if width > 0:
            bar.append(Stretch(group, x, max(width - 4, 2)))
            x += width
    return bar


def _why(one: RetrievalCandidate, retrieval: Retrieval) -> str:
    if one.returned:
        return one.reason
    match one.drop_reason:
        case Drop.BELOW_THRESHOLD:
            return f"{retrieval.min_score - one.score:.2f} below the threshold of {retrieval.min_score:g}."
        case Drop.K:
            return f"{retrieval.k} were asked for, and better ones came before."
        case Drop.DUPLICATE:
            return "It says the same as one that was returned."
        case Drop.SOURCE_SHARE:
            return "Its source had filled its share of the answer."
    return f"It did not fit into the {retrieval.token_budget} tokens."


def is_about_the_past(retrieval: Retrieval) -> datetime | None:
    """Give the instant a question asked about, if it was not the present."""
    return retrieval.valid_at or retrieval.recorded_at
