"""``manage.py create_tenant larkfield --name Larkfield``: a tenant with Baseline 1 in force."""

from __future__ import annotations

import getpass
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction
from django.utils import timezone

from accounts import services as accounts
from accounts.actors import system
from accounts.models import User
from accounts.vocabulary import Role
from memory_admin.errors import DomainError
from memory_admin.tenancy.scope import tenant_scope
from policies.services import install_baseline


class Command(BaseCommand):
    """Create an organisation, ready for agents and people."""

    help = "Create a tenant with Baseline 1 in force, and its first administrator."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug", help="short name: small letters, digits, hyphens")
        parser.add_argument("--name", help="the name people read (default: the short name)")
        parser.add_argument("--region", default="eu")
        parser.add_argument("--admin", metavar="EMAIL", help="first administrator; asks for a password")

    @transaction.atomic
    def handle(self, *args: Any, **options: Any) -> None:
        now = timezone.now()
        try:
            tenant = accounts.create_tenant(
                slug=options["slug"], name=options["name"] or options["slug"], region=options["region"], now=now
            )
        except DomainError as error:
            raise CommandError(str(error)) from error
        by = system("create_tenant", tenant_id=tenant.id)
        with tenant_scope(tenant.id):
            install_baseline(tenant_id=tenant.id, by=by, now=now)
            if options["admin"]:
                user = _user(options["admin"])
                accounts.grant_membership(user=user, roles=[Role.ADMIN], by=by, now=now)
        self.stdout.write(f"Created tenant {tenant.slug}, with Baseline 1 in force.")


def _user(email: str) -> User:
    found = User.objects.filter(email=email.strip().lower()).first()
    return found or User.objects.create_user(email, getpass.getpass(f"Password for {email}: "))
