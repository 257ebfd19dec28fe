"""The deterministic judge: does a new statement duplicate, update or contradict any that exist? Pure.

It is built to err on one side. Two statements kept side by side cost a reader a line; one that wrongly retires another
costs the person a memory. So a relation is claimed only where the words themselves show it:

=====  =============  ===================================================================
J-010  duplicate      same key, same value
J-020  update         same key, another value
J-030  duplicate      same text in canonical form
J-035  update         same text or words, now with a key
J-040  duplicate      same words, apart from articles, number and person
J-050  duplicate      near-identical in meaning, and only filler words differ
J-060  contradiction  the same claim, once denied
J-065  update         the same claim, said to be over
J-070  update         one attribute that holds one value, another value
J-080  update         one preference, another value out of a set that excludes each other
J-090  update         a comparison turned round
J-000  unrelated      none of these
=====  =============  ===================================================================
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from memory_admin.memories.reading import (
    CHOOSING,
    COUNTRIES,
    FILLERS,
    LIMITS,
    POLES,
    Attribute,
    Reading,
    fold,
    read,
)

Relation = Literal["duplicate", "update", "contradiction", "unrelated"]

ALWAYS_APART = frozenset({"event"})
JUDGED_BY_MEANING = frozenset({"preference", "fact", "relationship", "instruction"})
THE_PERSONS_CHANNELS = frozenset({"portal", "user_message"})


@dataclass(frozen=True, slots=True)
class NewStatement:
    """What is about to be stored."""

    statement: str
    kind: str
    key: str | None = None
    value: Any = None


@dataclass(frozen=True, slots=True)
class ExistingStatement:
    """A current memory of the same subject.

    ``is_same_text`` says whether its canonical digest equals the new one's; ``cosine`` is the similarity of the two
    embeddings, None where one is missing.
    """

    id: UUID
    statement: str
    kind: str
    is_same_text: bool
    cosine: float | None = None
    key: str | None = None
    value: Any = None
    valid_from: datetime | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """How the new statement relates to one that exists, and the rule that says so."""

    relation: Relation
    memory_id: UUID | None
    rule: str


UNRELATED = Verdict("unrelated", None, "J-000")


def judge(
    new: NewStatement,
    existing: Iterable[ExistingStatement],
    *,
    near_identical: float = 0.95,
    token_overlap: float = 0.75,
) -> Verdict:
    """Find the one existing statement that the new one duplicates, updates or contradicts.

    The rule with the lowest number decides, then the greater similarity, then the later start of validity.

    :param near_identical: cosine similarity from which another wording may count as the same
    :param token_overlap: share of the words that two such wordings must have in common
    """
    if new.kind in ALWAYS_APART:
        return UNRELATED
    reading = read(new.statement)
    found: list[tuple[str, float, float, Verdict]] = []
    for old in existing:
        if old.kind in ALWAYS_APART:
            continue
        relation = _by_identity(new, old) or _by_meaning(new, reading, old, near_identical, token_overlap)
        if relation is not None:
            since = old.valid_from.timestamp() if old.valid_from else 0.0
            found.append((relation[1], -(old.cosine or 0.0), -since, Verdict(relation[0], old.id, relation[1])))
    return min(found, key=lambda one: one[:3])[3] if found else UNRELATED


def may_supersede(
    *, new_origin: str, new_channel: str, old_origin: str, old_confirmed: bool, rank: Mapping[str, int]
) -> bool:
    """Say whether a new claim may take the place of an old one: its origin must rank at least as high.

    A confirmation ranks as a statement, and what the person confirmed only the person's own channels may replace.
    """
    if new_origin not in rank or old_origin not in rank:
        return False
    if not old_confirmed:
        return rank[new_origin] >= rank[old_origin]
    return new_channel in THE_PERSONS_CHANNELS and rank[new_origin] >= max(rank[old_origin], rank["stated"])


def is_same_value(one: object, other: object) -> bool:
    """Tell whether two JSON values are the same one. In JSON ``true`` is no number; ``1`` and ``1.0`` are one."""
    match one, other:
        case bool(), _:
            return one is other
        case _, bool():
            return False
        case dict(), dict():
            return one.keys() == other.keys() and all(is_same_value(one[name], other[name]) for name in one)
        case ((list() | tuple()), (list() | tuple())):
            return len(one) == len(other) and all(map(is_same_value, one, other))
    return one == other


# --- by key and text -------------------------------------------------------------------------------------------------

Found = tuple[Relation, str]


def _by_identity(new: NewStatement, old: ExistingStatement) -> Found | None:
    if new.key is not None and new.key == old.key:
        return ("duplicate", "J-010") if _same_value(new, old) else ("update", "J-020")
    if not old.is_same_text or (new.key is not None and old.key is not None):
        return None
    return ("duplicate", "J-030") if new.key is None else ("update", "J-035")


def _same_value(new: NewStatement, old: ExistingStatement) -> bool:
    if new.value is None or old.value is None:
        return old.is_same_text or read(new.statement).tokens == read(old.statement).tokens
    return is_same_value(_plain(new.value), _plain(old.value))


def _plain(value: Any) -> Any:
    return " ".join(fold(value).split()) if isinstance(value, str) else value


# --- by meaning ------------------------------------------------------------------------------------------------------


def _by_meaning(
    new: NewStatement, reading: Reading, old: ExistingStatement, near_identical: float, token_overlap: float
) -> Found | None:
    if new.kind not in JUDGED_BY_MEANING or old.kind not in JUDGED_BY_MEANING:
        return None
    other = read(old.statement)
    if not reading.tokens or not other.tokens:
        return None
    says_the_same = _by_wording(reading, other, old.cosine or 0.0, near_identical, token_overlap)
    if old.key is not None:
        return says_the_same if new.key is None else None  # a profile entry is replaced by its key alone
    if says_the_same is not None:
        return says_the_same if new.key is None else ("update", "J-035")
    return _by_claim(reading, other)


def _by_wording(
    reading: Reading, other: Reading, cosine: float, near_identical: float, token_overlap: float
) -> Found | None:
    if reading.tokens == other.tokens:
        return "duplicate", "J-040"
    if cosine >= near_identical and _differs_by_fillers(reading, other, token_overlap):
        return "duplicate", "J-050"
    return None


def _by_claim(reading: Reading, other: Reading) -> Found | None:
    if reading.claim and reading.claim == other.claim and reading.is_denied != other.is_denied:
        return ("update", "J-065") if reading.is_over else ("contradiction", "J-060")
    if _gives_another_value(reading.attribute, other.attribute):
        return "update", "J-070"
    if _chooses_otherwise(reading.tokens, other.tokens):
        return "update", "J-080"
    if reading.comparison is not None and reading.comparison == _turned(other.comparison):
        return "update", "J-090"
    return None


def _differs_by_fillers(new: Reading, old: Reading, token_overlap: float) -> bool:
    mine, other = ([word for word in one.tokens if word not in FILLERS] for one in (new, old))
    return mine == other and len(mine) >= token_overlap * max(len(new.tokens), len(old.tokens))


def _gives_another_value(new: Attribute | None, old: Attribute | None) -> bool:
    if new is None or old is None or old.is_event or new.name != old.name:
        return False
    mine, other = set(new.value), set(old.value)
    if mine <= other or other <= mine:
        return False  # the same, or the same told more exactly: "Oslo" and "Oslo, Norway"
    is_place = new.name.endswith("residence")
    return not (is_place and (" ".join(new.value) in COUNTRIES) != (" ".join(old.value) in COUNTRIES))


def _chooses_otherwise(new: Sequence[str], old: Sequence[str]) -> bool:
    """Say whether two preferences differ in one word only, and those two words exclude each other."""
    if len(new) != len(old) or not CHOOSING.intersection(new) or LIMITS.intersection(new):
        return False
    places = [place for place, (one, other) in enumerate(zip(new, old, strict=True)) if one != other]
    if len(places) != 1:
        return False
    place = places[0]
    mine, other = POLES.get(new[place]), POLES.get(old[place])
    if mine is None or other is None or mine[0] != other[0] or mine[1] == other[1]:
        return False
    # "answers in Spanish" is a choice of language, "Spanish food" is not.
    return mine[0] != "language" or (place > 0 and new[place - 1] == "in")


def _turned(comparison: tuple[tuple[str, ...], tuple[str, ...]] | None) -> tuple[tuple[str, ...], ...] | None:
    return None if comparison is None else (comparison[1], comparison[0])
