"""Who may answer what: the right to read the texts that wait for a reviewer, never one's own, and one answer only."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from accounts import notices
from accounts.actors import Actor
from accounts.models import Subject
from accounts.queries import who_sees
from accounts.vocabulary import REVIEWERS, NoticeKind, Role
from memory_admin import audit
from memory_admin.audit import Action
from memory_admin.errors import Conflict, NotAllowed
from memory_admin.memories.models import DataRequest, Dispute, RefusalReview
from policies.queries import in_force

# What the access policy must let reviewers see of other people's content.
SIGHT = ("queue", "content")
ANSWERED = {Dispute: NoticeKind.DISPUTE_ANSWERED, RefusalReview: NoticeKind.REVIEW_ANSWERED}
# Why they look, as it is recorded for the person: to answer what was asked.
REASON = "review"


class AboutYourself(NotAllowed):
    """A reviewer opens what is about themselves, or about what they look after."""

    code = "about_yourself"
    sentence = "This is about you, or about what you look after, so somebody else answers it."


class TextsClosed(NotAllowed):
    """The access policy keeps the texts from the reviewer's roles."""

    code = "texts_closed"
    sentence = "Your organisation’s access policy closes these texts to your role."


class AlreadyAnswered(Conflict):
    """Somebody else answered it, or settled it otherwise, meanwhile. ``details["by"]`` names who."""

    code = "already_answered"
    sentence = "Somebody has answered this meanwhile."


def reading_role(by: Actor, *, now: datetime) -> Role | None:
    """Name the role by which the actor may read what waits for a reviewer; none if the access policy lets no role."""
    staff = in_force(now).access.document.staff
    held = [role for role in REVIEWERS if by.kind == "staff" and role in by.roles]
    return next((role for role in held if getattr(staff, role) in SIGHT), None)


def refuse_strangers(subject: Subject, *, by: Actor, now: datetime) -> Role:
    """Let pass who may read and answer about a subject, and give the role by which they do.

    :raises NotAllowed: the actor is no reviewer
    :raises AboutYourself: the subject is the actor, or looked after by them
    :raises TextsClosed: the access policy keeps the texts from the actor's roles
    """
    if by.kind != "staff" or by.roles.isdisjoint(REVIEWERS):
        raise NotAllowed
    if by.user_id in who_sees(subject):
        raise AboutYourself
    role = reading_role(by, now=now)
    if role is None:
        raise TextsClosed
    return role


def refuse_answered(asked: Dispute | RefusalReview) -> None:
    """Let pass what still waits for an answer.

    :raises AlreadyAnswered: it is closed
    """
    if asked.closed_at is not None:
        raise AlreadyAnswered(details={"by": asked.closed_by, "result": asked.result})


def tell_person(asked: Dispute | RefusalReview, *, subject: Subject, now: datetime) -> None:
    """Tell the person an answer is about, or whoever looks after the subject, that it is there and where to read it."""
    path = f"/requests/{DataRequest.objects.get(object_id=asked.id).id}/"
    notices.tell(kind=ANSWERED[type(asked)], user_ids=who_sees(subject), path=path, now=now)


def record_view(kind: str, object_id: UUID, *, subject: Subject, role: Role, by: Actor, now: datetime) -> None:
    """Record for the subject who looked, at what, by which role and why."""
    audit.record(
        action=Action.CONTENT_VIEWED,
        by=by,
        target=("subject", subject.id),
        at=now,
        payload={kind: str(object_id), "memories": 1, "reason": REASON, "role": str(role)},
    )
