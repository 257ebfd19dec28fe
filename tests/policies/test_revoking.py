"""Taking a version out of force: at once where that restricts, by two where it loosens."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from accounts import services as accounts
from accounts.vocabulary import Role
from memory_admin.audit import Action
from memory_admin.audit.queries import actions_on
from memory_admin.errors import NotAllowed
from policies import queries, services, standing
from policies.digests import Terms, terms_sha256
from policies.models import AuthLevel, PolicyActivation, PolicyReview
from policies.services import reviewing, revoking
from tests.policies.council import NOON, SURELY, Council, Member, activation_of, in_review, says

LATER = NOON + timedelta(hours=1)
REASON = "It deletes what people still need."


def released(
    eva: Member, anton: Member, *, days: int, terms: Terms | None = None, now: datetime = NOON
) -> PolicyReview:
    review = in_review(eva, days=days, terms=terms, now=now)
    says(anton, review, now=now)
    services.release(activation_id=review.activation_id, by=eva.actor, now=now)
    return review


def decides() -> str:
    return queries.in_force(LATER).retention.version_label


def revoke(activation_id: object, who: Member, fallback: revoking.Fallback = "previous"):  # type: ignore[no-untyped-def]
    return services.revoke(
        activation_id=activation_id,  # type: ignore[arg-type]
        fallback=fallback,
        reason=REASON,
        by=who.actor,
        auth_level=SURELY,
        now=LATER,
    )


def test_what_falls_back_to_something_stricter_is_revoked_at_once(eva: Member, anton: Member) -> None:
    review = released(eva, anton, days=300)
    done = revoke(review.activation_id, anton)

    assert (done.status, done.loosens) == ("done", False)
    assert decides() == "retention/1"
    assert activation_of(review).state == "revoked"
    assert Action.POLICY_REVOKED in actions_on(review.version_id)


def test_what_falls_back_to_something_looser_takes_a_second_person(eva: Member, anton: Member, petra: Member) -> None:
    review = released(eva, anton, days=90)
    asked = revoke(review.activation_id, anton)
    assert (asked.status, asked.loosens) == ("open", True)
    assert decides() == "retention/2"

    with pytest.raises(revoking.SecondPerson):
        services.decide_revocation(revocation_id=asked.id, agree=True, by=anton.actor, auth_level=SURELY, now=LATER)
    services.decide_revocation(revocation_id=asked.id, agree=True, by=petra.actor, auth_level=SURELY, now=LATER)
    assert decides() == "retention/1"
    assert Action.POLICY_REVOCATION_ASKED in actions_on(review.version_id)


def test_a_wish_to_revoke_can_be_declined(eva: Member, anton: Member, petra: Member) -> None:
    review = released(eva, anton, days=90)
    asked = revoke(review.activation_id, anton)
    with pytest.raises(revoking.RevocationClosed):
        revoke(review.activation_id, petra)
    services.decide_revocation(revocation_id=asked.id, agree=False, by=petra.actor, auth_level=SURELY, now=LATER)

    assert decides() == "retention/2"
    assert Action.POLICY_REVOCATION_DECLINED in actions_on(review.version_id)
    with pytest.raises(revoking.RevocationClosed):
        services.decide_revocation(revocation_id=asked.id, agree=True, by=petra.actor, auth_level=SURELY, now=LATER)


def test_the_built_in_policy_is_a_way_out(eva: Member, anton: Member, petra: Member) -> None:
    released(eva, anton, days=400)
    second = released(eva, anton, days=500)
    revoke(second.activation_id, anton, "baseline")

    assert decides() == "retention/1", "version 1 says what Baseline 1 says"


def test_a_narrower_scope_gives_way_to_the_wider(council: Council, eva: Member, anton: Member) -> None:
    agent = accounts.create_agent(name="helper", by=council.by, now=NOON)
    review = released(eva, anton, days=400, terms=Terms(agent_id=agent.id))
    assert queries.in_force(LATER, agent_id=agent.id).retention.version_label == "retention/2"
    revoke(review.activation_id, anton, "wider")

    assert queries.in_force(LATER, agent_id=agent.id).retention.version_label == "retention/1"


def test_what_takes_its_place_lasts_as_long_as_what_was_approved(council: Council, eva: Member, anton: Member) -> None:
    agent = accounts.create_agent(name="helper", by=council.by, now=NOON)
    end = LATER + timedelta(hours=1)
    first = released(eva, anton, days=400, terms=Terms(agent_id=agent.id, effective_until=end))
    terms = Terms(agent_id=agent.id, effective_until=end)
    second = released(eva, anton, days=500, terms=terms, now=NOON + timedelta(minutes=1))
    revoke(second.activation_id, anton)

    follows = PolicyActivation.objects.get(version_id=first.version_id, state="effective")
    assert follows.effective_until == end
    assert follows.activation_sha256 == terms_sha256(
        standing.terms_of(follows), version_id=first.version_id, content_sha256=first.version.content_sha256
    )


def test_what_has_run_out_is_not_revoked(council: Council, eva: Member, anton: Member) -> None:
    agent = accounts.create_agent(name="helper", by=council.by, now=NOON)
    review = released(eva, anton, days=400, terms=Terms(agent_id=agent.id, effective_until=LATER))

    with pytest.raises(revoking.NotInForce):
        revoke(review.activation_id, anton, "baseline")


def test_nothing_is_revoked_without_something_in_its_place(anton: Member) -> None:
    first = PolicyActivation.objects.get(version__family__key="retention")
    for fallback in ("previous", "baseline", "wider"):
        with pytest.raises(revoking.NoFallback):
            revoke(first.id, anton, fallback)


def test_only_approvers_revoke_and_surely(council: Council, eva: Member, anton: Member) -> None:
    review = released(eva, anton, days=300)
    for other in (eva, council.hire("ada", Role.ADMIN)):
        with pytest.raises(NotAllowed):
            revoke(review.activation_id, other)
    with pytest.raises(reviewing.SecondFactorMissing):
        services.revoke(
            activation_id=review.activation_id,
            fallback="previous",
            reason=REASON,
            by=anton.actor,
            auth_level=AuthLevel.PASSWORD,
            now=LATER,
        )
    revoke(review.activation_id, anton)
    with pytest.raises(revoking.NotInForce):
        revoke(review.activation_id, anton)
