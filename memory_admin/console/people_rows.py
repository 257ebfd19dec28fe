"""Members, invitations and changes of roles as administrators read them."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Exists, F, OuterRef, Q, QuerySet, Value
from django.db.models.functions import Coalesce, Lower, NullIf

from accounts.models import Agent, Invitation, Membership, RoleChange, Subject, User
from accounts.queries import holders_of
from accounts.vocabulary import ChangeOutcome, Role
from memory_admin.audit import queries as trail
from memory_admin.console import naming
from memory_admin.console.keys import living
from memory_admin.console.trail import EventRow, rows_of
from memory_admin.web import words
from memory_admin.web.words import Word

ACTIVE, ENDED = Word("Active", "check", "good"), Word("Deactivated", "x", "calm")
HISTORY_SHOWN = 20


@dataclass(frozen=True, slots=True)
class MemberRow:
    """One member of the list."""

    membership: Membership
    name: str
    email: str
    roles: str
    status: Word
    waits: bool
    ref: str


@dataclass(frozen=True, slots=True)
class InvitationRow:
    """One invitation that was not answered yet."""

    invitation: Invitation
    roles: str
    inviter: str
    status: Word


@dataclass(frozen=True, slots=True)
class ChangeRow:
    """A proposed change of roles, and what the viewer may do about it."""

    change: RoleChange
    member: str
    gains: str
    loses: str
    proposer: str
    is_own: bool
    is_about_viewer: bool
    deciders: int


@dataclass(frozen=True, slots=True)
class HistoryRow:
    """Something that happened to a membership, with the roles before and after where it changed them."""

    event: EventRow
    says: str
    before: str
    after: str


def narrowed(asked: dict[str, str]) -> QuerySet[Membership]:
    """Give the members that match, those who are active first, by name."""
    name = Lower(Coalesce(NullIf("user__name", Value("")), "user__email"))
    found = Membership.objects.select_related("user").order_by(F("ended_at").asc(nulls_first=True), name, "id")
    if part := asked.get("q"):
        found = found.filter(Q(user__name__icontains=part) | Q(user__email__icontains=part))
    if role := asked.get("role"):
        found = found.filter(roles__contains=[role])
    if status := asked.get("status"):
        found = found.filter(ended_at__isnull=status == "active")
    return found


def member_rows(members: Sequence[Membership]) -> list[MemberRow]:
    """Make the rows of members: two statements more, for their subjects and for what waits."""
    users = [member.user_id for member in members]
    refs = dict(Subject.objects.filter(user_id__in=users).values_list("user_id", "ref"))
    waiting = set(
        RoleChange.objects.filter(
            membership_id__in=[member.id for member in members], outcome=ChangeOutcome.OPEN
        ).values_list("membership_id", flat=True)
    )
    return [
        MemberRow(
            membership=member,
            name=name_of(member.user),
            email=member.user.email,
            roles=named(member.roles),
            status=ACTIVE if member.ended_at is None else ENDED,
            waits=member.id in waiting,
            ref=refs.get(member.user_id, ""),
        )
        for member in members
    ]


def open_invitations() -> QuerySet[Invitation]:
    """Give the invitations that were not answered yet, the newest first."""
    found = Invitation.objects.filter(accepted_at=None, withdrawn_at=None).select_related("invited_by")
    return found.order_by("-sent_at", "-id")


def invitation_rows(invitations: Sequence[Invitation], *, now: datetime) -> list[InvitationRow]:
    """Make the rows of invitations."""
    return [
        InvitationRow(
            invitation=one,
            roles=named(one.roles),
            inviter=name_of(one.invited_by),
            status=Word("Waits", "clock", "warn") if one.expires_at > now else Word("Too old", "x", "calm"),
        )
        for one in invitations
    ]


def open_changes(*, viewer_id: UUID, membership_id: UUID | None = None) -> list[ChangeRow]:
    """List the changes of roles that wait to be decided, the oldest first, or that of one member."""
    found = RoleChange.objects.filter(outcome=ChangeOutcome.OPEN).select_related("user", "proposed_by")
    if membership_id is not None:
        found = found.filter(membership_id=membership_id)
    admins = set(holders_of(Role.ADMIN))
    return [
        ChangeRow(
            change=one,
            member=name_of(one.user),
            gains=named(set(one.after) - set(one.before)),
            loses=named(set(one.before) - set(one.after)),
            proposer=name_of(one.proposed_by) if one.proposed_by else "",
            is_own=one.proposed_by_id == viewer_id,
            is_about_viewer=one.user_id == viewer_id,
            deciders=len(admins - {one.proposed_by_id, one.user_id}),
        )
        for one in found.order_by("proposed_at", "id")
    ]


def history_of(membership_id: UUID) -> list[HistoryRow]:
    """List what happened to a membership, the newest first."""
    events = list(trail.events_of(membership_id).reverse()[:HISTORY_SHOWN])
    told = trail.payloads_of([event.seq for event in events])
    inviters = naming.actors({one["invited_by"] for one in told.values() if "invited_by" in one})
    return [_history_row(row, told.get(row.seq, {}), inviters) for row in rows_of(events)]


def deciders(*, besides: Collection[UUID]) -> int:
    """Count the administrators who could decide about a change, besides those who may not."""
    return len(set(holders_of(Role.ADMIN)) - set(besides))


def agents_of(user_id: UUID) -> list[Agent]:
    """List the agents of a user that still run."""
    return list(Agent.objects.filter(owner=user_id).exclude(status="retired").order_by("name", "id"))


def orphaned(*, now: datetime) -> QuerySet[Agent]:
    """Give the agents with a key that works and that an owner who was deactivated since may know."""
    left = Membership.objects.filter(user=OuterRef("agent__owner"), ended_at__gte=OuterRef("created_at"))
    known = living(now=now).filter(Exists(left)).values("agent_id")
    return Agent.objects.filter(id__in=known).exclude(status="retired")


def name_of(user: User) -> str:
    """Name a user as colleagues do."""
    return user.name or user.email


def named(roles: object) -> str:
    """Name roles in their usual order."""
    held = set(roles) if isinstance(roles, (list, set, frozenset)) else set()
    return ", ".join(words.ROLES[role] for role in Role if role in held)


def _history_row(event: EventRow, told: dict[str, Any], inviters: dict[str, str]) -> HistoryRow:
    inviter = inviters.get(told.get("invited_by", ""))
    return HistoryRow(
        event,
        says=f"{event.who} accepted the invitation of {inviter}" if inviter else f"{event.who} {event.did}",
        before=named(told.get("before")),
        after=named(told.get("after", told.get("roles"))),
    )
