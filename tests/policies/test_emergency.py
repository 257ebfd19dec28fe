"""Break-glass: one person restricts at once, and nobody loosens that way."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from accounts import services as accounts
from accounts.models import Notice
from accounts.vocabulary import NoticeKind, Role
from memory_admin.audit import Action
from memory_admin.audit.models import Event
from memory_admin.errors import Invalid, NotAllowed, NotFound
from memory_admin.tenancy.scope import uuid7
from policies import engine, queries, services
from policies.digests import Terms
from policies.models import AuthLevel, DecisionKind, PolicyActivation, PolicyReview, PolicyVersion
from policies.services import emergency, reviewing
from tests.policies.council import NOON, SURELY, Council, Member, drafted, says, state_of

WHY = "Answers of this agent show other people's data."


@pytest.fixture
def ada(council: Council) -> Member:
    return council.hire("ada", Role.ADMIN)


def restrict(who: Member, **what: Any) -> PolicyActivation:
    return services.restrict(by=who.actor, auth_level=SURELY, now=NOON, **{"reason": WHY, **what})


def may_read(agent: str | None = "helper", **facts: Any) -> bool:
    document = queries.in_force(NOON).access.document
    asked = engine.ReadFacts(**{"kind": "preference", "purpose": "answer", "agent": agent, **facts})
    return engine.allowed_to_read(document, asked).allowed


def test_everything_is_closed_at_once(ada: Member) -> None:
    assert may_read()
    activation = restrict(ada, target="everything")

    assert not may_read()
    assert activation.break_glass
    payloads = Event.objects.filter(action=Action.POLICY_ACTIVATED, target_id=str(activation.version_id))
    assert payloads.count() == 1


def test_one_agent_or_category_is_closed_alone(council: Council, ada: Member, petra: Member) -> None:
    agent = accounts.create_agent(name="helper", by=council.by, now=NOON)
    restrict(ada, target="agent", agent_id=agent.id)
    assert (may_read("helper"), may_read("other")) == (False, True)

    restrict(petra, target="category", category="travel")
    assert (may_read("other"), may_read("other", categories=frozenset({"travel"}))) == (True, False)


def test_all_who_look_after_policies_are_told(ada: Member, anton: Member, petra: Member) -> None:
    restrict(ada, target="everything")

    told = set(Notice.objects.filter(kind=NoticeKind.BREAK_GLASS).values_list("user_id", flat=True))
    assert told == {ada.user.id, anton.user.id, petra.user.id}


def test_others_review_it_within_a_day(ada: Member, anton: Member, petra: Member) -> None:
    activation = restrict(ada, target="everything")
    review = PolicyReview.objects.get(activation_id=activation.id)
    assert review.due_at == NOON + timedelta(hours=24)
    assert not emergency.remind_of_review(activation_id=activation.id, now=NOON + timedelta(hours=23))
    assert emergency.remind_of_review(activation_id=activation.id, now=NOON + timedelta(hours=24))
    assert PolicyActivation.objects.get(id=activation.id).attention == "review_overdue"

    says(anton, review)
    says(petra, review)
    assert PolicyReview.objects.get(id=review.id).status == "approved"


def test_whoever_broke_the_glass_does_not_review_it(council: Council) -> None:
    zoe = council.hire("zoe", *Role)
    review = PolicyReview.objects.get(activation_id=restrict(zoe, target="everything").id)

    with pytest.raises(reviewing.OwnWork):
        says(zoe, review)


def test_whoever_broke_the_glass_with_a_draft_of_another_does_not_review_it(eva: Member, anton: Member) -> None:
    version = drafted(eva, days=30)
    activation = services.break_glass(version_id=version.id, reason=WHY, by=anton.actor, auth_level=SURELY, now=NOON)

    with pytest.raises(reviewing.OwnWork):
        says(anton, PolicyReview.objects.get(activation_id=activation.id))


def test_a_review_that_objects_leaves_it_in_force(ada: Member, anton: Member) -> None:
    activation = restrict(ada, target="everything")
    says(anton, PolicyReview.objects.get(activation_id=activation.id), DecisionKind.REQUEST_CHANGES)

    assert state_of(activation.version_id) == "approved"
    assert not may_read()


def test_a_shorter_life_is_an_emergency_a_longer_one_is_not(council: Council, anton: Member) -> None:
    zoe = council.hire("zoe", *Role)
    services.break_glass(version_id=drafted(zoe, days=30).id, reason=WHY, by=anton.actor, auth_level=SURELY, now=NOON)
    assert queries.in_force(NOON).retention.version_label == "retention/2"

    with pytest.raises(emergency.NotRestricting) as refused:
        services.break_glass(
            version_id=drafted(zoe, days=60).id, reason=WHY, by=anton.actor, auth_level=SURELY, now=NOON
        )
    assert refused.value.details["loosens"]


@pytest.mark.parametrize("mode", ["shadow", "warn"])
def test_from_enforce_to_shadow_is_no_emergency(council: Council, anton: Member, mode: str) -> None:
    eva = council.hire("eva", Role.POLICY_EDITOR)
    version = drafted(eva, days=30, terms=Terms(lane="shadow", mode=mode))

    with pytest.raises(emergency.NotRestricting):
        services.break_glass(version_id=version.id, reason=WHY, by=anton.actor, auth_level=SURELY, now=NOON)


def test_what_changes_nothing_is_no_emergency(ada: Member, eva: Member) -> None:
    version = services.begin(family="retention", by=eva.actor, now=NOON)
    with pytest.raises(emergency.NotRestricting):
        services.break_glass(version_id=version.id, reason=WHY, by=ada.actor, auth_level=SURELY, now=NOON)

    restrict(ada, target="everything")
    with pytest.raises(emergency.NotRestricting):
        restrict(ada, target="category", category="travel")


@pytest.mark.parametrize("role", [Role.POLICY_EDITOR, Role.AUDITOR, Role.DEVELOPER, Role.REVIEWER, Role.PERSON])
def test_nobody_else_breaks_the_glass(council: Council, role: Role) -> None:
    with pytest.raises(NotAllowed):
        restrict(council.hire("other", role), target="everything")


def test_it_takes_a_second_factor_a_reason_and_something_that_exists(ada: Member) -> None:
    with pytest.raises(reviewing.SecondFactorMissing):
        services.restrict(target="everything", reason=WHY, by=ada.actor, auth_level=AuthLevel.PASSWORD, now=NOON)
    with pytest.raises(Invalid):
        restrict(ada, target="everything", reason="Now!")
    with pytest.raises(Invalid):
        restrict(ada, target="category", category=" ")
    with pytest.raises(NotFound):
        restrict(ada, target="agent", agent_id=uuid7())
    assert PolicyVersion.objects.filter(family__key="access").count() == 1
    assert may_read()
