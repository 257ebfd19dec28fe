"""Several processes under one command: they start together, stop in order and never outlive it."""

import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

BETWEEN_LOOKS: Final = 0.1  # seconds
_PR_SET_PDEATHSIG: Final = 1  # linux/prctl.h
_LIBC: Final = ctypes.CDLL(None) if sys.platform == "linux" else None


@dataclass(frozen=True)
class Child:
    """A program to run: SIGTERM asks it to finish what it is doing, and patience is how many seconds it may take.

    One that is in no hurry starts when everything else is ready, and takes no time from it.
    """

    name: str
    command: Sequence[str]
    patience: float = 15
    in_no_hurry: bool = False


class Supervisor:
    """Runs children until one of them ends, a watched server is gone, or a signal asks to stop.

    Children stop in the reverse of the order given, each before the next is asked. They run in sessions
    of their own, so that Ctrl-C reaches them only through here; on Linux they are told to stop when this process dies.
    """

    def __init__(
        self,
        children: Sequence[Child],
        *,
        say: Callable[[str], None],
        folder: Path,
        watched: Mapping[str, Callable[[], bool]] | None = None,
    ) -> None:
        """Prepare; nothing starts yet.

        :param say: gets every line meant for the person at the terminal
        :param folder: where the children run
        :param watched: servers that are not children, each with what tells whether it still runs
        """
        self._children = children
        self._say = say
        self._folder = folder
        self._watched = watched or {}
        self._processes: dict[str, subprocess.Popen[bytes]] = {}
        self._signals = 0

    def run(self, *, ready: Callable[[], bool], when_ready: Callable[[], None], patience: float = 120) -> int:
        """Start all, call `when_ready` once `ready` says so, stay until the end, stop all.

        :param patience: seconds to become ready in
        :return: 0 when a signal asked to stop, 1 when something ended by itself or did not become ready
        """
        kept = {number: signal.signal(number, self._note) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
        try:
            self._start_all(in_no_hurry=False)
            trouble = self._stay(ready, when_ready, patience)
            self._say(f"{trouble}: everything stops." if trouble else "Stopping; a second Ctrl-C stops at once.")
            return 1 if trouble else 0
        finally:
            for child in reversed(self._children):
                if process := self._processes.get(child.name):
                    self._stop(child, process)
            for number, handler in kept.items():
                signal.signal(number, handler)

    def _stay(self, ready: Callable[[], bool], when_ready: Callable[[], None], patience: float) -> str | None:
        """Wait for the end and say what went wrong, or nothing when a signal asked for it."""
        deadline = time.monotonic() + patience
        told = False
        while not self._signals:
            if trouble := self._trouble():
                return trouble
            if not told and ready():
                told = True
                self._start_all(in_no_hurry=True)
                when_ready()
            if not told and time.monotonic() > deadline:
                return f"The web process does not answer after {patience:.0f} seconds"
            time.sleep(BETWEEN_LOOKS)
        return None

    def _trouble(self) -> str | None:
        for name, process in self._processes.items():
            if (status := process.poll()) is not None:
                how = f"killed by {signal.Signals(-status).name}" if status < 0 else f"status {status}"
                return f"The {name} ended unexpectedly ({how})"
        return next((f"{name} ended unexpectedly" for name, runs in self._watched.items() if not runs()), None)

    def _start_all(self, *, in_no_hurry: bool) -> None:
        for child in self._children:
            if child.in_no_hurry == in_no_hurry:
                self._processes[child.name] = self._start(child)

    def _start(self, child: Child) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            child.command,
            cwd=self._folder,
            stdin=subprocess.DEVNULL,
            start_new_session=True,
            preexec_fn=_end_with(os.getpid()),
        )

    def _stop(self, child: Child, process: subprocess.Popen[bytes]) -> None:
        process.terminate()
        deadline = time.monotonic() + child.patience
        while process.poll() is None and time.monotonic() < deadline and self._signals < 2:
            time.sleep(BETWEEN_LOOKS)
        if process.poll() is None:
            self._say(f"The {child.name} did not finish and is killed.")
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)  # it, or what it left behind in its session
        process.wait()

    def _note(self, *_: object) -> None:
        self._signals += 1


def _end_with(parent: int) -> Callable[[], None]:
    def ask_for_signal() -> None:
        if _LIBC is not None:
            _LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
            if os.getppid() != parent:  # it died before we asked
                os._exit(1)

    return ask_for_signal
