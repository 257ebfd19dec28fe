"""manage.py policies_doc"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from policies.handbook import STORED, page


class Command(BaseCommand):
    """Write docs/policies.md from the built-in policies."""

    help = "Write docs/policies.md from the built-in policies."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--to", type=Path, default=STORED)

    def handle(self, *args: Any, **options: Any) -> None:
        options["to"].write_text(page(), encoding="utf-8")
        self.stdout.write(f"Wrote {options['to']}")
