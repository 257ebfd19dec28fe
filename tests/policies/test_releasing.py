"""Taking effect: at its time or at once, and only while everything holds."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db import Error, connection, transaction

from accounts import services as accounts
from accounts.models import Notice, Tenant, User
from accounts.vocabulary import NoticeKind, Role
from memory_admin.audit import Action
from memory_admin.audit.queries import actions_on
from memory_admin.errors import NotAllowed
from policies import queries, services
from policies.digests import Terms
from policies.models import PolicyActivation, PolicyFamily, PolicyReview, PolicyVersion
from policies.services import drafts, releasing, reviewing
from tests.policies.council import (
    NOON,
    Council,
    Member,
    activation_of,
    in_review,
    replace_case,
    says,
    state_of,
)

DUE = NOON + timedelta(hours=12)
AT_NOON = Terms(effective_from=DUE)


def approved(eva: Member, anton: Member, **draft: Any) -> PolicyReview:
    review = in_review(eva, **draft)
    says(anton, review, now=draft.get("now", NOON))
    assert state_of(review.version_id) == "approved"
    return review


def scheduled(eva: Member, anton: Member, **draft: Any) -> PolicyActivation:
    review = approved(eva, anton, terms=AT_NOON, **draft)
    services.schedule(activation_id=review.activation_id, by=eva.actor, now=NOON)
    return activation_of(review)


def decides(now: Any = DUE) -> str:
    return queries.in_force(now).retention.version_label


def fire(activation: PolicyActivation, *, now: Any = DUE) -> PolicyActivation:
    releasing.activate_due(activation_id=activation.id, now=now)
    return PolicyActivation.objects.get(id=activation.id)


def test_a_release_decides_from_then_on(eva: Member, anton: Member) -> None:
    review = approved(eva, anton)
    before = PolicyVersion.objects.get(family__key="retention", number=1)
    services.release(activation_id=review.activation_id, by=eva.actor, now=DUE)

    assert decides(DUE - timedelta(seconds=1)) == "retention/1"
    assert decides() == f"retention/{review.version.number}"
    assert before.activations.get().state == "superseded"
    assert Action.POLICY_SUPERSEDED in actions_on(before.id)
    assert actions_on(review.version_id)[-1] == Action.POLICY_ACTIVATED


def test_what_is_not_approved_is_not_released(eva: Member, anton: Member) -> None:
    review = in_review(eva)
    for attempt in (services.release, services.schedule):
        with pytest.raises(releasing.NotApproved):
            attempt(activation_id=review.activation_id, by=anton.actor, now=NOON)


@pytest.mark.parametrize("role", [Role.ADMIN, Role.AUDITOR, Role.DEVELOPER, Role.REVIEWER, Role.PERSON])
def test_nobody_else_releases(council: Council, eva: Member, anton: Member, role: Role) -> None:
    review, other = approved(eva, anton), council.hire("other", role)
    for attempt in (services.release, services.schedule):
        with pytest.raises(NotAllowed):
            attempt(activation_id=review.activation_id, by=other.actor, now=NOON)


def test_a_scheduled_version_takes_effect_at_its_time(eva: Member, anton: Member) -> None:
    activation = scheduled(eva, anton)
    assert Action.POLICY_SCHEDULED in actions_on(activation.version_id)
    with pytest.raises(releasing.NotYet):
        services.release(activation_id=activation.id, by=eva.actor, now=NOON)
    assert fire(activation, now=DUE - timedelta(seconds=1)).state == "scheduled"

    assert fire(activation).state == "effective"
    assert decides() == "retention/2"
    assert fire(activation, now=DUE + timedelta(minutes=1)).state == "effective", "twice is once"


def test_a_job_that_comes_two_hours_late_changes_nothing(eva: Member, anton: Member, petra: Member) -> None:
    activation = fire(scheduled(eva, anton), now=DUE + timedelta(hours=2))

    assert (activation.state, activation.attention) == ("scheduled", "late")
    assert decides(DUE + timedelta(hours=2)) == "retention/1"
    assert Action.POLICY_STOPPED in actions_on(activation.version_id)
    told = set(Notice.objects.filter(kind=NoticeKind.POLICY_ATTENTION).values_list("user_id", flat=True))
    assert {eva.user.id, anton.user.id} <= told
    assert fire(activation, now=DUE).attention == "late", "a person has to look"
    services.release(activation_id=activation.id, by=eva.actor, now=DUE + timedelta(hours=3))
    assert decides(DUE + timedelta(hours=3)) == "retention/2"


def test_a_base_that_moved_stops_it(eva: Member, anton: Member) -> None:
    waiting = scheduled(eva, anton)
    other = approved(eva, anton, days=91)
    services.release(activation_id=other.activation_id, by=eva.actor, now=NOON)

    assert fire(waiting).attention == "base_moved"
    assert decides() == "retention/3"


@pytest.mark.parametrize("region", [None, "eu"])
def test_whoever_waited_for_another_release_comes_after_it(eva: Member, anton: Member, region: str | None) -> None:
    first, second = (approved(eva, anton, days=days, terms=Terms(region=region)) for days in (90, 60))
    services.release(activation_id=first.activation_id, by=eva.actor, now=DUE)

    with pytest.raises(releasing.GuardsFail) as refused:
        services.release(activation_id=second.activation_id, by=eva.actor, now=DUE - timedelta(seconds=1))
    assert refused.value.details["codes"] == ["base"]


def test_an_approver_who_lost_the_role_stops_it(council: Council, eva: Member, anton: Member) -> None:
    activation = scheduled(eva, anton)
    council.dismiss(anton, keep=(Role.PERSON,))

    assert fire(activation).attention == "approver_left"
    assert decides() == "retention/1"


def test_an_approver_who_was_deactivated_stops_it(eva: Member, anton: Member) -> None:
    activation = scheduled(eva, anton)
    User.objects.filter(id=anton.user.id).update(is_active=False)

    assert fire(activation).attention == "approver_left"


def test_an_officer_who_is_one_no_longer_stops_it(council: Council, eva: Member, anton: Member) -> None:
    petra = council.hire("petra", Role.POLICY_APPROVER, Role.PRIVACY_OFFICER)
    PolicyFamily.objects.filter(key="retention").update(risk_class="high")
    review = in_review(eva, terms=AT_NOON)
    says(anton, review)
    says(petra, review)
    services.schedule(activation_id=review.activation_id, by=eva.actor, now=NOON)
    council.dismiss(petra, keep=(Role.POLICY_APPROVER,))

    assert fire(activation_of(review)).attention == "approver_left"


@pytest.mark.parametrize(
    "change",
    ["effective_from = effective_from - interval '1 minute'", "region = 'us'", "lane = 'shadow', mode = 'warn'"],
)
def test_what_is_no_longer_what_was_approved_stops_it(eva: Member, anton: Member, change: str) -> None:
    review = approved(eva, anton, terms=AT_NOON)
    with connection.cursor() as cursor:
        cursor.execute(f"UPDATE policies_policyactivation SET {change} WHERE id = %s", [review.activation_id])
    services.schedule(activation_id=review.activation_id, by=eva.actor, now=NOON)

    assert fire(activation_of(review)).attention == "stale"


def test_tests_that_fail_on_the_engine_in_use_stop_it(
    eva: Member, anton: Member, monkeypatch: pytest.MonkeyPatch
) -> None:
    activation = scheduled(eva, anton)
    monkeypatch.setattr("policies.cases.answers.expires_at", lambda *_, at, **__: at + timedelta(days=7))

    assert fire(activation).attention == "tests_fail"


def test_no_test_is_added_to_what_is_decided(eva: Member, anton: Member) -> None:
    activation = scheduled(eva, anton)

    with pytest.raises(drafts.NotADraft):
        replace_case(activation.version, eva, 45)


def test_a_freeze_stops_it(eva: Member, anton: Member, petra: Member) -> None:
    activation = scheduled(eva, anton)
    freeze = services.freeze(
        begins_at=NOON, ends_at=DUE + timedelta(hours=1), reason="Year-end closing.", by=petra.actor, now=NOON
    )

    assert fire(activation).attention == "frozen"
    services.thaw(freeze_id=freeze.id, by=petra.actor, now=DUE)
    services.release(activation_id=activation.id, by=eva.actor, now=DUE)
    assert decides() == "retention/2"
    assert actions_on(freeze.id) == [Action.POLICY_FROZEN, Action.POLICY_THAWED]


def test_a_tenant_that_leaves_changes_nothing_more(council: Council, eva: Member, anton: Member) -> None:
    activation = scheduled(eva, anton)
    Tenant.objects.filter(id=council.tenant.id).update(status="offboarding")

    assert fire(activation).attention == "offboarding"


def test_two_that_are_due_in_one_scope_need_a_person(eva: Member, anton: Member) -> None:
    scheduled(eva, anton)
    second = approved(eva, anton, terms=Terms(effective_from=DUE + timedelta(hours=1)), days=90)

    stopped = services.schedule(activation_id=second.activation_id, by=eva.actor, now=NOON)
    assert (stopped.state, stopped.attention) == ("planned", "conflict")


def test_shadow_decides_nothing_and_can_be_ended(eva: Member, anton: Member) -> None:
    review = approved(eva, anton, terms=Terms(lane="shadow", mode="shadow"))
    services.release(activation_id=review.activation_id, by=eva.actor, now=NOON)

    found = queries.in_force(NOON)
    assert found.retention.version_label == "retention/1"
    assert found.watching["retention"].version_label == "retention/2"
    services.stop_watching(activation_id=review.activation_id, by=eva.actor, now=DUE)
    assert not queries.in_force(DUE).watching
    assert Action.POLICY_ENDED in actions_on(review.version_id)


def test_what_was_in_shadow_is_enforced_after_another_review(eva: Member, anton: Member) -> None:
    first = approved(eva, anton, terms=Terms(lane="shadow", mode="shadow"))
    services.release(activation_id=first.activation_id, by=eva.actor, now=NOON)
    review = services.plan_use(version_id=first.version_id, terms=Terms(), by=eva.actor, now=NOON)
    assert state_of(first.version_id) == "approved"
    with pytest.raises(releasing.NotApproved):
        services.release(activation_id=review.activation_id, by=eva.actor, now=NOON)
    says(anton, review)
    services.release(activation_id=review.activation_id, by=eva.actor, now=NOON)

    assert decides(NOON) == "retention/2"


def test_a_window_for_one_agent_ends_by_itself(council: Council, eva: Member, anton: Member) -> None:
    agent = accounts.create_agent(name="helper", by=council.by, now=NOON)
    review = approved(eva, anton, terms=Terms(agent_id=agent.id, effective_until=DUE))
    services.release(activation_id=review.activation_id, by=eva.actor, now=NOON)

    assert queries.in_force(NOON, agent_id=agent.id).retention.version_label == "retention/2"
    assert queries.in_force(NOON).retention.version_label == "retention/1"
    assert queries.in_force(DUE, agent_id=agent.id).retention.version_label == "retention/1"
    assert releasing.end_due(activation_id=review.activation_id, now=DUE)
    assert activation_of(review).state == "ended"


def test_what_was_in_force_never_becomes_a_draft_again(eva: Member, anton: Member) -> None:
    review = approved(eva, anton)
    services.release(activation_id=review.activation_id, by=eva.actor, now=NOON)

    with pytest.raises(Error, match="stays approved"), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("UPDATE policies_policyversion SET state = 'draft' WHERE id = %s", [review.version_id])
    assert not reviewing.expire(review_id=review.id, now=NOON + timedelta(days=40))


def test_rolling_back_takes_one_approval(council: Council, eva: Member, anton: Member) -> None:
    review = approved(eva, anton)
    services.release(activation_id=review.activation_id, by=eva.actor, now=NOON + timedelta(minutes=1))
    first = PolicyVersion.objects.get(family__key="retention", number=1)
    back = services.restore(version_id=first.id, reason="It deleted too much.", by=eva.actor, now=DUE)
    again = services.submit(version_id=back.id, by=eva.actor, now=DUE)

    assert (again.required_approvals, again.needs_privacy_officer, again.needs_simulation) == (1, False, False)
    says(anton, again, now=DUE)
    services.release(activation_id=again.activation_id, by=eva.actor, now=DUE)
    assert decides() == "retention/3"


def test_a_rollback_of_what_is_long_gone_takes_the_full_review(eva: Member, anton: Member) -> None:
    review = approved(eva, anton)
    services.release(activation_id=review.activation_id, by=eva.actor, now=NOON + timedelta(minutes=1))
    first = PolicyVersion.objects.get(family__key="retention", number=1)
    late = NOON + timedelta(days=91)
    back = services.restore(version_id=first.id, reason="It deleted too much.", by=eva.actor, now=late)

    assert services.submit(version_id=back.id, by=eva.actor, now=late).needs_simulation


def test_a_newer_base_is_taken_up_on_purpose(eva: Member, anton: Member) -> None:
    review = approved(eva, anton)
    other = services.begin(family="retention", by=eva.actor, now=NOON)
    services.release(activation_id=review.activation_id, by=anton.actor, now=NOON)

    moved = services.rebase(version_id=other.id, by=eva.actor, now=NOON)
    assert moved.base_version_id == review.version_id
