"""Copies for people to take away: asked for, made in the background, fetched for a week, gone with an erasure."""

from __future__ import annotations

from datetime import datetime, timedelta
from hashlib import sha256
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet

from accounts.actors import Actor
from memory_admin import audit, jobs
from memory_admin.audit import Action
from memory_admin.errors import Conflict, Invalid, NotAllowed, NotFound
from memory_admin.lifecycle import archive
from memory_admin.lifecycle.models import Export, ExportScope, ExportState
from memory_admin.memories import changes
from memory_admin.memories.requests import register
from memory_admin.memories.vocabulary import RequestKind

KEPT_FOR = timedelta(days=7)


class OnlyOnesOwn(NotAllowed):
    """An export is for the person it is about, or who looks after the subject."""

    code = "only_ones_own"
    sentence = "Only the person the memories are about can take a copy of them."


class NotThere(Conflict):
    """Its week is over, it is not made yet, or something of what it held was erased since."""

    code = "export_not_there"
    sentence = "This copy is not there any more. Ask for a new one."


@transaction.atomic
def ask_for_export(*, scope: ExportScope, category: str = "", by: Actor, now: datetime) -> Export:
    """Have a copy made of what is remembered about a person. Asked again while one is made, it answers with that one.

    :raises OnlyOnesOwn: the actor is not a person about themselves
    :raises Invalid: a category is named for another scope, or none for that of one category
    """
    if not by.is_person or by.subject_id is None:
        raise OnlyOnesOwn
    if (scope == ExportScope.CATEGORY) != bool(category):
        raise Invalid(fields={"category": ["Choose which category." if not category else "Name no category."]})
    subject = changes.lock_subject(by.subject_id)
    running = Export.objects.filter(subject_id=subject.id, state=ExportState.PENDING).first()
    if running is not None:
        return running
    export = Export.objects.create(subject=subject, scope=scope, category=category, asked_by=by.ref, asked_at=now)
    register(RequestKind.EXPORT, subject_id=subject.id, object_id=export.id, at=now)
    jobs.after_commit(jobs.EXPORT, object_id=export.id)
    audit.record(action=Action.EXPORT_ASKED, by=by, target=("export", export.id), at=now, payload={"scope": str(scope)})
    return export


@transaction.atomic
def make_export(*, export_id: UUID, now: datetime) -> None:
    """Make the copy that was asked for, of the instant at which this runs; done twice, it is made once."""
    found = Export.objects.defer("content").filter(id=export_id).first()
    if found is None:
        return
    changes.lock_subject(found.subject_id)
    export = Export.objects.select_related("subject").get(id=export_id)
    if export.state != ExportState.PENDING:
        return
    packed = archive.pack(export, at=now)
    export.content = packed.content
    export.memories, export.size = packed.memories, len(packed.content)
    export.sha256 = sha256(packed.content).digest()
    export.state, export.ready_at, export.ends_at = ExportState.READY, now, now + KEPT_FOR
    export.save()
    jobs.purge_later(jobs.PURGE_EXPORTS, until=export.ends_at)


@transaction.atomic
def fetch_export(*, export_id: UUID, by: Actor, now: datetime) -> Export:
    """Give a copy to whom it is about, and record that.

    :raises NotFound: it does not exist for this actor
    :raises NotThere: it is not made yet, its week is over, or it was withdrawn
    """
    export = exports_of(by).filter(id=export_id).first()
    if export is None:
        raise NotFound
    if export.state != ExportState.READY or export.ends_at is None or export.ends_at <= now:
        raise NotThere
    audit.record(action=Action.EXPORT_FETCHED, by=by, target=("export", export.id), at=now)
    return export


def exports_of(by: Actor) -> QuerySet[Export]:
    """List the copies a person asked for, the newest first."""
    found = Export.objects.order_by("-asked_at", "-id")
    return found.filter(subject_id=by.subject_id) if by.is_person and by.subject_id else found.none()


@transaction.atomic
def purge_exports(*, now: datetime) -> int:
    """Remove the copies of the open tenant whose week is over; tell how many."""
    over = Export.objects.filter(state=ExportState.READY, ends_at__lte=now)
    return over.update(content=None, state=ExportState.ENDED)
