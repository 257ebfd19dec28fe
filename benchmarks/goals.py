"""What is to be reached, beside what was."""

from __future__ import annotations

from rich.table import Table


class Goals:
    """The goals of one run, as a table."""

    def __init__(self) -> None:
        self.table = Table("goal", "measured", "", "", title="Goals")

    def most(self, name: str, measured: float, limit: float) -> None:
        """Add a goal that is met at or below a limit."""
        self.table.add_row(name, f"{measured:.2f}", f"at most {limit:g}", "met" if measured <= limit else "MISSED")

    def least(self, name: str, measured: float, limit: float) -> None:
        """Add a goal that is met at or above a limit."""
        self.table.add_row(name, f"{measured:.4f}", f"at least {limit:g}", "met" if measured >= limit else "MISSED")
