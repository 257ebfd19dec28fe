"""``manage.py remove_second_factor``: let somebody in again who lost their phone, their key and their codes."""

from __future__ import annotations

from typing import Any

from allauth.account.adapter import get_adapter
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction
from django.utils import timezone

from accounts import security
from accounts.vocabulary import SecurityEventKind


class Command(BaseCommand):
    """Remove every second factor of one person and end their sessions. Make sure first that it is them who ask."""

    help = "Remove the second factor of somebody who lost it. They sign in by password, and set up a new one."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("email", help="the address they sign in with")

    def handle(self, *, email: str, **options: Any) -> None:
        user = security.user_of(email)
        if user is None:
            raise CommandError(f"Nobody signs in as {email}.")
        kind = SecurityEventKind.FACTORS_REMOVED
        with transaction.atomic():
            removed = Authenticator.objects.filter(user=user)
            if not removed.exists():
                raise CommandError(f"{user.email} has no second factor.")
            removed.delete()
            for session in UserSession.objects.filter(user=user):
                session.end()
            security.note_event(user_id=user.id, kind=kind, address=None, device="", now=timezone.now())
        get_adapter().mail_event(kind, user, device="whoever runs this service")
        self.stdout.write(f"{user.email} has no second factor any more, and is signed out everywhere.")
