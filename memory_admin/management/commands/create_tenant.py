"""``manage.py create_tenant larkfield --name Larkfield``: a tenant with Baseline 1 in force."""

from __future__ import annotations

import getpass
from typing import Any

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction
from django.utils import timezone

from accounts import services as accounts
from accounts.actors import system
from accounts.models import Tenant, User
from accounts.security import address_of, user_of
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

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            admin = address_of(options["admin"]) if options["admin"] else None
            password = _ask_for_password(admin) if admin and user_of(admin) is None else None
            tenant = self._create(admin, password, **options)
        except DomainError as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"Created tenant {tenant.slug}, with Baseline 1 in force.")

    @transaction.atomic
    def _create(
        self, email: str | None, password: str | None, *, slug: str, name: str | None, region: str, **options: Any
    ) -> Tenant:
        now = timezone.now()
        tenant = accounts.create_tenant(slug=slug, name=name or slug, region=region, now=now)
        by = system("create_tenant", tenant_id=tenant.id)
        with tenant_scope(tenant.id):
            install_baseline(tenant_id=tenant.id, by=by, now=now)
            if email is not None:
                user = user_of(email) or User.objects.create_user(email, password)
                accounts.grant_membership(user=user, roles=[Role.ADMIN], by=by, now=now)
        return tenant


def _ask_for_password(email: str) -> str:
    password = getpass.getpass(f"Password for {email}: ")
    try:
        validate_password(password, User(email=email))
    except ValidationError as error:
        raise CommandError(" ".join(error.messages)) from error
    if getpass.getpass("Once more: ") != password:
        raise CommandError("These are two different passwords.")
    return password
