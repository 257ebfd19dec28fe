"""``manage.py create_agent "Travel assistant" --tenant larkfield``: register a program."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from accounts import services as accounts
from accounts.actors import system
from accounts.queries import tenant_named
from memory_admin.errors import DomainError
from memory_admin.tenancy.scope import tenant_scope


class Command(BaseCommand):
    """Register an agent of a tenant."""

    help = "Register an agent. Give it a key with issue_key."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name")
        parser.add_argument("--tenant", required=True, metavar="SLUG")
        parser.add_argument("--purpose", default="")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            tenant = tenant_named(options["tenant"])
            by = system("create_agent", tenant_id=tenant.id)
            with tenant_scope(tenant.id):
                agent = accounts.create_agent(
                    name=options["name"], purpose=options["purpose"], by=by, now=timezone.now()
                )
        except DomainError as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"Created agent {agent.name}.")
