"""How recall is counted."""

import pytest

from memory_admin.evaluation.recall import Asked, Hit, measure


def asked(evidence: list[str], hits: list[str], *, milliseconds: float = 1.0) -> Asked:
    """A question whose turns are named ``session.turn``."""
    return Asked(
        category="1",
        evidence=evidence,
        sessions={turn.partition(".")[0] for turn in evidence},
        hits=[Hit(turn, turn.partition(".")[0], 10) for turn in hits],
        milliseconds=milliseconds,
    )


def test_recall_is_the_share_of_the_evidence_among_the_first_k() -> None:
    one = asked(["a.1", "b.1"], ["x.1", "a.1", "x.2", "x.3", "x.4", "b.1"])

    measured = measure([one])

    assert measured.recall == {1: 0.0, 5: 0.5, 10: 1.0, 20: 1.0}


def test_session_recall_counts_each_session_once() -> None:
    hits = [f"{session}.{turn}" for session in "uvwxyz" for turn in range(3)]

    measured = measure([asked(["y.9", "z.9"], hits)])

    assert measured.session_recall == {5: 0.5, 10: 1.0}


def test_questions_weigh_the_same_whatever_their_evidence() -> None:
    measured = measure([asked(["a.1"], ["a.1"]), asked(["a.1", "b.1", "c.1", "d.1"], ["x.1"])])

    assert measured.questions == 2
    assert measured.recall[10] == pytest.approx(0.5)


def test_tokens_are_of_the_first_ten_and_times_are_ranked() -> None:
    many = [asked(["a.1"], [f"s.{n}" for n in range(30)], milliseconds=float(time)) for time in range(1, 101)]

    measured = measure(many)

    assert measured.tokens_of_ten == 100
    assert (measured.p50, measured.p95) == (50.0, 95.0)
