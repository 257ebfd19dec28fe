"""What a writer claims, read and screened before anything is decided. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from accounts.vocabulary import Channel
from memory_admin.memories.vocabulary import Kind, Origin
from memory_admin.screening import Screening, screen
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


def screen_claim(claim: Claim) -> Screened:
    """Screen every text of a claim: the statement, its source, names, and the texts within the value."""
    main = screen(claim.statement, origin=claim.origin, kind=claim.kind)
    others: list[Screening] = []

    def redact(value: Any) -> Any:
        if isinstance(value, str):
            if not value.strip():
                return value
            found = screen(value, origin=claim.origin, kind=claim.kind)
            others.append(found)
            return found.redacted
        if isinstance(value, Mapping):
            return {redact(name): redact(inner) for name, inner in value.items()}
        if isinstance(value, (list, tuple)):
            return type(value)(redact(inner) for inner in value)
        return value

    source = claim.source
    if source is not None:
        for reference in (source.trace_id, source.message_id):
            redact(reference)  # for its secrets; the reference itself stays what it is
        source = replace(source, quote=redact(source.quote), speaker=redact(source.speaker), uri=redact(source.uri))
    redacted = replace(
        claim,
        statement=main.redacted,
        source=source,
        value=redact(claim.value),
        key=redact(claim.key),
        aliases=redact(claim.aliases),
        scopes=redact(claim.scopes),
    )
    # Only the statement can be a remark on the present task or blank: a quote may be either.
    noticed = list(main.findings) + [f for o in others for f in o.findings if f.group not in ("task", "blank")]
    categories = sorted({*main.categories, *(c for other in others for c in other.categories), *claim.categories})
    return Screened(
        statement=main,
        findings=frozenset(f.group for f in noticed) | frozenset(f.code for f in noticed),
        categories=tuple(categories),
        redacted=redacted,
    )


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
