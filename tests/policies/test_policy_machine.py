"""Whatever people do in whatever order: nothing takes effect that was not approved as it is, by enough others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any, ClassVar, TypeVar
from uuid import UUID, uuid4

import pytest
from django.db import connection, transaction
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from accounts import services as accounts
from accounts.models import Membership, Tenant, User
from accounts.vocabulary import Role
from memory_admin.errors import DomainError
from policies import services, standing
from policies.digests import Terms
from policies.models import (
    AuthLevel,
    DecisionKind,
    PolicyActivation,
    PolicyFamily,
    PolicyFreeze,
    PolicyReview,
    PolicyVersion,
    ReviewDecision,
)
from policies.services import emergency, releasing, reviewing
from tests.policies.council import NOON, SURELY, Council, Member, found, replace_case, shorter, simulated
from tests.policies.witness import GUESSES, Witness, Word, one_decides_at_a_time, readable, windows

REASON = "Because we agreed on it."
EVA, OTTO, ANTON, PETRA, ZOE = range(5)
DAYS = st.sampled_from([30, 90, 180, 400])
WHO = st.integers(0, 4)
WHICH = st.sampled_from([0, 0, 0, 0, 1, 2, 5])  # mostly the newest
REGION = st.sampled_from([None, None, None, "eu"])
SPOILT = st.sampled_from(
    ["", "", "", "", "edit", "test", "skip", "role", "officer", "leave", "freeze", "offboard", "date", "late"]
)


class Crash(Exception):
    """A process that dies in the middle."""


@contextmanager
def crashing(at: int) -> Iterator[None]:
    """Die before a statement of a step, counted from one; a step of fewer statements lives."""
    left = at

    def count(execute: Any, sql: str, params: Any, many: bool, context: Mapping[str, Any]) -> Any:
        nonlocal left
        if not sql.startswith(("SAVEPOINT", "RELEASE", "ROLLBACK")):
            left -= 1
            if left == 0:
                raise Crash
        return execute(sql, params, many, context)

    with connection.execute_wrapper(count):
        yield


class Politics(RuleBasedStateMachine):
    """Five people, a clock that jumps, and every step there is, allowed or not."""

    took_effect: ClassVar[Counter[str]] = Counter()
    stopped: ClassVar[Counter[str]] = Counter()

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
            hire(f"petra{tag}", Role.POLICY_APPROVER, Role.PRIVACY_OFFICER),
            hire(f"zoe{tag}", *Role),
        ]
        self.now: datetime = NOON + timedelta(minutes=1)
        self.behind = timedelta(0)
        self.crash_at = 0
        self.witness = Witness(seen={window.id for window in windows()})
        self.lost: set[int] = set()
        self.returns = 0
        self.read: dict[UUID, str] = {}

    def teardown(self) -> None:
        for _ in self._scope:
            pass
        transaction.set_rollback(True)
        self._block.__exit__(None, None, None)

    @initialize(risk=st.sampled_from(["high", "medium", "high"]))
    def begin(self, risk: str) -> None:
        PolicyFamily.objects.filter(key="retention").update(risk_class=risk)

    def do(self, step: Callable[..., Any], **what: Any) -> Any:
        """Take a step as one transaction, with the clock as its process read it, unless it crashes."""
        self.witness.look()
        done, now = None, self.now - self.behind
        crash_at, self.crash_at, self.behind = self.crash_at, 0, timedelta(0)
        try:
            with transaction.atomic(), crashing(crash_at):
                done = step(now=now, **what)
        except Crash:
            self.stopped["crash"] += 1
        except DomainError as error:
            codes: Iterable[str] = error.details.get("codes", ())  # type: ignore[assignment]
            self.stopped.update([error.code, *codes])
        self.took_effect.update(way for way, _ in self.witness.news())
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

    @rule(
        who=WHO,
        days=DAYS,
        hours=st.sampled_from([None, None, 1, 5]),
        lane=st.sampled_from(["enforce", "shadow"]),
        region=REGION,
    )
    def draft(self, who: int, days: int, hours: int | None, lane: str, region: str | None) -> None:
        start = self.now + timedelta(hours=hours) if hours else None
        terms = Terms(effective_from=start, lane=lane, mode=lane, region=region)
        by = self.people[who]
        begun = self.do(
            services.begin, family="retention", by=by.actor, title="Another life", reason=REASON, terms=terms
        )
        if begun is not None:
            self.witness.touched(begun.id, by.user.id)
            self._say(by, begun, days)

    def _say(self, by: Member, version: PolicyVersion, days: int) -> None:
        version.refresh_from_db()
        self._save(by, version, content=shorter(version.content, days))
        self._test(by, version, days)

    def _save(self, by: Member, version: PolicyVersion, **what: Any) -> None:
        saved = self.do(
            services.save,
            **{"version_id": version.id, "read_sha256": version.content_sha256, "content": version.content, **what},
            by=by.actor,
        )
        if saved is not None:
            self.witness.touched(version.id, by.user.id)

    def _test(self, by: Member, version: PolicyVersion, days: int) -> None:
        def replace(now: datetime) -> bool:
            replace_case(version, by, days, now=now)
            return True

        if self.do(replace):
            self.witness.touched(version.id, by.user.id)

    def _prepare(self, days: int, hours: int | None, region: str | None) -> None:
        self.as_usual()
        self.draft(EVA, days, hours, "enforce", region)
        self.simulate(0)
        self.submit(EVA, 0)

    def _approve(self) -> None:
        for who in (ANTON, PETRA):
            self.decide(who, 0, DecisionKind.APPROVE, True, False)

    @rule(days=DAYS, start=st.sampled_from([None, 1]), region=REGION, early=SPOILT, late=SPOILT, wait=st.booleans())
    def go_the_ordinary_way(
        self, days: int, start: int | None, region: str | None, early: str, late: str, wait: bool
    ) -> None:
        """Draft, review, and release or schedule, with something in between now and then."""
        self._prepare(days, start, region)
        if wait:
            self._spoil(early)
        self._approve()
        if start:
            self.schedule(OTTO, 0)
            self.release(OTTO, 0)
            self.time_passes(61)
        if not wait:
            self._spoil(late)
        if start:
            self.the_clock_fires(0)
        else:
            self.release(OTTO, 0)

    def _spoil(self, how: str) -> None:
        match how:
            case "edit":
                self.edit(OTTO, 0, 365)
            case "date":
                self.move_the_date(EVA, 0, 2)
            case "test":
                self._test(self.people[OTTO], self.version(0), 365)
            case "skip":
                self.skip_a_test(EVA, 0)
            case "role":
                self.lose_roles(ANTON, [])
            case "officer":
                self.lose_roles(PETRA, ["policy_approver"])
            case "leave":
                self.leave(PETRA)
            case "freeze":
                self.freeze(ZOE, 1)
            case "late":
                self.time_passes(120)
            case "offboard":
                self.offboard()

    @rule(days=st.permutations([30, 90, 400]), region=REGION, behind=st.sampled_from([0, 1]), spoilt=SPOILT)
    def release_two_beside_each_other(self, days: list[int], region: str | None, behind: int, spoilt: str) -> None:
        """Two are approved against the same base, and released at once: the second waits for the lock of the first."""
        for several in days[:2]:
            self._prepare(several, None, region)
            self._approve()
        self._spoil(spoilt)
        newest, older = (self.activation(which) for which in (0, 1))
        self.do(services.release, activation_id=newest.id, by=self.people[OTTO].actor)
        self.behind = timedelta(seconds=behind)
        self.do(services.release, activation_id=older.id, by=self.people[OTTO].actor)

    @rule(who=WHO, which=WHICH, days=DAYS)
    def edit(self, who: int, which: int, days: int) -> None:
        self._say(self.people[who], self.version(which), days)

    @rule(who=WHO, which=WHICH)
    def skip_a_test(self, who: int, which: int) -> None:
        by, version = self.people[who], self.version(which)
        expect, name = {"days": version.content["days"]["preference"]["inferred"]}, f"Later {uuid4().hex[:6]}"
        added = self.do(
            services.add_case,
            version_id=version.id,
            name=name,
            given=GUESSES,
            expect=expect,
            skip_reason="Some other day.",
            by=by.actor,
        )
        if added is not None:
            self.witness.touched(version.id, by.user.id)

    @rule(who=WHO, which=WHICH, hours=st.integers(1, 48))
    def move_the_date(self, who: int, which: int, hours: int) -> None:
        terms = Terms(effective_from=self.now + timedelta(hours=hours))
        self._save(self.people[who], self.version(which), terms=terms)

    @rule(which=WHICH)
    def simulate(self, which: int) -> None:
        version = self.version(which)
        if standing.planned(version) is not None:
            simulated(version, at=self.now)
            self.do(reviewing.settle_all, version_id=version.id)

    @rule(who=WHO, which=WHICH)
    def submit(self, who: int, which: int) -> None:
        version, by = self.version(which), self.people[who]
        self._handed_in(by, self.do(services.submit, version_id=version.id, by=by.actor))

    def _handed_in(self, by: Member, review: PolicyReview | None) -> None:
        if review is not None:
            self.witness.touched(review.version_id, by.user.id)
            self.witness.handed_in(review)
            self.read[review.id] = readable(review.activation)

    @rule(who=WHO, which=WHICH, kind=st.sampled_from(list(DecisionKind)), surely=st.booleans(), stale=st.booleans())
    def decide(self, who: int, which: int, kind: DecisionKind, surely: bool, stale: bool) -> None:
        review, by = self.review(which), self.people[who]
        if review is None:
            return
        activation = PolicyActivation.objects.select_related("version__family", "base_version").get(
            id=review.activation_id
        )
        read = self.read[review.id] if stale and review.id in self.read else readable(activation)
        digest = review.review_digest if stale else standing.review_digest_of(activation)
        said = self.do(
            services.decide,
            review_id=review.id,
            kind=kind,
            read_digest=digest,
            by=by.actor,
            auth_level=SURELY if surely else AuthLevel.PASSWORD,
            comment=REASON,
        )
        if said is not None and kind != DecisionKind.COMMENT:
            word = Word(read, kind == DecisionKind.APPROVE, frozenset(map(str, by.actor.roles)))
            self.witness.said(activation.id, by.user.id, word)

    @rule(who=WHO, which=WHICH)
    def approve_by_all(self, who: int, which: int) -> None:
        for one in range(who, len(self.people)):
            self.decide(one, which, DecisionKind.APPROVE, True, False)

    @rule(who=WHO)
    def set_a_wish_aside(self, who: int) -> None:
        wish = ReviewDecision.objects.filter(kind=DecisionKind.REQUEST_CHANGES).order_by("-id").first()
        if wish is None:
            return
        by = self.people[who].actor
        if self.do(reviewing.dismiss, decision_id=wish.id, reason=REASON, by=by) is not None:
            self.witness.set_aside(wish.review.activation_id, wish.reviewer_id)

    @rule(who=WHO, which=WHICH)
    def schedule(self, who: int, which: int) -> None:
        done = self.do(services.schedule, activation_id=self.activation(which).id, by=self.people[who].actor)
        self._note(done)

    @rule(who=WHO, which=WHICH)
    def release(self, who: int, which: int) -> None:
        self.do(services.release, activation_id=self.activation(which).id, by=self.people[who].actor)

    @rule(minutes=st.sampled_from([1, 14, 61, 60 * 5, 60 * 24 * 31]))
    def time_passes(self, minutes: int) -> None:
        self.now += timedelta(minutes=minutes)

    @rule(seconds=st.sampled_from([1, 30]))
    def the_next_clock_is_behind(self, seconds: int) -> None:
        self.behind = timedelta(seconds=seconds)

    @rule(which=WHICH)
    def the_clock_fires(self, which: int) -> None:
        self._note(self.do(releasing.activate_due, activation_id=self.activation(which).id))
        review = self.review(which)
        if review is not None and self.do(reviewing.expire, review_id=review.id):
            self.witness.lapse(review.activation_id)

    def _note(self, activation: PolicyActivation | None) -> None:
        if activation is not None and activation.attention:
            self.stopped[activation.attention] += 1

    @rule(who=WHO, which=WHICH)
    def restore(self, who: int, which: int) -> None:
        by = self.people[who]
        back = self.do(services.restore, version_id=self.version(which).id, reason=REASON, by=by.actor)
        if back is not None:
            self.witness.touched(back.id, by.user.id)

    @rule(which=WHICH, enough=st.booleans())
    def go_back(self, which: int, enough: bool) -> None:
        """Roll back with one approval, which is enough for what was in force within ninety days."""
        self.as_usual()
        self.restore(EVA, which)
        self.submit(EVA, 0)
        if enough:
            self.decide(ANTON, 0, DecisionKind.APPROVE, True, False)
        self.release(OTTO, 0)

    @rule(who=WHO, which=WHICH)
    def rebase(self, who: int, which: int) -> None:
        by, version = self.people[who], self.version(which)
        if self.do(services.rebase, version_id=version.id, by=by.actor) is not None:
            self.witness.touched(version.id, by.user.id)

    @rule(who=WHO, which=WHICH)
    def withdraw(self, who: int, which: int) -> None:
        self.do(services.withdraw, version_id=self.version(which).id, reason=REASON, by=self.people[who].actor)

    @rule(who=WHO, which=WHICH)
    def enforce_what_was_approved(self, who: int, which: int) -> None:
        version, by = self.version(which), self.people[who]
        self._handed_in(by, self.do(services.plan_use, version_id=version.id, terms=Terms(), by=by.actor))

    @rule(who=WHO, which=WHICH, fallback=st.sampled_from(["previous", "baseline", "wider"]), second=WHO)
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

    @rule(days=DAYS)
    def act_in_an_emergency(self, days: int) -> None:
        self.as_usual()
        self.draft(EVA, days, None, "enforce", None)
        self.break_glass(PETRA, 0)

    @rule(who=WHO, hours=st.integers(1, 3))
    def freeze(self, who: int, hours: int) -> None:
        self.do(
            services.freeze,
            begins_at=self.now,
            ends_at=self.now + timedelta(hours=hours),
            reason=REASON,
            by=self.people[who].actor,
        )

    @rule(who=WHO, keep=st.sampled_from([[], ["policy_editor"], ["policy_approver"], ["privacy_officer"]]))
    def lose_roles(self, who: int, keep: list[str]) -> None:
        member = Membership.objects.get(user=self.people[who].user, ended_at=None)
        member.roles = ["person", *(role for role in keep if role in member.roles)]
        member.save(update_fields=["roles"])
        self.lost.add(who)

    @rule(who=WHO)
    def leave(self, who: int) -> None:
        User.objects.filter(id=self.people[who].user.id).update(is_active=False)

    @rule()
    def offboard(self) -> None:
        Tenant.objects.filter(id=self.council.tenant.id).update(status="offboarding")

    @rule()
    def as_usual(self) -> None:
        Tenant.objects.filter(id=self.council.tenant.id).update(status="active")
        PolicyFreeze.objects.all().delete()
        User.objects.filter(id__in=[member.user.id for member in self.people]).update(is_active=True)
        self.returns += 1
        for member in (self.people[who] for who in sorted(self.lost)):
            now = NOON + timedelta(seconds=self.returns)
            accounts.grant_membership(user=member.user, roles=member.actor.roles, by=self.council.by, now=now)
        self.lost.clear()

    @rule(statement=st.integers(1, 60))
    def crash_in_the_next_step(self, statement: int) -> None:
        self.crash_at = statement

    @invariant()
    def nothing_overlaps(self) -> None:
        one_decides_at_a_time()


T = TypeVar("T")


def _from_the_end(held: list[T], which: int) -> T:
    return held[-1 - which % len(held)]


def _run(*, examples: int) -> None:
    Politics.took_effect.clear()
    Politics.stopped.clear()
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
    stopped = {"base", "approvers", "no_freeze", "not_leaving", "late", "frozen", "conflict", "not_yet", "crash"}
    assert stopped <= set(Politics.stopped), "some of what should stop a version never did"
