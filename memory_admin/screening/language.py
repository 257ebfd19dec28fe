"""A cheap guess at the language of a text."""

import unicodedata
from collections import Counter
from functools import lru_cache

_COMMON = {
    "en": "the and is of to in that it for you was with on are this have not be at my i she he they we what your",
    "de": "der die das und ist nicht ich ein eine zu den mit auf für von sich dem im es wir sie auch kein immer",
    "fr": "le la les et est de des je une un pour que qui dans pas sur avec ne vous nous mon ma il elle au du en",
    "es": "el la los las y es de que un una por para con no se su mi en lo al del está como más siempre",
    "it": "il lo gli e è di che un una per con non si mio mia sono nel della dei anche più questo",
    "pt": "o os as e é de que um uma por para com não se seu minha meu na no em do da mais está",
    "nl": "de het een en is van ik niet dat op voor met zijn te aan er ook maar naar bij geen altijd mijn",
}
_LANGUAGES_OF: dict[str, tuple[str, ...]] = {
    word: tuple(language for language, words in _COMMON.items() if word in words.split())
    for words in _COMMON.values()
    for word in words.split()
}
_SCRIPTS = {
    "CYRILLIC": "ru", "GREEK": "el", "HIRAGANA": "ja", "KATAKANA": "ja", "CJK": "zh", "HANGUL": "ko", "ARABIC": "ar",
    "HEBREW": "he", "DEVANAGARI": "hi", "THAI": "th", "ARMENIAN": "hy", "GEORGIAN": "ka",
}  # fmt: skip
_SAMPLE = 400


@lru_cache(maxsize=4096)
def _language_of_letter(letter: str) -> str:
    return _SCRIPTS.get(unicodedata.name(letter, "").partition(" ")[0], "")


def guess_language(text: str) -> str:
    """Guess the language of a text from its script and its commonest words: ISO 639-1, or "und"."""
    sample = text[:_SAMPLE]
    if not sample.isascii():
        scripts = Counter(filter(None, map(_language_of_letter, filter(str.isalpha, sample))))
        if scripts.total() * 2 > sum(map(str.isalpha, sample)):
            return "ja" if "ja" in scripts else scripts.most_common(1)[0][0]
    score: Counter[str] = Counter()
    for word in sample.lower().replace("’", "'").split():
        for language in _LANGUAGES_OF.get(word.strip('.,;:!?"()'), ()):
            score[language] += 1
    if not score:
        return "und"
    best = max(score.values())
    leaders = [language for language in _COMMON if score[language] == best]
    return leaders[0]
