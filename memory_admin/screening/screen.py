"""The whole reading of one text before it may be remembered."""

from collections.abc import Iterator

from memory_admin.screening import hidden
from memory_admin.screening.attack import find_attacks
from memory_admin.screening.control import find_control_waivers
from memory_admin.screening.encoded import Decoded, further_readings
from memory_admin.screening.findings import Finding, Screening
from memory_admin.screening.hidden import Reading
from memory_admin.screening.language import guess_language
from memory_admin.screening.personal import find_personal, redact
from memory_admin.screening.secrets import find_secrets
from memory_admin.screening.sensitive import find_sensitive
from memory_admin.screening.task import find_task_talk

# Kinds that tell what happened: for them, talk of a task or a ticket is what they are for.
_PASSING = frozenset({"event", "outcome", "episode", "summary"})


def screen(text: str, *, origin: str, kind: str) -> Screening:
    """Report everything in a text that somebody or some rule should know before it is remembered.

    `origin` and `kind` are those of the memory ("inferred", "preference", …). Pure, linear in the length of the
    text, and never raises: the findings say who looks at it, the policy says what happens to it.
    """
    if hidden.is_blank(text):
        blank = Finding("blank", "blank", None, None, "blank/1")
        return Screening((blank,), (), text, "", True, "und")
    reading = hidden.read(text)
    plain = tuple(_in_plain_sight(reading, is_stated=origin == "stated", lasts=kind not in _PASSING))
    findings = (*reading.findings, *plain, *_in_disguise(reading, known={finding.rule for finding in plain}))
    categories = tuple(sorted({finding.category for finding in findings if finding.category is not None}))
    return Screening(
        findings=findings,
        categories=categories,
        redacted=redact(text, findings),
        normalised=reading.text,
        is_blank=False,
        language=guess_language(reading.text),
    )


def _in_plain_sight(reading: Reading, *, is_stated: bool, lasts: bool) -> Iterator[Finding]:
    yield from find_secrets(reading)
    yield from find_personal(reading)
    yield from find_sensitive(reading)
    yield from find_control_waivers(reading)
    yield from find_attacks(reading, is_stated=is_stated)
    if lasts:
        yield from find_task_talk(reading)


def _in_disguise(reading: Reading, *, known: set[str]) -> Iterator[Finding]:
    """Find what only shows once the text is decoded, beyond the rules known to match as it stands.

    Decoded prose is itself worth a look.
    """
    for decoded in further_readings(reading):
        if decoded.is_hidden_text:
            yield Finding("encoded_text", "hidden", None, decoded.span, f"encoded_text/{decoded.how}")
            yield from (_moved(finding, decoded) for finding in find_secrets(decoded.reading))
        for finding in (*find_attacks(decoded.reading, is_stated=True), *find_control_waivers(decoded.reading)):
            if finding.rule not in known:
                yield Finding("encoded_instruction", "attack", None, decoded.span, f"{decoded.how}:{finding.rule}")


def _moved(finding: Finding, decoded: Decoded) -> Finding:
    return Finding(finding.code, finding.group, finding.category, decoded.span, f"{decoded.how}:{finding.rule}")
