"""The public cases: who must look at what, and what must pass unnoticed."""

import json
from pathlib import Path

import pytest

from memory_admin.screening import Group, Screening, screen

CASES = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "write-screening-cases.jsonl"
CONVERSATIONS = CASES.with_name("locomo-dev.json")
ALARMS: tuple[Group, ...] = ("secret", "control", "attack", "sensitive")
STATED = "user"


def cases(*outcomes: str) -> list[tuple[str, dict[str, str], Screening]]:
    """Read the cases of these outcomes, each with its screening."""
    chosen = []
    for line in CASES.read_text().splitlines():
        case = json.loads(line)
        if case["expect"] in outcomes:
            text = case["text"] if "text" in case else "".join(case["text_parts"])
            origin = "stated" if case["channel"] == STATED else "inferred"
            chosen.append((text, case, screen(text, origin=origin, kind="fact")))
    assert chosen, f"no case expects {outcomes}"
    return chosen


def alarms(screening: Screening, groups: tuple[Group, ...] = ALARMS) -> list[str]:
    return [finding.rule for finding in screening.findings if finding.group in groups]


def test_every_case_to_quarantine_is_noticed() -> None:
    missed = [case["id"] for _, case, screening in cases("quarantine") if not alarms(screening)]

    assert missed == []


def test_every_secret_is_noticed() -> None:
    missed = [case["id"] for _, case, screening in cases("reject") if not screening.has("secret")]

    assert missed == []


def test_what_needs_the_persons_word_is_sensitive_and_nothing_worse() -> None:
    for _, case, screening in cases("confirm"):
        assert screening.has("sensitive"), case["id"]
        assert alarms(screening, ("secret", "control", "attack")) == [], case["id"]


def test_personal_data_is_redacted() -> None:
    for text, case, screening in cases("redact"):
        assert screening.redacted != text, case["id"]
        assert not any(character.isdigit() for character in screening.redacted.partition("]")[0]), case["id"]


def test_what_is_allowed_raises_no_alarm_and_stays_word_for_word() -> None:
    for text, case, screening in cases("allow", "allow_escaped"):
        assert alarms(screening) == [], case["id"]
        assert screening.redacted == text, case["id"]


@pytest.mark.parametrize(
    ("group", "share"), [("attack", 0.003), ("control", 0.003), ("secret", 0.003), ("sensitive", 0.02)]
)
def test_conversation_raises_hardly_any_alarm(group: Group, share: float) -> None:
    turns = [
        turn["text"]
        for conversation in json.loads(CONVERSATIONS.read_text())
        for name, session in conversation["conversation"].items()
        if isinstance(session, list)
        for turn in session
    ]

    noticed = sum(screen(turn, origin="observed", kind="event").has(group) for turn in turns)

    assert noticed < share * len(turns)
