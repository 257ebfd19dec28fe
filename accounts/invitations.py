"""Inviting somebody by e-mail: a signed link that works once, until a day, for the address it was sent to.

The link is derived from the invitation when its e-mail is written. It stands in no table, no queue and no log.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from uuid import UUID

from django.conf import settings
from django.core import signing
from django.core.mail import send_mail
from django.db import IntegrityError, transaction
from django.template.loader import render_to_string

from accounts import linking, notices
from accounts.actors import Actor
from accounts.members import MemberActive, MemberLeft, admit, hold_administrator
from accounts.models import Invitation, Membership, Tenant, User
from accounts.security import address_of
from accounts.services import REF, BadReference
from accounts.vocabulary import GUARDED, REVIEWERS, Channel, Role
from memory_admin import audit, jobs
from memory_admin.audit.actions import Action
from memory_admin.errors import Conflict, Invalid, NotAllowed, NotFound
from memory_admin.tenancy.scope import required_tenant, tenant_scope

WORKS_FOR = timedelta(days=7)
SENT_AGAIN_AFTER = timedelta(minutes=1)
KEPT_UNANSWERED = timedelta(days=30)
SALT = "accounts.invitations"


class InvitedAlready(Conflict):
    code = "invited_already"
    sentence = "This address is invited already. Send that invitation again, or withdraw it."


class GuardedRole(Invalid):
    code = "guarded_role"
    sentence = "Privacy officer and policy approver are given to a member, by two administrators."


class SentJustNow(Conflict):
    code = "invitation_sent_just_now"
    sentence = "This invitation was sent a moment ago. Give it a minute to arrive."


class InvitationOver(Conflict):
    code = "invitation_over"
    sentence = "This invitation was accepted or withdrawn already."


class LinkEnded(NotFound):
    """The link is no link of ours, was used, was withdrawn or sent anew, or is too old. Which of these is not told."""

    code = "invitation_ended"
    sentence = "This invitation does not work any more."


class AnotherAddress(NotAllowed):
    code = "another_address"
    sentence = "This invitation is for another e-mail address than the one you signed in with."


class HasAccount(Conflict):
    code = "has_account"
    sentence = "There is an account for this address. Sign in to accept the invitation."


@transaction.atomic
def invite(*, email: str, roles: Iterable[Role], by: Actor, now: datetime, subject_ref: str = "") -> Invitation:
    """Invite an address, whether or not it has an account elsewhere: nothing here depends on that.

    :param subject_ref: whose memories they will see as their own, ``user:…``
    :raises NotAnAdministrator: the actor is none
    :raises Invalid: the address is none, a role is guarded, or the reference is no person's
    :raises InvitedAlready: an invitation of this address is open
    :raises MemberActive: the address is a member's; MemberLeft: of one who was deactivated
    :raises SubjectTaken: the subject is somebody else's or promised; HeldBefore: it was somebody's
    """
    inviter_id = hold_administrator(by=by)
    address, wanted = address_of(email), sorted(set(roles))
    if GUARDED & set(wanted):
        raise GuardedRole(fields={"roles": [GuardedRole.sentence]})
    if subject_ref and not REF.fullmatch(subject_ref):
        raise BadReference(fields={"subject": [BadReference.sentence]})
    _refuse_member(address)
    if Invitation.objects.filter(email=address, accepted_at=None, withdrawn_at=None).exists():
        raise InvitedAlready
    if subject_ref:
        linking.refuse_taken(subject_ref, invited=True)
    made = Invitation(
        email=address,
        roles=wanted,
        subject_ref=subject_ref,
        invited_by_id=inviter_id,
        sent_at=now,
        expires_at=now + WORKS_FOR,
    )
    try:
        with transaction.atomic():
            made.save(force_insert=True)
    except IntegrityError as error:  # two administrators at the same moment
        if subject_ref:
            linking.refuse_taken(subject_ref, invited=True)
        raise InvitedAlready from error
    _send(made, by=by, now=now)
    return made


@transaction.atomic
def resend(*, invitation_id: UUID, by: Actor, now: datetime) -> None:
    """Send an invitation again, with a new link and new days; the earlier link ends.

    :raises InvitationOver: it was accepted or withdrawn
    :raises SentJustNow: it was sent less than a minute ago
    """
    hold_administrator(by=by)
    invitation = _open(invitation_id)
    if now - invitation.sent_at < SENT_AGAIN_AFTER:
        raise SentJustNow
    invitation.sendings += 1
    invitation.sent_at, invitation.expires_at = now, now + WORKS_FOR
    invitation.save(update_fields=["sendings", "sent_at", "expires_at"])
    _send(invitation, by=by, now=now)


@transaction.atomic
def withdraw(*, invitation_id: UUID, by: Actor, now: datetime) -> None:
    """End an invitation: its link works no more.

    :raises InvitationOver: it was accepted or withdrawn
    """
    hold_administrator(by=by)
    invitation = _open(invitation_id)
    Invitation.objects.filter(id=invitation.id).update(withdrawn_at=now)
    audit.record(action=Action.INVITATION_WITHDRAWN, by=by, target=("invitation", invitation.id), at=now)


def read_link(token: str, *, now: datetime) -> tuple[Tenant, Invitation]:
    """Find the invitation of a link, before its tenant is known.

    :raises LinkEnded: it does not work
    """
    tenant_id, invitation_id, sending = _read(token)
    tenant = Tenant.objects.filter(id=tenant_id, status="active").first()
    if tenant is None:
        raise LinkEnded
    with tenant_scope(tenant.id):
        return tenant, _working(invitation_id, sending, now=now)


def accept(*, token: str, user: User, now: datetime) -> Membership:
    """Make a user a member, as invited: with the roles, and linked to the subject, that the invitation names.

    :raises LinkEnded: the link does not work, or was used a moment ago
    :raises AnotherAddress: the user signs in by another address
    """
    tenant_id, invitation_id, sending = _read(token)
    with tenant_scope(tenant_id):
        invitation = _working(invitation_id, sending, now=now, lock=True)
        if user.email != invitation.email:
            raise AnotherAddress
        return _accept(invitation, user, now=now)


def sign_up(*, token: str, name: str, password: str | None, now: datetime) -> User:
    """Make an account for the invited address and accept the invitation with it.

    :param password: one that was found good enough; None for somebody who signs in by their organisation's provider
    :raises LinkEnded: the link does not work
    :raises HasAccount: the address has an account, by which the invitation is to be accepted
    """
    tenant_id, invitation_id, sending = _read(token)
    with tenant_scope(tenant_id):
        invitation = _working(invitation_id, sending, now=now, lock=True)
        if User.objects.filter(email=invitation.email).exists():
            raise HasAccount
        try:
            with transaction.atomic():
                user = User.objects.create_user(invitation.email, password, name=name.strip())
        except IntegrityError as error:  # invited by two organisations, accepted at the same moment
            raise HasAccount from error
        _accept(invitation, user, now=now)
        return user


def mail(*, invitation_id: UUID, sending: int, now: datetime) -> bool:
    """Send the link by e-mail, unless it ended or was sent anew meanwhile; tell whether it was sent."""
    invitation = Invitation.objects.filter(
        id=invitation_id, sendings=sending, accepted_at=None, withdrawn_at=None, expires_at__gt=now
    ).first()
    if invitation is None:
        return False
    tenant = Tenant.objects.get(id=required_tenant())
    inviter = User.objects.get(id=invitation.invited_by_id)
    told = {
        "tenant": tenant.name,
        "inviter": inviter.name or inviter.email,
        "address": f"{settings.SITE_URL}/accounts/invitations/{link_of(invitation)}/",
        "expires_at": invitation.expires_at,
    }
    subject = " ".join(render_to_string("account/email/invitation_subject.txt", told).split())
    send_mail(subject, render_to_string("account/email/invitation_message.txt", told), None, [invitation.email])
    return True


def forget(*, invitation_id: UUID, sending: int) -> None:
    """Forget an address that never answered; one that was invited again since is left alone."""
    Invitation.objects.filter(id=invitation_id, sendings=sending, accepted_at=None).delete()


def link_of(invitation: Invitation) -> str:
    """Write the part of the link that proves the invitation."""
    held = [invitation.tenant_id.hex, invitation.id.hex, invitation.sendings]
    return signing.Signer(salt=SALT).sign_object(held)


def _read(token: str) -> tuple[UUID, UUID, int]:
    try:
        tenant_id, invitation_id, sending = signing.Signer(salt=SALT).unsign_object(token)
    except (signing.BadSignature, ValueError) as error:
        raise LinkEnded from error
    return UUID(tenant_id), UUID(invitation_id), int(sending)


def _working(invitation_id: UUID, sending: int, *, now: datetime, lock: bool = False) -> Invitation:
    rows = Invitation.objects.select_for_update() if lock else Invitation.objects.all()
    found = rows.filter(
        id=invitation_id, sendings=sending, accepted_at=None, withdrawn_at=None, expires_at__gt=now
    ).first()
    if found is None:
        raise LinkEnded
    return found


def _accept(invitation: Invitation, user: User, *, now: datetime) -> Membership:
    membership = admit(user_id=user.id, roles=[Role(role) for role in invitation.roles], now=now)
    Invitation.objects.filter(id=invitation.id).update(accepted_at=now, accepted_by=user)
    by = Actor(
        kind="person",
        tenant_id=invitation.tenant_id,
        channel=Channel.PORTAL,
        user_id=user.id,
        roles=frozenset(Role(role) for role in membership.roles),
    )
    subject = (
        linking.connect(membership, ref=invitation.subject_ref, by=by, now=now) if invitation.subject_ref else None
    )
    inviter: dict[str, object] = {"invited_by": f"user:{invitation.invited_by_id}"}
    told: list[tuple[Action, tuple[str, UUID], dict[str, object]]] = [
        (
            Action.INVITATION_ACCEPTED,
            ("invitation", invitation.id),
            inviter,
        ),
        (
            Action.MEMBERSHIP_GRANTED,
            ("membership", membership.id),
            {"roles": list(membership.roles), "invitation": str(invitation.id), **inviter},
        ),
    ]
    know = (invitation.invited_by_id, user.id)
    if set(membership.roles) & set(REVIEWERS):
        notices.tell_who_watches(Action.MEMBERSHIP_GRANTED, besides=know, now=now)
    if subject is not None:
        notices.tell_who_watches(Action.SUBJECT_LINKED, besides=know, now=now)
        told.append((Action.SUBJECT_LINKED, ("subject", subject.id), {"user": by.ref, **inviter}))
    audit.record_many(
        [audit.Entry(action=action, by=by, target=target, at=now, payload=payload) for action, target, payload in told]
    )
    return membership


def _send(invitation: Invitation, *, by: Actor, now: datetime) -> None:
    forgotten_at = invitation.expires_at + KEPT_UNANSWERED
    jobs.after_commit(jobs.MAIL_INVITATION, object_id=invitation.id, epoch=invitation.sendings)
    jobs.after_commit(jobs.FORGET_INVITATION, object_id=invitation.id, epoch=invitation.sendings, at=forgotten_at)
    audit.record(
        action=Action.INVITATION_SENT,
        by=by,
        target=("invitation", invitation.id),
        at=now,
        payload={"roles": list(invitation.roles), "sending": invitation.sendings},
    )


def _open(invitation_id: UUID) -> Invitation:
    found = Invitation.objects.select_for_update().filter(id=invitation_id).first()
    if found is None:
        raise NotFound
    if found.accepted_at is not None or found.withdrawn_at is not None:
        raise InvitationOver
    return found


def _refuse_member(address: str) -> None:
    user = User.objects.filter(email=address).first()
    known = Membership.objects.filter(user=user).first() if user else None
    if known is not None:
        raise MemberActive if known.ended_at is None else MemberLeft
