"""Whatever happens to an account stands in the audit trail of its tenant."""

from typing import Any

import pytest
from django.utils import timezone

from accounts import services
from accounts.models import User
from accounts.vocabulary import Channel, Role, Scope
from memory_admin.audit import Action
from memory_admin.audit.queries import actions_on
from tests.api.cast import Organisation


def terms(house: Organisation) -> dict[str, Any]:
    return {"by": house.by, "now": timezone.now()}


def test_a_tenant_is_recorded_as_created(acme: Organisation) -> None:
    assert actions_on(acme.tenant.id) == [Action.TENANT_CREATED]


def test_every_grant_of_roles_is_recorded(acme: Organisation) -> None:
    user = User.objects.create_user("mia@acme.example")

    for roles in ([Role.PERSON], [Role.PERSON, Role.REVIEWER]):
        membership = services.grant_membership(user=user, roles=roles, **terms(acme))

    assert actions_on(membership.id) == [Action.MEMBERSHIP_GRANTED] * 2


def test_a_subject_is_recorded_once(acme: Organisation) -> None:
    for _ in range(2):
        subject = services.ensure_subject(ref="user:mia", **terms(acme))

    assert actions_on(subject.id) == [Action.SUBJECT_CREATED]


def test_an_agent_is_recorded_as_created(acme: Organisation) -> None:
    agent = services.create_agent(name="Travel assistant", **terms(acme))

    assert actions_on(agent.id) == [Action.AGENT_CREATED]


def test_the_life_of_a_key_is_recorded(acme: Organisation) -> None:
    issued = services.issue_key(agent=acme.agent, scopes=[Scope.MEMORIES_READ], channel=Channel.AGENT, **terms(acme))
    services.rotate_key(key_id=issued.key.id, **terms(acme))
    services.revoke_key(key_id=issued.key.id, **terms(acme))

    assert actions_on(issued.key.id) == [Action.KEY_ISSUED, Action.KEY_ROTATED, Action.KEY_REVOKED]


def test_a_refusal_leaves_no_trace(acme: Organisation) -> None:
    issued = services.issue_key(agent=acme.agent, scopes=[Scope.MEMORIES_READ], channel=Channel.AGENT, **terms(acme))
    services.revoke_key(key_id=issued.key.id, **terms(acme))

    for refused in (services.revoke_key, services.rotate_key):
        with pytest.raises(services.KeyEnded):
            refused(key_id=issued.key.id, **terms(acme))

    assert actions_on(issued.key.id) == [Action.KEY_ISSUED, Action.KEY_REVOKED]
