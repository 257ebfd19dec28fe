"""Reviewing: others decide about exactly what they read, and nobody about their own."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db import Error, connection, transaction

from accounts.models import Notice
from accounts.vocabulary import NoticeKind, Role
from memory_admin.audit import Action
from memory_admin.audit.queries import actions_on
from memory_admin.errors import Invalid, NotAllowed
from memory_admin.tenancy.scope import uuid7
from policies import guards, services, standing
from policies.digests import Terms
from policies.models import AuthLevel, DecisionKind, PolicyReview, PolicyVersion, ReviewDecision
from policies.services import reviewing
from tests.policies.council import (
    NOON,
    Council,
    Member,
    activation_of,
    digest_now,
    drafted,
    in_review,
    replace_case,
    says,
    shorter,
    simulated,
    state_of,
)

K = DecisionKind


def edit(version_id: Any, by: Member, days: int = 60) -> None:
    version = PolicyVersion.objects.get(id=version_id)
    services.save(
        version_id=version.id,
        read_sha256=version.content_sha256,
        content=shorter(version.content, days),
        by=by.actor,
        now=NOON,
    )


def test_handing_in_freezes_and_tells(eva: Member, anton: Member, petra: Member) -> None:
    review = in_review(eva)

    assert state_of(review.version_id) == "in_review"
    told = set(Notice.objects.filter(kind=NoticeKind.POLICY_REVIEW_WAITING).values_list("user_id", flat=True))
    assert told == {anton.user.id, petra.user.id}
    assert actions_on(review.version_id)[-1] == Action.POLICY_SUBMITTED


def test_what_is_missing_is_said(eva: Member, anton: Member) -> None:
    version = services.begin(family="retention", by=eva.actor, now=NOON)

    with pytest.raises(reviewing.NotReady) as refused:
        services.submit(version_id=version.id, by=eva.actor, now=NOON)
    said = " ".join(refused.value.details["missing"])  # type: ignore[arg-type]
    assert "title" in said
    assert "differs" in said


def test_a_date_that_has_passed_is_not_handed_in(eva: Member) -> None:
    version = drafted(eva, terms=Terms(effective_from=NOON + timedelta(hours=1)))

    with pytest.raises(reviewing.NotReady) as refused:
        services.submit(version_id=version.id, by=eva.actor, now=NOON + timedelta(hours=1))
    assert "It starts in the future, or when it is released." in str(refused.value.details["missing"])


def test_a_changed_rule_needs_a_test(eva: Member, anton: Member) -> None:
    version = services.begin(family="retention", by=eva.actor, now=NOON, title="Shorter", reason="Because it is so.")
    content = {**version.content, "days": {**version.content["days"]}}
    content["days"]["event"] = {**content["days"]["event"], "inferred": 7}
    services.save(version_id=version.id, read_sha256=version.content_sha256, content=content, by=eva.actor, now=NOON)
    for case in standing.suite_of(version):
        if (case.given.get("kind"), case.given.get("origin")) == ("event", "inferred"):
            services.retire_case(version_id=version.id, case_id=case.id, by=eva.actor, now=NOON)

    with pytest.raises(reviewing.NotReady):
        services.submit(version_id=version.id, by=eva.actor, now=NOON)


def test_one_other_approves_what_has_medium_risk(eva: Member, anton: Member) -> None:
    review = in_review(eva)
    says(anton, review)

    assert state_of(review.version_id) == "approved"
    version = PolicyVersion.objects.get(id=review.version_id)
    assert version.approved_by == f"review:{review.id}"
    assert Action.POLICY_REVIEWED in actions_on(version.id)


def test_approving_twice_counts_once(eva: Member, anton: Member, petra: Member) -> None:
    review = in_review(eva)
    PolicyReview.objects.filter(id=review.id).update(required_approvals=2)
    first, second = says(anton, review), says(anton, review)

    assert first.id == second.id
    assert state_of(review.version_id) == "in_review"
    says(petra, review)
    assert state_of(review.version_id) == "approved"


def test_high_risk_takes_two_and_a_privacy_officer(council: Council, eva: Member, anton: Member) -> None:
    bea = council.hire("bea", Role.POLICY_APPROVER)
    petra = council.hire("petra", Role.PRIVACY_OFFICER)
    review = in_review(eva)
    PolicyReview.objects.filter(id=review.id).update(required_approvals=2, needs_privacy_officer=True)

    says(anton, review)
    says(bea, review)
    assert state_of(review.version_id) == "in_review"
    says(petra, review)
    assert state_of(review.version_id) == "approved"


@pytest.mark.parametrize(
    ("family", "approvals", "officer"),
    [("retention", 1, False), ("retrieval", 1, False), ("write", 2, True), ("access", 2, True), ("procedure", 2, True)],
)
def test_the_risk_of_a_family_decides_what_a_review_takes(
    eva: Member, family: Any, approvals: int, officer: bool
) -> None:
    version = services.begin(family=family, by=eva.actor, now=NOON)
    activation = standing.planned(version)
    assert activation is not None

    demands = guards.demands_on(activation, now=NOON)
    assert (demands.approvals, demands.privacy_officer) == (approvals, officer)


# --- one's own work --------------------------------------------------------------------------------------------------


@pytest.fixture
def zoe(council: Council) -> Member:
    """Somebody with every role there is."""
    return council.hire("zoe", *Role)


def test_an_author_with_every_role_approves_nothing_of_theirs(zoe: Member, anton: Member) -> None:
    review = in_review(zoe)

    with pytest.raises(reviewing.OwnWork):
        says(zoe, review)


def test_the_editor_of_an_earlier_round_never_approves(eva: Member, zoe: Member, anton: Member) -> None:
    review = in_review(zoe)
    says(anton, review, K.REQUEST_CHANGES)
    edit(review.version_id, eva)
    replace_case(review.version, eva, 60)
    simulated(review.version)
    again = services.submit(version_id=review.version_id, by=eva.actor, now=NOON)

    assert again.round == 2
    with pytest.raises(reviewing.OwnWork):
        says(zoe, again)


def test_whoever_changed_its_tests_never_approves(eva: Member, zoe: Member) -> None:
    review = in_review(eva)
    replace_case(review.version, zoe, 90)

    with pytest.raises(reviewing.OwnWork):
        says(zoe, review)


def test_raw_sql_does_not_approve_ones_own(zoe: Member, anton: Member) -> None:
    review = in_review(zoe)
    with pytest.raises(Error, match="does not approve"), transaction.atomic():
        ReviewDecision.objects.bulk_create([_vote(review, zoe)])

    ReviewDecision.objects.bulk_create([_vote(review, anton)])


def _vote(review: PolicyReview, who: Member) -> ReviewDecision:
    return ReviewDecision(
        id=uuid7(),
        review=review,
        reviewer=who.user,
        kind=K.APPROVE,
        review_digest=digest_now(review),
        roles_at_time=["policy_approver"],
        auth_level=AuthLevel.SECOND_FACTOR,
        at=NOON,
    )


@pytest.mark.parametrize(
    "statement", ["UPDATE policies_reviewdecision SET kind = 'comment'", "DELETE FROM policies_reviewdecision"]
)
def test_a_decision_never_changes(eva: Member, anton: Member, statement: str) -> None:
    says(anton, in_review(eva))

    with pytest.raises(Error), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)


@pytest.mark.parametrize("role", [Role.POLICY_EDITOR, Role.ADMIN, Role.AUDITOR, Role.REVIEWER, Role.DEVELOPER])
def test_nobody_else_approves(council: Council, eva: Member, anton: Member, role: Role) -> None:
    other = council.hire("other", role)
    with pytest.raises(NotAllowed):
        says(other, in_review(eva))


def test_an_approval_takes_a_second_factor(eva: Member, anton: Member) -> None:
    with pytest.raises(reviewing.SecondFactorMissing):
        says(anton, in_review(eva), level=AuthLevel.PASSWORD)


# --- exactly what was read -------------------------------------------------------------------------------------------


def test_an_edit_makes_earlier_approvals_stale(eva: Member, anton: Member, petra: Member) -> None:
    review = in_review(eva)
    PolicyReview.objects.filter(id=review.id).update(required_approvals=2)
    says(anton, review)
    edit(review.version_id, eva)
    replace_case(review.version, eva, 60)
    simulated(review.version)
    again = services.submit(version_id=review.version_id, by=eva.actor, now=NOON)
    PolicyReview.objects.filter(id=again.id).update(required_approvals=2)

    says(petra, again)
    assert state_of(review.version_id) == "in_review"
    says(anton, again)
    assert state_of(review.version_id) == "approved"


def test_reordered_json_and_a_new_title_leave_approvals_valid(eva: Member, anton: Member, petra: Member) -> None:
    review = in_review(eva)
    PolicyReview.objects.filter(id=review.id).update(required_approvals=2)
    says(anton, review)
    version = PolicyVersion.objects.get(id=review.version_id)
    services.save(
        version_id=version.id,
        read_sha256=version.content_sha256,
        content=dict(reversed(list(version.content.items()))),
        title="Another title",
        by=eva.actor,
        now=NOON,
    )

    assert state_of(version.id) == "in_review"
    says(petra, review)
    assert state_of(version.id) == "approved"


def test_a_test_that_is_added_makes_approvals_stale(eva: Member, anton: Member, petra: Member) -> None:
    review = in_review(eva)
    PolicyReview.objects.filter(id=review.id).update(required_approvals=2)
    read = digest_now(review)
    says(anton, review)
    services.add_case(
        version_id=review.version_id,
        name="Another",
        given={"kind": "fact", "origin": "inferred"},
        expect={"days": 180},
        by=eva.actor,
        now=NOON,
    )

    with pytest.raises(reviewing.NotWhatYouRead):
        says(petra, review, digest=read)
    services.run_tests(version_id=review.version_id, by=eva.actor, now=NOON)
    says(petra, review)
    assert state_of(review.version_id) == "in_review"


# --- other words -----------------------------------------------------------------------------------------------------


def test_a_comment_decides_nothing(eva: Member, anton: Member) -> None:
    review = in_review(eva)
    says(anton, review, K.COMMENT)
    says(eva, review, K.COMMENT)

    assert state_of(review.version_id) == "in_review"


def test_a_wish_for_changes_brings_it_back_to_draft(eva: Member, anton: Member, petra: Member) -> None:
    review = in_review(eva)
    wish = says(anton, review, K.REQUEST_CHANGES)
    assert state_of(review.version_id) == "draft"

    again = services.submit(version_id=review.version_id, by=eva.actor, now=NOON)
    says(petra, again)
    assert state_of(review.version_id) == "in_review", "the wish is about exactly this, and still open"
    services.dismiss(decision_id=wish.id, reason="Settled in conversation.", by=petra.actor, now=NOON)
    services.run_tests(version_id=review.version_id, by=petra.actor, now=NOON)
    assert state_of(review.version_id) == "approved"
    assert Action.POLICY_OBJECTION_DISMISSED in actions_on(review.version_id)


def test_a_reviewer_can_change_their_mind(eva: Member, anton: Member) -> None:
    review = in_review(eva)
    says(anton, review, K.REQUEST_CHANGES)
    again = services.submit(version_id=review.version_id, by=eva.actor, now=NOON)
    says(anton, again, now=NOON + timedelta(minutes=1))

    assert state_of(review.version_id) == "approved"


def test_a_rejection_is_final_and_says_why(eva: Member, anton: Member) -> None:
    review = in_review(eva)
    with pytest.raises(Invalid):
        says(anton, review, K.REJECT, comment="No.")
    says(anton, review, K.REJECT)

    assert state_of(review.version_id) == "rejected"
    assert activation_of(review).state == "withdrawn"


def test_reviewers_are_chosen_among_those_who_can(eva: Member, anton: Member, petra: Member) -> None:
    review = in_review(eva)
    services.ask_reviewers(review_id=review.id, reviewers=[petra.user.id], by=eva.actor, now=NOON)

    assert Action.POLICY_REVIEWERS_ASKED in actions_on(review.version_id)
    with pytest.raises(reviewing.NoReviewer):
        services.ask_reviewers(review_id=review.id, reviewers=[eva.user.id], by=eva.actor, now=NOON)


# --- tests and simulation --------------------------------------------------------------------------------------------


def test_a_test_that_fails_approves_nothing(eva: Member, anton: Member) -> None:
    review = in_review(eva)
    replace_case(review.version, eva, 91)
    services.run_tests(version_id=review.version_id, by=eva.actor, now=NOON)
    says(anton, review)
    assert state_of(review.version_id) == "in_review"

    replace_case(review.version, eva, 90)
    says(anton, review)
    assert state_of(review.version_id) == "in_review", "they have not run"
    services.run_tests(version_id=review.version_id, by=eva.actor, now=NOON)
    assert state_of(review.version_id) == "approved"


def test_a_suite_of_skipped_cases_alone_approves_nothing(eva: Member, anton: Member) -> None:
    version = drafted(eva)
    for case in standing.suite_of(version):
        services.retire_case(version_id=version.id, case_id=case.id, by=eva.actor, now=NOON)
    services.add_case(
        version_id=version.id,
        name="Only this",
        given={"kind": "preference", "origin": "inferred"},
        expect={"days": 90},
        skip_reason="Not now",
        by=eva.actor,
        now=NOON,
    )
    simulated(version)
    run = services.run_tests(version_id=version.id, by=eva.actor, now=NOON)
    assert (run.passed, run.skipped, run.is_green) == (0, 1, False)

    with pytest.raises(reviewing.NotReady):
        services.submit(version_id=version.id, by=eva.actor, now=NOON)


def test_without_a_simulation_nothing_is_approved(eva: Member, anton: Member) -> None:
    version = drafted(eva)
    review = services.submit(version_id=version.id, by=eva.actor, now=NOON)
    says(anton, review)
    assert state_of(version.id) == "in_review"

    simulated(version, at=NOON - timedelta(hours=25))
    reviewing.settle_all(version_id=version.id, now=NOON)
    assert state_of(version.id) == "in_review", "a day is over"
    simulated(version)
    reviewing.settle_all(version_id=version.id, now=NOON)
    assert state_of(version.id) == "approved"


def test_an_approval_lapses_after_thirty_days(eva: Member, anton: Member) -> None:
    review = in_review(eva)
    says(anton, review)
    assert not reviewing.expire(review_id=review.id, now=NOON + timedelta(days=29))
    later = NOON + timedelta(days=30)
    assert reviewing.expire(review_id=review.id, now=later)
    assert state_of(review.version_id) == "draft"

    simulated(review.version, at=later)
    again = services.submit(version_id=review.version_id, by=eva.actor, now=later)
    services.run_tests(version_id=review.version_id, by=eva.actor, now=later)
    assert state_of(review.version_id) == "in_review", "what lapsed does not count again"
    says(anton, again, now=later)
    assert state_of(review.version_id) == "approved"


def test_a_simulation_against_another_base_does_not_count(eva: Member, anton: Member) -> None:
    review, other = in_review(eva), in_review(eva, days=60)
    before = digest_now(review)
    says(anton, other)
    services.release(activation_id=other.activation_id, by=eva.actor, now=NOON)
    services.rebase(version_id=review.version_id, by=eva.actor, now=NOON)
    replace_case(review.version, eva, 90)
    again = services.submit(version_id=review.version_id, by=eva.actor, now=NOON)
    with pytest.raises(reviewing.NotWhatYouRead):
        says(anton, again, digest=before)
    says(anton, again)

    assert state_of(review.version_id) == "in_review"
    simulated(review.version)
    reviewing.settle_all(version_id=review.version_id, now=NOON)
    assert state_of(review.version_id) == "approved"
