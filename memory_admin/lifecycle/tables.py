"""Tables as CSV that no spreadsheet takes for a formula. Pure."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from io import StringIO
from typing import Any

#: What a spreadsheet takes for a formula at the beginning of a cell; a quote before it makes it text.
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def as_csv(columns: Sequence[str], entries: Iterable[Mapping[str, Any]]) -> str:
    """Write a table with a line of heads; times are in ISO 8601, lists joined by commas."""
    table = StringIO()
    rows = csv.writer(table)
    rows.writerow(columns)
    rows.writerows([_cell(entry[name]) for name in columns] for entry in entries)
    return table.getvalue()


def _cell(value: Any) -> str:
    match value:
        case None:
            return ""
        case bool():
            return "yes" if value else "no"
        case datetime():
            return value.isoformat()
        case list():
            text = ", ".join(map(str, value))
        case _:
            text = str(value)
    return f"'{text}" if text.lstrip().startswith(FORMULA) or text.startswith(FORMULA) else text
