"""Who looks after the memories of a team or another subject that is nobody's account."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from django.db import transaction

from accounts import notices
from accounts.actors import Actor
from accounts.members import hold_another
from accounts.models import Membership, Stewardship, Subject
from accounts.services import ensure_subject
from accounts.vocabulary import NoticeKind
from memory_admin import audit
from memory_admin.audit.actions import Action
from memory_admin.errors import Conflict, Invalid, NotFound


class OfNoPerson(Invalid):
    code = "steward_of_no_person"
    sentence = "A person has no steward. Name a subject that begins with entity: or team:."


class StewardAlready(Conflict):
    code = "steward_already"
    sentence = "This member looks after it already."


@transaction.atomic
def name(*, membership_id: UUID, ref: str, by: Actor, now: datetime) -> Stewardship:
    """Let a member stand in for a subject: see its memories in the portal and decide about them.

    The subject is made if it is new. Other administrators and privacy officers are told.

    :raises OfNoPerson: the reference is not ``entity:…`` or ``team:…``
    :raises StewardAlready: they stand in for it already
    """
    member = hold_another(membership_id=membership_id, by=by)
    if not ref.startswith(("entity:", "team:")):
        raise OfNoPerson(fields={"subject": [OfNoPerson.sentence]})
    subject = ensure_subject(ref=ref, by=by, now=now)
    made = Stewardship(user_id=member.user_id, subject_id=subject.id, named_by_id=by.user_id, named_at=now)
    if Stewardship.objects.filter(user_id=member.user_id, subject_id=subject.id, ended_at=None).exists():
        raise StewardAlready
    made.save(force_insert=True)
    notices.tell(kind=NoticeKind.STEWARD_CHANGED, user_ids=[member.user_id], path="/", now=now)
    notices.tell_who_watches(Action.STEWARD_NAMED, besides=(by.user_id, member.user_id), now=now)
    _record(Action.STEWARD_NAMED, made, by=by, now=now)
    return made


@transaction.atomic
def end(*, stewardship_id: UUID, by: Actor, now: datetime) -> Membership:
    """Let a member stand in for a subject no longer. What they did stays done, under their name.

    :return: the member
    :raises NotFound: there is no such stewardship, or it has ended
    """
    found = Stewardship.objects.filter(id=stewardship_id, ended_at=None).first()
    if found is None:
        raise NotFound
    member = Membership.objects.get(user_id=found.user_id)
    hold_another(membership_id=member.id, by=by)
    if not Stewardship.objects.filter(id=stewardship_id, ended_at=None).update(ended_at=now):
        raise NotFound
    notices.tell(kind=NoticeKind.STEWARD_CHANGED, user_ids=[found.user_id], path="/", now=now)
    _record(Action.STEWARD_ENDED, found, by=by, now=now)
    return member


def subjects_of(user_id: UUID) -> list[Subject]:
    """List the subjects that a user stands in for in the open tenant, by reference."""
    held = Stewardship.objects.filter(user_id=user_id, ended_at=None).values("subject_id")
    return list(Subject.objects.filter(id__in=held).exclude(kind="user").order_by("ref", "id"))


def _record(action: Action, about: Stewardship, *, by: Actor, now: datetime) -> None:
    payload = {"user": f"user:{about.user_id}"}
    audit.record(action=action, by=by, target=("subject", about.subject_id), at=now, payload=payload)
