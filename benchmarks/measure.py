"""Timing things in turn, so that a busy machine slows all of them alike."""

from __future__ import annotations

import gc
from collections.abc import Callable, Mapping, Sequence
from time import perf_counter
from typing import TypeVar

import numpy as np

T = TypeVar("T")
WARM = 6


class Times:
    """Milliseconds of one thing, measured again and again."""

    def __init__(self, milliseconds: Sequence[float]) -> None:
        self.least = float(min(milliseconds))
        self.p50, self.p95 = (float(value) for value in np.percentile(milliseconds, [50, 95]))


def in_turn(things: Mapping[str, Callable[[T], object]], inputs: Sequence[T]) -> dict[str, Times]:
    """Do every thing with every input, one thing after the other for each input; the first few rounds do not count."""
    taken: dict[str, list[float]] = {name: [] for name in things}
    gc.collect()
    gc.disable()
    try:
        for given in inputs:
            for name, do in things.items():
                began = perf_counter()
                do(given)
                taken[name].append((perf_counter() - began) * 1000)
    finally:
        gc.enable()
    return {name: Times(times[WARM:]) for name, times in taken.items()}
