"""The only writers of policies."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction

from accounts.actors import Actor
from memory_admin import audit
from memory_admin.tenancy.scope import tenant_scope
from policies.baseline import BASELINE, NAME
from policies.digests import sha256_of
from policies.documents import FAMILIES, Family
from policies.models import (
    ActivationState,
    EffectiveWindow,
    FamilyKey,
    Lane,
    Mode,
    PolicyActivation,
    PolicyChangeRequest,
    PolicyFamily,
    PolicyVersion,
    RequestStatus,
    RiskClass,
    VersionState,
    scope_name,
)

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
        audit.record_many([_activated(activation, by=by, now=now) for activation in made])
        return [activation.version for activation in made]


@transaction.atomic
def request_change(
    *, subject_id: UUID, words: str, rule_id: str, policy_version: str, channel: str, by: Actor, now: datetime
) -> PolicyChangeRequest:
    """Queue words that asked to waive a control, for the policy editors; the same open request is not queued twice."""
    queued = PolicyChangeRequest.objects.filter(
        subject_id=subject_id, words=words, rule_id=rule_id, status=RequestStatus.OPEN
    ).first()
    if queued is not None:
        return queued
    request = PolicyChangeRequest.objects.create(
        subject_id=subject_id,
        agent_id=by.agent_id,
        channel=channel,
        words=words,
        rule_id=rule_id,
        policy_version=policy_version,
        created_at=now,
    )
    audit.record(
        action=audit.Action.POLICY_CHANGE_REQUESTED,
        by=by,
        target=("policy_change_request", request.id),
        at=now,
        policy_version=policy_version,
        payload={"rule": rule_id, "subject": str(subject_id)},
    )
    return request


def erase_change_requests(*, subject_id: UUID) -> list[str]:
    """Delete every request of a subject, whatever became of it, and give the words; part of an erasure."""
    requests = PolicyChangeRequest.objects.filter(subject_id=subject_id)
    words = list(requests.values_list("words", flat=True))
    requests.delete()
    return words


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
    activation.activation_sha256 = sha256_of(_terms(activation))
    activation.save(force_insert=True)
    EffectiveWindow.objects.create(
        family=family, activation=activation, scope=scope_name(), lane=activation.lane, effective=(now, None)
    )
    return activation


def _terms(activation: PolicyActivation) -> dict[str, Any]:
    """Say what an approval of an activation covers; a start left to the release is not part of it."""
    return {
        "version": str(activation.version_id),
        "content_sha256": activation.version.content_sha256,
        "region": activation.region,
        "agent": str(activation.agent_id) if activation.agent_id else None,
        "lane": str(activation.lane),
        "mode": str(activation.mode),
        "effective_from": activation.effective_from.isoformat() if activation.effective_from else None,
        "effective_until": activation.effective_until.isoformat() if activation.effective_until else None,
    }


def _activated(activation: PolicyActivation, *, by: Actor, now: datetime) -> audit.Entry:
    version = activation.version
    return audit.Entry(
        action=audit.Action.POLICY_ACTIVATED,
        by=by,
        target=("policy_activation", activation.id),
        at=now,
        policy_version=f"{version.family.key}/{version.number}",
        payload={
            "version": str(version.id),
            "content_sha256": version.content_sha256,
            "activation_sha256": activation.activation_sha256,
        },
    )
