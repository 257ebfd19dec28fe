"""Who belongs to a tenant and with which roles: changed by administrators, some roles by two of them.

A tenant keeps an administrator: whoever acts is one, holds the lock on their own membership, and acts on another's.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.db.models import Q

from accounts import notices
from accounts.actors import Actor
from accounts.models import Agent, Invitation, Membership, RoleChange, Stewardship, Tenant
from accounts.queries import holders_of
from accounts.vocabulary import GUARDED, REVIEWERS, ChangeOutcome, NoticeKind, Role
from memory_admin import audit
from memory_admin.audit.actions import Action
from memory_admin.errors import Conflict, NotAllowed, NotFound
from memory_admin.tenancy.scope import uuid7


class NotAnAdministrator(NotAllowed):
    code = "not_an_administrator"
    sentence = "Only an administrator of this organisation may do this."


class OwnMembership(NotAllowed):
    code = "own_membership"
    sentence = "Nobody changes what they may do themselves. Ask another administrator."


class SecondAdministrator(NotAllowed):
    code = "second_administrator"
    sentence = "Whoever proposed this cannot decide it, nor can the member it is about. Another administrator has to."


class ChangedMeanwhile(Conflict):
    code = "roles_changed_meanwhile"
    sentence = "The roles were changed since you opened the page. Look at them again."


class ChangeWaits(Conflict):
    code = "role_change_waits"
    sentence = "A change of this member’s roles waits to be decided. Decide or withdraw it first."


class ChangeDecided(Conflict):
    code = "role_change_decided"
    sentence = "This change was decided or withdrawn already."


class ProposerLeft(Conflict):
    code = "proposer_left"
    sentence = "Whoever proposed this is no administrator any more. Decline it and propose it anew."


class MemberLeft(Conflict):
    code = "member_left"
    sentence = "This member is deactivated."


class MemberActive(Conflict):
    code = "member_active"
    sentence = "This member is active already."


@dataclass(frozen=True, slots=True)
class Left:
    """What a member who was deactivated leaves behind."""

    agents: int
    stewardships: int
    invitations: int


@transaction.atomic
def change_roles(
    *, membership_id: UUID, roles: Iterable[Role], read: Iterable[Role], by: Actor, now: datetime
) -> RoleChange | None:
    """Give a member exactly these roles. With a guarded role that they lack, it is proposed to a second administrator.

    A role that reads what waits for a review is given at once; other administrators and privacy officers are told.

    :param read: the roles they had when the change was thought of
    :return: the proposal, if it is one
    :raises NotAnAdministrator: the actor is none at this moment
    :raises OwnMembership: it is about the actor
    :raises ChangedMeanwhile: they have other roles by now
    :raises ChangeWaits: a proposal about them is open
    """
    member = hold_another(membership_id=membership_id, by=by)
    before, after = set(member.roles), {str(role) for role in roles}
    if before != {str(role) for role in read}:
        raise ChangedMeanwhile
    if before == after:
        return None
    if RoleChange.objects.filter(membership_id=member.id, outcome=ChangeOutcome.OPEN).exists():
        raise ChangeWaits
    if (after - before) & GUARDED:
        return _propose(member, sorted(after), by=by, now=now)
    if (after - before) & set(REVIEWERS):
        notices.tell_who_watches(Action.ROLES_CHANGED, besides=(by.user_id, member.user_id), now=now)
    _give(member, before, after, by=by, now=now)
    return None


@transaction.atomic
def decide(*, change_id: UUID, approve: bool, by: Actor, now: datetime) -> None:
    """Let a proposed change of roles in, or not: as an administrator who neither proposed it nor is meant by it.

    :raises NotFound: there is no such change
    :raises SecondAdministrator: the actor proposed it or is meant by it
    :raises ChangeDecided: it is not open any more
    :raises ProposerLeft: approved after its proposer ceased to be an administrator
    :raises ChangedMeanwhile: approved after the member got other roles
    """
    found = RoleChange.objects.filter(id=change_id).first()
    if found is None:
        raise NotFound
    if by.user_id in (found.proposed_by_id, found.user_id):
        raise SecondAdministrator
    member = _locked(found.membership_id, by=by)
    change = _open(change_id)
    before, after = set(change.before), set(change.after)
    if approve:
        if change.proposed_by_id not in holders_of(Role.ADMIN):
            raise ProposerLeft
        if member.ended_at is not None or set(member.roles) != before:
            raise ChangedMeanwhile
    outcome = ChangeOutcome.APPROVED if approve else ChangeOutcome.DECLINED
    RoleChange.objects.filter(id=change_id).update(outcome=outcome, decided_by=by.user_id, decided_at=now)
    if change.proposed_by_id:
        notices.tell(
            kind=NoticeKind.ROLE_CHANGE_DECIDED, user_ids=[change.proposed_by_id], path=_page_of(member), now=now
        )
    if not approve:
        audit.record(action=Action.ROLES_DECLINED, by=by, target=("membership", member.id), at=now)
        return
    _give(member, before, after, by=by, now=now, proposed_by=change.proposed_by_id)


@transaction.atomic
def withdraw(*, change_id: UUID, by: Actor, now: datetime) -> None:
    """Take a proposed change of roles back, as whoever proposed it.

    :raises NotFound: there is no such change of theirs
    :raises ChangeDecided: it is not open any more
    """
    found = RoleChange.objects.filter(id=change_id, proposed_by=by.user_id).first()
    if found is None:
        raise NotFound
    member = _locked(found.membership_id, by=by)
    _open(change_id)
    audit.record_many(_withdraw(member, by=by, now=now))


@transaction.atomic
def deactivate(*, membership_id: UUID, by: Actor, now: datetime) -> Left:
    """End a membership at once. Its records and its agents stay; what it looked after or had sent out ends with it.

    :return: what is left behind, and what ended
    :raises OwnMembership: it is the actor's own
    :raises MemberLeft: it has ended already
    """
    member = hold_another(membership_id=membership_id, by=by)
    Membership.objects.filter(id=member.id).update(ended_at=now)
    proposals = _withdraw(member, by=by, now=now)
    stewardships = _end_stewardships(member, by=by, now=now)
    invitations = _withdraw_invitations(member, by=by, now=now)
    left = Left(
        agents=Agent.objects.filter(owner=member.user_id).exclude(status="retired").count(),
        stewardships=len(stewardships),
        invitations=len(invitations),
    )
    ended = audit.Entry(
        action=Action.MEMBERSHIP_ENDED,
        by=by,
        target=("membership", member.id),
        at=now,
        payload={"agents": left.agents, "stewardships": left.stewardships, "invitations": left.invitations},
    )
    audit.record_many([*proposals, *stewardships, *invitations, ended])
    return left


@transaction.atomic
def reactivate(*, membership_id: UUID, by: Actor, now: datetime) -> Membership:
    """Let a member in again with the roles they had, except those that two administrators give.

    :raises MemberActive: it has not ended
    """
    member = _locked(membership_id, by=by)
    if member.ended_at is None:
        raise MemberActive
    member.roles = sorted(set(member.roles) - GUARDED)
    member.ended_at, member.roles_changed_at = None, now
    member.save(update_fields=["roles", "ended_at", "roles_changed_at"])
    if set(member.roles) & set(REVIEWERS):
        notices.tell_who_watches(Action.MEMBERSHIP_RESUMED, besides=(by.user_id, member.user_id), now=now)
    notices.tell(kind=NoticeKind.ROLES_CHANGED, user_ids=[member.user_id], path="/accounts/notices/", now=now)
    audit.record(
        action=Action.MEMBERSHIP_RESUMED,
        by=by,
        target=("membership", member.id),
        at=now,
        payload={"roles": list(member.roles)},
    )
    return member


@transaction.atomic
def show_staff_names(*, shown: bool, by: Actor, now: datetime) -> None:
    """Let people read the names of staff who looked at their memories, or their roles alone.

    :raises NotAnAdministrator: the actor is none
    """
    hold_administrator(by=by)
    if not Tenant.objects.filter(id=by.tenant_id).exclude(names_staff=shown).update(names_staff=shown):
        return
    action = Action.NAMES_SHOWN if shown else Action.NAMES_HIDDEN
    audit.record(action=action, by=by, target=("tenant", by.tenant_id), at=now)


def note_seen(*, user_id: UUID, now: datetime) -> None:
    """Note that a member opened a page of the open tenant."""
    Membership.objects.filter(user_id=user_id).update(seen_at=now)


def admit(*, user_id: UUID, roles: Iterable[Role], now: datetime) -> Membership:
    """Make a user a member with roles that one administrator may give; called by an invitation that was accepted.

    :raises MemberActive: they belong to the tenant already
    :raises MemberLeft: they were deactivated, and only an administrator lets them in again
    """
    known = Membership.objects.select_for_update().filter(user_id=user_id).first()
    if known is not None:
        raise MemberActive if known.ended_at is None else MemberLeft
    return Membership.objects.create(user_id=user_id, roles=sorted(set(roles)), roles_changed_at=now)


def grant_by_operator(*, user_id: UUID, roles: Iterable[Role], by: Actor, now: datetime) -> Membership:
    """Give a user exactly these roles, as whoever runs the service may; the change behind guarded ones names nobody."""
    wanted = sorted({str(role) for role in roles})
    member = Membership.objects.select_for_update().filter(user_id=user_id).first()
    member = member or Membership(id=uuid7(), user_id=user_id)
    held = list(member.roles) if member.ended_at is None else []
    if (set(wanted) - set(held)) & GUARDED:
        RoleChange.objects.create(
            membership_id=member.id,
            user_id=user_id,
            before=held,
            after=wanted,
            outcome=ChangeOutcome.APPROVED,
            proposed_at=now,
            decided_at=now,
        )
    member.roles, member.roles_changed_at, member.ended_at = wanted, now, None
    member.save()
    if Role.ADMIN not in wanted:
        audit.record_many(_withdraw_invitations(member, by=by, now=now))
    return member


def hold_administrator(*, by: Actor) -> UUID:
    """Make sure that the actor is an administrator, and stays one until the transaction ends.

    :return: their user
    :raises NotAnAdministrator: they are not
    """
    return _administrator(Membership.objects.select_for_update().filter(user=by.user_id), by=by)


def hold_another(*, membership_id: UUID, by: Actor) -> Membership:
    """Hold the membership of somebody else, who is to be active, as an administrator.

    :raises NotAnAdministrator: the actor is none
    :raises OwnMembership: it is their own
    :raises MemberLeft: it has ended
    """
    member = _locked(membership_id, by=by)
    if member.ended_at is not None:
        raise MemberLeft
    return member


def _locked(membership_id: UUID, *, by: Actor) -> Membership:
    """Lock the actor's membership and another one, in one order: of two who demote each other the second is refused."""
    held = Membership.objects.select_for_update().filter(Q(user=by.user_id) | Q(id=membership_id)).order_by("id")
    found = {one.id: one for one in held}
    _administrator(found.values(), by=by)
    if membership_id not in found:
        raise NotFound
    if found[membership_id].user_id == by.user_id:
        raise OwnMembership
    return found[membership_id]


def _administrator(held: Iterable[Membership], *, by: Actor) -> UUID:
    own = next((one for one in held if one.user_id == by.user_id and one.ended_at is None), None)
    if by.kind != "staff" or own is None or Role.ADMIN not in own.roles:
        raise NotAnAdministrator
    return own.user_id


def _open(change_id: UUID) -> RoleChange:
    change = RoleChange.objects.select_for_update().filter(id=change_id, outcome=ChangeOutcome.OPEN).first()
    if change is None:
        raise ChangeDecided
    return change


def _propose(member: Membership, after: list[str], *, by: Actor, now: datetime) -> RoleChange:
    change = RoleChange.objects.create(
        membership=member,
        user_id=member.user_id,
        before=member.roles,
        after=after,
        proposed_by_id=by.user_id,
        proposed_at=now,
    )
    others = set(holders_of(Role.ADMIN)) - {by.user_id, member.user_id}
    notices.tell(kind=NoticeKind.ROLE_CHANGE_WAITING, user_ids=others, path=_page_of(member), now=now)
    audit.record(
        action=Action.ROLES_PROPOSED,
        by=by,
        target=("membership", member.id),
        at=now,
        payload={"before": list(member.roles), "after": after},
    )
    return change


def _give(
    member: Membership,
    before: set[str],
    after: set[str],
    *,
    by: Actor,
    now: datetime,
    proposed_by: UUID | None = None,
) -> None:
    """Give a member other roles, tell them, and record it with what ends by it."""
    Membership.objects.filter(id=member.id).update(roles=sorted(after), roles_changed_at=now)
    ended = [] if Role.ADMIN in after else _withdraw_invitations(member, by=by, now=now)
    notices.tell(kind=NoticeKind.ROLES_CHANGED, user_ids=[member.user_id], path="/accounts/notices/", now=now)
    payload: dict[str, object] = {"before": sorted(before), "after": sorted(after)}
    if proposed_by is not None:
        payload["proposed_by"] = f"user:{proposed_by}"
    changed = audit.Entry(action=Action.ROLES_CHANGED, by=by, target=("membership", member.id), at=now, payload=payload)
    audit.record_many([*ended, changed])


def _withdraw(member: Membership, *, by: Actor, now: datetime) -> list[audit.Entry]:
    """Withdraw the proposal about a member, if one is open; give what is to be recorded."""
    waiting = RoleChange.objects.filter(membership_id=member.id, outcome=ChangeOutcome.OPEN)
    if not waiting.update(outcome=ChangeOutcome.WITHDRAWN, decided_by=by.user_id, decided_at=now):
        return []
    return [audit.Entry(action=Action.ROLES_WITHDRAWN, by=by, target=("membership", member.id), at=now)]


def _end_stewardships(member: Membership, *, by: Actor, now: datetime) -> list[audit.Entry]:
    """End what a member looks after; give what is to be recorded, for each subject."""
    held = Stewardship.objects.select_for_update().filter(user=member.user_id, ended_at=None)
    subject_ids = list(held.order_by("subject_id").values_list("subject_id", flat=True))
    held.update(ended_at=now)
    payload = {"user": f"user:{member.user_id}"}
    return [
        audit.Entry(action=Action.STEWARD_ENDED, by=by, target=("subject", subject_id), at=now, payload=payload)
        for subject_id in subject_ids
    ]


def _withdraw_invitations(member: Membership, *, by: Actor, now: datetime) -> list[audit.Entry]:
    """Withdraw what a member has sent out, as their right to invite ends; give what is to be recorded."""
    sent = Invitation.objects.filter(invited_by=member.user_id, accepted_at=None, withdrawn_at=None)
    ids = list(sent.select_for_update().order_by("id").values_list("id", flat=True))
    Invitation.objects.filter(id__in=ids).update(withdrawn_at=now)
    return [audit.Entry(action=Action.INVITATION_WITHDRAWN, by=by, target=("invitation", one), at=now) for one in ids]


def _page_of(member: Membership) -> str:
    return f"/console/members/{member.id}/"
