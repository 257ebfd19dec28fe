"""Which version decides, here and now."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest

from accounts import services as accounts
from accounts.actors import system
from memory_admin.tenancy.scope import NoTenantScope, tenant_scope
from policies import queries, services
from policies.baseline import RETRIEVAL, WRITE
from policies.digests import sha256_of
from policies.documents import FAMILIES
from policies.models import EffectiveWindow, PolicyActivation, PolicyFamily, PolicyVersion, scope_name
from tests.policies.conftest import NOON, Cast


def activate(
    number: int, *, region: str | None = None, agent_id: Any = None, lane: str = "enforce", digest: str | None = None
) -> PolicyVersion:
    """Put a changed retrieval policy in force for one scope."""
    family = PolicyFamily.objects.get(key="retrieval")
    content = RETRIEVAL.model_copy(update={"half_life_days": number}).model_dump(mode="json")
    version = PolicyVersion.objects.create(
        family=family,
        number=number,
        content=content,
        content_sha256=digest or sha256_of(content),
        state="approved",
        created_by="user:1",
        created_at=NOON,
        approved_by="user:2",
        approved_at=NOON,
    )
    activation = PolicyActivation.objects.create(
        version=version,
        region=region,
        agent_id=agent_id,
        lane=lane,
        mode="shadow" if lane == "shadow" else "enforce",
        effective_from=NOON,
        state="effective",
        activation_sha256="0" * 64,
    )
    EffectiveWindow.objects.create(
        family=family,
        activation=activation,
        scope=scope_name(region=region, agent_id=agent_id),
        lane=lane,
        effective=(NOON, None),
    )
    return version


def test_each_family_says_its_version(governed: Cast) -> None:
    found = queries.in_force(NOON)

    assert found.labels == {family: f"{family}/1" for family in FAMILIES}
    assert found.write.version_label == "write/1"
    assert found.write.document == WRITE
    assert PolicyVersion.objects.get(id=found.write.version_id).number == 1


def test_it_is_one_statement_once_the_content_was_read(governed: Cast, django_assert_num_queries: Any) -> None:
    queries.in_force(NOON)

    with django_assert_num_queries(1):
        queries.in_force(NOON, region="eu", agent_id=governed.agent.id)


def test_nothing_is_in_force_before_its_time(governed: Cast) -> None:
    with pytest.raises(queries.NoPolicyInForce):
        queries.in_force(NOON - timedelta(seconds=1))


def test_a_family_without_a_version_is_named(governed: Cast) -> None:
    EffectiveWindow.objects.filter(family__key="access").delete()

    with pytest.raises(queries.NoPolicyInForce, match="access"):
        queries.in_force(NOON)


def test_the_narrowest_scope_decides(governed: Cast) -> None:
    agent_id = governed.agent.id
    activate(2, region="eu")
    activate(3, agent_id=agent_id)
    activate(4, region="eu", agent_id=agent_id)

    def decides(**scope: Any) -> str:
        return queries.in_force(NOON, **scope).retrieval.version_label

    assert decides(region="us") == "retrieval/1"
    assert decides(region="eu") == "retrieval/2"
    assert decides() == "retrieval/2", "the tenant is in the EU"
    assert decides(region="us", agent_id=agent_id) == "retrieval/3"
    assert decides(region="eu", agent_id=agent_id) == "retrieval/4"


def test_a_version_in_shadow_decides_nothing(governed: Cast) -> None:
    activate(2, lane="shadow")

    assert queries.in_force(NOON).retrieval.version_label == "retrieval/1"


def test_a_later_window_takes_over_at_its_instant(governed: Cast) -> None:
    later: datetime = NOON + timedelta(hours=1)
    EffectiveWindow.objects.filter(family__key="retrieval").update(effective=(NOON, later))
    version = activate(2, region="eu")
    EffectiveWindow.objects.filter(activation__version_id=version.id).update(scope="*", effective=(later, None))

    assert queries.in_force(later - timedelta(microseconds=1)).retrieval.document.half_life_days == 30
    assert queries.in_force(later).retrieval.document.half_life_days == 2


def test_content_that_is_not_what_was_approved_decides_nothing(governed: Cast) -> None:
    activate(2, region="eu", digest="0" * 64)

    with pytest.raises(queries.PolicyAltered):
        queries.in_force(NOON, region="eu")


@pytest.mark.django_db
def test_a_tenant_sees_its_own_alone() -> None:
    north, south = (accounts.create_tenant(slug=slug, name=slug, now=NOON) for slug in ("north", "south"))
    services.install_baseline(tenant_id=north.id, by=system("test", tenant_id=north.id), now=NOON)

    with tenant_scope(south.id), pytest.raises(queries.NoPolicyInForce):
        queries.in_force(NOON)


@pytest.mark.django_db
def test_it_needs_a_tenant() -> None:
    with pytest.raises(NoTenantScope):
        queries.in_force(NOON)
