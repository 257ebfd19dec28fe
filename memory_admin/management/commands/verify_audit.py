"""``manage.py verify_audit``: check the audit trail of one tenant or of all."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts.models import Tenant
from accounts.queries import tenant_named
from memory_admin import audit
from memory_admin.audit import keeping
from memory_admin.errors import NotFound
from memory_admin.retrieval.proofs import check_seals
from memory_admin.tenancy.scope import tenant_scope


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

        parser.add_argument("--reads", action="store_true", help="the log of answers to agents against its seals too")

    def handle(self, *, tenant: str | None, reads: bool = False, **options: Any) -> None:
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
            if reads and not self._reads_hold(one):
                broken += fault is None
        if broken:
            raise CommandError(f"{broken} of {len(tenants)} audit trails are broken.")

    def _reads_hold(self, tenant: Tenant) -> bool:
        with tenant_scope(tenant.id):
            found = check_seals()
        said = f"{found.rows} rows in {found.seals} seals, {found.gone} gone"
        if not found.holds:
            first = f"seal {found.bad[0]}" if found.bad else f"answer {found.edited[0]}"
            said += f"; broken at {len(found.bad)} seals and {len(found.edited)} answers, first at {first}"
        self.stdout.write(f"{tenant.slug}: reads, {said}")
        return found.holds


def _compared(agreed: int) -> str:
    return f"as its checkpoint of event {agreed} says" if agreed else "no checkpoint to compare with"
