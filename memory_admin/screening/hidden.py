"""What a reader would see: hidden characters resolved for screening, and shown escaped to reviewers."""

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from memory_admin.screening import characters
from memory_admin.screening.findings import Finding, Span

_CANCEL_TAG = "\U000e007f"
_BLACK_FLAG = "\U0001f3f4"
_LONGEST_FLAG = 6
_PLAIN = str.maketrans(
    {
        "‘": "'", "’": "'", "‚": "'", "‛": "'", "ʼ": "'", "´": "'", "“": '"', "”": '"', "„": '"', "«": '"', "»": '"',
        "–": "-", "—": "-", "‐": "-", "‑": "-", "−": "-", "…": ".", "\u00a0": " ", "\u3000": " ",
        "。": ".", "！": "!", "？": "?", "\u2028": "\n", "\u2029": "\n", "\u0085": "\n",
    }
)  # fmt: skip
# Letters that carry an accent no decomposition removes; one for one, so that spans stay true.
_BARE = {"ß": "s", "ø": "o", "æ": "a", "œ": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "t", "ı": "i"}


# Abbreviations whose full stop ends no sentence.
_ABBREVIATIONS = ("mr. ", "mrs. ", "ms. ", "dr. ", "prof. ", "st. ", "vs. ", "e.g. ", "i.e. ", "approx. ")


@dataclass(frozen=True, slots=True)
class Reading:
    """One text as screening reads it.

    `text` is normalised with its case; `folded` is the same, lower case and without accents, character for
    character. `offsets` gives for each character its place in the original, or None where nothing moved.
    """

    text: str
    folded: str
    offsets: tuple[int, ...] | None
    findings: tuple[Finding, ...] = ()

    def span(self, start: int, end: int) -> Span:
        """Translate a span of the reading to the span of the original text that covers it."""
        if self.offsets is None or start >= end:
            return start, end
        covered = self.offsets[start:end]
        return min(covered), max(covered) + 1


def read(text: str) -> Reading:
    """Resolve tag characters, bidi overrides, zero-width characters, stacked marks and look-alikes.

    Every trick found is reported with its place; ordinary use (emoji, accents, typographic quotes, joiners in
    scripts that need them) is not.
    """
    plain = text.translate(_PLAIN) if not text.isascii() else text
    if plain.isascii() and _has_no_controls(plain):
        return Reading(text=plain, folded=_unabbreviated(plain.lower()), offsets=None)
    return _Resolver(plain).resolve()


def is_blank(text: str) -> bool:
    """Tell whether nothing of this text can be seen."""
    if text.isascii():
        return not text.strip() or all(character.isspace() or characters.is_invisible(character) for character in text)
    return all(character.isspace() or characters.is_invisible(character) for character in text)


def reveal(text: str) -> str:
    """Show a text with each hidden character written out, as in "⟦U+200B⟧", for reviewers.

    A run of tag characters is shown as the words it spells; a look-alike letter in a word of mixed scripts is
    followed by its code.
    """
    suspects = _mixed_letters(text)
    pieces: list[str] = []
    index = 0
    while index < len(text):
        character = text[index]
        end = _end_of_tags(text, index)
        if end > index and _is_flag(text, index, end):
            pieces.append(text[index:end])
            index = end
            continue
        if end > index:
            pieces.append(f"⟦tags: {_spelled(text[index:end])}⟧")
            index = end
            continue
        is_hidden = characters.is_invisible(character) and not _is_ordinary(text, index)
        pieces.append(f"⟦U+{ord(character):04X}⟧" if is_hidden else character)
        if index in suspects:
            pieces.append(f"⟦U+{ord(character):04X}⟧")
        index += 1
    return "".join(pieces)


def _has_no_controls(text: str) -> bool:
    return text.isprintable() or text.translate({9: None, 10: None, 13: None}).isprintable()


def _unabbreviated(folded: str) -> str:
    if ". " in folded:
        for abbreviation in _ABBREVIATIONS:
            folded = folded.replace(abbreviation, abbreviation.replace(".", " "))
    return folded


def _mixed_letters(text: str) -> frozenset[int]:
    if text.isascii():
        return frozenset()
    return frozenset(
        index
        for start, end in characters.words_of(text)
        if characters.is_mixed(text[start:end])
        for index in range(start, end)
        if text[index] in characters.LOOK_ALIKE
    )


def _is_tag(character: str) -> bool:
    return "\U000e0020" <= character <= _CANCEL_TAG


def _end_of_tags(text: str, start: int) -> int:
    """Give the end of the run of tag characters at this place (the place itself if there is none)."""
    end = start
    while end < len(text) and _is_tag(text[end]):
        end += 1
    return end


def _is_flag(text: str, start: int, end: int) -> bool:
    """Tell whether a run of tag characters only names a region after the black flag emoji."""
    follows_flag = start > 0 and text[start - 1] == _BLACK_FLAG
    return follows_flag and text[end - 1] == _CANCEL_TAG and end - start <= _LONGEST_FLAG


def _spelled(tags: str) -> str:
    return "".join(chr(ord(tag) - 0xE0000) for tag in tags if tag != _CANCEL_TAG)


def _is_ordinary(text: str, index: int) -> bool:
    """Tell whether an invisible character is where writing needs it: emoji sequences, joining scripts, a BOM."""
    character = text[index]
    before = text[index - 1] if index else ""
    if character == "\ufeff":
        return index == 0
    if character in characters.JOINERS:
        return bool(before) and not before.isascii() and not _is_latin(before)
    if "\ufe00" <= character <= "\ufe0f":
        return bool(before) and not characters.is_invisible(before) and not before.isalpha()
    if character in "\u200e\u200f\u061c":
        return any(unicodedata.bidirectional(near) in ("R", "AL") for near in text[max(0, index - 20) : index + 20])
    return False


@lru_cache(maxsize=4096)
def _is_latin(character: str) -> bool:
    return character.isascii() or unicodedata.name(character, "").startswith("LATIN")


@lru_cache(maxsize=4096)
def _bare(character: str) -> str:
    """Give the lower-case letter without its accent, always one character."""
    lowered = character.lower()
    lowered = lowered if len(lowered) == 1 else character
    if lowered in _BARE:
        return _BARE[lowered]
    base = unicodedata.normalize("NFD", lowered)[0]
    return base if _is_latin(base) else lowered


@lru_cache(maxsize=4096)
def _plain_form(character: str) -> str:
    """Give the compatibility form of one character; ligatures that unfold into a sentence stay as they are."""
    if 0xD800 <= ord(character) <= 0xDFFF:
        return "\ufffd"
    if 0x1F150 <= ord(character) <= 0x1F189:  # White letters on black circles and squares have no compatibility form.
        return (
            chr(ord("a") + (ord(character) - 0x1F150) % 0x20) if (ord(character) - 0x1F150) % 0x20 < 26 else character
        )
    if character in characters.LOOK_ALIKE and characters.is_latin(character):
        return characters.LOOK_ALIKE[character]  # Phonetic letters and small capitals.
    form = unicodedata.normalize("NFKC", character)
    return form if len(form) <= 4 else character


class _Resolver:
    """Builds a reading character by character, keeping where each came from."""

    def __init__(self, text: str) -> None:
        self.given = text
        self.letters: list[str] = []
        self.offsets: list[int] = []
        self.found: dict[str, Span] = {}

    def resolve(self) -> Reading:
        self._read_in_order()
        self._turn_overrides()
        self._unmask_words()
        joined = "".join(self.letters)
        findings = tuple(Finding(code, "hidden", None, span, code) for code, span in self.found.items())
        folded = joined.lower() if joined.isascii() else "".join(map(_bare, joined))
        folded = _unabbreviated(folded)
        return Reading(text=joined, folded=folded, offsets=tuple(self.offsets), findings=findings)

    def _note(self, code: str, start: int, end: int) -> None:
        first, last = self.found.get(code, (start, end))
        self.found[code] = min(first, start), max(last, end)

    def _add(self, letters: str, offset: int) -> None:
        self.letters.extend(letters)
        self.offsets.extend([offset] * len(letters))

    def _read_in_order(self) -> None:
        text, index, marks = self.given, 0, 0
        while index < len(text):
            character = text[index]
            if character.isascii() and not characters.is_invisible(character):
                self._add(character, index)
            elif _is_tag(character):
                index = self._read_tags(index)
                continue
            elif "\ufe00" <= character <= "\ufe0f" or "\U000e0100" <= character <= "\U000e01ef":
                index = self._read_variation_selectors(index)
                continue
            elif characters.is_invisible(character):
                self._read_invisible(character, index)
            elif characters.is_mark(character):
                marks += 1
                self._read_mark(character, index, marks)
                index += 1
                continue
            else:
                self._add(_plain_form(character), index)
            marks = 0
            index += 1

    def _read_tags(self, start: int) -> int:
        end = _end_of_tags(self.given, start)
        if not _is_flag(self.given, start, end):
            self._note("tag_characters", start, end)
            self._add(" ", start)
            for index in range(start, end):
                self._add(_spelled(self.given[index]), index)
            self._add(" ", end - 1)
        return end

    def _read_variation_selectors(self, start: int) -> int:
        """Read a run of variation selectors; more than one after another can only be bytes in disguise."""
        end = start
        smuggled = bytearray()
        while end < len(self.given):
            point = ord(self.given[end])
            if 0xFE00 <= point <= 0xFE0F:
                smuggled.append(point - 0xFE00)
            elif 0xE0100 <= point <= 0xE01EF:
                smuggled.append(point - 0xE0100 + 16)
            else:
                break
            end += 1
        if end - start > 1:
            self._note("variation_selectors", start, end)
            self._add(" " + smuggled.decode("utf-8", "ignore") + " ", start)
        return end

    def _read_invisible(self, character: str, index: int) -> None:
        if character in characters.BIDI_CONTROLS:
            if not _is_ordinary(self.given, index):
                self._note("bidi_control", index, index + 1)
            if character == characters.RIGHT_TO_LEFT_OVERRIDE or character in characters.BIDI_ENDS:
                self._add(character, index)
        elif 0xD800 <= ord(character) <= 0xDFFF:
            self._note("control_character", index, index + 1)
            self._add("\ufffd", index)
        elif ord(character) < 0xA0:
            self._note("control_character", index, index + 1)
        elif not _is_ordinary(self.given, index):
            self._note("invisible_character", index, index + 1)
        if character in "\u3164\uffa0\u115f\u1160\u2800":
            self._add(" ", index)

    def _read_mark(self, character: str, index: int, marks: int) -> None:
        """Compose a mark with its letter where that makes one letter; drop decoration, keep what scripts need."""
        if marks > characters.MARKS_THAT_CAN_BE_MEANT:
            self._note("stacked_marks", index, index + 1)
            return
        if not self.letters:
            return
        composed = unicodedata.normalize("NFKC", self.letters[-1] + character)
        if len(composed) == 1:
            self.letters[-1] = composed
        elif not characters.takes_few_marks(self.letters[-1]):
            self._add(character, index)

    def _turn_overrides(self) -> None:
        """Put what a right-to-left override turns round into the order in which it is seen."""
        if characters.BIDI_CONTROLS.isdisjoint(self.letters):
            return
        letters: list[str] = []
        offsets: list[int] = []
        for start, end, is_turned in self._overridden():
            step = -1 if is_turned else 1
            letters += self.letters[start:end][::step]
            offsets += self.offsets[start:end][::step]
        kept = [index for index, letter in enumerate(letters) if letter not in characters.BIDI_CONTROLS]
        self.letters = [letters[index] for index in kept]
        self.offsets = [offsets[index] for index in kept]

    def _overridden(self) -> Iterator[tuple[int, int, bool]]:
        start, is_turned = 0, False
        for index, letter in enumerate(self.letters):
            starts = letter == characters.RIGHT_TO_LEFT_OVERRIDE
            if starts or (is_turned and letter in characters.BIDI_ENDS):
                yield start, index, is_turned
                start, is_turned = index, starts
        yield start, len(self.letters), is_turned

    def _unmask_words(self) -> None:
        joined = "".join(self.letters)
        words = [(start, end, joined[start:end]) for start, end in characters.words_of(joined)]
        mixed = [(start, end) for start, end, word in words if characters.is_mixed(word)]
        if not mixed:
            return
        for start, end in mixed:
            self._note("mixed_scripts", min(self.offsets[start:end]), max(self.offsets[start:end]) + 1)
        for start, end, word in words:
            # Once one word is a mask, a word made of look-alikes alone ("соре") is read as Latin too.
            if characters.is_mixed(word) or characters.looks_latin(word):
                self.letters[start:end] = characters.unmasked(word)
