"""``manage.py link_member mia@larkfield.example user:mia --tenant larkfield``: link an account to a subject."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from accounts import linking
from accounts.actors import system
from accounts.queries import tenant_named
from accounts.security import user_of
from memory_admin.errors import DomainError
from memory_admin.tenancy.scope import tenant_scope


class Command(BaseCommand):
    """Let a member see a subject's memories as their own."""

    help = "Link a member to a subject, also to one that was linked to another account before."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("email")
        parser.add_argument("subject", help="the reference, such as user:mia")
        parser.add_argument("--tenant", required=True, metavar="SLUG")

    def handle(self, *args: Any, **options: Any) -> None:
        user = user_of(options["email"])
        if user is None:
            raise CommandError(f"Nobody signs in as {options['email']}.")
        try:
            tenant = tenant_named(options["tenant"])
            by = system("link_member", tenant_id=tenant.id)
            with tenant_scope(tenant.id):
                linking.link_by_operator(user_id=user.id, ref=options["subject"], by=by, now=timezone.now())
        except DomainError as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"Linked {options['email']} to {options['subject']}.")
