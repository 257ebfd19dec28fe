"""The page that prints Baseline 1, number by number. Pure; ``manage.py policies_doc`` writes it to docs/policies.md."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from policies.baseline import ACCESS, BASELINE, NAME, PROCEDURE, RETENTION, RETRIEVAL, WRITE
from policies.digests import sha256_of
from policies.documents import KINDS, ORIGINS, UNLISTED, AccessMatch, Part, Purpose, Range, WriteMatch

STORED = Path(__file__).resolve().parents[1] / "docs" / "policies.md"
OUTCOMES = {
    "accept": "it is active at once",
    "propose": "it waits for the person",
    "quarantine": "it waits for a reviewer",
    "refuse": "it is not stored",
    "redact": "the words found are replaced by placeholders, and the next rules decide",
    "policy_change": "it is not stored; the words go to the policy editors as a request",
}


def page() -> str:
    """Write the whole page as Markdown."""
    sections = (_opening(), *_write(), *_retention(), *_retrieval(), *_access(), *_procedure(), *_digests())
    return "\n\n".join(sections) + "\n"


def _opening() -> str:
    return (
        "# Policies\n\n"
        f"A tenant starts with {NAME}: one approved version of each of five families. Every number of it stands here. "
        "This page is written by `manage.py policies_doc`; a test compares it with the code.\n\n"
        "A policy is data: a row with a number and a digest, frozen by the database once it has left draft. "
        "Each decision is stamped with the version in force, such as `write/1`. "
        "If the engine cannot decide, a write is refused and a memory is left out."
    )


def _write() -> Iterable[str]:
    yield "## write: what may be kept"
    yield (
        "The first rule that matches decides; a rule that redacts only marks. Within a rule every condition must hold, "
        "and any one value of a condition is enough."
    )
    yield _table(
        ("rule", "when", "then", "what the person reads", "hint"),
        [
            *(
                (rule.id, _when(rule.match), _then(rule.outcome, rule.keeps_text), rule.title, rule.hint or "")
                for rule in WRITE.rules
            ),
            (WRITE.default.id, "no rule matched", _then(WRITE.default.outcome, True), WRITE.default.title, ""),
        ],
    )
    yield "\n".join(f"- **{name}**: {meaning}" for name, meaning in OUTCOMES.items())
    yield (
        f"A refused text is kept for {WRITE.refused_text_days} days, sealed, for the person alone to read, unless the "
        "rule says that it is kept nowhere. A text that holds a secret is kept nowhere whatever a rule says. When the "
        "person asks for a review, a reviewer reads it too, and it is kept until that is answered. A reviewer lets in "
        "what these rules would let in from the person's own hand (channel `portal`), and nothing else."
    )
    yield f"Sensitive categories: {_codes(WRITE.sensitive_categories)}."
    yield _table(
        ("origin", "highest confidence", "rank"),
        [(origin, getattr(WRITE.confidence_caps, origin), getattr(WRITE.origin_ranks, origin)) for origin in ORIGINS],
    )
    yield (
        "A newer claim takes the place of an older one only if its origin ranks at least as high. A confirmation ranks "
        "as `stated`, and what the person confirmed only the person replaces; anything else becomes a proposal."
    )
    yield _numbers(
        ("the judge of duplicates, updates and contradictions", f"`{WRITE.judge}`"),
        ("existing memories a new one is judged against", WRITE.dedupe.neighbours),
        ("cosine similarity from which another wording may be a duplicate", WRITE.dedupe.near_identical),
        ("share of words that two such wordings have in common", WRITE.dedupe.token_overlap),
        ("window of the write rates, in seconds", WRITE.rates.window_seconds),
        ("writes per subject and window", WRITE.rates.per_subject),
        ("writes per agent and window", WRITE.rates.per_agent),
        ("channels without a rate", _codes(WRITE.rates.exempt_channels)),
    )


def _retention() -> Iterable[str]:
    yield "## retention: how long it is kept"
    yield "Days from when it was recorded; a sooner end asked for by the writer or the person wins."
    yield _table(
        ("kind", *ORIGINS),
        [(kind, *(_limit(getattr(getattr(RETENTION.days, kind), origin)) for origin in ORIGINS)) for kind in KINDS],
    )
    limits = ", ".join(f"{limit.region} {limit.maximum_days} days" for limit in RETENTION.region_limits) or "none"
    yield _numbers(
        ("archived after days without use", RETENTION.archive.unused_days),
        ("… if its importance is below", RETENTION.archive.importance_below),
        ("confidence decays for origin", _codes(RETENTION.decay.origins)),
        ("… if it is below", RETENTION.decay.confidence_below),
        ("… by half in days", RETENTION.decay.half_life_days),
        ("… until it falls below the floor and is archived", RETENTION.decay.floor),
        ("related episodes become one summary every so many days", RETENTION.consolidation.every_days),
        ("… from so many episodes on", RETENTION.consolidation.minimum_episodes),
        ("a proposal without an answer ends after days", RETENTION.unanswered_days),
        ("limits of regions", limits),
    )


def _retrieval() -> Iterable[str]:
    yield "## retrieval: what agents are given"
    yield _numbers(
        ("form of the score", f"`{RETRIEVAL.form}`"),
        *((f"weight of {name}", weight) for name, weight in dict(RETRIEVAL.weights).items()),
        ("half-life of recency, in days", RETRIEVAL.half_life_days),
        ("recency counts from", f"`{RETRIEVAL.recency_anchor}`"),
        ("lowest score that is handed out", RETRIEVAL.minimum_score),
        ("items when nothing is asked for", RETRIEVAL.k.default),
        ("items at most", RETRIEVAL.k.maximum),
        ("candidates by vector", RETRIEVAL.candidates.vector),
        ("candidates by words", RETRIEVAL.candidates.lexical),
        ("tokens when nothing is asked for", RETRIEVAL.token_budget.default),
        ("tokens at most", RETRIEVAL.token_budget.maximum),
        ("share of the tokens for the profile", RETRIEVAL.profile_share),
        ("largest share of an answer from one source", RETRIEVAL.source_share.maximum),
        ("… for kinds", _codes(RETRIEVAL.source_share.kinds)),
        ("similarity from which two items collapse into one", RETRIEVAL.near_duplicate),
        ("lift by neighbours in a thread", RETRIEVAL.lift.neighbour),
        ("lift by the best of a session", RETRIEVAL.lift.session),
        ("… for kinds", _codes(RETRIEVAL.lift.kinds)),
        ("conflicting statements", f"`{RETRIEVAL.conflicts}`"),
        ("a summary stands in when nothing is good enough", _yes(RETRIEVAL.summary_fallback)),
        ("days a query's text is kept", RETRIEVAL.query_text_days),
    )
    yield _table(
        ("purpose", "origins", "channels", "confidence at least", "a confirmation suffices"),
        [_purpose(one) for one in (*RETRIEVAL.purposes, RETRIEVAL.other_purposes)],
    )


def _access() -> Iterable[str]:
    yield "## access: who sees what"
    yield "The first rule that matches decides. A memory of several categories needs each of them allowed."
    yield _table(
        ("rule", "when", "then", "what it says"),
        [
            *((rule.id, _when(rule.match), rule.decision, rule.title) for rule in ACCESS.rules),
            (ACCESS.default.id, "no rule matched", ACCESS.default.decision, ACCESS.default.title),
        ],
    )
    yield f"Sensitive categories: {_codes(ACCESS.sensitive_categories)}."
    yield (
        "What they may do with memories, agents ask at `POST /decisions`. Of the rules about an action the first that "
        "matches decides, for each kind and category of the memories in question, and of those the strictest; "
        f"without kinds, every kind is in question. What no rule allows is denied (`{UNLISTED.id}`)."
    )
    yield _table(
        ("rule", "action", "when", "then", "the reason that is told"),
        [(rule.id, f"`{rule.action}`", _when(rule.match), rule.decision, rule.title) for rule in ACCESS.actions],
    )
    yield _table(
        ("role", "sees of other people's content"), [(role, sight) for role, sight in dict(ACCESS.staff).items()]
    )


def _procedure() -> Iterable[str]:
    yield "## procedure: how agents do things"
    if not PROCEDURE.procedures:
        yield "There is none to begin with."
        return
    yield _table(
        ("name", "title", "owner", "agents"),
        [(one.name, one.title, one.owner, _codes(one.agents) or "all") for one in PROCEDURE.procedures],
    )


def _digests() -> Iterable[str]:
    yield "## Digests"
    yield "SHA-256 over the canonical JSON (RFC 8785) of each document."
    yield _table(
        ("version", "digest"),
        [(f"{family}/1", f"`{sha256_of(document.model_dump(mode='json'))}`") for family, document in BASELINE.items()],
    )


# --- pieces ----------------------------------------------------------------------------------------------------------

NAMES = {
    "kinds": "kind",
    "origins": "origin",
    "channels": "channel",
    "categories": "category",
    "findings": "finding",
    "agents": "agent",
    "subject_kinds": "subject kind",
    "purposes": "purpose",
}


def _when(match: WriteMatch | AccessMatch) -> str:
    return "; ".join(_conditions(match)) or "always"


def _conditions(match: Part) -> Iterable[str]:
    for name, wanted in match:
        if wanted in (None, ()):
            continue
        if name in NAMES:
            yield f"{NAMES[name]} {' or '.join(f'`{value}`' for value in wanted)}"
        elif isinstance(wanted, Range):
            yield f"{name} {_range(wanted)}"
        elif name == "without_scope":
            yield f"the key lacks `{wanted}`"
        elif name == "sensitive":
            yield "a sensitive category" if wanted else "no sensitive category"
        elif name == "is_test":
            yield "a test key" if wanted else "no test key"
        else:
            raise ValueError(f"the page does not know how to say {name}")


def _range(wanted: Range) -> str:
    ends = [f"at least {wanted.at_least:g}" if wanted.at_least is not None else ""]
    ends.append(f"below {wanted.below:g}" if wanted.below is not None else "")
    return " and ".join(end for end in ends if end)


def _then(outcome: str, keeps_text: bool) -> str:
    return outcome if keeps_text else f"{outcome}, text kept nowhere"


def _purpose(purpose: Purpose) -> tuple[str, ...]:
    return (
        f"`{purpose.name}`",
        "all" if purpose.origins == ORIGINS else _codes(purpose.origins),
        "all" if len(purpose.channels) == len(set(RETRIEVAL.other_purposes.channels)) else _codes(purpose.channels),
        f"{purpose.minimum_confidence:g}",
        _yes(purpose.confirmed_suffices),
    )


def _codes(values: Sequence[str]) -> str:
    return ", ".join(f"`{value}`" for value in values)


def _limit(days: int | None) -> str:
    return "no limit" if days is None else str(days)


def _yes(holds: bool) -> str:
    return "yes" if holds else "no"


def _numbers(*rows: tuple[str, object]) -> str:
    return _table(("what", "value"), rows)


def _table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(_cell(cell) for cell in line) + " |" for line in lines)


def _cell(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value).replace("|", "\\|")
