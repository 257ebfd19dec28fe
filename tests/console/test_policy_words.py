"""What is said of policies, their tests and their simulations: of what there is, in the number there is."""

from __future__ import annotations

from typing import Any, get_args

import pytest

from memory_admin.console import policy_fields, policy_words, simulation_words
from memory_admin.simulation.tally import Counted, Flip, Reason
from policies.baseline import BASELINE
from policies.documents import FAMILIES
from policies.models import PolicySimulation, PolicyTestRun


def names(literal: Any) -> set[str]:
    return set(get_args(literal))


def test_whatever_a_simulation_counts_has_words() -> None:
    assert set(simulation_words.FLIPS) == names(Flip)
    # The sum of overlaps is turned into their mean at the end, which has a line of its own.
    assert set(simulation_words.COUNTS) == names(Counted) - {"overlaps"}
    assert set(simulation_words.REASONS) == names(Reason)
    assert all(said[0].isupper() and "_" not in said for said in simulation_words.COUNTS.values())


@pytest.mark.parametrize(
    ("counted", "said"),
    [
        ((62, 0, 0, 0), "62 passed"),
        ((61, 1, 0, 2), "61 passed, 1 failed, 2 skipped"),
        ((0, 0, 0, 0), "No test ran"),
    ],
)
def test_a_run_says_only_what_there_was(counted: tuple[int, ...], said: str) -> None:
    run = PolicyTestRun(**dict(zip(("passed", "failed", "errored", "skipped"), counted, strict=True)))

    assert policy_words.results_of(run) == said


@pytest.mark.parametrize(
    ("sooner", "later", "is_more", "said"),
    [
        (0, 0, False, "Nothing stored would end otherwise."),
        (0, 0, True, "Nothing else that is stored would end at another time."),
        (8, 0, True, "8 more would end sooner."),
        (1, 3, False, "1 would end sooner, 3 would be kept longer."),
    ],
)
def test_what_ends_otherwise_is_told_without_zeros(sooner: int, later: int, is_more: bool, said: str) -> None:
    assert policy_words.changing(sooner, later, is_more=is_more) == said


@pytest.mark.parametrize(
    ("events", "considered", "left_out", "said"),
    [
        (0, 0, 0, "Nothing of the kind happened in this time"),
        (1, 1, 0, "The one event looked at"),
        (16, 16, 2, "All 16 events looked at, 2 of them not replayable"),
        (12_480, 5_000, 0, "5,000 of 12,480 events looked at"),
    ],
)
def test_how_much_a_simulation_looked_at(events: int, considered: int, left_out: int, said: str) -> None:
    run = PolicySimulation(events=events, considered=considered, not_replayable=left_out)

    assert simulation_words.looked_at(run) == said


@pytest.mark.parametrize("family", FAMILIES)
def test_every_list_says_what_its_button_adds(family: Any) -> None:
    content = BASELINE[family].model_dump(mode="json")

    lists = [one for one in policy_fields.sections_of(family, content) if one.items is not None]

    assert all(one.add.startswith("Add a ") for one in lists)
