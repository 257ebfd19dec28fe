"""What fits into an answer: token estimates, the budget, and the one line in which a memory leaves."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Packed(Generic[T]):
    """What fitted, in order, what did not, and the tokens taken."""

    items: Sequence[T]
    left_out: Sequence[T]
    tokens: int


def one_line(text: str) -> str:
    """Write a text on a single line, without control characters or anything invisible: it can pose as nothing else.

    Line and paragraph breaks, tabs and runs of spaces become one space. Characters that join letters stay.
    """
    if not text.isprintable():
        spaced = "".join(" " if unicodedata.category(mark) in _SPACES else mark for mark in text)
        text = "".join(mark for mark in spaced if unicodedata.category(mark) not in _UNSEEN or mark in _JOINERS)
    return re.sub(r" {2,}", " ", unicodedata.normalize("NFC", text)).strip()


def tokens(text: str) -> int:
    """Estimate the tokens of a text, rather too many than too few, without knowing the model that will read it.

    A word of an alphabet costs one token for every five letters begun, a number one for every three digits, everything
    else one for each character, or two where UTF-8 needs four bytes for it.
    """
    return sum(_cost(piece.group()) for piece in _PIECES.finditer(text))


def pack(
    memories: Sequence[tuple[T, int]],
    *,
    budget: int,
    first: Sequence[tuple[T, int]] = (),
    share: float = 0.0,
) -> Packed[T]:
    """Fill a budget of tokens: ``first`` up to its share of it, then ``memories``, each in the order given.

    Each comes with its tokens. What does not fit is left out and the next one tried; the budget is never exceeded.
    """
    taken: list[T] = []
    left_out: list[T] = []
    used = 0
    for offered, limit in ((first, int(budget * share)), (memories, budget)):
        for one, cost in offered:
            if used + cost <= limit:
                taken.append(one)
                used += cost
            else:
                left_out.append(one)
    return Packed(items=taken, left_out=left_out, tokens=used)


_SPACES = {"Cc", "Zl", "Zp", "Zs"}
_UNSEEN = {"Cf", "Cs", "Co", "Cn"}
# Zero-width joiner and non-joiner spell words in Persian and in Indian scripts.
_JOINERS = {"\u200c", "\u200d"}

# Words of ASCII letters, numbers, then single characters; spaces come with the word.
_PIECES = re.compile(r"[A-Za-z]+|\d+|\S")


def _cost(piece: str) -> int:
    if piece.isdigit():
        return -(-len(piece) // 3)
    if piece.isascii() and piece.isalpha():
        return -(-len(piece) // 5)
    return 2 if ord(piece[0]) > 0xFFFF else 1
