"""Supervising children: order, patience, and nobody left behind.

The children write to the supervisor's own output: its end is reached when all of them are gone.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

from memory_admin import env

PROGRAM = Path(__file__).with_name("three_children.py")
NAMES = ("worker", "scheduler", "web")


class Supervised:
    """The program with its three children, once all of them are up."""

    def __init__(self, *, patience: float = 20, behaviour: str = "finish") -> None:
        self.process = subprocess.Popen(
            [sys.executable, str(PROGRAM), str(patience), behaviour],
            cwd=env.ROOT,
            env={**os.environ, "PYTHONPATH": str(env.ROOT)},
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout
        self.pids: dict[str, int] = {}
        ready = False
        while len(self.pids) < len(NAMES) or not ready:
            words = self.process.stdout.readline().split()
            assert words, "the program ended early"
            if words[1:2] == ["up"]:
                self.pids[words[0]] = int(words[2])
            ready = ready or words == ["ready"]

    def rest(self) -> list[str]:
        """Wait until everything has ended and return what was said since."""
        return self.process.communicate(timeout=60)[0].splitlines()


def test_children_stop_one_after_the_other_in_reverse_order() -> None:
    supervised = Supervised()

    supervised.process.send_signal(signal.SIGINT)

    said = supervised.rest()
    assert said[0].startswith("Stopping")
    assert said[1:] == [f"{name} {what}" for name in reversed(NAMES) for what in ("asked", "finished")]
    assert supervised.process.returncode == 0


def test_a_child_that_ends_by_itself_stops_the_others_and_is_named() -> None:
    supervised = Supervised()

    os.kill(supervised.pids["scheduler"], signal.SIGKILL)

    said = supervised.rest()
    assert said[0] == "The scheduler ended unexpectedly (killed by SIGKILL): everything stops."
    assert said[1:] == ["web asked", "web finished", "worker asked", "worker finished"]
    assert supervised.process.returncode == 1


def test_a_child_that_does_not_finish_in_time_is_killed() -> None:
    supervised = Supervised(patience=0.2, behaviour="ignore")

    supervised.process.send_signal(signal.SIGTERM)

    said = supervised.rest()
    assert [line for line in said if "killed" in line] == [
        f"The {name} did not finish and is killed." for name in reversed(NAMES)
    ]
    assert supervised.process.returncode == 0


def test_a_second_signal_stops_at_once() -> None:
    supervised = Supervised(patience=600, behaviour="ignore")
    assert supervised.process.stdout
    supervised.process.send_signal(signal.SIGINT)
    while supervised.process.stdout.readline() != "web asked\n":
        pass

    supervised.process.send_signal(signal.SIGINT)

    supervised.rest()
    assert supervised.process.returncode == 0


if sys.platform == "linux":  # the only system that tells children of their parent's death

    def test_children_end_with_a_killed_supervisor() -> None:
        supervised = Supervised()

        supervised.process.kill()

        assert sorted(supervised.rest()) == sorted(f"{name} {what}" for name in NAMES for what in ("asked", "finished"))
