"""What a writer claims, read and screened before anything is decided. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import pairwise
from typing import Any
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from accounts.vocabulary import Channel
from memory_admin.memories.vocabulary import Kind, Origin
from memory_admin.screening import Finding, Screening, screen
from memory_admin.screening.canonical import canonicalise


@dataclass(frozen=True, kw_only=True)
class SourceIn:
    """Where a writer says that the words come from."""

    trace_id: str = ""
    message_id: str = ""
    position: int | None = None
    uri: str = ""
    quote: str = ""
    speaker: str = ""
    occurred_at: datetime | None = None

    @property
    def is_named(self) -> bool:
        """Tell whether it says which message or page it was, so that it can be recognised again."""
        return bool(self.trace_id.strip() or self.message_id.strip() or self.uri.strip())


@dataclass(frozen=True, kw_only=True)
class Claim:
    """One statement that somebody asks to be remembered."""

    subject_ref: str
    kind: str
    statement: str
    origin: str
    channel: str | None = None
    key: str | None = None
    value: Any = None
    source: SourceIn | None = None
    confidence: float | None = None
    importance: float | None = None
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    expires_at: datetime | None = None
    supersedes: UUID | None = None
    derived_from: tuple[UUID, ...] = ()
    categories: tuple[str, ...] = ()
    scopes: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    pinned: bool = False


@dataclass(frozen=True)
class Screened:
    """What screening noticed in any text of a claim, and the claim with personal data replaced by placeholders."""

    statement: Screening
    findings: frozenset[str]
    categories: tuple[str, ...]
    redacted: Claim

    @property
    def length(self) -> int:
        """Characters of the statement in canonical form."""
        return len(canonicalise(self.statement.redacted))


# What a category, a scope or a purpose may look like.
SHORT_NAME = re.compile(r"[a-z0-9][a-z0-9._:/-]{0,63}", re.ASCII)
_BETWEEN_WORDS = re.compile(r"[_.:/-]+|(?<=[a-z])(?=[A-Z])")


def screen_claim(claim: Claim) -> Screened:
    """Screen every text of a claim: the statement, its source, names, and what the value holds.

    What a name says of the value beside it counts: ``{"password": "swordfish"}`` is read as "password: swordfish".
    """
    main = screen(claim.statement, origin=claim.origin, kind=claim.kind)
    beside = _Beside(claim)
    source = claim.source
    if source is not None:
        for reference in (source.trace_id, source.message_id):
            beside.redact(reference)  # for its secrets; the reference itself stays what it is
        source = replace(
            source,
            quote=beside.redact(source.quote),
            speaker=beside.redact(source.speaker),
            uri=beside.redact(source.uri),
        )
    redacted = replace(
        claim,
        statement=main.redacted,
        source=source,
        value=beside.redact(claim.value, names=(claim.key or "",)),
        key=beside.redact(claim.key),
        aliases=beside.redact(claim.aliases),
        scopes=beside.redact(claim.scopes),
    )
    beside.read_as_pairs((_in_words(claim.key or ""), claim.statement))
    beside.read_as_pairs((claim.statement, claim.value))
    named = [category for category in claim.categories if beside.is_category(category)]
    noticed = [*main.findings, *beside.noticed]
    categories = {*main.categories, *(f.category for f in beside.noticed if f.category is not None), *named}
    return Screened(
        statement=main,
        findings=frozenset(f.group for f in noticed) | frozenset(f.code for f in noticed),
        categories=tuple(sorted(categories)),
        redacted=redacted,
    )


class _Beside:
    """Reads what stands beside a statement, and gathers what is noticed in it."""

    def __init__(self, claim: Claim) -> None:
        self.claim = claim
        self.noticed: list[Finding] = []

    def redact(self, value: Any, *, names: tuple[str, ...] = ()) -> Any:
        """Give a value with its personal data replaced by placeholders.

        :param names: what it is the value of, and what that in turn lies in
        """
        if isinstance(value, Mapping):
            self.read_as_pairs(list(value.values()))
            return {self.redact(inner): self.redact(value[inner], names=(str(inner), *names[:1])) for inner in value}
        if isinstance(value, (list, tuple)):
            self.read_as_pairs(value)
            return type(value)(self.redact(inner, names=names) for inner in value)
        if isinstance(value, bool) or not isinstance(value, (str, int, float)):
            return value
        text = str(value)
        if not text.strip():
            return value
        readings = [("", self._screen(text))]
        for prefix in dict.fromkeys(
            f"{title}: " for name in names for title in (_in_words(name), name) if title.strip()
        ):
            readings.append((prefix, self._screen(prefix + text)))
        # Only the statement can be a remark on the present task or blank: a quote may be either.
        self.noticed += [f for f in readings[0][1].findings if f.group not in ("task", "blank")]
        self.noticed += [f for _, found in readings[1:] for f in found.findings if f.group in ("secret", "personal")]
        for prefix, found in readings:
            if found.redacted != prefix + text and found.redacted.startswith(prefix):
                return found.redacted.removeprefix(prefix)
        return value

    def read_as_pairs(self, values: Sequence[Any]) -> None:
        """Notice a secret that follows on its name: ``["wifi password", "swordfish7"]``."""
        for title, text in pairwise(value for value in values if isinstance(value, str)):
            if len(title) <= 80 and _is_one_token(text):
                found = self._screen(f"{title.strip().rstrip('.:')}: {text}")
                self.noticed += [f for f in found.findings if f.group == "secret"]

    def is_category(self, name: str) -> bool:
        """Tell whether a name that a writer gives can be that of a category; notice what else it holds."""
        found = [f for text in {name, _in_words(name)} for f in self._screen(text).findings]
        bad = [f for f in found if f.group in ("secret", "personal")]
        self.noticed += bad
        return not bad and SHORT_NAME.fullmatch(name) is not None

    def _screen(self, text: str) -> Screening:
        return screen(text, origin=self.claim.origin, kind=self.claim.kind)


def _in_words(name: str) -> str:
    """Put a name as words: ``wifi_password`` and ``wifiPassword`` are a "wifi password"."""
    return _BETWEEN_WORDS.sub(" ", name).strip()


def _is_one_token(text: str) -> bool:
    """Tell whether a text is one word with a digit or a sign in it, as hardly any word of a sentence is."""
    token = text.strip().rstrip(".,;!?")
    return len(token.split()) == 1 and not token.isalpha()


@dataclass(frozen=True)
class Prepared:
    """A claim that was screened and embedded, before any transaction. ``embedded`` is the text the vector is of."""

    claim: Claim
    screened: Screened
    embedded: str
    vector: NDArray[np.float32] | None


def embedded_text_of(claim: Claim) -> str:
    """Give the text a claim is embedded by."""
    return spoken(claim.statement, kind=claim.kind, speaker=claim.source.speaker if claim.source else "")


def spoken(statement: str, *, kind: str, speaker: str) -> str:
    """Put the speaker before the words of an event (+11 points of recall over the bare words)."""
    return f"{speaker}: {statement}" if kind == Kind.EVENT and speaker else statement


_IMPORTANCE_OF_KIND = {
    Kind.INSTRUCTION: 0.8,
    Kind.PREFERENCE: 0.7,
    Kind.RELATIONSHIP: 0.65,
    Kind.FACT: 0.6,
    Kind.OUTCOME: 0.6,
    Kind.EPISODE: 0.6,
    Kind.SUMMARY: 0.5,
    Kind.EVENT: 0.3,
}
_IMPORTANCE_OF_ORIGIN = {
    Origin.STATED: 0.1,
    Origin.VERIFIED_OUTCOME: 0.1,
    Origin.OBSERVED: 0.0,
    Origin.IMPORTED: 0.0,
    Origin.INFERRED: -0.1,
}


def default_importance(kind: str, origin: str, statement: str) -> float:
    """Give the importance of a claim that names none, 0..1, from its kind, origin and whether it names something."""
    names_something = any(word[:1].isupper() for word in statement.split()[1:]) or any(c.isdigit() for c in statement)
    base = _IMPORTANCE_OF_KIND[Kind(kind)] + _IMPORTANCE_OF_ORIGIN[Origin(origin)]
    return round(min(1.0, max(0.0, base + (0.05 if names_something else 0.0))), 4)


def settled_origin(origin: str, channel: Channel) -> Origin:
    """Give the origin a claim may have by its channel: only the person's own channels state."""
    if origin == Origin.STATED and not channel.is_the_persons:
        return Origin.IMPORTED if channel == Channel.IMPORT else Origin.INFERRED
    return Origin(origin)
