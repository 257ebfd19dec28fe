"""How the judge reads a statement: its words, its claim apart from denial, the attribute it gives a value to. Pure.

Nothing read is kept: a cache of statements would outlive their erasure.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from itertools import pairwise


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


DROPPED = _words("a an the i my me mine user customer is are am be do does please really very also just that")
NEGATIONS = _words(
    "not no never neither cannot nicht kein keine keinen nie pas jamais ne ikke aldri inte aldrig niet geen nunca"
)
# Words that narrow a claim: with one of them it is no plain value, and without it another claim.
LIMITS = _words(
    "only except unless without sometimes rarely seldom often usually mostly occasionally maybe perhaps possibly "
    "probably might could would formerly previously temporarily was were had if when while during until but or and"
)
FILLERS = _words(
    "strongly definitely certainly generally still quite now currently always personally actually basically simply "
    "absolutely totally truly highly much indeed particularly especially"
)
CLAIM_DROPPED = _words("any always anymore ever")
FUNCTION_WORDS = DROPPED | NEGATIONS | LIMITS | FILLERS | CLAIM_DROPPED
SPELLINGS = {
    "has": "have",
    "favorite": "favourite",
    "favorites": "favourite",
    "color": "colour",
    "colors": "colour",
    "gray": "grey",
    "favor": "favour",
    "favors": "favour",
}
LIKING = {"love": "like", "enjoy": "like", "adore": "like"}
DENYING = {"dislike": "like", "hate": "like", "detest": "like", "loathe": "like", "unable": "able"}
CONTRACTED = {"can't": "can not", "won't": "will not", "shan't": "shall not", "i'm": "i am", "i’m": "i am"}
CHOOSING = _words("prefer favour want choose pick set write answer reply respond address call contact reach speak send")

LANGUAGES = (
    "english norwegian german french spanish italian portuguese dutch swedish danish finnish polish czech greek "
    "japanese chinese korean arabic hebrew russian ukrainian hindi turkish"
)

# Words that exclude each other within one preference: a set of poles, each with its synonyms.
EXCLUSIVE: dict[str, tuple[str, ...]] = {
    "seat": ("window", "aisle", "middle"),
    "time of day": ("morning", "afternoon", "evening", "night"),
    "part of the week": ("weekday", "weekend"),
    "length": ("short brief concise terse", "long detailed lengthy verbose thorough"),
    "tone": ("formal", "informal casual"),
    "theme": ("dark", "light"),
    "temperature": ("hot", "cold iced"),
    "units": ("metric", "imperial"),
    "degrees": ("celsius", "fahrenheit"),
    "clock": ("12-hour", "24-hour"),
    "indentation": ("tab", "space"),
    "cabin": ("economy", "business", "first", "premium"),
    "diet": ("vegan", "vegetarian", "pescatarian"),
    "hot drink": ("tea", "coffee"),
    "hour": ("early", "late"),
    "height": ("upper", "lower"),
    "side": ("left", "right"),
    "end": ("front", "back rear"),
    "noise": ("loud", "quiet"),
    "size": ("large big", "small"),
    "contact": ("email e-mail mail", "phone telephone", "sms text", "chat", "letter post"),
    "language": tuple(LANGUAGES.split()),
}
POLES = {
    word: (name, pole)
    for name, poles in EXCLUSIVE.items()
    for pole, words in enumerate(poles)
    for word in words.split()
}

WORD = re.compile(r"[^\W_]+(?:[.':/+@&-][^\W_]+)*")
COMPARED = re.compile(r"^prefers?\s+(.+?)\s+(?:over|to|rather than|instead of)\s+(.+)$")


@dataclass(frozen=True, slots=True)
class Attribute:
    """Something that holds one value at a time; an event ("moved to …") gives a value but is itself never replaced."""

    name: str
    value: tuple[str, ...]
    is_event: bool = False


@dataclass(frozen=True, slots=True)
class Reading:
    """One statement as the judge sees it: its words, and its claim apart from whether it is denied."""

    tokens: tuple[str, ...]
    claim: tuple[str, ...]
    is_denied: bool
    is_over: bool
    attribute: Attribute | None
    comparison: tuple[tuple[str, ...], tuple[str, ...]] | None


def read(statement: str) -> Reading:
    text = _straight(statement)
    tokens = _tokens(text)
    claim, denials, is_over = _claim(tokens)
    return Reading(
        tokens=tokens,
        claim=claim,
        is_denied=denials % 2 == 1,
        is_over=is_over,
        attribute=_attribute(text, tokens),
        comparison=_comparison(text),
    )


def _straight(statement: str) -> str:
    text = unicodedata.normalize("NFKC", statement).replace("’", "'").strip().rstrip(".!")
    return re.sub(r"\s+", " ", text)


def fold(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()


def _tokens(text: str) -> tuple[str, ...]:
    words: list[str] = []
    for found in WORD.findall(text.casefold()):
        for word in _expanded(found).split():
            plain = SPELLINGS.get(word, word.removesuffix("'s"))
            if plain not in FUNCTION_WORDS:
                plain = _singular(plain)
            if plain not in DROPPED:
                words.append(plain)
    return tuple(words)


def _expanded(word: str) -> str:
    if word in CONTRACTED:
        return CONTRACTED[word]
    return f"{word[:-3]} not" if word.endswith("n't") else word


def _singular(word: str) -> str:
    """Bring "seats" and "prefers" to one form with "seat" and "prefer"; past tenses stay apart on purpose."""
    if len(word) < 4 or not word.endswith("s") or word.endswith(("ss", "us", "is")) or not word.isalpha():
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes", "zes", "oes")):
        return word[:-2]
    return word[:-1]


def _claim(tokens: tuple[str, ...]) -> tuple[tuple[str, ...], int, bool]:
    """Take denial out of the words: what is claimed, how often it is denied, and whether it is said to be over."""
    is_over = _has_pair(tokens, ("no", "longer")) or _has_pair(tokens, ("used", "to")) or "anymore" in tokens
    words: list[str] = []
    denials = 1 if _has_pair(tokens, ("used", "to")) else 0
    for place, word in enumerate(tokens):
        if word in NEGATIONS:
            denials += 1
        elif word in DENYING:
            denials += 1
            words.append(DENYING[word])
        elif not _is_said_of_the_end(tokens, place) and word not in CLAIM_DROPPED:
            words.append(LIKING.get(word, word))
    return tuple(words), denials, is_over


def _has_pair(tokens: tuple[str, ...], pair: tuple[str, str]) -> bool:
    return pair in pairwise(tokens)


def _is_said_of_the_end(tokens: tuple[str, ...], place: int) -> bool:
    """Say whether this word belongs to "no longer" or "used to"."""
    before, here, after = ("", *tokens, "")[place : place + 3]
    return (before, here) in (("no", "longer"), ("used", "to")) or (here, after) == ("used", "to")


def _comparison(text: str) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
    found = COMPARED.match(LEAD.sub("", text).casefold())
    return None if found is None else (_tokens(found[1]), _tokens(found[2]))


# --- attributes that hold one value ----------------------------------------------------------------------------------

LEAD = re.compile(r"^(?:(?:the )?(?:user|customer)(?:'s)? |i |my )", re.IGNORECASE)
I_AM = re.compile(r"^i(?:'m| am) ", re.IGNORECASE)
NOW = re.compile(r"^(?:now|currently) ", re.IGNORECASE)
SINCE = re.compile(r"(?: (?:now|currently|today|at the moment|these days)|,? since .+)$", re.IGNORECASE)
WHO = r"(?:(?P<who>[\w'.-]+(?: [\w'.-]+){0,2}) )?"
# Capitalised words and nothing after them: "Acme" is an employer, "Acme on Fridays" is more than one.
NAME = r"(?:the )?(?P<value>[^a-z\s(\[{\"']\S*(?: (?:of |the |de |la |du )?[^a-z\s]\S*)*)"
OPEN = r"(?P<value>.+)"
DIGITS = r"(?P<value>(?:[^\d]*)\d.*)"
TIME = r"(?P<value>\d{1,2}(?:[:.]\d{2})?(?: ?[ap]m)?)"
COPULA = r"(?: is| are|:| =| is now| has changed to| changed to) "

# The words are compared without regard to case, the first letter of a name is not.
ATTRIBUTES: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (name, re.compile(f"^{pattern}$"))
    for name, pattern in (
        ("timezone", rf"{WHO}(?i:works?|is|lives?) (?i:in|on) (?P<value>(?:UTC|GMT|[A-Z]{{2,4}}T)(?:[+-]\d{{1,2}})?)"),
        ("residence", rf"{WHO}(?i:lives|resides|is living|is based|is located) (?i:in|at) {NAME}"),
        ("residence", rf"(?i:live|reside) in {NAME}"),
        ("employer at", rf"{WHO}(?i:works|is working|is employed) at {NAME}"),
        ("employer at", rf"(?i:work) at {NAME}"),
        ("employer for", rf"{WHO}(?i:works|is working) for {NAME}"),
        ("employer for", rf"(?i:work) for {NAME}"),
        ("occupation", rf"{WHO}(?i:works as|is employed as) (?:an? )?{OPEN}"),
        ("occupation", rf"(?i:work as) (?:an? )?{OPEN}"),
        ("spouse", rf"{WHO}(?i:is married to) {NAME}"),
        ("name", rf"{WHO}(?i:is called|goes by) {NAME}"),
        ("marital status", rf"{WHO}(?i:is) (?P<value>(?i:single|married|divorced|widowed|engaged|separated))"),
        ("diet", rf"{WHO}(?i:is)(?: an?)? (?P<value>(?i:vegan|vegetarian|pescatarian|flexitarian|omnivore))"),
        ("age", rf"{WHO}(?i:is) (?P<value>\d{{1,3}}) (?i:years? old)"),
        ("wakes", rf"{WHO}(?i:wakes up|gets up|wakes) (?i:at|around) {TIME}"),
        ("sleeps", rf"{WHO}(?i:goes to bed|goes to sleep) (?i:at|around) {TIME}"),
        ("starts work", rf"{WHO}(?i:starts work|starts working) (?i:at|around) {TIME}"),
        ("finishes work", rf"{WHO}(?i:finishes work|stops working|leaves work) (?i:at|around) {TIME}"),
        ("free after", rf"{WHO}(?i:is )?(?i:free|available|reachable) (?i:after|from) {TIME}"),
        ("free until", rf"{WHO}(?i:is )?(?i:free|available|reachable) (?i:before|until) {TIME}"),
    )
)
MOVED = re.compile(rf"^{WHO}(?i:moved|has moved|relocated|has relocated) to {NAME}$")
COUNTED = re.compile(
    rf"^{WHO}(?i:has|have) (?P<value>\d{{1,3}}|(?i:no|one|two|three|four|five|six|seven|eight|nine|ten)) "
    r"(?P<noun>[^\W\d_]+)$"
)
NUMBERS = {
    word: str(number)
    for number, word in enumerate(("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"))
}

OWNER = r"(?:(?P<who>[\w'.-]+(?: [\w'.-]+){0,2}?) )?"
NAMED_NOUNS = (
    "name|full name|first name|last name|surname|nickname|manager|boss|spouse|wife|husband|partner|city|home town|"
    "hometown|country|time ?zone|employer|company|(?:home )?address"
)
MEASURED_NOUNS = (
    "age|height|weight|(?:shoe|clothing|ring|hat) size|(?:phone|mobile|telephone)(?: number)?|birthday|birth ?date|"
    "date of birth|post ?code|zip code|(?:working|office) hours"
)
OPEN_NOUNS = (
    r"(?:favou?rite|preferred|default|primary|native|main)(?: [\w-]+){1,3}?|job title|occupation|job|pronouns|"
    "marital status|e-?mail(?: address)?|username|diet|locale|currency"
)
COPULAS = tuple(
    re.compile(rf"^{OWNER}(?P<noun>(?i:{nouns})){COPULA}{value}$")
    for nouns, value in ((NAMED_NOUNS, NAME), (MEASURED_NOUNS, DIGITS), (OPEN_NOUNS, OPEN))
)

LOOSE = _words("in on at of from around about near")


def _attribute(text: str, tokens: tuple[str, ...]) -> Attribute | None:
    """Read a statement as one attribute and its value; a statement with a limit or a denial is none."""
    if LIMITS.intersection(tokens):
        return None
    bare = SINCE.sub("", NOW.sub("", LEAD.sub("", I_AM.sub("is ", text))))
    if found := COUNTED.match(bare):
        number = found["value"].casefold()
        return _attribute_of(found, f"has {_singular(found['noun'].casefold())}", NUMBERS.get(number, number))
    if NEGATIONS.intersection(tokens):
        return None
    for name, pattern in ATTRIBUTES:
        if found := pattern.match(bare):
            return _attribute_of(found, name, found["value"])
    if found := MOVED.match(bare):
        return _attribute_of(found, "residence", found["value"], is_event=True)
    for pattern in COPULAS:
        if found := pattern.match(bare):
            return _attribute_of(found, " ".join(_tokens(found["noun"])), found["value"])
    return None


def _attribute_of(found: re.Match[str], name: str, value: str, *, is_event: bool = False) -> Attribute | None:
    words = tuple(word for word in _tokens(value) if word not in LOOSE)
    if not words:
        return None
    return Attribute(" ".join((*_tokens(found.groupdict().get("who") or ""), name)), words, is_event)


# A country and a town can both be where somebody lives, so neither replaces the other.
COUNTRY_NAMES = (
    "Afghanistan,Albania,Algeria,Argentina,Armenia,Australia,Austria,Azerbaijan,Bangladesh,Belarus,Belgium,"
    "Bolivia,Bosnia,Botswana,Brazil,Bulgaria,Cambodia,Cameroon,Canada,Chile,China,Colombia,Costa Rica,Croatia,"
    "Cuba,Cyprus,Czechia,Czech Republic,Denmark,Ecuador,Egypt,England,Estonia,Ethiopia,Finland,France,Georgia,"
    "Germany,Ghana,Greece,Guatemala,Honduras,Hungary,Iceland,India,Indonesia,Iran,Iraq,Ireland,Israel,Italy,"
    "Jamaica,Japan,Jordan,Kazakhstan,Kenya,Kosovo,Kuwait,Laos,Latvia,Lebanon,Libya,Lithuania,Luxembourg,Malaysia,"
    "Malta,Mexico,Moldova,Mongolia,Montenegro,Morocco,Mozambique,Myanmar,Namibia,Nepal,Netherlands,New Zealand,"
    "Nicaragua,Nigeria,North Macedonia,Northern Ireland,Norway,Oman,Pakistan,Panama,Paraguay,Peru,Philippines,"
    "Poland,Portugal,Qatar,Romania,Russia,Rwanda,Saudi Arabia,Scotland,Senegal,Serbia,Singapore,Slovakia,"
    "Slovenia,Somalia,South Africa,South Korea,Spain,Sri Lanka,Sudan,Sweden,Switzerland,Syria,Taiwan,Tanzania,"
    "Thailand,Tunisia,Turkey,Uganda,Ukraine,United Arab Emirates,United Kingdom,United States,UK,US,USA,Uruguay,"
    "Uzbekistan,Venezuela,Vietnam,Wales,Yemen,Zambia,Zimbabwe,Europe,Asia,Africa,America,Scandinavia,California,"
    "Texas,Florida,Bavaria,Catalonia"
)
COUNTRIES = frozenset(" ".join(_tokens(name)) for name in COUNTRY_NAMES.split(","))
