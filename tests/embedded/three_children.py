"""A program for the tests of the supervisor: three children that say what happens to them.

Its arguments are the patience with each child in seconds, and what the children do when asked to stop.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from memory_admin.embedded.supervisor import Child, Supervisor

CHILD = """
import os, signal, sys

def say(words):
    os.write(1, f"{sys.argv[1]} {words}\\n".encode())  # in one piece: the others write to the same pipe

def finish(*_):
    say("asked")
    if sys.argv[2] == "finish":
        say("finished")
        sys.exit(0)

signal.signal(signal.SIGTERM, finish)
say(f"up {os.getpid()}")
while True:
    signal.pause()
"""


def main() -> int:
    """Supervise the children until a signal comes."""
    patience, behaviour = float(sys.argv[1]), sys.argv[2]
    children = [
        Child(name, [sys.executable, "-c", CHILD, name, behaviour], patience, in_no_hurry=name == "worker")
        for name in ("worker", "scheduler", "web")
    ]

    supervisor = Supervisor(children, say=say, folder=Path.cwd())
    return supervisor.run(ready=lambda: True, when_ready=lambda: say("ready"))


def say(line: str) -> None:
    """Write one line in one piece."""
    os.write(1, f"{line}\n".encode())


if __name__ == "__main__":
    sys.exit(main())
