"""``manage.py verify_audit``: check the audit trail of one tenant or of all."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts.models import Tenant
from accounts.queries import tenant_named
from memory_admin import audit
from memory_admin.audit import keeping
from memory_admin.errors import NotFound


class Command(BaseCommand):
    """Print one line per chain; leave with status 1 when one is broken."""

    help = (
        "Check that no audit event was changed, dropped or cut, that no payload was forged or taken, and that each "
        "trail is the one its checkpoints were signed for."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        which = parser.add_mutually_exclusive_group(required=True)
        which.add_argument("--tenant", metavar="NAME", help="the short name of one tenant")
        which.add_argument("--all", action="store_true", help="every tenant")

    def handle(self, *, tenant: str | None, **options: Any) -> None:
        try:
            tenants = [tenant_named(tenant)] if tenant is not None else list(Tenant.objects.order_by("slug"))
        except NotFound as error:
            raise CommandError(error.said) from error

        broken = 0
        for one in tenants:
            checked = audit.verify(one.id)
            if (fault := checked.first_bad) is None:
                said = f"holds, {checked.events} events, head {checked.head.hex()}, {_compared(checked.agreed)}"
            else:
                broken += 1
                said = f"broken, first at event {fault.seq} ({fault.problem})"
            if unsigned := keeping.kept(one.id).unsigned:
                said += f"; {unsigned} in {keeping.place_of(one.id)} signed by no known key"
            self.stdout.write(f"{one.slug}: {said}")
        if broken:
            raise CommandError(f"{broken} of {len(tenants)} audit trails are broken.")


def _compared(agreed: int) -> str:
    return f"as its checkpoint of event {agreed} says" if agreed else "no checkpoint to compare with"
