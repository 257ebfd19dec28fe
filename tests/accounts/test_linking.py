"""Linking members to the subject they see as their own, and naming stewards."""

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts import invitations, linking, members, stewards
from accounts.models import Notice, Stewardship, Subject, User
from accounts.queries import memberships_of
from accounts.services import BadReference, ensure_subject
from accounts.vocabulary import NoticeKind, Role
from memory_admin.audit import Action
from memory_admin.audit.queries import actions_on
from memory_admin.errors import DomainError, NotAllowed, NotFound
from tests.accounts.cast import Member, change, invite, member
from tests.api.cast import Organisation


@pytest.fixture
def mia(acme: Organisation) -> Member:
    return member(acme, "mia")


def link(who: Member, by: Member, ref: str = "user:mia") -> Subject:
    return linking.link(membership_id=who.row.id, ref=ref, by=by.actor, now=timezone.now())


def name(who: Member, by: Member, ref: str = "team:north") -> Stewardship:
    return stewards.name(membership_id=who.row.id, ref=ref, by=by.actor, now=timezone.now())


def test_a_member_is_linked_and_unlinked_and_told_of_it(ada: Member, mia: Member) -> None:
    subject = link(mia, ada)
    assert memberships_of(mia.user.id)[0].subject_id == subject.id

    linking.unlink(membership_id=mia.row.id, by=ada.actor, now=timezone.now())

    assert memberships_of(mia.user.id)[0].subject_id is None
    assert Subject.objects.filter(ref="user:mia").exists()
    assert actions_on(subject.id) == [Action.SUBJECT_CREATED, Action.SUBJECT_LINKED, Action.SUBJECT_UNLINKED]
    assert Notice.objects.get(kind=NoticeKind.SUBJECT_LINKED).user_id == mia.user.id
    with pytest.raises(linking.NotLinked):
        linking.unlink(membership_id=mia.row.id, by=ada.actor, now=timezone.now())


def test_whoever_watches_is_told_of_each_that_one_administrator_lets_in(
    acme: Organisation, ada: Member, mia: Member
) -> None:
    bea, olga = member(acme, "bea", Role.ADMIN), member(acme, "olga", Role.PRIVACY_OFFICER, Role.AUDITOR)
    nora = User.objects.create_user("nora@elsewhere.example")

    link(mia, ada)
    change(mia, Role.PERSON, Role.REVIEWER, by=ada)
    invited = invite(ada, "nora@elsewhere.example", Role.REVIEWER, subject_ref="user:nora")
    invitations.accept(token=invitations.link_of(invited), user=nora, now=timezone.now())
    name(mia, ada)

    told = Notice.objects.filter(kind=NoticeKind.SOMEBODY_LET_IN).values_list("user_id", "path")
    assert sorted(told) == sorted(
        (who.user.id, f"/console/audit/?action={what}")
        for who in (bea, olga)
        for what in (
            Action.SUBJECT_LINKED,
            Action.STEWARD_NAMED,
            Action.ROLES_CHANGED,
            Action.MEMBERSHIP_GRANTED,
        )
    )


def test_a_subject_is_one_members_and_a_member_has_one(acme: Organisation, ada: Member, mia: Member) -> None:
    jonas = member(acme, "jonas")
    link(mia, ada)

    with pytest.raises(linking.SubjectTaken):
        link(jonas, ada)
    with pytest.raises(linking.LinkedAlready):
        link(mia, ada, "user:jonas")
    assert memberships_of(jonas.user.id)[0].subject_id is None


@pytest.mark.parametrize(
    ("ref", "refusal"), [("team:north", linking.NoPerson), ("", linking.NoPerson), ("user:mia mia", BadReference)]
)
def test_only_a_person_can_be_linked(ada: Member, mia: Member, ref: str, refusal: type[DomainError]) -> None:
    with pytest.raises(refusal):
        link(mia, ada, ref)


def test_no_administrator_opens_somebodys_memories_to_themselves(ada: Member, mia: Member) -> None:
    for attempt in (link, name):
        with pytest.raises(members.OwnMembership):
            attempt(ada, ada)
        with pytest.raises(members.NotAnAdministrator):
            attempt(ada, mia)


def test_a_steward_is_named_told_and_let_go(ada: Member, mia: Member) -> None:
    held = name(mia, ada)
    assert [subject.ref for subject in stewards.subjects_of(mia.user.id)] == ["team:north"]
    with pytest.raises(stewards.StewardAlready):
        name(mia, ada)

    stewards.end(stewardship_id=held.id, by=ada.actor, now=timezone.now())

    assert stewards.subjects_of(mia.user.id) == []
    assert actions_on(held.subject_id) == [Action.SUBJECT_CREATED, Action.STEWARD_NAMED, Action.STEWARD_ENDED]
    with pytest.raises(NotFound):
        stewards.end(stewardship_id=held.id, by=ada.actor, now=timezone.now())
    name(mia, ada)  # again


def test_a_person_has_no_steward(acme: Organisation, ada: Member, mia: Member) -> None:
    with pytest.raises(stewards.OfNoPerson):
        name(mia, ada, "user:jonas")

    jonas = ensure_subject(ref="user:jonas", by=acme.by, now=timezone.now())
    for subject_id, named_by in ((jonas.id, ada.user), (name(mia, ada).subject_id, mia.user)):
        with pytest.raises(IntegrityError), transaction.atomic():
            Stewardship.objects.create(user=mia.user, subject_id=subject_id, named_by=named_by, named_at=timezone.now())


def test_who_is_deactivated_is_a_steward_no_longer(ada: Member, mia: Member) -> None:
    name(mia, ada)

    assert members.deactivate(membership_id=mia.row.id, by=ada.actor, now=timezone.now()).stewardships == 1

    assert actions_on(Subject.objects.get(ref="team:north").id)[-1] == Action.STEWARD_ENDED
    members.reactivate(membership_id=mia.row.id, by=ada.actor, now=timezone.now())
    assert stewards.subjects_of(mia.user.id) == []


def test_what_was_somebodys_becomes_nobody_elses_without_the_operator(
    acme: Organisation, ada: Member, mia: Member
) -> None:
    eve = member(acme, "eve")
    link(mia, ada)
    linking.unlink(membership_id=mia.row.id, by=ada.actor, now=timezone.now())

    with pytest.raises(linking.HeldBefore):
        link(eve, ada)
    with pytest.raises(linking.HeldBefore):
        invite(ada, subject_ref="user:mia")
    link(mia, ada)  # their own again
    linking.unlink(membership_id=mia.row.id, by=ada.actor, now=timezone.now())

    with pytest.raises(NotAllowed):
        linking.link_by_operator(user_id=eve.user.id, ref="user:mia", by=ada.actor, now=timezone.now())
    linking.link_by_operator(user_id=eve.user.id, ref="user:mia", by=acme.by, now=timezone.now())
    assert memberships_of(eve.user.id)[0].subject_id is not None
