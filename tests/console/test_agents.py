"""Agents: registered, paused, retired."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from accounts.models import ApiKey
from accounts.services import authenticate_key, create_agent, issue_key
from accounts.vocabulary import Channel, Role, Scope
from memory_admin.audit import Action
from memory_admin.audit.queries import actions_on
from memory_admin.tenancy.scope import tenant_scope
from tests.console.cast import Colleague, House

LONG_AGO = timedelta(days=91)


@pytest.fixture
def sofia(larkfield: House) -> Colleague:
    return larkfield.hire(Role.ADMIN)


def issued(house: House, **terms: Any) -> Any:
    with tenant_scope(house.tenant.id):
        return issue_key(
            agent=house.agent,
            scopes=[Scope.MEMORIES_READ],
            channel=Channel.AGENT,
            by=house.by,
            **{"now": timezone.now(), **terms},
        )


def test_the_list_names_each_agent_and_what_is_idle(larkfield: House, sofia: Colleague) -> None:
    page = sofia.reads("agents/")

    assert "Travel assistant" in page
    assert "2 unused for 90 days" in page  # both keys are 400 days old


def test_a_used_key_is_not_idle(larkfield: House, sofia: Colleague) -> None:
    with tenant_scope(larkfield.tenant.id):
        ApiKey.objects.update(last_used_at=timezone.now() - timedelta(days=89))

    assert "unused for 90 days" not in sofia.reads("agents/")


def test_an_agent_is_registered_with_its_owner(larkfield: House, sofia: Colleague) -> None:
    answer = sofia.post("agents/new/", {"name": "Support agent", "purpose": "closes cases"})

    page = sofia.browser.get(answer["Location"]).content.decode()
    assert answer.status_code == 302
    assert "Support agent" in page
    assert "so it can do nothing" in page
    assert "by Admin" in page


@pytest.mark.parametrize(
    ("form", "said"),
    [
        ({"name": ""}, "Give the agent a name."),
        ({"name": "x" * 201}, "at most 200 characters"),
        ({"name": "Travel assistant"}, "There is an agent of this name already."),
        ({"name": "Nul\0"}, "Null characters are not allowed."),
    ],
)
def test_what_is_wrong_with_a_registration_is_said(larkfield: House, sofia: Colleague, form: Any, said: str) -> None:
    answer = sofia.post("agents/new/", form)

    assert answer.status_code == 422
    assert said in answer.content.decode()


def test_a_paused_agent_is_refused_until_it_is_resumed(larkfield: House, sofia: Colleague) -> None:
    text = issued(larkfield).text

    sofia.post(f"agents/{larkfield.agent.id}/pause/")
    assert authenticate_key(text, now=timezone.now()) is None
    assert "None of its keys works until it is resumed" in sofia.reads(f"agents/{larkfield.agent.id}/")

    sofia.post(f"agents/{larkfield.agent.id}/resume/")
    assert authenticate_key(text, now=timezone.now()) is not None
    with tenant_scope(larkfield.tenant.id):
        assert actions_on(larkfield.agent.id)[-2:] == [Action.AGENT_PAUSED, Action.AGENT_RESUMED]


def test_to_pause_twice_is_a_conflict(larkfield: House, sofia: Colleague) -> None:
    sofia.post(f"agents/{larkfield.agent.id}/pause/")

    assert sofia.post(f"agents/{larkfield.agent.id}/pause/").status_code == 409


def test_a_retired_agent_ends_with_all_its_keys(larkfield: House, sofia: Colleague) -> None:
    text = issued(larkfield).text
    where = f"agents/{larkfield.agent.id}"

    assert "3 keys" in sofia.reads(f"{where}/retire/")
    sofia.post(f"{where}/retire/")

    assert authenticate_key(text, now=timezone.now()) is None
    assert all(key.revoked_at for key in larkfield.issued_keys())
    assert sofia.post(f"{where}/retire/").status_code == 409
    assert sofia.post(f"{where}/resume/").status_code == 409
    assert sofia.get(f"{where}/keys/new/").status_code == 409
    with tenant_scope(larkfield.tenant.id):
        assert actions_on(larkfield.agent.id)[-1] == Action.AGENT_RETIRED


def test_a_developer_reads_and_changes_nothing(larkfield: House) -> None:
    page = larkfield.hire(Role.DEVELOPER).reads(f"agents/{larkfield.agent.id}/")

    assert "Revoke" not in page
    assert "Issue a key" not in page


def test_an_agent_named_like_markup_is_shown_as_text(larkfield: House, sofia: Colleague) -> None:
    with tenant_scope(larkfield.tenant.id):
        create_agent(name="<script>alert(1)</script>", by=larkfield.by, now=timezone.now())

    assert "<script>alert(1)" not in sofia.reads("agents/")


def test_many_agents_take_no_more_queries(
    larkfield: House, sofia: Colleague, django_assert_max_num_queries: Any
) -> None:
    with tenant_scope(larkfield.tenant.id):
        for number in range(25):
            create_agent(name=f"Agent {number}", by=larkfield.by, now=timezone.now())

    with django_assert_max_num_queries(24):
        sofia.reads("agents/")
