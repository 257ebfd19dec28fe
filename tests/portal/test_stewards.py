"""A steward stands in for a team: the same pages and rules, under their own name, and nothing of others."""

from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone

from accounts import stewards
from accounts.actors import Actor, system
from accounts.models import Membership, Stewardship, Subject, User
from accounts.queries import memberships_of, staff
from accounts.services import ensure_subject, grant_membership
from accounts.vocabulary import Role
from memory_admin.audit.models import Event
from memory_admin.memories.models import Memory
from memory_admin.tenancy.scope import tenant_scope
from tests.portal.cast import Larkfield, Person

SAID = "Meets on Tuesdays at nine"


@pytest.fixture
def admin(larkfield: Larkfield) -> Actor:
    user = User.objects.create_user("sofia@larkfield.example", None, name="Sofia")
    with tenant_scope(larkfield.tenant.id):
        by = system("tests", tenant_id=larkfield.tenant.id)
        grant_membership(user=user, roles=[Role.ADMIN], by=by, now=timezone.now())
        return staff(user.id, memberships_of(user.id)[0])


@pytest.fixture
def north(larkfield: Larkfield, mia: Person, admin: Actor) -> Person:
    """The team, as Mia stands in for it."""
    with tenant_scope(larkfield.tenant.id):
        membership = Membership.objects.get(user=mia.user)
        for ref in ("team:north", "team:south"):
            stewards.name(membership_id=membership.id, ref=ref, by=admin, now=timezone.now())
        subject = Subject.objects.get(ref="team:north")
    return Person(mia.user, subject, mia.actor, mia.browser)


def switch(who: Person, subject: Subject | None) -> str:
    who.post("/whose/", {"subject": str(subject.id) if subject else ""})
    return str(who.get("/").content.decode())


def test_a_steward_sees_and_acts_in_place_of_the_team(larkfield: Larkfield, mia: Person, north: Person) -> None:
    own, theirs = larkfield.said(mia, "Prefers the window seat"), larkfield.said(north, SAID)
    assert SAID not in mia.get("/").content.decode()

    page = switch(north, north.subject)

    assert SAID in page
    assert "window seat" not in page
    assert "What agents remember about team:north" in page
    assert north.get(f"/memories/{own.id}/").status_code == 404
    assert north.post(f"/memories/{theirs.id}/dispute/", {"reason": "wrong", "words": ""}).status_code == 302
    assert larkfield.reread(theirs).status == "disputed"
    with tenant_scope(larkfield.tenant.id):
        assert Event.objects.filter(target_id=str(theirs.id)).latest("seq").actor == f"user:{mia.user.id}"
    assert "window seat" in switch(north, None)


def test_what_a_steward_adds_is_the_teams(larkfield: Larkfield, north: Person) -> None:
    switch(north, north.subject)

    north.post("/add/", {"statement": SAID, "kind": "fact", "about": str(north.subject.id)})

    with tenant_scope(larkfield.tenant.id):
        assert Memory.objects.get().subject_id == north.subject.id


def test_a_form_that_was_opened_about_somebody_else_does_nothing(
    larkfield: Larkfield, mia: Person, north: Person
) -> None:
    switch(north, north.subject)

    answer = north.post("/add/", {"statement": "A secret of mine", "kind": "fact", "about": str(mia.subject.id)})

    assert answer.status_code == 409
    assert "changed whose memories" in answer.content.decode()
    with tenant_scope(larkfield.tenant.id):
        assert not Memory.objects.exists()


@pytest.mark.parametrize("whose", [lambda jonas: jonas.subject, lambda jonas: None])
def test_a_steward_sees_nothing_of_others(
    larkfield: Larkfield, jonas: Person, north: Person, whose: Callable[[Any], Any]
) -> None:
    memory = larkfield.said(jonas, "Prefers night trains")

    assert "night trains" not in switch(north, whose(jonas))
    assert north.get(f"/memories/{memory.id}/").status_code == 404
    assert north.post("/whose/", {"subject": "nonsense"}).status_code == 302


def test_who_is_a_steward_no_longer_is_back_at_their_own(larkfield: Larkfield, north: Person, admin: Actor) -> None:
    memory = larkfield.said(north, SAID)
    switch(north, north.subject)
    with tenant_scope(larkfield.tenant.id):
        held = Stewardship.objects.get(subject_id=north.subject.id)
        stewards.end(stewardship_id=held.id, by=admin, now=timezone.now())

    assert SAID not in north.get("/").content.decode()
    assert north.get(f"/memories/{memory.id}/").status_code == 404
    assert north.post(f"/memories/{memory.id}/delete/").status_code == 404


def test_a_steward_without_memories_of_their_own_comes_to_those_of_the_team(
    larkfield: Larkfield, north: Person
) -> None:
    larkfield.said(north, SAID)
    with tenant_scope(larkfield.tenant.id):
        Subject.objects.filter(ref="user:mia").update(user=None)

    assert SAID in north.get("/").content.decode()


def test_a_person_of_the_same_name_as_a_team_is_somebody_else(larkfield: Larkfield, north: Person) -> None:
    with tenant_scope(larkfield.tenant.id):
        by = system("tests", tenant_id=larkfield.tenant.id)
        person = ensure_subject(ref="user:north", by=by, now=timezone.now())

    assert "What agents remember about me" in switch(north, person)
