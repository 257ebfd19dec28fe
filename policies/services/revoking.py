"""Taking a version out of force before its time: what takes its place is in force in the same step."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Literal
from uuid import UUID

from django.db import transaction
from django.db.models import F

from accounts.actors import Actor
from accounts.queries import holders_of
from accounts.vocabulary import NoticeKind
from memory_admin import audit
from memory_admin.audit import Action
from memory_admin.errors import Conflict, NotAllowed, NotFound
from policies import compare, standing
from policies.baseline import BASELINE, NAME
from policies.digests import sha256_of, terms_sha256
from policies.documents import parse
from policies.models import (
    EVERYWHERE,
    ActivationState,
    AuthLevel,
    Lane,
    PolicyActivation,
    PolicyRevocation,
    PolicyVersion,
    RevocationStatus,
    VersionState,
    scope_name,
)
from policies.roles import APPROVERS, refuse_others
from policies.services import drafts, effect
from policies.services.install import BUILT_IN
from policies.services.reviewing import SecondFactorMissing
from policies.services.telling import tell

Fallback = Literal["previous", "baseline", "wider"]


class NotInForce(Conflict):
    code = "not_in_force"
    sentence = "This version does not decide anything at the moment."


class NoFallback(Conflict):
    code = "no_fallback"
    sentence = "There is nothing of this kind that could take its place."


class SecondPerson(NotAllowed):
    code = "second_person"
    sentence = "What takes its place allows more, so somebody else than whoever asked has to agree."


class RevocationClosed(Conflict):
    code = "revocation_closed"
    sentence = "This was decided already."


@transaction.atomic
def revoke(
    *, activation_id: UUID, fallback: Fallback, reason: str, by: Actor, auth_level: AuthLevel, now: datetime
) -> PolicyRevocation:
    """Take what decides out of force, for what decided before it, Baseline 1, or the wider scope.

    Where that allows more, nothing happens until a second person agrees.

    :raises NotAllowed: the actor may not approve policies
    :raises SecondFactorMissing: they signed in without one
    :raises NotFound: there is no such activation
    :raises NotInForce: it is not in force
    :raises NoFallback: there is nothing of the kind asked for
    :raises Invalid: the reason is too short
    """
    asked_by = refuse_others(by, APPROVERS)
    if auth_level != AuthLevel.SECOND_FACTOR:
        raise SecondFactorMissing
    activation = standing.locked_activation(activation_id)
    now = standing.moment(activation.version.family_id, now=now)
    if not _decides(activation, now=now):
        raise NotInForce
    takes_over = _fallback(activation, fallback, now=now)
    compared = takes_over or _wider(activation, now=now)
    family = activation.version.family.key
    loosens = bool(compare.loosens(family, parse(family, activation.version.content), parse(family, compared.content)))
    asked = PolicyRevocation.objects.filter(activation_id=activation.id, status=RevocationStatus.OPEN).first()
    if asked is not None:
        raise RevocationClosed(details={"id": str(asked.id)})
    made = PolicyRevocation.objects.create(
        activation=activation,
        fallback=takes_over,
        reason=drafts.required_reason(reason),
        loosens=loosens,
        asked_by_id=asked_by,
        asked_at=now,
    )
    if loosens:
        _tell(activation, by=by, now=now)
        effect.record(Action.POLICY_REVOCATION_ASKED, activation, by=by, now=now)
    else:
        _carry_out(made, activation, by=by, now=now)
    return made


@transaction.atomic
def decide_revocation(
    *, revocation_id: UUID, agree: bool, by: Actor, auth_level: AuthLevel, now: datetime
) -> PolicyRevocation:
    """Agree to a revocation that allows more, or turn it down: as somebody else than whoever asked.

    :raises NotAllowed: the actor may not approve policies
    :raises SecondFactorMissing: they agree, and signed in without one
    :raises SecondPerson: the actor asked for it
    :raises NotFound: there is no such wish
    :raises RevocationClosed: it is decided
    :raises NotInForce: the version decides nothing by now
    """
    refuse_others(by, APPROVERS)
    if agree and auth_level != AuthLevel.SECOND_FACTOR:
        raise SecondFactorMissing
    found = PolicyRevocation.objects.filter(id=revocation_id).first()
    if found is None:
        raise NotFound
    activation = standing.locked_activation(found.activation_id)
    now = standing.moment(activation.version.family_id, now=now)
    found.refresh_from_db()
    if found.asked_by_id == by.user_id:
        raise SecondPerson
    if found.status != RevocationStatus.OPEN:
        raise RevocationClosed
    found.decided_by_id, found.decided_at = by.user_id, now
    if agree:
        if not _decides(activation, now=now):
            raise NotInForce
        _carry_out(found, activation, by=by, now=now)
        return found
    found.status = RevocationStatus.DECLINED
    found.save()
    effect.record(Action.POLICY_REVOCATION_DECLINED, activation, by=by, now=now)
    return found


def _decides(activation: PolicyActivation, *, now: datetime) -> bool:
    is_over = activation.effective_until is not None and activation.effective_until <= now
    return activation.state == ActivationState.EFFECTIVE and activation.lane == Lane.ENFORCE and not is_over


def _carry_out(revocation: PolicyRevocation, activation: PolicyActivation, *, by: Actor, now: datetime) -> None:
    revocation.status = RevocationStatus.DONE
    revocation.save()
    closed = [
        effect.close(window, state=ActivationState.REVOKED, by=by, now=now)
        for window in effect.open_windows(activation)
    ]
    if revocation.fallback is None:
        audit.record_many(closed)
        return
    terms = replace(standing.terms_of(activation), effective_from=None)
    follows = PolicyActivation(
        version=revocation.fallback,
        region=activation.region,
        agent_id=activation.agent_id,
        lane=activation.lane,
        mode=activation.mode,
        on_release=True,
        effective_until=activation.effective_until,
        base_version=activation.version,
        state=ActivationState.PLANNED,
        activation_sha256=terms_sha256(
            terms, version_id=revocation.fallback.id, content_sha256=revocation.fallback.content_sha256
        ),
    )
    audit.record_many(closed)
    effect.take_effect(follows, by=by, now=now, revocation=str(revocation.id))


def _fallback(activation: PolicyActivation, fallback: Fallback, *, now: datetime) -> PolicyVersion | None:
    version = activation.version
    match fallback:
        case "previous":
            before = PolicyActivation.objects.select_related("version__family").filter(
                version__family_id=version.family_id,
                region=activation.region,
                agent_id=activation.agent_id,
                lane=Lane.ENFORCE,
                state=ActivationState.SUPERSEDED,
            )
            found = (
                before.exclude(version_id=version.id).order_by(F("windows__effective").desc(nulls_last=True)).first()
            )
            if found is None:
                raise NoFallback
            held: PolicyVersion = found.version
            return held
        case "baseline":
            return _built_in(version, now=now)
        case "wider":
            if scope_name(region=activation.region, agent_id=activation.agent_id) == EVERYWHERE:
                raise NoFallback
            return None


def _wider(activation: PolicyActivation, *, now: datetime) -> PolicyVersion:
    """Find what decides in the scope of an activation once the activation itself is gone."""
    region = activation.region if activation.agent_id else None
    found = standing.deciding(activation.version.family_id, region=region, now=now)
    if found is None or found.id == activation.version_id:
        found = standing.deciding(activation.version.family_id, now=now)
    if found is None:
        raise NoFallback
    return found


def _built_in(version: PolicyVersion, *, now: datetime) -> PolicyVersion:
    """Find the version that says what Baseline 1 says, or add it."""
    content = BASELINE[version.family.key].model_dump(mode="json")
    digest = sha256_of(content)
    if digest == version.content_sha256:
        raise NoFallback
    found = PolicyVersion.objects.select_related("family").filter(
        family_id=version.family_id, content_sha256=digest, state=VersionState.APPROVED
    )
    held = found.order_by("-number").first()
    if held is not None:
        return held
    return PolicyVersion.objects.create(
        family=version.family,
        number=drafts.next_number(version.family_id),
        content=content,
        content_sha256=digest,
        title=f"{NAME}, as shipped",
        state=VersionState.APPROVED,
        created_by=BUILT_IN,
        created_at=now,
        approved_by=BUILT_IN,
        approved_at=now,
        approval_note=f"{NAME}, as shipped",
    )


def _tell(activation: PolicyActivation, *, by: Actor, now: datetime) -> None:
    others = [user_id for user_id in holders_of(*APPROVERS) if user_id != by.user_id]
    tell(NoticeKind.POLICY_REVIEW_WAITING, others, activation.version_id, now=now)
