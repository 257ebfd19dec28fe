"""Those who decide about policies in one tenant, and the steps they take."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from accounts import services as accounts
from accounts.actors import Actor, system
from accounts.models import Membership, Tenant, User
from accounts.queries import memberships_of
from accounts.queries import staff as staff_actor
from accounts.vocabulary import Role
from memory_admin.tenancy.scope import tenant_scope
from policies import services, standing
from policies.digests import Terms
from policies.models import AuthLevel, DecisionKind, PolicyActivation, PolicyReview, PolicyVersion, ReviewDecision

NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)
SURELY = AuthLevel.SECOND_FACTOR
WHY = "Guesses go stale within weeks."


@dataclass(frozen=True)
class Member:
    """Somebody with roles, as services are told of them."""

    user: User
    actor: Actor


@dataclass(frozen=True)
class Council:
    """A tenant whose policies are Baseline 1 since noon."""

    tenant: Tenant
    by: Actor

    def hire(self, name: str, *roles: Role) -> Member:
        """Give somebody these roles."""
        user = User.objects.create_user(f"{name}@{self.tenant.slug}.example", None, name=name.title())
        accounts.grant_membership(user=user, roles=roles, by=self.by, now=NOON)
        return Member(user, staff_actor(user.id, memberships_of(user.id)[0]))

    def dismiss(self, member: Member, *, keep: tuple[Role, ...] = ()) -> None:
        """Take roles from somebody; all of them, unless some stay."""
        Membership.objects.filter(user=member.user).update(roles=[str(role) for role in keep])


def found(slug: str) -> Iterator[Council]:
    """Open the scope of a new tenant."""
    tenant = accounts.create_tenant(slug=slug, name=slug.title(), now=NOON)
    by = system("test", tenant_id=tenant.id)
    services.install_baseline(tenant_id=tenant.id, by=by, now=NOON)
    with tenant_scope(tenant.id):
        yield Council(tenant, by)


def shorter(content: Mapping[str, Any], days: int = 90) -> dict[str, Any]:
    """Say of a retention policy that guesses about preferences are kept for fewer days."""
    kinds = content["days"]
    return {**content, "days": {**kinds, "preference": {**kinds["preference"], "inferred": days}}}


def drafted(by: Member, *, now: datetime = NOON, days: int = 90, terms: Terms | None = None) -> PolicyVersion:
    """Draft a shorter life for guesses, with the test that it needs."""
    version = services.begin(
        family="retention", by=by.actor, now=now, title="Guesses live shorter", reason=WHY, terms=terms
    )
    version = services.save(
        version_id=version.id,
        read_sha256=version.content_sha256,
        content=shorter(version.content, days),
        by=by.actor,
        now=now,
    )
    replace_case(version, by, days, now=now)
    return version


def replace_case(version: PolicyVersion, by: Member, days: int, *, now: datetime = NOON) -> None:
    """Let the suite of a version expect this many days of guesses about preferences."""
    given = {"kind": "preference", "origin": "inferred"}
    for case in standing.suite_of(version):
        if case.given == given:
            services.retire_case(version_id=version.id, case_id=case.id, by=by.actor, now=now)
    name = f"Guesses live {days} days"
    services.add_case(version_id=version.id, name=name, given=given, expect={"days": days}, by=by.actor, now=now)


def simulated(version: PolicyVersion, *, at: datetime = NOON) -> None:
    """Let a simulation of what a version says now have succeeded."""
    version.refresh_from_db()
    base = standing.planned(version).base_version  # type: ignore[union-attr]
    assert base is not None
    version.simulations.create(
        candidate=version,
        baseline=base,
        candidate_sha256=version.content_sha256,
        baseline_sha256=base.content_sha256,
        engine_version="1",
        since=at - timedelta(days=7),
        until=at,
        maximum_events=100,
        state="succeeded",
        asked_by="user:test",
        asked_at=at,
        finished_at=at,
    )


def in_review(by: Member, *, now: datetime = NOON, **draft: Any) -> PolicyReview:
    """Draft, simulate and hand in."""
    version = drafted(by, now=now, **draft)
    simulated(version, at=now)
    return services.submit(version_id=version.id, by=by.actor, now=now)


def says(
    who: Member,
    review: PolicyReview,
    kind: DecisionKind = DecisionKind.APPROVE,
    *,
    now: datetime = NOON,
    digest: str | None = None,
    comment: str = "This is what we agreed on.",
    level: AuthLevel = SURELY,
) -> ReviewDecision:
    """Decide about what is there to be read now, unless another digest is given."""
    return services.decide(
        review_id=review.id,
        kind=kind,
        read_digest=digest or digest_now(review),
        by=who.actor,
        auth_level=level,
        now=now,
        comment=comment,
    )


def digest_now(review: PolicyReview) -> str:
    """Digest what a reviewer reads now."""
    return standing.review_digest_of(activation_of(review))


def activation_of(review: PolicyReview) -> PolicyActivation:
    """Read the activation of a review anew."""
    return PolicyActivation.objects.select_related("version__family", "base_version").get(id=review.activation_id)


def state_of(version_id: UUID) -> str:
    """Read where a version stands."""
    return str(PolicyVersion.objects.get(id=version_id).state)
