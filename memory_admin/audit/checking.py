"""Checking a chain in the background, because somebody asked for it or because a day has passed."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.core.cache import cache
from django.db import DatabaseError, transaction

from memory_admin import jobs
from memory_admin.audit import keeping
from memory_admin.audit.actions import Action
from memory_admin.audit.models import Chain, Check
from memory_admin.audit.services import Actor, record
from memory_admin.audit.verification import verify
from memory_admin.tenancy.scope import required_tenant

logger = logging.getLogger(__name__)

LASTS = timedelta(minutes=15)
"""A check that takes longer was given up, and another one may be asked for."""

EVERY = timedelta(hours=24)
REMEMBERED = 3600  # seconds for which the cache knows how far a check has come


@dataclass(frozen=True, slots=True)
class Asker:
    """Whoever asked for a check, as the row remembers them."""

    tenant_id: UUID
    ref: str


def running(*, now: datetime) -> Check | None:
    """Find the check that is not finished."""
    return Check.objects.filter(done_at=None, asked_at__gt=now - LASTS).order_by("-asked_at", "-id").first()


def last() -> Check | None:
    """Find what was found by the last check that is finished."""
    return Check.objects.exclude(done_at=None).order_by("-done_at", "-id").first()


def progress_of(check: Check) -> int:
    """Tell how many events of a running check have been read."""
    read: int = cache.get(_key(check.id), 0)
    return read


@transaction.atomic
def ask(*, by: Actor, now: datetime) -> Check:
    """Ask to have the chain of the actor's tenant checked; while one check runs, it is the answer."""
    if (unfinished := running(now=now)) is not None:
        return unfinished
    chain = Chain.objects.first()
    check = Check.objects.create(asked_by=by.ref, asked_at=now, size=chain.size if chain else 0)
    jobs.after_commit(jobs.VERIFY_TRAIL, object_id=check.id)
    return check


def ask_daily(*, now: datetime) -> Check | None:
    """Ask for a check if the last one is a day old and the chain has grown since by more than its own event."""
    before, chain = last(), Chain.objects.first()
    if chain is None or (before and (before.asked_at > now - EVERY or chain.size <= before.events + 1)):
        return None
    return ask(by=Asker(required_tenant(), "system:daily_check"), now=now)


def run(*, check_id: UUID, now: datetime) -> None:
    """Check the chain, keep what was found, and record it, unless the chain is too broken for that."""
    check = Check.objects.filter(id=check_id, done_at=None).first()
    if check is None:
        return
    tenant_id = required_tenant()
    checked = verify(tenant_id, progress=lambda read: cache.set(_key(check_id), read, REMEMBERED))
    bad, kept = checked.first_bad, keeping.last(tenant_id)
    check.events, check.head, check.agreed = checked.events, checked.head, checked.agreed
    check.findings, check.first_bad = len(checked.findings), bad.seq if bad else None
    check.problem = str(bad.problem) if bad else ""
    check.checkpoint_at = kept.at if kept else None
    check.done_at = now
    check.save()
    told = {"holds": checked.holds, "events": checked.events, "head": checked.head.hex(), "agreed": checked.agreed}
    found = {"first_bad": bad.seq, "problem": str(bad.problem), "findings": len(checked.findings)} if bad else {}
    try:
        with transaction.atomic():
            by = Asker(tenant_id, check.asked_by)
            record(action=Action.AUDIT_VERIFIED, by=by, target=None, at=now, payload={**told, **found})
    except DatabaseError:
        if checked.holds:
            raise
        logger.exception("a broken trail took no event", extra={"tenant_id": tenant_id})


def _key(check_id: UUID) -> str:
    return f"audit-check:{check_id}"
