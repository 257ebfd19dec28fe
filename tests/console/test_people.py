"""Members on the pages of administrators."""

import re
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.utils import timezone

from accounts import invitations
from accounts.models import Invitation, Membership, RoleChange, Stewardship, User
from accounts.vocabulary import Role
from memory_admin.console import rooms
from memory_admin.tenancy.scope import tenant_scope
from memory_admin.web import accounts_factors
from tests.console.cast import Colleague, House, house
from tests.portal.cast import Person

R = Role
INVITE = {"email": "nora@elsewhere.example", "roles": ["person"], "subject": "user:nora"}


@pytest.fixture
def ada(larkfield: House) -> Colleague:
    return larkfield.hire(R.ADMIN)


@pytest.fixture
def bea(larkfield: House) -> Colleague:
    return larkfield.hire(R.ADMIN, R.AUDITOR)


@pytest.fixture(autouse=True)
def _just_signed_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(accounts_factors, "is_fresh", lambda request: True)


def membership_of(who: Colleague | Person) -> Membership:
    with tenant_scope(who.actor.tenant_id):
        return Membership.objects.get(user=who.user)


def page(who: Colleague | Person, verb: str = "") -> str:
    return f"members/{membership_of(who).id}/{verb}"


def roles(*wanted: Role, read: tuple[str, ...] = ("person",)) -> dict[str, Any]:
    return {"roles": list(wanted), "read": list(read)}


def test_members_are_listed_with_what_they_may_do(larkfield: House, ada: Colleague, mia: Person) -> None:
    listed = ada.reads("members/")

    assert "Mia" in listed
    assert "<code>user:mia</code>" in listed
    assert "Mia" not in ada.reads("members/?role=admin")
    assert "Mia" not in ada.reads("members/?status=ended")
    assert "No member matches" in ada.reads("members/?q=nobody%20at%20all")


def test_the_list_takes_no_more_queries_for_more_members(
    larkfield: House, ada: Colleague, django_assert_max_num_queries: Any
) -> None:
    for role in Role:
        larkfield.hire(role)
    ada.reads("members/")

    with django_assert_max_num_queries(24):
        ada.reads("members/")


def test_somebody_is_invited_once_and_the_form_says_what_is_wrong(ada: Colleague) -> None:
    assert ada.post("members/invite/", INVITE).status_code == 302

    for wrong, says in (
        (INVITE, "invited already"),
        ({**INVITE, "email": "nobody"}, "Write an e-mail address"),
        ({**INVITE, "email": "x@y.example"}, "promised to somebody"),
        ({**INVITE, "email": "x@y.example", "subject": "mia"}, "A subject is named"),
        ({**INVITE, "email": "x@y.example", "roles": ["privacy_officer"]}, "not one of the available"),
        ({**INVITE, "email": "x@y.example", "roles": []}, "at least one role"),
    ):
        answer = ada.post("members/invite/", wrong)
        assert answer.status_code == 422
        assert says in answer.content.decode()
    with tenant_scope(ada.actor.tenant_id):
        assert Invitation.objects.count() == 1


def test_an_invitation_is_sent_again_and_withdrawn(ada: Colleague) -> None:
    ada.post("members/invite/", INVITE)
    with tenant_scope(ada.actor.tenant_id):
        invited = Invitation.objects.get()

    assert ada.post(f"invitations/{invited.id}/resend/").status_code == 409  # a moment ago
    with tenant_scope(ada.actor.tenant_id):
        Invitation.objects.update(sent_at=timezone.now() - timedelta(minutes=2))
    assert ada.post(f"invitations/{invited.id}/resend/").status_code == 302
    assert ada.post(f"invitations/{invited.id}/withdraw/").status_code == 302
    assert ada.post(f"invitations/{invited.id}/resend/").status_code == 409

    assert "Nobody whose answer is missing" in ada.reads("members/")


def test_the_page_of_who_accepted_an_invitation_says_whose_it_was(larkfield: House, ada: Colleague) -> None:
    ada.post("members/invite/", INVITE)
    nora = User.objects.create_user("nora@elsewhere.example")
    with tenant_scope(larkfield.tenant.id):
        token = invitations.link_of(Invitation.objects.get())
        joined = invitations.accept(token=token, user=nora, now=timezone.now())

    assert "user:nora accepted the invitation of Admin" in ada.reads(f"members/{joined.id}/")


def test_many_invitations_are_shown_a_page_at_a_time(larkfield: House, ada: Colleague) -> None:
    now = timezone.now()
    with tenant_scope(larkfield.tenant.id):
        Invitation.objects.bulk_create(
            Invitation(
                email=f"n{number}@elsewhere.example",
                roles=["person"],
                invited_by=ada.user,
                sent_at=now + timedelta(seconds=number),
                expires_at=now + timedelta(days=7),
            )
            for number in range(45)
        )

    assert ada.reads("members/").count("Withdraw the invitation of") == 20
    last = ada.reads("members/?invited=3")
    assert last.count("Withdraw the invitation of") == 5
    assert "n0@elsewhere.example" in last
    assert 'href="?invited=2"' in last


def test_roles_are_changed_on_the_page_of_a_member(ada: Colleague, mia: Person) -> None:
    assert ada.post(page(mia, "roles/"), roles(R.PERSON, R.REVIEWER)).status_code == 302

    assert membership_of(mia).roles == ["person", "reviewer"]
    assert "Person → Person, Reviewer" in ada.reads(page(mia))
    assert ada.post(page(mia, "roles/"), roles(R.PERSON)).status_code == 409  # read before the change
    assert ada.post(page(mia, "roles/"), {"roles": ["king"]}).status_code == 422


def test_a_guarded_role_is_approved_by_somebody_else(larkfield: House, ada: Colleague, mia: Person) -> None:
    assert "nobody yet who could approve" in ada.reads(page(mia))
    ada.post(page(mia, "roles/"), roles(R.PERSON, R.PRIVACY_OFFICER))
    assert "Nobody can decide it yet" in ada.reads("members/")
    bea = larkfield.hire(R.ADMIN, R.AUDITOR)
    with tenant_scope(larkfield.tenant.id):
        decide = f"role-changes/{RoleChange.objects.get().id}/decide/"

    assert "another administrator decides" in ada.reads(decide)
    assert ada.post(decide, {"answer": "approve"}).status_code == 403
    assert "would be the second" in bea.reads(decide)
    assert bea.post(decide, {"answer": ""}).status_code == 422
    assert bea.post(decide, {"answer": "approve"}).status_code == 302

    assert membership_of(mia).roles == ["person", "privacy_officer"]
    assert bea.post(decide, {"answer": "approve"}).status_code == 409
    assert bea.get(decide).status_code == 404


def test_a_proposal_is_taken_back_by_who_made_it(ada: Colleague, bea: Colleague, mia: Person) -> None:
    ada.post(page(mia, "roles/"), roles(R.POLICY_APPROVER))
    with tenant_scope(ada.actor.tenant_id):
        withdraw = f"role-changes/{RoleChange.objects.get().id}/withdraw/"

    assert bea.post(withdraw).status_code == 404
    assert ada.post(withdraw).status_code == 302
    assert ada.post(withdraw).status_code == 409


def test_who_is_deactivated_is_signed_out_at_once(larkfield: House, ada: Colleague, mia: Person) -> None:
    mia.user.set_password("four plain words here")
    mia.user.save()
    mia.browser.logout()
    mia.post("/accounts/login/", {"login": mia.user.email, "password": "four plain words here"})
    assert mia.get("/").status_code == 200
    assert "What ends at once" in ada.reads(page(mia, "deactivate/"))

    assert ada.post(page(mia, "deactivate/")).status_code == 302

    assert mia.get("/")["Location"].startswith("/accounts/login/")
    assert ada.post(page(mia, "deactivate/")).status_code == 409
    assert ada.post(page(mia, "reactivate/")).status_code == 302
    assert membership_of(mia).ended_at is None


def test_the_agents_of_who_left_are_flagged(larkfield: House, ada: Colleague, bea: Colleague) -> None:
    with tenant_scope(larkfield.tenant.id):
        type(larkfield.agent).objects.filter(id=larkfield.agent.id).update(owner=bea.user)

    assert "marked for you to look at" in ada.reads(page(bea, "deactivate/"))
    ada.post(page(bea, "deactivate/"))

    assert "Its owner left" in ada.reads("agents/")
    assert "was deactivated" in ada.reads(f"agents/{larkfield.agent.id}/")
    assert "Travel assistant" in ada.reads(page(bea))

    for key in larkfield.issued_keys():
        assert ada.post(f"keys/{key.id}/rotate/", {"overlap": "0", "key_id": str(uuid4())}).status_code == 200

    assert "Its owner left" not in ada.reads("agents/")
    assert "was deactivated" not in ada.reads(f"agents/{larkfield.agent.id}/")


def test_a_member_is_unlinked_and_linked_and_every_memory_stays(larkfield: House, ada: Colleague, mia: Person) -> None:
    larkfield.tenant_house.said(mia, "Prefers the window seat")

    assert "1 memory about user:mia" in ada.reads(page(mia, "unlink/"))
    ada.post(page(mia, "unlink/"))
    assert "window seat" not in mia.get("/").content.decode()
    assert ada.post(page(mia, "link/"), {"own-subject": "team:north"}).status_code == 422
    ada.post(page(mia, "link/"), {"own-subject": "user:mia"})

    assert "window seat" in mia.get("/").content.decode()
    assert "window seat" not in ada.reads(page(mia))


def test_nobody_gives_themselves_anything(ada: Colleague) -> None:
    own = ada.reads(page(ada))
    assert 'action="/console/members/' not in own

    for verb, form in (
        ("roles/", roles(R.ADMIN, R.REVIEWER, read=("admin",))),
        ("link/", {"own-subject": "user:mia"}),
        ("steward/", {"steward-subject": "team:north"}),
        ("deactivate/", {}),
    ):
        assert ada.post(page(ada, verb), form).status_code == 403


def test_a_steward_is_named_and_let_go(ada: Colleague, mia: Person) -> None:
    assert ada.post(page(mia, "steward/"), {"steward-subject": "user:jonas"}).status_code == 422
    assert ada.post(page(mia, "steward/"), {"steward-subject": "team:north"}).status_code == 302
    assert ada.post(page(mia, "steward/"), {"steward-subject": "team:north"}).status_code == 422
    with tenant_scope(ada.actor.tenant_id):
        held = Stewardship.objects.get()

    assert "team:north" in ada.reads(page(mia))
    assert ada.post(f"stewardships/{held.id}/end/").status_code == 302
    assert ada.post(f"stewardships/{held.id}/end/").status_code == 404


def test_names_are_shown_to_people_or_not(ada: Colleague) -> None:
    assert re.search(r'id="names-hidden"[^>]*checked', ada.reads("members/"))

    ada.post("members/names/", {"names": "shown"})

    assert re.search(r'id="names-shown"[^>]*checked', ada.reads("members/"))
    for form in ({}, {"names": "x"}):
        assert ada.post("members/names/", form).status_code == 400
    assert re.search(r'id="names-shown"[^>]*checked', ada.reads("members/"))


@pytest.mark.parametrize("role", [role for role in Role if role not in rooms.MEMBERS])
def test_only_administrators_come_in(larkfield: House, mia: Person, role: Role) -> None:
    somebody = larkfield.hire(role)

    for address in ("members/", "members/invite/", page(mia), page(mia, "deactivate/"), page(mia, "unlink/")):
        assert somebody.get(address).status_code == 403
    for verb in ("roles/", "link/", "steward/", "deactivate/", "reactivate/"):
        assert somebody.post(page(mia, verb), {}).status_code == 403


def test_another_tenant_finds_nobody(larkfield: House, ada: Colleague, mia: Person) -> None:
    theirs = house("northwind").hire(R.ADMIN)
    ada.post("members/invite/", INVITE)
    ada.post(page(mia, "steward/"), {"steward-subject": "team:north"})
    ada.post(page(mia, "roles/"), roles(R.PERSON, R.PRIVACY_OFFICER))
    with tenant_scope(larkfield.tenant.id):
        found = [
            f"invitations/{Invitation.objects.get().id}/withdraw/",
            f"invitations/{Invitation.objects.get().id}/resend/",
            f"role-changes/{RoleChange.objects.get().id}/withdraw/",
            f"stewardships/{Stewardship.objects.get().id}/end/",
            *(page(mia, verb) for verb in ("deactivate/", "reactivate/", "unlink/")),
        ]

    for address in found:
        missing = re.sub(r"[0-9a-f-]{36}", str(uuid4()), address)
        assert theirs.post(address).status_code == theirs.post(missing).status_code == 404
    decide = found[2].replace("withdraw", "decide")
    assert theirs.post(decide, {"answer": "approve"}).status_code == 404
    for verb, form in (("roles/", roles(R.PERSON)), ("link/", {"own-subject": "user:x"})):
        assert theirs.post(page(mia, verb), form).status_code == 404
    assert theirs.get(page(mia)).status_code == 404


def test_deciding_asks_who_it_is_after_a_while(
    ada: Colleague, bea: Colleague, mia: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada.post(page(mia, "roles/"), roles(R.PERSON, R.PRIVACY_OFFICER))
    with tenant_scope(ada.actor.tenant_id):
        decide = f"role-changes/{RoleChange.objects.get().id}/decide/"
    monkeypatch.setattr(accounts_factors, "is_fresh", lambda request: False)

    answer = bea.post(decide, {"answer": "approve"})

    assert answer["Location"].startswith("/accounts/reauthenticate/")
    assert membership_of(mia).roles == ["person"]
