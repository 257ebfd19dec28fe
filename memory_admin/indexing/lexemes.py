"""The words of a text as search compares them: one function for writing and for asking.

A text becomes at most :data:`CAP` lexemes: NFKC and case folding, words by script, overlapping pairs of characters for
scripts written without spaces, Snowball stems (https://snowballstem.org) for the others, and no stop words unless
nothing else is left. The table holds hashes of them, salted with the subject: the words of two subjects cannot be
compared, and no word can be read from an index.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from functools import cache
from hashlib import blake2b
from uuid import UUID

import Stemmer

CAP = 256
"""Most lexemes of one text: an index row of the search table may hold 2,704 bytes."""

SPACE = 1_000_000_000
"""How many hashes of lexemes there are: the dimensions of the largest sparse vector that pgvector stores."""

# Chinese, Japanese and Korean, then Thai, Lao, Burmese and Khmer: pairs of characters stand for words there.
_UNSPACED = (
    "\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
)
# Python's \w knows no combining marks; without them a Hindi or Tamil word falls apart at every vowel.
_MARKS = "".join(chr(code) for code in range(0x0300, 0x10000) if unicodedata.category(chr(code)) in {"Mn", "Mc"})
_RUNS = re.compile(f"[{_UNSPACED}]+|(?:(?![{_UNSPACED}_])[\\w{_MARKS}])+")
_IS_UNSPACED = re.compile(f"[{_UNSPACED}]")

# Soft hyphens, zero-width characters, direction marks, variation selectors and tag characters take no room in a word.
_INVISIBLE = dict.fromkeys(
    code
    for start, end in (
        (0x00AD, 0x00AD),
        (0x034F, 0x034F),
        (0x061C, 0x061C),
        (0x115F, 0x1160),
        (0x17B4, 0x17B5),
        (0x180B, 0x180F),
        (0x200B, 0x200F),
        (0x202A, 0x202E),
        (0x2060, 0x206F),
        (0x3164, 0x3164),
        (0xFE00, 0xFE0F),
        (0xFEFF, 0xFEFF),
        (0xFFA0, 0xFFA0),
        (0xE0000, 0xE0FFF),
    )
    for code in range(start, end + 1)
)

# Snowball's language for a script. The asking side cannot know the language of what it looks for, its script it knows.
_STEMMER_OF_SCRIPT = (
    ("\u0370", "\u03ff", "greek"),
    ("\u0400", "\u052f", "russian"),
    ("\u0530", "\u058f", "armenian"),
    ("\u0600", "\u06ff", "arabic"),
    ("\u0900", "\u097f", "hindi"),
    ("\u0b80", "\u0bff", "tamil"),
)

# English words that say how a sentence is built and not what it is about, with the pieces that contractions fall into.
STOP_WORDS = frozenset(
    """
    a about above after again against all also am an and any are as at be because been before being below
    between both but by can could did do does doing done down during each ever few for from further get gets
    getting got had has have having he her here hers herself him himself his how i if in into is it its
    itself just let many me might more most much must my myself no nor not now of off on once one only or
    other our ours ourselves out over own per same shall she should so some still such than that the their
    theirs them themselves then there these they this those through to too under until up upon us very was
    we were what when where whether which while who whom whose why will with within without would you your
    yours yourself yourselves d don doesn didn isn aren wasn weren hasn haven hadn won wouldn couldn shouldn
    mustn ll m o re s t ve
    """.split()  # noqa: SIM905
)


def lexemes(text: str) -> tuple[str, ...]:
    """List the distinct lexemes of a text in the order of their first appearance, at most :data:`CAP` of them."""
    words = list(_words(text))
    telling = [word for word in words if word not in STOP_WORDS]
    return tuple(dict.fromkeys(_stem(word) for word in telling or words))[:CAP]


def hashed(words: Iterable[str], *, subject_id: UUID) -> list[int]:
    """Turn lexemes into numbers below :data:`SPACE` that mean something beside the same subject's only, in order."""
    salt = subject_id.bytes
    return [int.from_bytes(blake2b(word.encode(), digest_size=8, salt=salt).digest(), "big") % SPACE for word in words]


def date_in_words(day: date) -> str:
    """Write a day as people ask for it, "8 May 2023", whatever the locale of the machine."""
    return f"{day.day} {_MONTHS[day.month - 1]} {day.year}"


_MONTHS: Sequence[str] = "January February March April May June July August September October November December".split()  # noqa: SIM905


def _words(text: str) -> Iterator[str]:
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text.translate(_INVISIBLE)).casefold())
    for match in _RUNS.finditer(folded):
        run = match.group()
        if len(run) > 1 and _IS_UNSPACED.match(run):
            yield from (run[at : at + 2] for at in range(len(run) - 1))
        else:
            yield run


def _stem(word: str) -> str:
    first = word[0]
    if _IS_UNSPACED.match(first):
        return word
    language = next((name for low, high, name in _STEMMER_OF_SCRIPT if low <= first <= high), "english")
    stem: str = _stemmer(language).stemWord(word)
    return stem


@cache
def _stemmer(language: str) -> Stemmer.Stemmer:
    # No cache of its own: words of an erased memory must not live on in the process.
    return Stemmer.Stemmer(language, 0)
