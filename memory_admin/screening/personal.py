"""Personal data that can be cut out of a text: numbers that identify somebody, and ways to reach them."""

from collections.abc import Callable, Iterable
from typing import Any

import phonenumbers
from stdnum import iban, luhn
from stdnum.br import cpf
from stdnum.ch import ssn as ahv
from stdnum.es import dni, nie
from stdnum.fr import nir
from stdnum.it import codicefiscale

from memory_admin.screening.findings import Finding
from memory_admin.screening.hidden import Reading
from memory_admin.screening.rules import Match, Rule, RuleBook, any_of, compiled

PLACEHOLDERS = {
    "card_number": "[card number]",
    "bank_account": "[bank account]",
    "social_security_number": "[social security number]",
    "identity_number": "[identity number]",
    "phone_number": "[phone number]",
    "email_address": "[e-mail address]",
    "postal_address": "[postal address]",
    "date_of_birth": "[date of birth]",
}

# Of two readings of the same digits, the first kind above names them.
_PRECEDENCE = {code: rank for rank, code in enumerate(PLACEHOLDERS)}

_STREET = any_of(
    """Street|Str|St|Road|Rd|Avenue|Ave|Av|Close|Lane|Ln|Drive|Dr|Court|Ct|Way|Place|Pl|Terrace|Gardens|Gdns|Crescent
    |Cres|Square|Sq|Boulevard|Blvd|Parkway|Pkwy|Highway|Hwy|Grove|Mews|Row|Walk|Hill|Rise|View|Park|Quay|Wharf|Green
    |Circle|Cir|Trail|Alley|Parade|Esplanade|Loop|Path|Plaza|Turnpike|Yard|Embankment|Mead|Meadow|Vale"""
)
_POSTCODE = r"[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}"
# What may follow a street: a flat, a place, a state with its code, a postcode, a country.
_REST = (
    rf"(?:,?\s+(?:Apt|Apartment|Unit|Suite|Ste|Flat|Floor|#)\.?\s*#?\w{{1,6}})?"
    rf"(?:,?\s+(?:{_POSTCODE}|[A-Z]{{2}}\s+\d{{5}}(?:-\d{{4}})?|\d{{4,5}}(?:\s+[A-Z][\pL'-]+)?)\b"
    rf"|,\s+[A-Z][\pL'.-]+(?:\s+[A-Z][\pL'.-]+){{0,2}}){{0,4}}"
)
_NUMBER_KIND = any_of(
    """passport|driving licence|driving license|driver's licence|driver's license|drivers license|drivers licence
    |driver licence|driver license|licence plate|license plate|number plate|national insurance|national id
    |national identity|identity card|id card|nhs|medicare|medicaid|tax id|tax identification|taxpayer|tin|itin
    |nino|ni number|ni|social insurance|sin|health card|health insurance|patient|personnummer|personal identity
    |citizen|residence permit|visa|green card|alien registration|aadhaar|aadhar|pan card|pan|pesel|bsn
    |burgerservicenummer|cpf|rg|dni|nie|nif|curp|steuer-id|steueridentifikationsnummer|steuernummer
    |personalausweis|personalausweisnummer|reisepass|ausweisnummer|reisepassnummer|sozialversicherungsnummer
    |versichertennummer|fuhrerschein|passeport|carte d'identite|numero de securite sociale|securite sociale
    |permis de conduire|pasaporte|numero de la seguridad social|codice fiscale|passaporto|vat id"""
)
_BANK = any_of(
    """iban|bank account|account number|account no|acct|acct no|account|sort code|routing number|routing|bsb|swift|bic
    |bankverbindung|kontonummer|konto|bankkonto|blz|compte bancaire|numero de compte|cuenta bancaria|numero de cuenta
    |clabe|conto corrente"""
)


def _is_card(match: Match) -> bool:
    digits = "".join(character for character in match.group() if character.isdigit())
    return 13 <= len(digits) <= 19 and digits[0] in "23456" and len(set(digits)) > 1 and bool(luhn.is_valid(digits))


def _is_social_security_number(match: Match) -> bool:
    """Tell whether the three parts can have been issued (area not 000, 666 or 900 and up; no part all zeros)."""
    digits = "".join(character for character in match.group() if character.isdigit())
    return digits[:3] not in ("000", "666") and digits[0] != "9" and digits[3:5] != "00" and digits[5:] != "0000"


def _is_identity_number(match: Match) -> bool:
    value = match.group()
    return any(kind.is_valid(value) for kind in (dni, nie, codicefiscale, cpf, nir, ahv))


def _has_digits(least: int) -> Callable[[Match], bool]:
    return lambda match: sum(character.isdigit() for character in match.group(1)) >= least


def _is_phone_number(match: Match) -> bool:
    """Tell whether a run of digits is written like a telephone number somewhere.

    Numbers set aside for examples count too, so the shape decides, not whether the number was given out.
    """
    number = match.group().strip()
    if number.startswith(("+", "00")):
        region = None
        number = "+" + number.removeprefix("00") if number.startswith("00") else number
    else:
        region = "US"
    try:
        return phonenumbers.is_possible_number(phonenumbers.parse(number, region))
    except phonenumbers.NumberParseException:
        return False


def _rule(code: str, pattern: str, **options: Any) -> Rule:
    return Rule(code=code, pattern=pattern, **options)


_NUMBERS = RuleBook(
    "personal",
    [
        _rule("card_number", r"\b\d(?:[ -]?\d){12,18}\b", accept=_is_card),
        _rule(
            "bank_account",
            r"\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?\b",
            name="iban",
            accept=lambda match: bool(iban.is_valid(match.group())),
        ),
        _rule(
            "bank_account",
            rf"(?i)\b{_BANK}\b(?:\s*(?:number|no|nr|code|#))?\.?\s*(?:is|ist|est|es|:|="
            r"|#)?\s*((?:[A-Z]{2}\d{2}[ -]?)?[0-9][0-9A-Z]*(?:[ -]?[0-9A-Z]*\d[0-9A-Z]*){0,8})\b",
            name="named",
            group=1,
            accept=_has_digits(6),
        ),
        _rule(
            "social_security_number",
            r"\b\d{3}-\d{2}-\d{4}\b",
            accept=_is_social_security_number,
        ),
        _rule(
            "social_security_number",
            r"(?i)\b(?:ssn|social security(?: number| no)?|social)\b\.?\s*(?:is|:|="
            r"|#)?\s*(\d{3}[ .-]?\d{2}[ .-]?\d{4})\b",
            name="named",
            group=1,
        ),
        _rule(
            "identity_number",
            r"(?i)\b(?:\d{8}-?[A-Z]|[XYZ]-?\d{7}-?[A-Z]|[A-Z]{6}\d{2}[A-Z]\d{2}[A-Z]\d{3}[A-Z]"
            r"|\d{3}\.\d{3}\.\d{3}-\d{2}|756\.?\d{4}\.?\d{4}\.?\d{2}"
            r"|[12] ?\d{2} ?\d{2} ?\d{2} ?\d{3} ?\d{3} ?\d{2})\b",
            name="checked",
            accept=_is_identity_number,
        ),
        _rule(
            "identity_number",
            r"\b[ABCEGHJ-PRSTW-Z][ABCEGHJ-NPRSTW-Z] ?\d{2} ?\d{2} ?\d{2} ?[A-D]\b",
            name="national_insurance",
        ),
        _rule(
            "identity_number",
            rf"(?i)\b{_NUMBER_KIND}(?:[\s-]*(?:number|no|nr|num|nummer|numero|#))?\b\.?\s*(?:is|was|ist|lautet"
            r"|est|es|:|=|#)?\s*(?:the number\s*)?([A-Z]{0,4}[ -]?\d[\dA-Z]*"
            r"(?:[ ./-]?[\dA-Z]*\d[\dA-Z]*){0,6}(?:[ -][A-Z])?)\b",
            name="named",
            group=1,
            accept=_has_digits(5),
        ),
        _rule(
            "phone_number",
            r"(?:\+|\b00)[1-9](?:[ ().\-/]{0,2}\d){6,14}\b",
            name="international",
            accept=_is_phone_number,
        ),
        _rule(
            "phone_number",
            r"(?:\(\d{3}\) ?|\b(?:1[ .-])?\d{3}[ .-])\d{3}[ .-]\d{4}\b",
            name="north_american",
            accept=_is_phone_number,
        ),
        _rule(
            "phone_number",
            r"\b(?:07\d{3} ?\d{6}|07\d{3} ?\d{3} ?\d{3}|0\d{2,4} \d{3,4} ?\d{3,4}|0[1-9](?:[ .]\d{2}){4}"
            r"|01[5-7]\d[ /-]?\d{7,8}|0\d{2,4}/\d{4,9})\b",
            name="european",
        ),
        _rule(
            "phone_number",
            r"(?i)\b(?:phone|phone number|telephone|tel|mobile|mobile number|cell|cell phone|call|text|whatsapp"
            "|signal|fax|number|reach(?:able)?(?: (?:me|him|her|them))?|ring|handy|handynummer|telefon"
            "|telefonnummer|telephone|portable|telefono|movil"
            r"|cellulare)\b[^\d\n]{0,20}?((?:\(\d{2,4}\) ?)?\d(?:[ ().\-/]{0,2}\d){6,13})\b",
            name="named",
            group=1,
            unless=r"(?i)\b(?:order|ticket|invoice|issue|case|tracking|build|part|model|version|serial|reference|ref"
            "|booking|flight|account) (?:number|no|#)",
        ),
        _rule(
            "date_of_birth",
            r"(?i)\b(?:born|date of birth|dob|d\.o\.b\.|birth date|birthdate|birthday|geboren|geburtsdatum"
            "|nee? le|date de naissance|nacido|nacida|fecha de nacimiento|nato il"
            r"|nata il)\b[^\d\n.!?]{0,30}?(\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|\d{4}-\d{2}-\d{2}|\d{1,2}(?:st|nd|rd"
            r"|th)?\.? (?:of )?[A-Za-z]{3,9}\.?,? \d{4}|(?:(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov"
            r"|dec)[a-z]*\.? )\d{1,2}(?:st|nd|rd|th)?,? \d{4})",
            group=1,
        ),
        _rule(
            "date_of_birth",
            r"(?i)\b(?:born|birthday|date of birth|dob)\b[^\d\n.!?]{0,12}?((?:jan|feb|mar|apr|may|jun|jul|aug"
            r"|sep|oct|nov|dec)[a-z]*\.? \d{1,2}(?:st|nd|rd|th)?,? \d{4})",
            name="month_first",
            group=1,
        ),
        _rule(
            "postal_address",
            r"\b\d{1,5}[A-Za-z]?(?:-\d{1,5})?,?\s+(?:(?:[A-Z][\pL'.-]*|\d{1,3}(?:st|nd|rd"
            rf"|th))\s+){{1,4}}{_STREET}\b\.?(?:\s+(?:NW|NE|SW|SE|N|S|E|W)\b)?{_REST}",
        ),
        _rule(
            "postal_address",
            r"(?i)\b(?:live|lives|living|address|reside|resides|home|house|stays|staying|deliver(?:ed|ies|y)?"
            r"|ship|shipped|send|moved|located)\b[^\d\n.!?]{0,40}?\b(\d{1,5}[a-z]?\s+"
            rf"(?:[a-z][a-z'.-]+\s+){{1,4}}{_STREET})\b",
            name="said",
            group=1,
            unless=r"(?i)\b\d+ (?:years?|months?|weeks?|days?|minutes?|min|miles?|km|hours?|people|kids|children"
            r"|blocks?|rooms?|bedrooms?|of|more|times?|new|big|small|little|large)\b",
        ),
        _rule(
            "postal_address",
            r"\b(?:[A-ZÄÖÜ][\pL-]*(?:straße|strasse|str\.|weg|allee|platz|gasse|ring|damm|ufer)"
            r"|[A-ZÄÖÜ][\pL-]+\s(?:Straße|Strasse|Str\.|Weg|Allee|Platz|Gasse|Ring|Damm"
            rf"|Ufer))\s+\d{{1,4}}\s?[a-z]?\b{_REST}",
            name="german",
        ),
        _rule(
            "postal_address",
            r"(?i:\b\d{1,4}(?: ?bis| ?ter)?,?\s+(?:rue|avenue|boulevard|bd|place|chemin|impasse|allée|quai"
            rf"|route|cours)\s)(?:[\pL'-]+\s){{0,4}}[\pL'-]+{_REST}",
            name="french",
        ),
        _rule(
            "postal_address",
            r"\b(?:[Cc]alle|[Aa]venida|[Aa]vda\.?|[Pp]laza|[Pp]aseo|[Cc]arrer|[Vv]ia|[Vv]iale|[Pp]iazza|[Cc]orso"
            r"|[Rr]ua|[Tt]ravessa|C/)\s?(?:(?:de|del|la|las|los|el|da|do|di|della"
            r"|dei)\s)*(?:[\p{Lu}][\pL'.-]*,?\s(?:(?:de|del|la|da|do"
            rf"|di)\s)*){{1,4}}(?:n[º°.]\s?)?\d{{1,4}}\b{_REST}",
            name="southern",
        ),
        _rule("postal_address", rf"\b(?:P\.? ?O\.? ?[Bb]ox|Postfach|B\.?P\.)\s+\d{{1,6}}\b{_REST}", name="box"),
        _rule("postal_address", r"\b[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}\b", name="british_postcode"),
    ],
    keeps_case=True,
)
_ADDRESSES = RuleBook(
    "personal",
    [
        _rule("email_address", r"[a-z0-9][a-z0-9._%+-]{0,63}@[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,24}\b"),
        _rule(
            "email_address",
            r"\b[a-z0-9._+-]{2,40}\s*(?:\(at\)|\[at\]|\{at\}| at )\s*[a-z0-9-]{2,40}\s*(?:\(dot\)|\[dot\]"
            r"|\{dot\}| dot )\s*(?:com|org|net|edu|io|co|de|fr|es|uk|eu|gov)\b",
            name="spelled_out",
        ),
    ],
)
_DIGIT = compiled(r"\d")


def find_personal(reading: Reading) -> list[Finding]:
    """Find card, bank, identity and telephone numbers, postal and e-mail addresses, dates of birth.

    Spans count in the original text and may touch or overlap; `redact` joins them.
    """
    found: list[Finding] = []
    if "@" in reading.text or "dot" in reading.folded:
        found += _ADDRESSES.findings(reading, all_spans=True)
    if _DIGIT.search(reading.text):
        found += _NUMBERS.findings(reading, all_spans=True)
    return found


def redact(text: str, findings: Iterable[Finding]) -> str:
    """Replace each span of personal data by its typed placeholder, such as "[card number]".

    Where spans overlap, the one that starts first (the longer of two) names the placeholder and all are covered.
    """
    spans = sorted(
        (finding.span[0], -finding.span[1], _PRECEDENCE[finding.code], finding.code)
        for finding in findings
        if finding.group == "personal" and finding.span is not None
    )
    pieces: list[str] = []
    covered = 0
    for start, negative_end, _, code in spans:
        end = -negative_end
        if start >= covered:
            pieces += [text[covered:start], PLACEHOLDERS[code]]
        covered = max(covered, end)
    return "".join([*pieces, text[covered:]])
