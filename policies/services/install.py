"""The policies that a tenant starts with."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from accounts.actors import Actor
from memory_admin import audit
from memory_admin.audit import Action
from memory_admin.tenancy.scope import tenant_scope
from policies.baseline import BASELINE, NAME
from policies.digests import sha256_of, terms_sha256
from policies.documents import FAMILIES, Family
from policies.models import (
    ActivationState,
    EffectiveWindow,
    FamilyKey,
    Lane,
    Mode,
    PolicyActivation,
    PolicyFamily,
    PolicyTestCase,
    PolicyVersion,
    RiskClass,
    VersionState,
    scope_name,
)
from policies.services import effect
from policies.standing import terms_of
from policies.starter_cases import STARTER_CASES

TITLES: dict[Family, tuple[str, RiskClass]] = {
    "write": ("What may be kept", RiskClass.HIGH),
    "retention": ("How long it is kept", RiskClass.MEDIUM),
    "retrieval": ("What agents are given", RiskClass.MEDIUM),
    "access": ("Who sees what", RiskClass.HIGH),
    "procedure": ("How agents do things", RiskClass.HIGH),
}
OWNER_TEAM = "privacy"
BUILT_IN = "system:baseline"


def install_baseline(*, tenant_id: UUID, by: Actor, now: datetime) -> list[PolicyVersion]:
    """Put Baseline 1 in force for every family the tenant does not have yet, and return the versions made."""
    with tenant_scope(tenant_id):
        present = set(PolicyFamily.objects.values_list("key", flat=True))
        made = [_install(family, now=now) for family in FAMILIES if family not in present]
        audit.record_many([effect.entry(Action.POLICY_ACTIVATED, activation, by=by, now=now) for activation in made])
        return [activation.version for activation in made]


def _install(key: Family, *, now: datetime) -> PolicyActivation:
    title, risk_class = TITLES[key]
    family = PolicyFamily.objects.create(key=FamilyKey(key), title=title, owner_team=OWNER_TEAM, risk_class=risk_class)
    content = BASELINE[key].model_dump(mode="json")
    version = PolicyVersion.objects.create(
        family=family,
        number=1,
        content=content,
        content_sha256=sha256_of(content),
        state=VersionState.APPROVED,
        created_by=BUILT_IN,
        created_at=now,
        approved_by=BUILT_IN,
        approved_at=now,
        approval_note=f"{NAME}, as shipped",
    )
    activation = PolicyActivation(
        version=version, lane=Lane.ENFORCE, mode=Mode.ENFORCE, effective_from=now, state=ActivationState.EFFECTIVE
    )
    activation.activation_sha256 = terms_sha256(
        terms_of(activation), version_id=version.id, content_sha256=version.content_sha256
    )
    activation.save(force_insert=True)
    PolicyTestCase.objects.bulk_create(
        PolicyTestCase(
            family=family,
            name=case.name,
            given=dict(case.given),
            expect=dict(case.expect),
            tags=list(case.tags),
            added_for=NAME,
            added_by=BUILT_IN,
            added_at=now,
        )
        for case in STARTER_CASES[key]
    )
    EffectiveWindow.objects.create(
        family=family, activation=activation, scope=scope_name(), lane=activation.lane, effective=(now, None)
    )
    return activation
