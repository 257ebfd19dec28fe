"""Whatever people do in whatever order: nothing takes effect that was not approved as it is, by enough others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Any, ClassVar, TypeVar
from unittest.mock import patch
from uuid import UUID, uuid4

import pytest
from django.db import transaction
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from accounts import services as accounts
from accounts.models import Membership, User
from accounts.vocabulary import Role
from memory_admin.errors import DomainError
from policies import cases, compare, services, standing
from policies.digests import Terms, review_sha256
from policies.documents import parse
from policies.models import (
    AuthLevel,
    DecisionKind,
    EffectiveWindow,
    PolicyActivation,
    PolicyReview,
    PolicyVersion,
    ReviewDecision,
)
from policies.services import emergency, releasing, reviewing
from tests.policies.council import NOON, SURELY, Council, Member, found, replace_case, shorter, simulated

REASON = "Because we agreed on it."
DAYS = st.sampled_from([30, 90, 180, 400])
WHO = st.integers(0, 4)
WHICH = st.sampled_from([0, 0, 0, 0, 1, 2, 5])  # mostly the newest


class Crash(Exception):
    """A process that dies in the middle."""


class Politics(RuleBasedStateMachine):
    """Five people, a clock that jumps, and every step there is, allowed or not."""

    took_effect: ClassVar[Counter[str]] = Counter()

    def __init__(self) -> None:
        super().__init__()
        self._block = transaction.atomic()
        self._block.__enter__()
        self._scope = found(f"t{uuid4().hex[:12]}")
        self.council: Council = next(self._scope)
        hire = self.council.hire
        tag = uuid4().hex[:8]
        self.people: list[Member] = [
            hire(f"eva{tag}", Role.POLICY_EDITOR),
            hire(f"otto{tag}", Role.POLICY_EDITOR, Role.POLICY_APPROVER),
            hire(f"anton{tag}", Role.POLICY_APPROVER),
            hire(f"petra{tag}", Role.PRIVACY_OFFICER),
            hire(f"zoe{tag}", *Role),
        ]
        self.now: datetime = NOON
        self.seen: set[UUID] = set(EffectiveWindow.objects.values_list("id", flat=True))
        self.decided_before: UUID | None = self._deciding()
        self.crashes = False
        self.returns = 0

    def teardown(self) -> None:
        for _ in self._scope:
            pass
        transaction.set_rollback(True)
        self._block.__exit__(None, None, None)

    def _deciding(self) -> UUID | None:
        family = PolicyVersion.objects.filter(family__key="retention").values_list("family_id", flat=True)[0]
        held = standing.deciding(family, now=self.now)
        return held.id if held else None

    def do(self, step: Callable[..., Any], **what: Any) -> Any:
        """Take a step as one transaction; a crash comes before its last statement."""
        self.decided_before = self._deciding()
        done = None
        with suppress(DomainError, Crash), transaction.atomic():
            if self.crashes:
                self.crashes = False
                with patch("memory_admin.audit.services.connection.cursor", side_effect=Crash):
                    return step(now=self.now, **what)
            done = step(now=self.now, **what)
        self.what_took_effect_was_approved()
        return done

    def versions(self) -> list[PolicyVersion]:
        return list(PolicyVersion.objects.filter(family__key="retention").order_by("number"))

    def version(self, which: int) -> PolicyVersion:
        return _from_the_end(self.versions(), which)

    def activation(self, which: int) -> PolicyActivation:
        return _from_the_end(
            list(PolicyActivation.objects.filter(version__family__key="retention").order_by("id")), which
        )

    def review(self, which: int) -> PolicyReview | None:
        held = list(PolicyReview.objects.order_by("id"))
        return _from_the_end(held, which) if held else None

    @rule(who=WHO, days=DAYS, hours=st.sampled_from([None, None, 1, 5]), lane=st.sampled_from(["enforce", "shadow"]))
    def draft(self, who: int, days: int, hours: int | None, lane: str) -> None:
        start = self.now + timedelta(hours=hours) if hours else None
        terms = Terms(effective_from=start, lane=lane, mode=lane)
        by = self.people[who]
        begun = self.do(
            services.begin, family="retention", by=by.actor, title="Another life", reason=REASON, terms=terms
        )
        if begun is not None:
            self._say(by, begun, days)

    def _say(self, by: Member, version: PolicyVersion, days: int) -> None:
        version.refresh_from_db()
        self.do(
            services.save,
            version_id=version.id,
            read_sha256=version.content_sha256,
            content=shorter(version.content, days),
            by=by.actor,
        )
        with suppress(DomainError), transaction.atomic():
            replace_case(version, by, days, now=self.now)

    @rule(
        days=DAYS, start=st.sampled_from([None, 1]), left_out=st.sampled_from(["", "", "simulate", "approve", "wait"])
    )
    def go_the_ordinary_way(self, days: int, start: int | None, left_out: str) -> None:
        self.come_back()
        self.draft(0, days, start, "enforce")
        if left_out != "simulate":
            self.simulate(0)
        self.submit(0, 0)
        if left_out != "approve":
            self.decide(2, 0, DecisionKind.APPROVE, True, False)
        (self.schedule if start else self.release)(1, 0)
        if start and left_out != "wait":
            self.time_passes(61)
            self.the_clock_fires(0)

    @rule(days=st.permutations([30, 90, 400]), spoilt_by=st.sampled_from(["", "edit", "role", "test"]))
    def approve_two_beside_each_other(self, days: list[int], spoilt_by: str) -> None:
        """Two are approved against the same base; the second is released though something has changed."""
        self.come_back()
        for several in days[:2]:
            self.draft(0, several, None, "enforce")
            self.simulate(0)
            self.submit(0, 0)
            self.decide(2, 0, DecisionKind.APPROVE, True, False)
        if spoilt_by == "edit":
            self.edit(1, 0, days[2])
        elif spoilt_by == "role":
            self.lose_the_role(2)
        elif spoilt_by == "test":
            with suppress(DomainError), transaction.atomic():
                replace_case(self.version(0), self.people[1], days[2], now=self.now)
        newest, older = (self.activation(which) for which in (0, 1))
        for activation in (newest, older):
            self.do(services.release, activation_id=activation.id, by=self.people[1].actor)

    @rule(who=WHO, which=WHICH, days=DAYS)
    def edit(self, who: int, which: int, days: int) -> None:
        self._say(self.people[who], self.version(which), days)

    @rule(who=WHO, which=WHICH, hours=st.integers(1, 48))
    def move_the_date(self, who: int, which: int, hours: int) -> None:
        version = self.version(which)
        self.do(
            services.save,
            version_id=version.id,
            read_sha256=version.content_sha256,
            content=version.content,
            terms=Terms(effective_from=self.now + timedelta(hours=hours)),
            by=self.people[who].actor,
        )

    @rule(which=WHICH)
    def simulate(self, which: int) -> None:
        version = self.version(which)
        if standing.planned(version) is not None:
            simulated(version, at=self.now)
            self.do(reviewing.settle_all, version_id=version.id)

    @rule(who=WHO, which=WHICH)
    def submit(self, who: int, which: int) -> None:
        self.do(services.submit, version_id=self.version(which).id, by=self.people[who].actor)

    @rule(who=WHO, which=WHICH, kind=st.sampled_from(list(DecisionKind)), surely=st.booleans(), stale=st.booleans())
    def decide(self, who: int, which: int, kind: DecisionKind, surely: bool, stale: bool) -> None:
        review = self.review(which)
        if review is None:
            return
        activation = PolicyActivation.objects.select_related("version__family", "base_version").get(
            id=review.activation_id
        )
        digest = review.review_digest if stale else standing.review_digest_of(activation)
        level = SURELY if surely else AuthLevel.PASSWORD
        self.do(
            services.decide,
            review_id=review.id,
            kind=kind,
            read_digest=digest,
            by=self.people[who].actor,
            auth_level=level,
            comment=REASON,
        )

    @rule(who=WHO, which=WHICH)
    def approve_by_all(self, who: int, which: int) -> None:
        for member in self.people[who:]:
            review = self.review(which)
            if review is not None:
                self.decide(self.people.index(member), which, DecisionKind.APPROVE, True, False)

    @rule(who=WHO, which=WHICH)
    def schedule(self, who: int, which: int) -> None:
        self.do(services.schedule, activation_id=self.activation(which).id, by=self.people[who].actor)

    @rule(who=WHO, which=WHICH)
    def release(self, who: int, which: int) -> None:
        self.do(services.release, activation_id=self.activation(which).id, by=self.people[who].actor)

    @rule(minutes=st.sampled_from([1, 14, 61, 60 * 5, 60 * 24 * 31]))
    def time_passes(self, minutes: int) -> None:
        self.now += timedelta(minutes=minutes)

    @rule(which=WHICH)
    def the_clock_fires(self, which: int) -> None:
        self.do(releasing.activate_due, activation_id=self.activation(which).id)
        review = self.review(which)
        if review is not None:
            self.do(reviewing.expire, review_id=review.id)

    @rule(who=WHO, which=WHICH)
    def restore(self, who: int, which: int) -> None:
        self.do(services.restore, version_id=self.version(which).id, reason=REASON, by=self.people[who].actor)

    @rule(who=WHO, which=WHICH)
    def rebase(self, who: int, which: int) -> None:
        self.do(services.rebase, version_id=self.version(which).id, by=self.people[who].actor)

    @rule(who=WHO, which=WHICH)
    def withdraw(self, who: int, which: int) -> None:
        self.do(services.withdraw, version_id=self.version(which).id, reason=REASON, by=self.people[who].actor)

    @rule(who=WHO, which=WHICH)
    def enforce_what_was_approved(self, who: int, which: int) -> None:
        self.do(services.plan_use, version_id=self.version(which).id, terms=Terms(), by=self.people[who].actor)

    @rule(who=WHO, which=WHICH, fallback=st.sampled_from(["previous", "baseline"]), second=WHO)
    def revoke(self, who: int, which: int, fallback: Any, second: int) -> None:
        asked = self.do(
            services.revoke,
            activation_id=self.activation(which).id,
            fallback=fallback,
            reason=REASON,
            by=self.people[who].actor,
            auth_level=SURELY,
        )
        if asked is not None and asked.status == "open":
            self.do(
                services.decide_revocation,
                revocation_id=asked.id,
                agree=True,
                by=self.people[second].actor,
                auth_level=SURELY,
            )

    @rule(who=WHO, which=WHICH)
    def break_glass(self, who: int, which: int) -> None:
        self.do(
            emergency.break_glass,
            version_id=self.version(which).id,
            reason=REASON,
            by=self.people[who].actor,
            auth_level=SURELY,
        )

    @rule(who=WHO)
    def lose_the_role(self, who: int) -> None:
        Membership.objects.filter(user=self.people[who].user).update(roles=["person"])

    @rule(who=WHO)
    def leave(self, who: int) -> None:
        User.objects.filter(id=self.people[who].user.id).update(is_active=False)

    @rule()
    def come_back(self) -> None:
        self.returns += 1
        for member in self.people:
            User.objects.filter(id=member.user.id).update(is_active=True)
            accounts.grant_membership(
                user=member.user,
                roles=member.actor.roles,
                by=self.council.by,
                now=NOON + timedelta(seconds=self.returns),
            )

    @rule()
    def crash_at_the_next_step(self) -> None:
        self.crashes = True

    def what_took_effect_was_approved(self) -> None:
        for window in EffectiveWindow.objects.exclude(id__in=self.seen).select_related("activation__version__family"):
            self.seen.add(window.id)
            activation = window.activation
            if activation.break_glass:
                way = "emergency"
                assert self._restricts(activation)
            elif self._is_a_fallback(activation):
                way = "fallback"
            else:
                way = "scheduled" if activation.released_by.startswith("system:") else "released"
                self._was_approved(activation)
            self.took_effect[way] += 1

    def _restricts(self, activation: PolicyActivation) -> bool:
        assert self.decided_before is not None
        before = PolicyVersion.objects.get(id=self.decided_before)
        documents = (parse("retention", before.content), parse("retention", activation.version.content))
        return not compare.loosens("retention", *documents)

    def _is_a_fallback(self, activation: PolicyActivation) -> bool:
        others = activation.version.activations.exclude(id=activation.id)
        return not activation.reviews.exists() and others.filter(state__in=["superseded", "revoked"]).exists()

    def _was_approved(self, activation: PolicyActivation) -> None:
        version, base = activation.version, activation.base_version
        assert base is not None
        assert base.id == self.decided_before
        digest = review_sha256(
            content=version.content_sha256,
            activation=activation.activation_sha256,
            suite=cases.suite_sha256(standing.cases_of(version)),
            base=base.content_sha256,
        )
        newest: dict[UUID, ReviewDecision] = {}
        said = ReviewDecision.objects.filter(review__activation_id=activation.id, review_digest=digest)
        for one in said.exclude(kind="comment").order_by("at", "id"):
            newest[one.reviewer_id] = one
        editors = set(version.editors.values_list("user_id", flat=True))
        approvers = {who for who, one in newest.items() if one.kind == "approve"} - editors
        review = activation.reviews.order_by("-round")[0]
        assert len(approvers) >= review.required_approvals >= 1
        for who in approvers:
            assert User.objects.get(id=who).is_active or len(approvers) > review.required_approvals
        run = version.test_runs.order_by("-finished_at", "-id")[0]
        assert run.content_sha256 == version.content_sha256
        assert (run.passed > 0, run.failed, run.errored, run.skipped) == (True, 0, 0, 0)

    @invariant()
    def one_decides_at_a_time(self) -> None:
        windows = EffectiveWindow.objects.filter(family__key="retention", scope="*", lane="enforce")
        spans = sorted(
            (one.effective.lower, one.effective.upper or datetime.max.replace(tzinfo=NOON.tzinfo)) for one in windows
        )
        assert all(before[1] <= after[0] for before, after in pairwise(spans))
        assert sum(one.effective.upper is None for one in windows) == 1
        states = PolicyActivation.objects.filter(version__family__key="retention", lane="enforce", state="effective")
        assert states.count() == 1


T = TypeVar("T")


def _from_the_end(held: list[T], which: int) -> T:
    return held[-1 - which % len(held)]


def _run(*, examples: int) -> None:
    Politics.took_effect.clear()
    run_state_machine_as_test(
        Politics,
        settings=settings(
            max_examples=examples,
            stateful_step_count=50,
            deadline=None,
            derandomize=True,
            database=None,
            suppress_health_check=list(HealthCheck),
            phases=[Phase.generate],
        ),
    )


@pytest.mark.django_db
def test_nothing_unapproved_ever_takes_effect() -> None:
    _run(examples=6)

    assert Politics.took_effect["released"], "it tried nothing"


@pytest.mark.long
@pytest.mark.django_db
def test_nothing_unapproved_ever_takes_effect_in_ten_thousand_steps() -> None:
    _run(examples=200)

    assert set(Politics.took_effect) == {"released", "scheduled", "emergency", "fallback"}
