"""``manage.py import_conversations``: remember finished conversations, turn by turn."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from accounts.actors import system
from accounts.queries import tenant_named
from accounts.vocabulary import Channel
from memory_admin.errors import DomainError
from memory_admin.extraction.conversations import UnreadableConversation, read
from memory_admin.extraction.services import Imported, import_conversation


class Command(BaseCommand):
    """Each conversation becomes a subject, each session a source thread, each turn an observed event."""

    help = "Import conversations in the LoCoMo shape. It may be stopped and run again: what is there is passed over."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help="a JSON file of conversations")
        parser.add_argument("--tenant", required=True, metavar="NAME", help="the short name of the tenant")

    def handle(self, *, file: Path, tenant: str, **options: Any) -> None:
        try:
            conversations = read(file)
            by = system("import_conversations", tenant_id=tenant_named(tenant).id, channel=Channel.IMPORT)
            total = Imported()
            with _progress() as progress:
                for conversation in conversations:
                    turns = sum(len(session.turns) for session in conversation.sessions)
                    bar = progress.add_task(conversation.name, total=turns)
                    for batch in import_conversation(conversation, by=by, now=timezone.now()):
                        total.add(batch)
                        progress.advance(bar, batch.turns)
        except (UnreadableConversation, DomainError) as error:
            raise CommandError(str(error)) from error
        self._tell(len(conversations), total)

    def _tell(self, conversations: int, total: Imported) -> None:
        self.stdout.write(f"{conversations} conversations, {total.turns} turns, {total.known} there already")
        for (result, rules), count in sorted(total.outcomes.items(), key=lambda pair: (-pair[1], pair[0])):
            self.stdout.write(f"  {count:>6}  {result}" + (f"  by {rules}" if rules else ""))


def _progress() -> Progress:
    # On standard error, so that the counts can be read by a program.
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
    )
