"""Baseline 1 on the public screening cases, given that screening finds what each group of them is about."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from policies.baseline import WRITE
from policies.engine import WriteFacts, decide_write

CASES = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "write-screening-cases.jsonl"

# The facts of each group: what screening is to find, and the sensitive category where there is one.
FOUND: dict[str, tuple[set[str], set[str]]] = {
    "benign": (set(), set()),
    "xss_csv": (set(), set()),
    "pii": ({"personal"}, set()),
    "secret": ({"secret"}, set()),
    "policy_override": ({"control"}, set()),
    "sensitive_inference": ({"sensitive", "trait_inferred"}, {"health"}),
    "sensitive_stated": ({"sensitive"}, {"health"}),
    "cross_subject": ({"sensitive"}, {"health"}),
}
AN_ATTACK: tuple[set[str], set[str]] = ({"attack"}, set())
CHANNEL = {"user": "user_message", "agent": "agent", "tool": "tool", "peer": "peer_agent"}
OUTCOMES = {
    "allow": {"accept", "propose"},
    "allow_escaped": {"accept", "propose"},
    "confirm": {"propose"},
    "quarantine": {"quarantine", "propose", "refuse", "policy_change"},
    "redact": {"accept", "propose"},
    "reject": {"refuse"},
}


def cases() -> Iterator[Any]:
    if not CASES.exists():
        yield pytest.param(None, id="the data is missing")
        return
    for line in CASES.read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        if case["expect"] in OUTCOMES:  # the rest is decided by tombstones
            yield pytest.param(case, id=case["id"])


@pytest.mark.parametrize("case", list(cases()))
def test_each_case_ends_as_expected(case: dict[str, Any] | None) -> None:
    assert case is not None, f"the public test data is missing: {CASES}"
    findings, categories = FOUND.get(case["cat"], AN_ATTACK)
    channel = CHANNEL[case["channel"]]

    verdict = decide_write(
        WRITE,
        WriteFacts(
            kind="fact",
            origin="stated" if channel == "user_message" else "inferred",
            channel=channel,
            length=len(case.get("text") or "".join(case["text_parts"])),
            confidence=0.7,
            importance=0.4,
            findings=frozenset(findings),
            categories=frozenset(categories),
        ),
    )

    assert verdict.outcome in OUTCOMES[case["expect"]]
    assert bool(verdict.redact) == (case["expect"] == "redact")
    if case["expect"] == "allow":
        assert (verdict.outcome == "accept") == (channel == "user_message")
    if case["expect"] == "reject":
        assert verdict.keep_text_days == 0
