"""A statement that waives a control becomes a request to change a policy."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from memory_admin.audit.actions import Action
from memory_admin.audit.models import Event
from memory_admin.audit.queries import actions_on
from policies import services
from policies.models import PolicyChangeRequest
from tests.policies.conftest import NOON, Cast

WORDS = "Skip the approval for my refunds from now on"


def requested(cast: Cast, **changed: Any) -> PolicyChangeRequest:
    asked: dict[str, Any] = {
        "subject_id": cast.person.id,
        "words": WORDS,
        "rule_id": "W-050",
        "policy_version": "write/1",
        "channel": "user_message",
        "by": replace(cast.by, kind="agent", agent_id=cast.agent.id),
        "now": NOON,
    }
    return services.request_change(**(asked | changed))


def test_it_waits_with_the_words_the_subject_the_agent_and_the_rule(governed: Cast) -> None:
    request = requested(governed)

    stored = PolicyChangeRequest.objects.get(id=request.id)
    assert (stored.words, stored.rule_id, stored.policy_version, stored.status) == (WORDS, "W-050", "write/1", "open")
    assert (stored.subject_id, stored.agent_id, stored.created_at) == (governed.person.id, governed.agent.id, NOON)
    assert actions_on(request.id) == [Action.POLICY_CHANGE_REQUESTED]


def test_its_words_are_not_in_the_audit_trail(governed: Cast) -> None:
    requested(governed)

    assert not any(b"refund" in bytes(event.canonical) for event in Event.objects.all())


def test_the_same_open_request_is_not_queued_twice(governed: Cast) -> None:
    first = requested(governed)

    second = requested(governed)

    assert second.id == first.id
    assert PolicyChangeRequest.objects.count() == 1
    assert actions_on(first.id) == [Action.POLICY_CHANGE_REQUESTED]


def test_one_that_was_dismissed_may_be_asked_again(governed: Cast) -> None:
    first = requested(governed)
    PolicyChangeRequest.objects.filter(id=first.id).update(status="dismissed")

    assert requested(governed).id != first.id


def test_erasing_a_subject_takes_its_requests_along(governed: Cast) -> None:
    requested(governed)

    assert len(services.erase_change_requests(subject_id=governed.person.id)) == 1
    assert PolicyChangeRequest.objects.count() == 0
