"""Two people at the same moment: it comes out as if one had come after the other."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import timedelta
from threading import Barrier
from typing import Any

import pytest
from django.db import connection

from accounts.vocabulary import Role
from memory_admin.errors import DomainError
from memory_admin.tenancy.scope import tenant_scope
from policies import services
from policies.digests import Terms
from policies.models import (
    DecisionKind,
    EffectiveWindow,
    PolicyActivation,
    PolicyReview,
    PolicyVersion,
    ReviewDecision,
)
from policies.services import releasing
from tests.policies.council import (
    NOON,
    SURELY,
    Council,
    Member,
    activation_of,
    digest_now,
    drafted,
    found,
    in_review,
    says,
    shorter,
    state_of,
)
from tests.policies.witness import one_decides_at_a_time

ONE = NOON + timedelta(hours=1)
REASON = "Because we agreed on it."


@dataclass
class Room:
    """Three people of one tenant whose rows other connections see, once they are prepared."""

    council: Council
    eva: Member
    anton: Member
    petra: Member

    def prepared(self, what: Callable[[], Any]) -> Any:
        """Do or look at something in a transaction of its own."""
        with tenant_scope(self.council.tenant.id):
            return what()

    def at_once(self, *steps: Callable[[], Any]) -> list[Any]:
        """Take steps in parallel, each in its own transaction; say "done" of each, or the code of its error."""
        together = Barrier(len(steps))

        def take(step: Callable[[], Any]) -> str:
            together.wait(30)
            try:
                with tenant_scope(self.council.tenant.id):
                    step()
            except DomainError as error:
                return error.code
            finally:
                connection.close()
            return "done"

        with ThreadPoolExecutor(len(steps)) as pool:
            came = list(pool.map(take, steps))
        self.prepared(one_decides_at_a_time)
        return came

    def approved(self, **draft: Any) -> PolicyReview:
        review = in_review(self.eva, **draft)
        says(self.anton, review)
        assert state_of(review.version_id) == "approved"
        return review

    def scheduled(self) -> PolicyActivation:
        review = self.approved(terms=Terms(effective_from=ONE))
        services.schedule(activation_id=review.activation_id, by=self.eva.actor, now=NOON)
        return activation_of(review)

    def release(self, review: PolicyReview, seconds: int = 0) -> Callable[[], Any]:
        now = ONE + timedelta(seconds=seconds)
        return lambda: services.release(activation_id=review.activation_id, by=self.eva.actor, now=now)

    def approve(self, review: PolicyReview, who: Member, digest: str) -> Callable[[], Any]:
        return lambda: says(who, review, digest=digest)

    def edit(self, version: PolicyVersion, days: int) -> Callable[[], Any]:
        return lambda: services.save(
            version_id=version.id,
            read_sha256=version.content_sha256,
            content=shorter(version.content, days),
            by=self.eva.actor,
            now=NOON,
        )

    def break_glass(self, version: PolicyVersion) -> Callable[[], Any]:
        return lambda: services.break_glass(
            version_id=version.id, reason=REASON, by=self.petra.actor, auth_level=SURELY, now=ONE
        )

    def effective(self) -> set[int]:
        """Name the versions that hold the state, by their numbers."""
        held = PolicyActivation.objects.filter(version__family__key="retention", state="effective")
        return set(held.values_list("version__number", flat=True))


@pytest.fixture
def room(transactional_db: None) -> Room:
    for council in found("larkfield"):
        people = (
            council.hire("eva", Role.POLICY_EDITOR),
            council.hire("anton", Role.POLICY_APPROVER),
            council.hire("petra", Role.POLICY_APPROVER, Role.PRIVACY_OFFICER),
        )
    return Room(council, *people)


def test_of_two_edits_one_is_kept_and_two_drafts_have_two_numbers(room: Room) -> None:
    draft = room.prepared(lambda: services.begin(family="retention", by=room.eva.actor, now=NOON))

    assert sorted(room.at_once(*[room.edit(draft, days) for days in (10, 20)])) == ["done", "edited_meanwhile"]
    begin = [lambda: services.begin(family="retention", by=room.eva.actor, now=NOON)] * 2
    assert room.at_once(*begin) == ["done", "done"]
    numbers = room.prepared(lambda: set(PolicyVersion.objects.filter(title="").values_list("number", flat=True)))
    assert {2, 3, 4} <= numbers


@pytest.mark.parametrize("region", [None, "eu"])
def test_of_two_releases_one_finds_its_base_moved(room: Room, region: str | None) -> None:
    terms = Terms(region=region)
    one, other = room.prepared(lambda: [room.approved(days=days, terms=terms) for days in (60, 90)])

    assert sorted(room.at_once(room.release(one), room.release(other, seconds=1))) == ["done", "guards_fail"]


def test_one_release_twice_is_one(room: Room) -> None:
    review = room.prepared(room.approved)

    assert sorted(room.at_once(room.release(review), room.release(review))) == ["done", "not_approved"]
    assert room.prepared(room.effective) == {2}


def test_a_schedule_that_fires_twice_fires_once(room: Room) -> None:
    activation = room.prepared(room.scheduled)
    room.at_once(*[lambda: releasing.activate_due(activation_id=activation.id, now=ONE)] * 3)

    assert room.prepared(room.effective) == {2}
    assert room.prepared(lambda: EffectiveWindow.objects.filter(activation_id=activation.id).count()) == 1


def test_a_release_and_a_revocation_of_what_decides(room: Room) -> None:
    def prepare() -> tuple[PolicyReview, PolicyReview]:
        first = room.approved(days=300)
        room.release(first, seconds=-3600)()
        return first, room.approved(days=60)

    first, second = room.prepared(prepare)
    came = room.at_once(
        room.release(second),
        lambda: services.revoke(
            activation_id=first.activation_id,
            fallback="previous",
            reason=REASON,
            by=room.anton.actor,
            auth_level=SURELY,
            now=ONE,
        ),
    )

    # Whichever came second found that the other had moved what it relied on.
    assert came in (["done", "not_in_force"], ["guards_fail", "done"])
    assert room.prepared(room.effective) == ({3} if came[0] == "done" else {1})


def test_an_approval_and_an_edit(room: Room) -> None:
    review = room.prepared(lambda: in_review(room.eva))
    digest = room.prepared(lambda: digest_now(review))
    came = room.at_once(room.approve(review, room.anton, digest), room.edit(review.version, 45))

    assert came in (["done", "not_a_draft"], ["review_closed", "done"])
    expected = "approved" if came[0] == "done" else "draft"
    assert room.prepared(lambda: state_of(review.version_id)) == expected


def test_the_same_approval_twice_is_one(room: Room) -> None:
    def prepare() -> tuple[PolicyReview, str]:
        review = in_review(room.eva)
        PolicyReview.objects.filter(id=review.id).update(required_approvals=2)
        return review, digest_now(review)

    review, digest = room.prepared(prepare)
    assert room.at_once(*[room.approve(review, room.anton, digest)] * 3) == ["done"] * 3

    assert room.prepared(lambda: ReviewDecision.objects.filter(kind=DecisionKind.APPROVE).count()) == 1
    assert room.prepared(lambda: state_of(review.version_id)) == "in_review"
    room.at_once(room.approve(review, room.petra, digest))
    assert room.prepared(lambda: state_of(review.version_id)) == "approved"


def test_scheduling_and_withdrawing(room: Room) -> None:
    review = room.prepared(lambda: room.approved(terms=Terms(effective_from=ONE)))
    version_id, activation_id = review.version_id, review.activation_id
    came = room.at_once(
        lambda: services.schedule(activation_id=activation_id, by=room.eva.actor, now=NOON),
        lambda: services.withdraw(version_id=version_id, reason=REASON, by=room.eva.actor, now=NOON),
    )

    assert came in (["done", "done"], ["not_approved", "done"])
    room.prepared(lambda: releasing.activate_due(activation_id=activation_id, now=ONE))
    assert room.prepared(room.effective) == {1}


def test_a_schedule_and_break_glass(room: Room) -> None:
    activation, version = room.prepared(lambda: (room.scheduled(), drafted(room.eva, days=30)))
    came = room.at_once(
        lambda: releasing.activate_due(activation_id=activation.id, now=ONE + timedelta(seconds=1)),
        room.break_glass(version),
    )

    assert came == ["done", "done"]
    assert room.prepared(room.effective) == {3}, "what restricts more decides, whichever came first"


def test_a_schedule_and_a_freeze(room: Room) -> None:
    activation = room.prepared(room.scheduled)
    came = room.at_once(
        lambda: releasing.activate_due(activation_id=activation.id, now=ONE),
        lambda: services.freeze(
            begins_at=ONE, ends_at=ONE + timedelta(hours=1), reason=REASON, by=room.petra.actor, now=ONE
        ),
    )

    assert came == ["done", "done"]
    held = room.prepared(lambda: PolicyActivation.objects.get(id=activation.id))
    assert (held.state, held.attention) in (("effective", ""), ("scheduled", "frozen"))
