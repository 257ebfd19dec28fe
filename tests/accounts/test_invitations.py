"""Inviting somebody: one link, once, for one address, for some days."""

import re
from datetime import timedelta

import pytest
from django.core import mail
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from accounts import invitations, linking, members
from accounts.models import Invitation, Membership, Subject, User
from accounts.vocabulary import Role
from memory_admin.audit import Action
from memory_admin.audit.models import Event
from memory_admin.audit.queries import actions_on, payload_of
from memory_admin.errors import Invalid, NotFound
from memory_admin.jobs.models import Job
from memory_admin.tenancy.scope import tenant_scope
from tests.accounts.cast import Member, invite, member
from tests.api.cast import Organisation, organisation
from tests.memories.test_capture_at_once import at_once

PASSWORD = "four plain words here"


def link(invitation: Invitation) -> str:
    """Read the link out of the e-mail, as it arrives."""
    invitation.refresh_from_db()
    assert invitations.mail(invitation_id=invitation.id, sending=invitation.sendings, now=timezone.now())
    found = re.search(r"/accounts/invitations/(\S+)/\n", str(mail.outbox[-1].body))
    assert found is not None
    return found[1]


def sign_up(token: str, *, later: timedelta = timedelta()) -> User:
    return invitations.sign_up(token=token, name="Nora", password=PASSWORD, now=timezone.now() + later)


def test_the_invited_makes_an_account_and_belongs(acme: Organisation, ada: Member) -> None:
    invited = invite(ada, "Nora@Elsewhere.example", Role.PERSON, Role.REVIEWER, subject_ref="user:nora")

    nora = sign_up(link(invited))

    assert mail.outbox[-1].to == ["nora@elsewhere.example"]
    assert nora.email == "nora@elsewhere.example"
    assert nora.check_password(PASSWORD)
    membership = Membership.objects.get(user=nora)
    assert membership.roles == ["person", "reviewer"]
    assert Subject.objects.get(ref="user:nora").user_id == nora.id
    assert actions_on(invited.id) == [Action.INVITATION_SENT, Action.INVITATION_ACCEPTED]
    assert actions_on(membership.id) == [Action.MEMBERSHIP_GRANTED]
    assert actions_on(Subject.objects.get(ref="user:nora").id) == [Action.SUBJECT_CREATED, Action.SUBJECT_LINKED]
    linked = Event.objects.get(action=Action.SUBJECT_LINKED)
    assert payload_of(linked.seq) == {"user": f"user:{nora.id}", "invited_by": f"user:{ada.user.id}"}


def test_who_has_an_account_accepts_with_it_and_nobody_else_does(acme: Organisation, ada: Member) -> None:
    nora = User.objects.create_user("nora@elsewhere.example", PASSWORD)
    eve = User.objects.create_user("eve@elsewhere.example", PASSWORD)
    token = link(invite(ada))

    with pytest.raises(invitations.AnotherAddress):
        invitations.accept(token=token, user=eve, now=timezone.now())
    with pytest.raises(invitations.HasAccount):
        sign_up(token)
    assert invitations.accept(token=token, user=nora, now=timezone.now()).roles == ["person"]


def test_a_link_works_once(ada: Member) -> None:
    token = link(invite(ada))
    nora = sign_up(token)

    for again in (lambda: sign_up(token), lambda: invitations.accept(token=token, user=nora, now=timezone.now())):
        with pytest.raises(invitations.LinkEnded):
            again()


def test_a_link_ends_after_a_week_and_when_it_is_withdrawn_or_sent_anew(ada: Member) -> None:
    old = link(invite(ada))
    with pytest.raises(invitations.LinkEnded):
        sign_up(old, later=timedelta(days=7, seconds=1))

    invited = Invitation.objects.get()
    invitations.resend(invitation_id=invited.id, by=ada.actor, now=timezone.now() + timedelta(days=7))
    with pytest.raises(invitations.LinkEnded):
        sign_up(old)
    new = link(invited)

    invitations.withdraw(invitation_id=invited.id, by=ada.actor, now=timezone.now())
    with pytest.raises(invitations.LinkEnded):
        sign_up(new)
    for late in (invitations.resend, invitations.withdraw):
        with pytest.raises(invitations.InvitationOver):
            late(invitation_id=invited.id, by=ada.actor, now=timezone.now())
    assert actions_on(invited.id) == [*[Action.INVITATION_SENT] * 2, Action.INVITATION_WITHDRAWN]


@pytest.mark.parametrize(
    "spoil", [lambda t: "", lambda t: t[1:], lambda t: t + "a", lambda t: t.replace(":", ""), str.upper]
)
def test_a_spoiled_link_is_nobodys(ada: Member, spoil: object) -> None:
    token = link(invite(ada))

    with pytest.raises(invitations.LinkEnded):
        sign_up(spoil(token))  # type: ignore[operator]


def test_inviting_an_address_is_the_same_whether_or_not_it_exists_elsewhere(acme: Organisation, ada: Member) -> None:
    User.objects.create_user("known@elsewhere.example", PASSWORD)

    with_account, without = invite(ada, "known@elsewhere.example"), invite(ada, "new@elsewhere.example")

    rows = Invitation.objects.filter(id__in=[with_account.id, without.id])
    assert len({(tuple(row.roles), row.accepted_by_id, row.sendings) for row in rows}) == 1
    links = [len(link(one)) for one in (with_account, without)]
    assert links[0] == links[1]
    assert str(mail.outbox[0].body).replace(link(with_account), "") == str(mail.outbox[1].body).replace(
        link(without), ""
    )


def test_the_link_is_kept_nowhere(ada: Member) -> None:
    token = link(invite(ada))

    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT (SELECT string_agg(i::text, ' ') FROM accounts_invitation i), "
            "(SELECT string_agg(j::text, ' ') FROM jobs_job j)"
        )
        kept = str(cursor.fetchone())

    assert token.split(":")[-1] not in kept
    assert token.split(":")[0] not in kept


@pytest.mark.parametrize(
    "email", ["", "nora", "nora@", "nora@elsewhere.example\nBcc: all@x.example", "a" * 300 + "@x.example"]
)
def test_what_is_no_address_is_refused(ada: Member, email: str) -> None:
    with pytest.raises(Invalid):
        invite(ada, email)


def test_who_cannot_be_invited(acme: Organisation, ada: Member) -> None:
    mia = member(acme, "mia")
    invite(ada, subject_ref="user:nora")

    with pytest.raises(members.MemberActive):
        invite(ada, "MIA@acme.example")
    with pytest.raises(invitations.InvitedAlready):
        invite(ada)
    with pytest.raises(linking.SubjectTaken):
        invite(ada, "other@elsewhere.example", subject_ref="user:nora")
    with pytest.raises(Invalid):
        invite(ada, "other@elsewhere.example", subject_ref="team:north")
    for guarded in (Role.PRIVACY_OFFICER, Role.POLICY_APPROVER):
        with pytest.raises(invitations.GuardedRole):
            invite(ada, "other@elsewhere.example", guarded)
    with pytest.raises(members.NotAnAdministrator):
        invite(mia, "other@elsewhere.example")
    members.deactivate(membership_id=mia.row.id, by=ada.actor, now=timezone.now())
    with pytest.raises(members.MemberLeft):
        invite(ada, "mia@acme.example")


def test_the_database_lets_no_invitation_give_a_guarded_role(ada: Member) -> None:
    invited = invite(ada)

    with pytest.raises(IntegrityError), transaction.atomic():
        Invitation.objects.filter(id=invited.id).update(roles=["privacy_officer"])


def test_an_invitation_of_another_tenant_is_not_found(db: None) -> None:
    invited = []
    for slug in ("acme", "northwind"):
        house = organisation(slug)
        with tenant_scope(house.tenant.id):
            admin = member(house, "ada", Role.ADMIN)
            invited.append(invite(admin))

    with tenant_scope(admin.house.tenant.id):
        for touch in (invitations.resend, invitations.withdraw):
            with pytest.raises(NotFound):
                touch(invitation_id=invited[0].id, by=admin.actor, now=timezone.now())


def test_an_address_that_never_answered_is_forgotten(ada: Member) -> None:
    invited = invite(ada)
    job = Job.objects.get(name="accounts.forget_invitation")
    assert job.due_at == invited.expires_at + invitations.KEPT_UNANSWERED

    invitations.forget(invitation_id=invited.id, sending=2)
    assert Invitation.objects.count() == 1
    invitations.forget(invitation_id=invited.id, sending=1)
    assert Invitation.objects.count() == 0


@pytest.mark.django_db(transaction=True)
def test_two_who_follow_the_link_at_once_are_one_member() -> None:
    house = organisation("acme")
    with tenant_scope(house.tenant.id):
        admin = member(house, "ada", Role.ADMIN)
        tokens = [link(invite(admin, f"nora{number}@elsewhere.example")) for number in range(3)]

    def follow(number: int) -> None:
        sign_up(tokens[number])

    raised = at_once(follow, follow, times=3)

    assert {type(error) for error in raised} == {invitations.LinkEnded}
    with tenant_scope(house.tenant.id):
        assert Membership.objects.count() == 4
