"""``manage.py issue_key "Travel assistant" --tenant larkfield``: a key, shown once."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from accounts import services as accounts
from accounts.actors import system
from accounts.models import Agent
from accounts.queries import tenant_named
from accounts.vocabulary import Channel, Scope
from memory_admin.errors import DomainError, NotFound
from memory_admin.tenancy.scope import tenant_scope

USUAL = [Scope.MEMORIES_READ, Scope.MEMORIES_WRITE, Scope.PROFILE_READ, Scope.RETRIEVALS_READ]


class Command(BaseCommand):
    """Issue a key of an agent."""

    help = "Issue a key. Its text is printed once and stored nowhere."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("agent", help="the agent's name")
        parser.add_argument("--tenant", required=True, metavar="SLUG")
        parser.add_argument("--scope", action="append", choices=Scope.values, help="may be given several times")
        parser.add_argument(
            "--channel",
            default=Channel.AGENT,
            choices=[channel for channel in Channel.values if channel != Channel.PORTAL],
            help="the most trusted channel it may claim; user_message for an agent that relays what people say",
        )
        parser.add_argument("--subject", metavar="REF", help="bind the key to one subject, such as user:mia")
        parser.add_argument("--days", type=int, help="how many days it lives (default: until revoked)")
        parser.add_argument("--test", action="store_true", help="a test key sees only test subjects")

    def handle(self, *args: Any, **options: Any) -> None:
        now = timezone.now()
        try:
            tenant = tenant_named(options["tenant"])
            by = system("issue_key", tenant_id=tenant.id)
            with tenant_scope(tenant.id):
                agent = Agent.objects.filter(name=options["agent"]).first()
                if agent is None:
                    raise NotFound(f"There is no agent named {options['agent']}.")
                subject = None
                if options["subject"]:
                    subject = accounts.ensure_subject(ref=options["subject"], by=by, now=now, is_test=options["test"])
                issued = accounts.issue_key(
                    agent=agent,
                    scopes=[Scope(scope) for scope in options["scope"] or USUAL],
                    channel=Channel(options["channel"]),
                    by=by,
                    now=now,
                    subject=subject,
                    expires_at=now + timedelta(days=options["days"]) if options["days"] else None,
                    is_test=options["test"],
                )
        except DomainError as error:
            raise CommandError(str(error)) from error
        self.stdout.write(issued.text)
