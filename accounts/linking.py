"""Which subject a member sees in the portal as their own: at most one in each tenant, decided by somebody else."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from django.db import IntegrityError, transaction

from accounts import notices
from accounts.actors import Actor
from accounts.members import hold_another
from accounts.models import Invitation, Membership, Subject
from accounts.services import ensure_subject
from accounts.vocabulary import NoticeKind
from memory_admin import audit
from memory_admin.audit import queries as trail
from memory_admin.audit.actions import Action
from memory_admin.errors import Conflict, Invalid, NotAllowed, NotFound


class NoPerson(Invalid):
    code = "no_person"
    sentence = "A member is linked to a person: a reference that begins with user:."


class SubjectTaken(Conflict):
    code = "subject_taken"
    sentence = "This subject is linked to another member, or promised to somebody who was invited."


class HeldBefore(Conflict):
    code = "held_before"
    sentence = (
        "Another account saw these memories as its own before. Only whoever runs the service links them to a new one."
    )


class LinkedAlready(Conflict):
    code = "linked_already"
    sentence = "This member is linked to another subject. Unlink that first."


class NotLinked(Conflict):
    code = "not_linked"
    sentence = "This member is linked to no subject."


@transaction.atomic
def link(*, membership_id: UUID, ref: str, by: Actor, now: datetime) -> Subject:
    """Let a member see and act on a subject's memories as their own; the subject is made if it is new.

    Other administrators and privacy officers are told.

    :raises NoPerson: the reference is not ``user:…``
    :raises SubjectTaken: it is somebody else's
    :raises HeldBefore: it was somebody else's
    :raises LinkedAlready: they have another one
    """
    member = hold_another(membership_id=membership_id, by=by)
    refuse_taken(ref, user_id=member.user_id)
    return _link(member, ref=ref, by=by, now=now)


@transaction.atomic
def link_by_operator(*, user_id: UUID, ref: str, by: Actor, now: datetime) -> Subject:
    """Link a member to a subject as whoever runs the service may: also to one that was another account's.

    :raises NotAllowed: an actor of the tenant
    :raises NotFound: the user is no active member
    :raises NoPerson, SubjectTaken, LinkedAlready: as for :func:`link`
    """
    if by.kind != "system":
        raise NotAllowed
    member = Membership.objects.select_for_update().filter(user_id=user_id, ended_at=None).first()
    if member is None:
        raise NotFound("This user is no active member of the organisation.")
    refuse_taken(ref)
    return _link(member, ref=ref, by=by, now=now)


def _link(member: Membership, *, ref: str, by: Actor, now: datetime) -> Subject:
    subject = connect(member, ref=ref, by=by, now=now)
    notices.tell(kind=NoticeKind.SUBJECT_LINKED, user_ids=[member.user_id], path="/", now=now)
    notices.tell_who_watches(Action.SUBJECT_LINKED, besides=(by.user_id, member.user_id), now=now)
    _record(Action.SUBJECT_LINKED, subject, member, by=by, now=now)
    return subject


@transaction.atomic
def unlink(*, membership_id: UUID, by: Actor, now: datetime) -> None:
    """Take a subject from a member. Everything that is remembered about it stays.

    :raises NotLinked: they have none
    """
    member = hold_another(membership_id=membership_id, by=by)
    subject = Subject.objects.select_for_update().filter(user_id=member.user_id).first()
    if subject is None:
        raise NotLinked
    Subject.objects.filter(id=subject.id).update(user=None)
    notices.tell(kind=NoticeKind.SUBJECT_LINKED, user_ids=[member.user_id], path="/", now=now)
    _record(Action.SUBJECT_UNLINKED, subject, member, by=by, now=now)


def refuse_taken(ref: str, *, user_id: UUID | None = None, invited: bool = False) -> None:
    """Make sure that a reference names a person who is nobody's yet, and promised to nobody.

    :param user_id: whose it is to become; it may have been theirs before, and nobody else's
    :param invited: it is to become somebody's who has yet to join, so it may have been nobody's before
    :raises NoPerson: it is not ``user:…``
    :raises SubjectTaken: it is somebody's, or promised
    :raises HeldBefore: it was somebody else's
    """
    if not ref.startswith("user:"):
        raise NoPerson(fields={"subject": [NoPerson.sentence]})
    is_linked = Subject.objects.filter(ref=ref, is_test=False, user__isnull=False).exists()
    if is_linked or Invitation.objects.filter(subject_ref=ref, accepted_at=None, withdrawn_at=None).exists():
        raise SubjectTaken
    if (user_id or invited) and _held_by_others(ref, than=user_id):
        raise HeldBefore


def connect(member: Membership, *, ref: str, by: Actor, now: datetime) -> Subject:
    """Write the link, whoever asked for it.

    :raises SubjectTaken: it is somebody else's
    :raises LinkedAlready: they have another one
    """
    subject = ensure_subject(ref=ref, by=by, now=now)
    try:
        with transaction.atomic():
            done = Subject.objects.filter(id=subject.id, user=None).update(user_id=member.user_id)
    except IntegrityError as error:
        raise LinkedAlready from error
    if not done:
        raise SubjectTaken
    return subject


def _held_by_others(ref: str, *, than: UUID | None) -> bool:
    """Tell whether the audit trail knows of an account that the subject was taken from."""
    subject = Subject.objects.filter(ref=ref, is_test=False).first()
    if subject is None:
        return False
    taken = trail.events_of(subject.id).filter(action=Action.SUBJECT_UNLINKED).values_list("seq", flat=True)
    told = trail.payloads_of(list(taken))
    return any(told.get(seq, {}).get("user") != f"user:{than}" for seq in taken)


def _record(action: Action, subject: Subject, member: Membership, *, by: Actor, now: datetime) -> None:
    payload = {"user": f"user:{member.user_id}"}
    audit.record(action=action, by=by, target=("subject", subject.id), at=now, payload=payload)
