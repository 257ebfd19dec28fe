"""Run the measurements and print what came out: ``python -m benchmarks``, or one of them by its name."""

from __future__ import annotations

import os
import platform
import sys

from rich.console import Console

from benchmarks import place


def main() -> None:
    """Make the database, load it, measure, and remove it."""
    place.configure()
    from benchmarks import pages, policies, report, trail

    parts = {"search": report.run, "pages": pages.run, "policies": policies.run, "trail": trail.run}
    console = Console(width=110)
    console.print(f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}; loading …")
    with place.database():
        for name in sys.argv[1:] or parts:
            parts[name](console)


if __name__ == "__main__":
    main()
