"""The words staff read for what a simulation counted. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from memory_admin.console import policy_words, sentences, waterfall
from memory_admin.retrieval.ranking import Drop
from memory_admin.simulation.tally import Counted, Reason
from memory_admin.web import words
from memory_admin.web.words import Word
from policies.models import PolicySimulation

STATES = {
    "pending": Word("Waiting to run", "clock", "calm"),
    "running": Word("Running", "clock", "warn"),
    "succeeded": Word("Succeeded", "check", "good"),
    "failed": Word("Failed", "alert", "bad"),
}
FLIPS: dict[Counted, str] = {
    "unchanged": "Unchanged",
    "newly_stored": "Newly kept",
    "newly_queued": "Newly waits for somebody",
    "newly_refused": "Newly refused",
    "redaction_changed": "Other words replaced",
    "refused_text_changed": "Refused text kept for another time",
    "ttl_shorter": "Kept shorter",
    "ttl_longer": "Kept longer",
    "newly_allowed": "Newly open to the agent",
    "newly_denied": "Newly closed to the agent",
    "gained": "Newly in an answer",
    "lost": "No longer in an answer",
}
"""What became of one event."""
COUNTS: dict[Counted, str] = {
    **FLIPS,
    "changed": "Answers with other memories",
    "reordered": "Answers in another order",
    "newly_empty": "Answers newly empty",
    "tokens_before": "Tokens before",
    "tokens_after": "Tokens after",
    "never_weighed": "Kept away before any score",
}
"""What is counted beside; the order is that of the page."""
REASONS: dict[Reason, str] = {
    "erased": "Erased since",
    "facts_missing": "Not everything it rested on was kept",
    "decided_otherwise": "Its own version would not decide so again",
    "confidence_unknown": "How sure the writer was is not known",
    "looked_up": "A profile or a summary was part of the answer",
    "needs_other_candidates": "It takes memories that were not weighed then",
    "near_duplicates_unknown": "Which memories were alike is not known",
    "sources_unknown": "Which sources were full is not known",
    "lift_unknown": "What the conversation added is not known",
    "recency_unknown": "How recent a memory was is not known",
}
"""Why an event could not be decided again."""
FACTS = {
    "length": "Characters",
    "agent": "Agent",
    "subject_kind": "About",
    "is_test": "With a test key",
    "scopes": "Rights of the key",
    "findings": "What was found in it",
}
"""What a fact is called, where its own name does not say it."""


def counts_of(run: PolicySimulation) -> list[tuple[str, str]]:
    """Name what a simulation counted, in words; what is zero is left out."""
    told = [(said, f"{run.counts[name]:,}") for name, said in COUNTS.items() if run.counts.get(name)]
    overlap = run.counts.get("mean_overlap")
    return told + (
        [("What answers have in common, on average", f"{overlap * 100:.0f} %")] if overlap is not None else []
    )


def reasons_of(run: PolicySimulation) -> list[tuple[str, int]]:
    """Say why events could not be decided again, the most frequent reason first."""
    found: dict[Any, int] = run.counts.get("not_replayable", {})
    return sorted(((REASONS[name], count) for name, count in found.items()), key=lambda one: (-one[1], one[0]))


def looked_at(run: PolicySimulation) -> str:
    """Say how much of what happened a simulation looked at: “All 16 events looked at, 2 of them not replayable”."""
    if not run.events:
        return "Nothing of the kind happened in this time"
    events = f"{run.considered:,} of {words.several(run.events, 'event', 'events')} looked at"
    if run.considered == run.events:
        events = "The one event looked at" if run.events == 1 else f"All {run.events:,} events looked at"
    return f"{events}, {run.not_replayable:,} of them not replayable" if run.not_replayable else events


def stored(run: PolicySimulation) -> str:
    """Say what a retention policy would do to everything that is stored; empty for any other."""
    found: dict[str, dict[str, int]] | None = run.counts.get("stored")
    if not found:
        return ""
    after, before = found["after"], found["before"]
    now, sooner = after["ends_now"] - before["ends_now"], after["shortened"] - after["ends_now"]
    told = [policy_words.ending(now)] if now > 0 else []
    return " ".join([*told, policy_words.changing(sooner, after["lengthened"], is_more=now > 0)])


def value(name: str, said: str) -> str:
    """Name an agent, a kind, a category or a channel."""
    match name:
        case "kind":
            return words.KINDS.get(said, said)
        case "channel":
            return sentences.CHANNELS.get(said, said)
        case "category":
            return words.category(said)
        case _:
            return said


def facts_of(facts: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Name the facts a decision rests on, in words; what is empty is left out."""
    return [
        (FACTS.get(name, words.category(name).capitalize()), _fact(name, said))
        for name, said in facts.items()
        if said not in (None, "", []) and name != "retrieval"
    ]


def _fact(name: str, said: Any) -> str:
    match name:
        case "kind":
            return words.KINDS.get(said, str(said))
        case "origin":
            return words.ORIGINS[said].text if said in words.ORIGINS else str(said)
        case "channel":
            return sentences.CHANNELS.get(said, str(said))
        case "subject_kind":
            return sentences.SUBJECTS.get(said, str(said))
        case "findings":
            return "; ".join(sentences.FINDINGS.get(one, one) for one in said)
        case "categories":
            return ", ".join(map(words.category, said))
        case "is_test":
            return "yes" if said else "no"
        case "scopes":
            return ", ".join(said)
        case _:
            return f"{said:g}" if isinstance(said, float) else str(said)


def came_to(family: str, shown: Mapping[str, Any]) -> str:
    """Say what a version makes of an event."""
    match family:
        case "write":
            return sentences.OUTCOMES[shown["outcome"]].removeprefix("it ").capitalize()
        case "access":
            return "Open to the agent" if shown["allowed"] else "Closed to the agent"
        case "retention":
            return sentences.days(shown["days"])
        case _:
            score = f", score {shown['score']:.2f}" if shown["score"] is not None else ""
            dropped = waterfall.OUTCOMES[Drop(shown["dropped"])].lower() if shown["dropped"] else "not weighed"
            return f"In the answer{score}" if shown["returned"] else f"Left out, {dropped}{score}"
