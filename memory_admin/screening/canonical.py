"""One form per statement, so that an erased one is known again in capitals, with soft hyphens or other clutter."""

import unicodedata
from functools import lru_cache
from itertools import groupby

from memory_admin.screening import characters

# Part of what is digested: a change of the rules below needs a new number, and old digests stay under the old one.
CANONICAL_VERSION = 1

_JOINED = frozenset("'’‘ʼ`´＇")
_MEANINGFUL_BESIDE_A_WORD = frozenset("#+%&@")


def canonicalise(statement: str) -> str:
    """Fold a statement to the form whose digest decides whether it is the same statement.

    NFKC and case-folded; default-ignorable characters and combining-mark clutter removed, words of mixed scripts
    read as Latin; runs of punctuation and white space become one space. Accents that are part of a letter stay
    ("é" is not "e"), and so do symbols that change a word ("C#", "50%"). Idempotent; never raises.
    """
    visible = "".join(character for character in statement if not characters.is_invisible(character))
    composed = unicodedata.normalize("NFKC", _trimmed(visible))
    folded = unicodedata.normalize("NFKC", composed.casefold())
    kept = "".join(character for character in folded if not characters.is_invisible(character))
    return _spaced(_one_script(_without_clutter(kept)))


def _trimmed(text: str) -> str:
    """Cut runs of marks before they are sorted by normalisation, whose sorting is quadratic in the run."""
    if text.isascii():
        return text
    kept: list[str] = []
    run = 0
    for character in text:
        run = run + 1 if characters.is_mark(character) else 0
        if run <= characters.MARKS_THAT_CAN_BE_MEANT:
            kept.append(character)
    return "".join(kept)


def _without_clutter(text: str) -> str:
    """Drop the marks that did not compose with their letter, where letters are written without such marks."""
    if text.isascii():
        return text
    kept: list[str] = []
    base = " "
    for character in text:
        if not characters.is_mark(character):
            base = character
        elif characters.takes_few_marks(base):
            continue
        kept.append(character)
    return "".join(kept)


def _one_script(text: str) -> str:
    if text.isascii():
        return text
    letters = list(text)
    for start, end in characters.words_of(text):
        word = text[start:end]
        if characters.is_mixed(word):
            letters[start:end] = characters.unmasked(word)
    return "".join(letters)


@lru_cache(maxsize=4096)
def _role(character: str) -> str:
    if character in _JOINED:
        return "joined"
    if character in _MEANINGFUL_BESIDE_A_WORD:
        return "symbol"
    return "space" if unicodedata.category(character)[0] in "PZC" else "word"


def _spaced(text: str) -> str:
    runs = [
        (role, "".join(run))
        for role, run in groupby((character for character in text if _role(character) != "joined"), key=_role)
    ]
    pieces: list[str] = []
    for index, (role, run) in enumerate(runs):
        beside_word = "word" in {neighbour for neighbour, _ in runs[max(0, index - 1) : index + 2]}
        pieces.append(run if role == "word" or (role == "symbol" and beside_word) else " ")
    return " ".join("".join(pieces).split())
