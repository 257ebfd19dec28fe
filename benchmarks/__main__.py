"""Run the measurement and print what came out: ``python -m benchmarks``."""

from __future__ import annotations

from benchmarks import place


def main() -> None:
    """Make the database, load it, measure, and remove it."""
    place.configure()
    from benchmarks import report

    with place.database():
        report.run()


if __name__ == "__main__":
    main()
