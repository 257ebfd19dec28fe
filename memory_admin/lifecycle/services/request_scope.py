"""Erasing by scope: a source, what an agent wrote, what matches a filter, everything."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from django.db import transaction

from accounts.actors import Actor
from accounts.queries import subject_for
from memory_admin import jobs
from memory_admin.lifecycle import extent, paraphrases, queries
from memory_admin.lifecycle.models import UNFINISHED, ErasureRequest, State
from memory_admin.lifecycle.scopes import FromSource, Scope, WholeSubject, digest_of
from memory_admin.lifecycle.services.erase import (
    NotYoursToErase,
    erase_now,
    forget_subject,
    may_erase,
    speaks_for_the_person,
)
from memory_admin.lifecycle.services.request_erasure import withdraw
from memory_admin.memories import changes
from memory_admin.memories.models import Memory
from memory_admin.memories.queries import visible_to
from memory_admin.memories.tombstones import entomb
from memory_admin.memories.vocabulary import GONE


@transaction.atomic
def request_scope(*, ref: str, scope: Scope, by: Actor, now: datetime) -> ErasureRequest:
    """Take everything of a scope that exists at this moment out of every use, to be erased by a job, with no grace.

    Asked again while it runs, it answers with the erasure that runs. What comes later is not covered. A source stays
    closed: what is read from it again is not learned.

    An agent that does not relay the person's words has only what it wrote itself erased, and at once.

    :raises NotYoursToErase: an agent asks for what the person stated or confirmed, or for everything
    :raises NotFound: the subject does not exist for this actor
    """
    speaks = speaks_for_the_person(by)
    if not speaks and isinstance(scope, WholeSubject):
        raise NotYoursToErase
    subject = subject_for(ref, by=by)
    covered = (Memory.objects.exclude(status__in=GONE) if speaks else visible_to(by)).filter(scope.within(subject))
    vectors = paraphrases.embedded(covered, limit=paraphrases.AT_ONCE)
    subject = changes.lock_subject(subject.id)
    digest = digest_of(scope, subject)
    running = queries.with_time_left().filter(subject_id=subject.id, scope_digest=digest, state__in=UNFINISHED).first()
    if running is not None:
        return running
    named = extent.read(covered.select_related(None).order_by("id"))
    gone = extent.all_that_goes(subject, named, also_the_same=speaks)
    if not may_erase(gone, by):
        raise NotYoursToErase
    if isinstance(scope, FromSource):
        entomb(subject_id=subject.id, sources=scope.references(subject), now=now)
    if not speaks:
        return erase_now(subject, gone, scope=scope.name, scope_digest=digest, by=by, now=now, vectors=vectors)
    if isinstance(scope, WholeSubject):
        _end_every_wait(subject.id)
    asked = withdraw(subject, gone, by=by, now=now, scope=scope.name, scope_digest=digest, vectors=vectors)
    if isinstance(scope, WholeSubject):
        forget_subject(subject, erasure=asked, by=by, now=now)
    return asked


def _end_every_wait(subject_id: UUID) -> None:
    """Let the deletions that could still be taken back be over."""
    for waiting in ErasureRequest.objects.filter(subject_id=subject_id, state=State.WAITING).order_by("id"):
        waiting.state, waiting.due_at = State.ERASING, queries.clock()
        waiting.save(update_fields=["state", "due_at"])
        jobs.after_commit(jobs.ERASE, object_id=waiting.id)
