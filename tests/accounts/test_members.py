"""Changing what members may do: by an administrator, some roles by two, and never one's own."""

from uuid import uuid4

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts import members
from accounts.models import Agent, Membership, Notice, RoleChange, Tenant
from accounts.queries import holders_of, memberships_of
from accounts.services import grant_membership
from accounts.vocabulary import ChangeOutcome, NoticeKind, Role
from memory_admin.audit import Action
from memory_admin.audit.models import Event
from memory_admin.audit.queries import actions_on, payload_of
from memory_admin.errors import DomainError, NotAllowed, NotFound
from memory_admin.tenancy.scope import tenant_scope
from tests.accounts.cast import Member, change, invite, member
from tests.api.cast import Organisation, organisation
from tests.memories.test_capture_at_once import at_once

R = Role


@pytest.fixture
def bea(acme: Organisation) -> Member:
    return member(acme, "bea", R.ADMIN)


@pytest.fixture
def mia(acme: Organisation) -> Member:
    return member(acme, "mia", R.PERSON)


def decide(change_: RoleChange | None, by: Member, *, approve: bool = True) -> None:
    assert change_ is not None
    members.decide(change_id=change_.id, approve=approve, by=by.actor, now=timezone.now())


def told(kind: NoticeKind) -> set[object]:
    return set(Notice.objects.filter(kind=kind).values_list("user_id", flat=True))


def test_an_administrator_changes_roles_and_both_sides_are_recorded(ada: Member, mia: Member) -> None:
    assert change(mia, R.PERSON, R.REVIEWER, by=ada) is None

    assert mia.roles == {"person", "reviewer"}
    event = Event.objects.get(action=Action.ROLES_CHANGED)
    assert payload_of(event.seq) == {"before": ["person"], "after": ["person", "reviewer"]}
    assert told(NoticeKind.ROLES_CHANGED) == {mia.user.id}


@pytest.mark.parametrize("guarded", [R.PRIVACY_OFFICER, R.POLICY_APPROVER])
def test_a_guarded_role_waits_for_a_second_administrator(ada: Member, bea: Member, mia: Member, guarded: Role) -> None:
    proposed = change(mia, R.PERSON, guarded, by=ada)
    assert mia.roles == {"person"}
    assert told(NoticeKind.ROLE_CHANGE_WAITING) == {bea.user.id}

    decide(proposed, bea)

    assert mia.roles == {"person", guarded}
    assert actions_on(mia.row.id)[-2:] == [Action.ROLES_PROPOSED, Action.ROLES_CHANGED]
    assert told(NoticeKind.ROLE_CHANGE_DECIDED) == {ada.user.id}


def test_a_declined_or_withdrawn_change_gives_nothing(ada: Member, bea: Member, mia: Member) -> None:
    decide(change(mia, R.PRIVACY_OFFICER, by=ada), bea, approve=False)
    taken_back = change(mia, R.PRIVACY_OFFICER, by=ada)
    assert taken_back is not None
    with pytest.raises(NotFound):
        members.withdraw(change_id=taken_back.id, by=bea.actor, now=timezone.now())
    members.withdraw(change_id=taken_back.id, by=ada.actor, now=timezone.now())

    assert mia.roles == {"person"}
    assert actions_on(mia.row.id)[-2:] == [Action.ROLES_PROPOSED, Action.ROLES_WITHDRAWN]
    assert Action.ROLES_DECLINED in actions_on(mia.row.id)
    with pytest.raises(members.ChangeDecided):
        decide(taken_back, bea)


def test_neither_who_proposed_it_nor_whom_it_is_about_decides(ada: Member, bea: Member) -> None:
    proposed = change(bea, R.ADMIN, R.PRIVACY_OFFICER, by=ada)

    for somebody in (ada, bea):
        with pytest.raises(members.SecondAdministrator):
            decide(proposed, somebody)

    assert RoleChange.objects.get().outcome == ChangeOutcome.OPEN


def test_what_was_proposed_holds_only_while_nothing_else_changed(ada: Member, bea: Member, mia: Member) -> None:
    proposed = change(mia, R.PRIVACY_OFFICER, by=ada)
    with pytest.raises(members.ChangeWaits):
        change(mia, R.REVIEWER, by=bea)
    with pytest.raises(members.ChangedMeanwhile):
        change(mia, R.REVIEWER, by=bea, read={"auditor"})

    cleo = member(mia.house, "cleo", R.ADMIN)
    change(ada, R.PERSON, by=cleo)

    with pytest.raises(members.ProposerLeft):
        decide(proposed, bea)
    decide(proposed, bea, approve=False)


def test_nobody_changes_their_own_membership(ada: Member, bea: Member) -> None:
    for attempt in (
        lambda: change(ada, R.ADMIN, R.REVIEWER, by=ada),
        lambda: members.deactivate(membership_id=ada.row.id, by=ada.actor, now=timezone.now()),
        lambda: members.reactivate(membership_id=ada.row.id, by=ada.actor, now=timezone.now()),
    ):
        with pytest.raises(members.OwnMembership):
            attempt()

    assert ada.roles == {"admin"}


@pytest.mark.parametrize("role", [role for role in Role if role != Role.ADMIN])
def test_no_other_role_changes_anything(acme: Organisation, mia: Member, role: Role) -> None:
    somebody = member(acme, "otto", role)

    for attempt in (
        lambda: change(mia, R.REVIEWER, by=somebody),
        lambda: members.deactivate(membership_id=mia.row.id, by=somebody.actor, now=timezone.now()),
        lambda: members.show_staff_names(shown=True, by=somebody.actor, now=timezone.now()),
    ):
        with pytest.raises(NotAllowed):
            attempt()


def test_an_administrator_of_yesterday_changes_nothing(ada: Member, bea: Member, mia: Member) -> None:
    stale = bea.actor
    change(bea, R.PERSON, by=ada)

    with pytest.raises(members.NotAnAdministrator):
        change(mia, R.REVIEWER, by=stale)


def test_with_the_right_to_invite_end_the_invitations_and_each_end_is_recorded(
    acme: Organisation, ada: Member, bea: Member
) -> None:
    for lose in (
        lambda: change(bea, R.PERSON, by=ada),
        lambda: grant_membership(user=bea.user, roles=[R.PERSON], by=acme.by, now=timezone.now()),
    ):
        grant_membership(user=bea.user, roles=[R.ADMIN], by=acme.by, now=timezone.now())
        invited = invite(bea)

        lose()

        invited.refresh_from_db()
        assert invited.withdrawn_at is not None
        assert actions_on(invited.id) == [Action.INVITATION_SENT, Action.INVITATION_WITHDRAWN]


def test_a_proposal_about_who_is_deactivated_is_withdrawn_on_the_record(ada: Member, bea: Member, mia: Member) -> None:
    change(mia, R.PRIVACY_OFFICER, by=ada)

    members.deactivate(membership_id=mia.row.id, by=bea.actor, now=timezone.now())

    assert RoleChange.objects.get().outcome == ChangeOutcome.WITHDRAWN
    assert actions_on(mia.row.id)[-2:] == [Action.ROLES_WITHDRAWN, Action.MEMBERSHIP_ENDED]


def test_a_member_of_another_tenant_is_not_found(ada: Member) -> None:
    with pytest.raises(NotFound):
        members.deactivate(membership_id=uuid4(), by=ada.actor, now=timezone.now())


def test_a_deactivated_member_is_out_at_once_and_their_records_stay(
    ada: Member, bea: Member, acme: Organisation
) -> None:
    Agent.objects.update(owner=bea.user)
    invited = invite(bea)

    left = members.deactivate(membership_id=bea.row.id, by=ada.actor, now=timezone.now())

    assert (left.agents, left.invitations) == (1, 1)
    assert memberships_of(bea.user.id) == []
    assert bea.roles == {"admin"}
    invited.refresh_from_db()
    assert invited.withdrawn_at is not None
    assert actions_on(bea.row.id)[-1] == Action.MEMBERSHIP_ENDED
    assert actions_on(invited.id)[-1] == Action.INVITATION_WITHDRAWN
    with pytest.raises(members.MemberLeft):
        members.deactivate(membership_id=bea.row.id, by=ada.actor, now=timezone.now())


def test_who_is_let_in_again_has_no_role_that_takes_two(ada: Member, acme: Organisation) -> None:
    officer = member(acme, "olga", R.PRIVACY_OFFICER, R.REVIEWER)
    otto = member(acme, "otto", R.PRIVACY_OFFICER)
    members.deactivate(membership_id=officer.row.id, by=ada.actor, now=timezone.now())

    members.reactivate(membership_id=officer.row.id, by=ada.actor, now=timezone.now())

    assert officer.roles == {"reviewer"}
    assert actions_on(officer.row.id)[-1] == Action.MEMBERSHIP_RESUMED
    assert told(NoticeKind.SOMEBODY_LET_IN) == {otto.user.id}
    with pytest.raises(members.MemberActive):
        members.reactivate(membership_id=officer.row.id, by=ada.actor, now=timezone.now())


def test_the_database_itself_wants_two(ada: Member, bea: Member, mia: Member) -> None:
    now = timezone.now()
    sneaked = {"roles": ["privacy_officer"], "roles_changed_at": now}
    terms = {"membership_id": mia.row.id, "user": mia.user, "before": [], "after": ["privacy_officer"]}
    done = {"outcome": "approved", "proposed_at": now, "decided_at": now}

    for forbidden in (
        lambda: Membership.objects.filter(id=mia.row.id).update(**sneaked),
        lambda: RoleChange.objects.create(**terms, **done, proposed_by=ada.user, decided_by=ada.user),
        lambda: RoleChange.objects.create(**terms, **done, proposed_by=ada.user, decided_by=mia.user),
        lambda: RoleChange.objects.create(**terms, **done, proposed_by=ada.user, decided_by=None),
        lambda: RoleChange.objects.create(**terms, proposed_by=mia.user, proposed_at=now),
    ):
        with pytest.raises(IntegrityError), transaction.atomic():
            forbidden()

    decide(change(mia, R.PRIVACY_OFFICER, by=ada), bea)
    approved = mia.row.roles_changed_at
    change(mia, R.PERSON, by=ada)
    with pytest.raises(IntegrityError), transaction.atomic():  # what was approved once does not let them in again
        Membership.objects.filter(id=mia.row.id).update(roles=["privacy_officer"], roles_changed_at=approved)


def test_names_of_staff_are_shown_or_not(ada: Member) -> None:
    for shown in (True, True, False):
        members.show_staff_names(shown=shown, by=ada.actor, now=timezone.now())

    assert actions_on(ada.house.tenant.id)[-2:] == [Action.NAMES_SHOWN, Action.NAMES_HIDDEN]
    assert not Tenant.objects.get(id=ada.house.tenant.id).names_staff


@pytest.mark.django_db(transaction=True)
def test_of_two_administrators_who_demote_each_other_one_remains() -> None:
    house = organisation("acme")
    with tenant_scope(house.tenant.id):
        pairs = [(member(house, f"ada{n}", R.ADMIN), member(house, f"bea{n}", R.ADMIN)) for n in range(4)]
        actors = [(ada.actor, bea.actor) for ada, bea in pairs]

    def demote(number: int, *, first: bool) -> None:
        ada, bea = pairs[number]
        with tenant_scope(house.tenant.id):
            about, by = (bea, actors[number][0]) if first else (ada, actors[number][1])
            change(about, R.PERSON, by=by, read={"admin"})

    raised = at_once(lambda n: demote(n, first=True), lambda n: demote(n, first=False), times=4)

    assert {type(error) for error in raised} == {members.NotAnAdministrator}
    assert all(isinstance(error, DomainError) for error in raised)
    with tenant_scope(house.tenant.id):
        assert len(holders_of(R.ADMIN)) == 4
