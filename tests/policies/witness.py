"""Whether something took effect rightly, told from what was seen to happen and from the rows, and by no guard."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Any
from uuid import UUID

from accounts.models import Membership, Tenant
from policies.engine import ENGINE_VERSION
from policies.models import (
    EffectiveWindow,
    PolicyActivation,
    PolicyFreeze,
    PolicyReview,
    PolicyRevocation,
    PolicyTestCase,
    PolicyTestRetirement,
    PolicyVersion,
    RiskClass,
)

GUESSES = {"kind": "preference", "origin": "inferred"}
APPROVERS = {"policy_approver", "privacy_officer"}


@dataclass(frozen=True)
class Word:
    """What somebody said of what they read, and in which roles."""

    read: str
    approves: bool
    roles: frozenset[str]


@dataclass(frozen=True)
class Takes:
    """What a review was to take when it was handed in."""

    approvals: int
    officer: bool
    simulation: bool


@dataclass
class Witness:
    """Notes who had a hand in what and who said what of it, and holds each thing that takes effect against that."""

    hands: dict[UUID, set[UUID]] = field(default_factory=dict)
    words: dict[UUID, dict[UUID, Word]] = field(default_factory=dict)
    takes: dict[UUID, Takes] = field(default_factory=dict)
    seen: set[UUID] = field(default_factory=set)
    before: list[EffectiveWindow] = field(default_factory=list)

    def look(self) -> None:
        """Remember what decides before a step."""
        self.before = [one for one in windows() if one.activation.state == "effective"]

    def touched(self, version_id: UUID, user_id: UUID) -> None:
        """Note that somebody had a hand in a version."""
        self.hands.setdefault(version_id, set()).add(user_id)

    def handed_in(self, review: PolicyReview) -> None:
        """Note what a review takes."""
        version = review.version
        source = version.restored_from
        if source is not None and source.content == version.content and _lately(source, review.opened_at):
            self.takes[review.activation_id] = Takes(1, officer=False, simulation=False)
            return
        is_high, is_low = (version.family.risk_class == risk for risk in (RiskClass.HIGH, RiskClass.LOW))
        self.takes[review.activation_id] = Takes(2 if is_high else 1, officer=is_high, simulation=not is_low)

    def said(self, activation_id: UUID, user_id: UUID, word: Word) -> None:
        """Note the newest word of somebody."""
        self.words.setdefault(activation_id, {})[user_id] = word

    def set_aside(self, activation_id: UUID, user_id: UUID) -> None:
        """Note that a wish for changes does not count any more."""
        self.words[activation_id].pop(user_id)

    def lapse(self, activation_id: UUID) -> None:
        """Note that whatever was said of a use is too old."""
        self.words.pop(activation_id, None)

    def news(self) -> list[tuple[str, EffectiveWindow]]:
        """Hold what took effect since the last look against what was seen, and say which way each went."""
        found = []
        for window in windows():
            if window.id in self.seen:
                continue
            self.seen.add(window.id)
            activation = window.activation
            assert activation.activation_sha256 == _digest_of_use(activation)
            if activation.break_glass:
                way = "emergency"
                self._restricts(window)
            elif not activation.reviews.exists():
                way = "fallback"
                self._takes_the_place_of_what_was_revoked(window)
            else:
                way = "scheduled" if activation.released_by.startswith("system:") else "released"
                self._was_approved(window, is_scheduled=way == "scheduled")
            found.append((way, window))
        return found

    def decided(self, activation: PolicyActivation) -> PolicyVersion:
        """Name what decided in the scope of an activation before the step, by whatever clock."""
        narrowest = max(
            (one for one in self.before if one.lane == "enforce" and one.scope in _around(activation)),
            key=lambda one: len(one.scope),
        )
        decided: PolicyVersion = narrowest.activation.version
        return decided

    def _was_approved(self, window: EffectiveWindow, *, is_scheduled: bool) -> None:
        activation, version, began = window.activation, window.activation.version, window.effective.lower
        takes, base = self.takes[activation.id], self.decided(activation)
        assert activation.base_version_id == base.id
        assert version.state == "approved"
        read, hands = readable(activation), self.hands[version.id]
        of_this = {who: word for who, word in self.words.get(activation.id, {}).items() if word.read == read}
        assert all(word.approves for word in of_this.values())
        kept = [word.roles & APPROVERS & _roles(who) for who, word in of_this.items() if who not in hands]
        assert sum(map(bool, kept)) >= takes.approvals
        assert not takes.officer or any("privacy_officer" in roles for roles in kept)
        self._was_tested(version)
        if takes.simulation:
            self._was_simulated(activation)
        assert not PolicyFreeze.objects.filter(begins_at__lte=began, ends_at__gt=began).exists()
        assert Tenant.objects.get(id=version.tenant_id).status == "active"
        start = activation.effective_from
        if not activation.on_release:
            assert start is not None
            assert start <= began
        if is_scheduled:
            assert start is not None
            assert began - start <= timedelta(minutes=15)

    def _was_tested(self, version: PolicyVersion) -> None:
        run = version.test_runs.order_by("-id")[0]
        suite = _suite(version)
        assert run.content_sha256 == _sha256(version.content)
        assert run.engine_version == ENGINE_VERSION
        assert sorted(one["name"] for one in run.results) == sorted(one.name for one in suite)
        assert {one["status"] for one in run.results} == {"pass"}
        assert (run.passed, run.failed, run.errored, run.skipped) == (len(suite), 0, 0, 0)
        assert all(one.expect["days"] == days(version) for one in suite if one.given == GUESSES)
        assert not any(one.skip_reason for one in suite)

    def _was_simulated(self, activation: PolicyActivation) -> None:
        version, review = activation.version, activation.reviews.order_by("-round")[0]
        assert review.closed_at is not None
        done = version.simulations.filter(
            state="succeeded", finished_at__range=(review.closed_at - timedelta(hours=24), review.closed_at)
        )
        compared = {(one.candidate_sha256, one.baseline_id) for one in done}
        assert (_sha256(version.content), activation.base_version_id) in compared

    def _restricts(self, window: EffectiveWindow) -> None:
        before, activation = self.decided(window.activation), window.activation
        assert activation.lane == "enforce"
        assert _rest(before) == _rest(activation.version)
        assert days(activation.version) < days(before)

    def _takes_the_place_of_what_was_revoked(self, window: EffectiveWindow) -> None:
        activation = window.activation
        asked = PolicyRevocation.objects.filter(fallback_id=activation.version_id, status="done").order_by("-id")[0]
        revoked = asked.activation
        assert revoked.state == "revoked"
        assert revoked.version_id in {one.activation.version_id for one in self.before if one.scope == window.scope}
        assert activation.version.state == "approved"
        if days(activation.version) > days(revoked.version):
            assert asked.decided_by_id not in (None, asked.asked_by_id)


def one_decides_at_a_time() -> None:
    """Hold that nothing overlaps in its scope, and that something decides everywhere."""
    held: dict[tuple[str, str], list[EffectiveWindow]] = {}
    for window in windows():
        held.setdefault((window.scope, window.lane), []).append(window)
    for (scope, lane), spans in held.items():
        for earlier, later in pairwise(sorted(spans, key=lambda one: one.effective.lower)):
            assert earlier.effective.upper is not None
            assert earlier.effective.upper <= later.effective.lower
        open_ones = [one for one in spans if one.activation.state == "effective"]
        assert len(open_ones) == (1 if (scope, lane) == ("*", "enforce") else min(len(open_ones), 1))
    states = PolicyActivation.objects.filter(version__family__key="retention", state="effective")
    assert states.count() == sum(one.activation.state == "effective" for one in windows())


def windows() -> list[EffectiveWindow]:
    """Read every window of the family, the oldest first."""
    found = EffectiveWindow.objects.filter(family__key="retention").order_by("id")
    return list(found.select_related("activation__version__family", "activation__base_version"))


def readable(activation: PolicyActivation) -> str:
    """Write out what a reviewer relies on, as it is now."""
    assert activation.base_version_id is not None
    version, base = (PolicyVersion.objects.get(id=one) for one in (activation.version_id, activation.base_version_id))
    suite = sorted(_written([one.name, one.given, one.expect, one.tags, one.skip_reason]) for one in _suite(version))
    return _written([version.content, _use(activation), suite, base.content])


def days(version: PolicyVersion) -> int:
    """Say for how many days guesses about preferences are kept: all that differs between versions here."""
    return int(version.content["days"]["preference"]["inferred"])


def _use(activation: PolicyActivation) -> dict[str, Any]:
    start = None if activation.on_release else activation.effective_from
    return {
        "version": str(activation.version_id),
        "region": activation.region,
        "agent": str(activation.agent_id) if activation.agent_id else None,
        "lane": activation.lane,
        "mode": activation.mode,
        "effective_from": start.isoformat() if start else None,
        "effective_until": activation.effective_until.isoformat() if activation.effective_until else None,
    }


def _digest_of_use(activation: PolicyActivation) -> str:
    return _sha256({**_use(activation), "content_sha256": _sha256(activation.version.content)})


def _suite(version: PolicyVersion) -> list[PolicyTestCase]:
    line: list[UUID] = []
    at: PolicyVersion | None = version
    while at is not None:
        line.append(at.id)
        at = at.restored_from or at.base_version
    retired = set(PolicyTestRetirement.objects.filter(version_id__in=line).values_list("case_id", flat=True))
    cases = PolicyTestCase.objects.filter(family_id=version.family_id)
    return [case for case in cases if case.added_in_id in (None, *line) and case.id not in retired]


def _lately(version: PolicyVersion, at: datetime) -> bool:
    spans = EffectiveWindow.objects.filter(activation__version_id=version.id).values_list("effective", flat=True)
    return any(one.upper is None or one.upper >= at - timedelta(days=90) for one in spans)


def _around(activation: PolicyActivation) -> set[str]:
    return {"*", f"region:{activation.region}"} if activation.region else {"*"}


def _roles(user_id: UUID) -> frozenset[str]:
    member = Membership.objects.filter(user_id=user_id, ended_at=None, user__is_active=True).first()
    return frozenset(member.roles if member else ())


def _rest(version: PolicyVersion) -> str:
    kept = version.content["days"]
    return _written({**version.content, "days": {**kept, "preference": {**kept["preference"], "inferred": None}}})


def _written(content: Any) -> str:
    return json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def _sha256(content: Any) -> str:
    return hashlib.sha256(_written(content).encode()).hexdigest()
