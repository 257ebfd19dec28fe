"""Which characters cannot be seen, which look like others, and which words mix scripts."""

import unicodedata
from functools import lru_cache

# Default-ignorable code points (Unicode DerivedCoreProperties) and other characters that draw nothing.
_INVISIBLE_RANGES = (
    (0x00AD, 0x00AD),
    (0x034F, 0x034F),
    (0x061C, 0x061C),
    (0x115F, 0x1160),
    (0x17B4, 0x17B5),
    (0x180B, 0x180F),
    (0x200B, 0x200F),
    (0x202A, 0x202E),
    (0x2060, 0x206F),
    (0x2800, 0x2800),
    (0x3164, 0x3164),
    (0xFE00, 0xFE0F),
    (0xFEFF, 0xFEFF),
    (0xFFA0, 0xFFA0),
    (0xFFF0, 0xFFFB),
    (0x1BCA0, 0x1BCA3),
    (0x1D173, 0x1D17A),
    (0xE0000, 0xE0FFF),
)
BIDI_CONTROLS = frozenset(map(chr, (0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A))))
RIGHT_TO_LEFT_OVERRIDE = "\u202e"
BIDI_ENDS = frozenset("\u202c\u2069\n\u2029\u202d")
JOINERS = frozenset("\u200c\u200d")
MARKS_THAT_CAN_BE_MEANT = 3  # Polytonic Greek stacks three; nothing written by people stacks more.

# Letters of other scripts (and phonetic letters) drawn like a Latin one, from the confusables of Unicode TS 39.
_LOOK_ALIKES = (
    ("аӑӓαɑᴀ", "a"), ("ЬƄʙβϐ", "b"), ("сϲᴄ", "c"), ("ԁɗᴅ", "d"), ("еёєҽεᴇ", "e"), ("ғꜰ", "f"), ("ɡցԍɢ", "g"),
    ("һհнʜ", "h"), ("іїıιɩɪ", "i"), ("јϳᴊ", "j"), ("кκᴋ", "k"), ("ӏʟ", "l"), ("мᴍ", "m"), ("пոηɴ", "n"),
    ("оοօσᴏ", "o"), ("рρᴘ", "p"), ("ԛզ", "q"), ("гʀ", "r"), ("ѕꜱ", "s"), ("тτᴛ", "t"), ("υսцᴜ", "u"), ("ѵνᴠ", "v"),
    ("ԝωшѡᴡ", "w"), ("хχ", "x"), ("уүγʏ", "y"), ("ᴢ", "z"),
    ("АΑᎪ", "A"), ("ВΒᏴ", "B"), ("СϹᏟ", "C"), ("ԀᎠ", "D"), ("ЕΕЁᎬ", "E"), ("ԌᏀ", "G"), ("НΗᎻ", "H"),
    ("ІΙӀЇ", "I"), ("ЈᎫ", "J"), ("КΚᏦ", "K"), ("Ꮮ", "L"), ("МΜᎷ", "M"), ("Ν", "N"), ("ОΟՕ", "O"), ("РΡᏢ", "P"),
    ("ԚԛՔ", "Q"), ("Ꭱ", "R"), ("ЅՏᏚ", "S"), ("ТΤᎢ", "T"), ("ՍԱ", "U"), ("ѴᏙ", "V"), ("ԜᎳ", "W"), ("ХΧ", "X"),
    ("УҮΥ", "Y"), ("ΖᏃ", "Z"),
)  # fmt: skip
LOOK_ALIKE = {other: latin for others, latin in _LOOK_ALIKES for other in others}
_SCRIPTS_WITH_LOOK_ALIKES = ("GREEK", "CYRILLIC", "ARMENIAN", "CHEROKEE", "LATIN")


@lru_cache(maxsize=4096)
def is_invisible(character: str) -> bool:
    """Tell whether this character draws nothing: default-ignorable, control, unassigned filler, lone surrogate."""
    point = ord(character)
    if character in "\t\n\r":
        return False
    if point < 0xAD:
        return point < 0x20 or 0x7F <= point < 0xA0
    return any(first <= point <= last for first, last in _INVISIBLE_RANGES) or 0xD800 <= point <= 0xDFFF


@lru_cache(maxsize=4096)
def is_mark(character: str) -> bool:
    """Tell whether this character is drawn on the one before it."""
    return unicodedata.category(character) in ("Mn", "Me")


@lru_cache(maxsize=4096)
def takes_few_marks(character: str) -> bool:
    """Tell whether marks that do not compose with this base are decoration (Latin, Greek, Cyrillic, not letters)."""
    return not character.isalpha() or _script(character) in ("GREEK", "CYRILLIC", "LATIN")


@lru_cache(maxsize=4096)
def _script(character: str) -> str:
    if character.isascii():
        return "LATIN" if character.isalpha() else ""
    if not character.isalpha():
        return ""
    name = unicodedata.name(character, "")
    return next((script for script in _SCRIPTS_WITH_LOOK_ALIKES if name.startswith(script)), "OTHER")


def is_latin(character: str) -> bool:
    """Tell whether this is a letter of the Latin script, plain or not."""
    return _script(character) == "LATIN"


def is_mixed(word: str) -> bool:
    """Tell whether a word hides letters of another script among Latin ones.

    Needs a Latin letter and a look-alike, and every letter that is not Latin must be one, so that "μm" and
    "iPhone-а" in real bilingual text stay what they are.
    """
    if word.isascii() or len(word) < 2:
        return False
    has_latin = has_look_alike = False
    for letter in word:
        if letter in LOOK_ALIKE:
            has_look_alike = True
        elif _script(letter) == "LATIN":
            has_latin = True
        elif letter.isalpha():
            return False
    return has_latin and has_look_alike


def looks_latin(word: str) -> bool:
    """Tell whether every letter of a word has a Latin look-alike."""
    return all(letter in LOOK_ALIKE or letter.isascii() for letter in word)


def unmasked(word: str) -> str:
    """Give the word with each look-alike replaced by the Latin letter it is drawn like; same length."""
    return "".join(LOOK_ALIKE.get(letter, letter) for letter in word)


def words_of(text: str) -> list[tuple[int, int]]:
    """Give the spans of the runs of letters in a text, in order."""
    spans: list[tuple[int, int]] = []
    start: int | None = None
    for index, character in enumerate(text):
        if character.isalpha():
            start = index if start is None else start
        elif start is not None:
            spans.append((start, index))
            start = None
    if start is not None:
        spans.append((start, len(text)))
    return spans
