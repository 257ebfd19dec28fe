"""Reading a text before it may be remembered. Pure: values in, values out."""

from memory_admin.screening.canonical import CANONICAL_VERSION, canonicalise
from memory_admin.screening.codes import CODES
from memory_admin.screening.findings import Finding, Group, Screening
from memory_admin.screening.hidden import reveal
from memory_admin.screening.screen import screen
from memory_admin.screening.sensitive import CATEGORIES

__all__ = [
    "CANONICAL_VERSION",
    "CATEGORIES",
    "CODES",
    "Finding",
    "Group",
    "Screening",
    "canonicalise",
    "reveal",
    "screen",
]
