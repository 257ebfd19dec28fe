"""``manage.py evaluate_recall``: how much of the evidence search finds, by category and over all questions."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone
from rich.console import Console
from rich.progress import track

from accounts.actors import system
from accounts.queries import tenant_named
from accounts.vocabulary import Scope
from memory_admin.errors import DomainError, NotFound
from memory_admin.evaluation.recall import Asked, Measured, measure
from memory_admin.evaluation.services import ask
from memory_admin.extraction.conversations import UnreadableConversation, read

CATEGORIES = {"1": "multi-hop", "2": "temporal", "3": "open-domain", "4": "single-hop", "5": "adversarial"}


class Command(BaseCommand):
    """The questions go through the real search, log included; no language model takes part."""

    help = "Ask the questions of a file of imported conversations and measure what comes back."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help="the JSON file that was imported")
        parser.add_argument("--tenant", required=True, metavar="NAME", help="the short name of the tenant")
        parser.add_argument("--json", action="store_true", dest="as_json", help="print one JSON object instead")

    def handle(self, *, file: Path, tenant: str, as_json: bool, **options: Any) -> None:
        asked = self._ask(file, tenant)
        if not asked:
            raise CommandError(f"{file.name} holds no question with evidence.")
        names = sorted({one.category for one in asked})
        measured = {
            CATEGORIES.get(name, name): measure([one for one in asked if one.category == name]) for name in names
        }
        measured["all"] = measure(asked)
        if as_json:
            self.stdout.write(json.dumps({name: asdict(one) for name, one in measured.items()}, indent=2))
        else:
            for name, one in measured.items():
                self.stdout.write(_line(name, one))

    def _ask(self, file: Path, tenant: str) -> list[Asked]:
        try:
            conversations = read(file)
            by = system("evaluate_recall", tenant_id=tenant_named(tenant).id)
            # The questions are about whole conversations, sensitive turns included.
            by = replace(by, scopes=frozenset({Scope.MEMORIES_READ, Scope.MEMORIES_SENSITIVE}))
            watched = track(conversations, "Asking", console=Console(stderr=True))
            return [one for conversation in watched for one in ask(conversation, by=by, now=timezone.now())]
        except NotFound as error:
            raise CommandError(f"Import {file.name} into {tenant} first: {error}") from error
        except (UnreadableConversation, DomainError) as error:
            raise CommandError(str(error)) from error


def _line(name: str, one: Measured) -> str:
    shares = [f"recall@{k}={share:.3f}" for k, share in one.recall.items()]
    shares += [f"session@{k}={share:.3f}" for k, share in one.session_recall.items()]
    return (
        f"{name:<12} questions={one.questions:<4} {' '.join(shares)} tokens@10={one.tokens_of_ten:.0f} "
        f"p50={one.p50:.1f}ms p95={one.p95:.1f}ms"
    )
