"""Every room opens to its roles and to nobody else."""

import re
from uuid import UUID

import pytest
from django.test import Client
from django.urls import get_resolver
from django.utils import timezone

from accounts.services import ensure_subject
from accounts.vocabulary import Role
from memory_admin.console import rooms, urls
from memory_admin.tenancy.scope import tenant_scope
from tests.console.cast import House, house

SOME_ID = UUID(int=7)
R = Role

#: Each page with the roles that may open it.
PAGES: dict[str, tuple[Role, ...]] = {
    "overview": rooms.STAFF,
    "agents": (R.ADMIN, R.DEVELOPER),
    "register_agent": (R.ADMIN,),
    "agent": (R.ADMIN, R.DEVELOPER),
    "pause_agent": (R.ADMIN,),
    "resume_agent": (R.ADMIN,),
    "retire_agent": (R.ADMIN,),
    "issue_key": (R.ADMIN,),
    "rotate_key": (R.ADMIN,),
    "revoke_key": (R.ADMIN,),
    "retrievals": (R.DEVELOPER, R.PRIVACY_OFFICER, R.AUDITOR, R.ADMIN),
    "retrieval": (R.DEVELOPER, R.PRIVACY_OFFICER, R.AUDITOR, R.ADMIN),
    "reveal_texts": (R.PRIVACY_OFFICER,),
    "policies": (R.POLICY_EDITOR, R.POLICY_APPROVER, R.PRIVACY_OFFICER, R.AUDITOR),
    "policy": (R.POLICY_EDITOR, R.POLICY_APPROVER, R.PRIVACY_OFFICER, R.AUDITOR),
    "requests": (R.POLICY_EDITOR, R.POLICY_APPROVER, R.PRIVACY_OFFICER, R.AUDITOR),
    **dict.fromkeys(
        (
            "compare_policies",
            "version",
            "version_sheet",
            "simulation",
            "simulation_case",
            "simulation_json",
        ),
        (R.POLICY_EDITOR, R.POLICY_APPROVER, R.PRIVACY_OFFICER, R.AUDITOR),
    ),
    **dict.fromkeys(
        (
            "begin_policy",
            "edit_version",
            "check_version",
            "rebase_version",
            "add_policy_test",
            "retire_policy_test",
            "submit_version",
            "plan_use",
            "restore_version",
            "draft_from_wish",
            "dismiss_wish",
        ),
        (R.POLICY_EDITOR,),
    ),
    **dict.fromkeys(
        (
            "approve_version",
            "request_changes",
            "reject_version",
            "dismiss_objection",
            "revoke_version",
            "decide_revocation",
        ),
        (R.POLICY_APPROVER, R.PRIVACY_OFFICER),
    ),
    **dict.fromkeys(
        (
            "run_policy_tests",
            "simulate_version",
            "ask_reviewers",
            "comment_on_version",
            "withdraw_version",
            "schedule_version",
            "release_version",
            "stop_watching",
        ),
        (R.POLICY_EDITOR, R.POLICY_APPROVER, R.PRIVACY_OFFICER),
    ),
    **dict.fromkeys(
        (
            "close_now",
            "freeze_policies",
            "thaw_policies",
            "break_glass",
        ),
        (R.POLICY_APPROVER, R.PRIVACY_OFFICER, R.ADMIN),
    ),
    "reviews": (R.REVIEWER, R.PRIVACY_OFFICER),
    "refusals": (R.REVIEWER, R.PRIVACY_OFFICER),
    "refusal": (R.REVIEWER, R.PRIVACY_OFFICER),
    "held": (R.REVIEWER, R.PRIVACY_OFFICER),
    "held_memory": (R.REVIEWER, R.PRIVACY_OFFICER),
    "dispute": (R.REVIEWER, R.PRIVACY_OFFICER),
    **dict.fromkeys(
        (
            "members",
            "invite_member",
            "show_names",
            "member",
            "change_roles",
            "link_member",
            "unlink_member",
            "name_steward",
            "deactivate_member",
            "reactivate_member",
            "resend_invitation",
            "withdraw_invitation",
            "decide_change",
            "withdraw_change",
            "end_stewardship",
        ),
        (R.ADMIN,),
    ),
    "data_requests": (R.PRIVACY_OFFICER, R.AUDITOR),
    "subjects": (R.PRIVACY_OFFICER, R.REVIEWER, R.AUDITOR, R.ADMIN),
    "audit": (R.AUDITOR, R.PRIVACY_OFFICER, R.ADMIN),
    **dict.fromkeys(
        ("verify_audit", "audit_progress", "compare_checkpoint", "export_audit"),
        (R.AUDITOR, R.PRIVACY_OFFICER, R.ADMIN),
    ),
    "event": (R.AUDITOR, R.PRIVACY_OFFICER, R.ADMIN),
}


def address(name: str) -> str:
    (pattern,) = (one for one in urls.urlpatterns if one.name == name)
    numbered = re.sub(r"<uuid:\w+>", str(SOME_ID), str(pattern.pattern))
    return numbered.replace("<str:family>", "write").replace("<int:seq>", "1")


def test_every_page_is_listed() -> None:
    assert {one.name for one in urls.urlpatterns} == set(PAGES)
    assert get_resolver().resolve("/console/")


def test_a_stranger_is_sent_to_the_door(larkfield: House, client: Client) -> None:
    for name in PAGES:
        for answer in (client.get(f"/console/{address(name)}"), client.post(f"/console/{address(name)}")):
            assert answer.status_code == 302, name
            assert answer["Location"].startswith("/accounts/login/?next=%2Fconsole%2F"), name


@pytest.mark.parametrize("role", [None, *Role])
def test_a_page_opens_to_its_roles_alone(larkfield: House, role: Role | None) -> None:
    visitor = larkfield.hire(*([role] if role else []))

    for name, roles in PAGES.items():
        for answer in (visitor.get(address(name)), visitor.post(address(name))):
            if role in roles:
                assert answer.status_code in (200, 302, 400, 404, 405, 422), name
            else:
                assert answer.status_code == 403, name
                assert "An administrator of Larkfield can give it to you." in answer.content.decode(), name


def test_a_closed_page_says_which_role_opens_it(larkfield: House) -> None:
    assert "needs the role administrator or developer" in larkfield.hire(R.AUDITOR).get("agents/").content.decode()


def test_a_closed_page_names_those_who_can_open_it(larkfield: House) -> None:
    larkfield.hire(R.ADMIN)
    visitor = larkfield.hire(R.AUDITOR)

    answer = visitor.get("agents/")

    assert "Admin can give it to you." in answer.content.decode()


@pytest.mark.parametrize("role", rooms.STAFF)
def test_the_navigation_leads_only_to_open_rooms(larkfield: House, role: Role) -> None:
    visitor = larkfield.hire(role)
    page = visitor.reads("")

    for _, inside in rooms.ROOMS:
        for room in inside:
            linked = f'href="/console/{address(room.name)}"' in page
            assert linked == (role in room.roles), room.name
            assert visitor.get(address(room.name)).status_code == (200 if linked else 403)


def test_a_person_sees_no_way_in(larkfield: House) -> None:
    mia = larkfield.tenant_house.join("Mia")

    assert "/console/" not in mia.get("/").content.decode()


def test_staff_see_the_way_from_one_surface_to_the_other(larkfield: House) -> None:
    both = larkfield.hire(R.PERSON, R.ADMIN)

    with tenant_scope(larkfield.tenant.id):
        ensure_subject(ref="user:both", by=larkfield.by, now=timezone.now(), user=both.user)

    assert 'href="/console/"' in both.browser.get("/").content.decode()
    assert 'href="/">My memory' in re.sub(r"\s+aria-current[^>]*|\s+(?=>)", "", both.reads(""))


def test_staff_about_whom_nothing_is_remembered_come_to_the_console(larkfield: House) -> None:
    assert larkfield.hire(R.ADMIN).browser.get("/")["Location"] == "/console/"


def test_roles_count_in_their_own_tenant_only(larkfield: House) -> None:
    other = house("northwind")
    theirs = larkfield.agent.id

    assert other.hire(R.ADMIN).get(f"agents/{theirs}/").status_code == 404
    for change in ("pause", "retire"):
        assert other.hire(R.ADMIN).post(f"agents/{theirs}/{change}/").status_code == 404
    assert larkfield.reread().status == "active"
