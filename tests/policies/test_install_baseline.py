"""Baseline 1, put in force in a tenant."""

from __future__ import annotations

import pytest
from django.db import Error, connection, transaction

from memory_admin.audit.actions import Action
from memory_admin.audit.models import Event
from memory_admin.audit.queries import actions_on
from policies import queries, services
from policies.baseline import BASELINE
from policies.digests import sha256_of
from policies.documents import FAMILIES
from policies.models import EffectiveWindow, PolicyActivation, PolicyFamily, PolicyVersion
from tests.policies.conftest import NOON, Cast


def test_every_family_is_in_force_from_then_on(north: Cast) -> None:
    services.install_baseline(tenant_id=north.tenant.id, by=north.by, now=NOON)

    found = queries.in_force(NOON)
    assert {family: getattr(found, family).document for family in FAMILIES} == BASELINE


def test_each_version_is_approved_and_carries_its_digest(governed: Cast) -> None:
    for version in PolicyVersion.objects.select_related("family"):
        assert (version.number, version.state, version.approved_at) == (1, "approved", NOON)
        assert version.content_sha256 == sha256_of(version.content)


def test_each_activation_is_recorded(governed: Cast) -> None:
    for activation in PolicyActivation.objects.all():
        assert actions_on(activation.version_id) == [Action.POLICY_ACTIVATED]


def test_a_second_time_changes_nothing(governed: Cast) -> None:
    before = Event.objects.count()

    made = services.install_baseline(tenant_id=governed.tenant.id, by=governed.by, now=NOON)

    assert made == []
    assert (PolicyFamily.objects.count(), PolicyVersion.objects.count(), EffectiveWindow.objects.count()) == (5, 5, 5)
    assert Event.objects.count() == before


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE policies_policyversion SET content = '{}'::jsonb",
        "UPDATE policies_policyversion SET content_sha256 = repeat('0', 64)",
        "UPDATE policies_policyversion SET number = number + 1",
        "DELETE FROM policies_policyversion",
        "UPDATE policies_policyactivation SET activation_sha256 = repeat('0', 64)",
        "UPDATE policies_policyactivation SET region = 'eu'",
        "DELETE FROM policies_policyactivation",
    ],
)
def test_what_was_approved_cannot_be_changed_even_by_raw_sql(governed: Cast, change: str) -> None:
    with pytest.raises(Error), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(change)

    assert queries.in_force(NOON).write.document == BASELINE["write"]


def test_two_windows_of_one_scope_never_overlap(governed: Cast) -> None:
    window = EffectiveWindow.objects.select_related("family", "activation").get(family__key="write")

    with pytest.raises(Error), transaction.atomic():
        EffectiveWindow.objects.create(
            family=window.family, activation=window.activation, scope="*", effective=(NOON.replace(hour=20), None)
        )

    assert EffectiveWindow.objects.filter(family__key="write").count() == 1
