"""Where a version stands: what decides in its scope, what was said about it, and what of that still counts."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from django.db.models import Max, Q

from memory_admin.errors import NotFound
from policies import cases
from policies.digests import Terms, review_sha256, sha256_of, terms_sha256
from policies.documents import Family
from policies.models import (
    ActivationState,
    DecisionKind,
    EffectiveWindow,
    Lane,
    PolicyActivation,
    PolicyFamily,
    PolicyTestCase,
    PolicyTestRetirement,
    PolicyVersion,
    ReviewDecision,
    ReviewStatus,
    scope_names,
)


def locked_family(family: Family | UUID) -> PolicyFamily:
    """Lock a family, by its key or id: whatever changes where a version of it stands does so first.

    :raises NotFound: the open tenant has none
    """
    wanted = {"id": family} if isinstance(family, UUID) else {"key": family}
    found = PolicyFamily.objects.select_for_update().filter(**wanted).first()
    if found is None:
        raise NotFound
    return found


def locked_version(version_id: UUID) -> PolicyVersion:
    """Read a version with its family locked.

    :raises NotFound: there is none
    """
    family_id = PolicyVersion.objects.filter(id=version_id).values_list("family_id", flat=True).first()
    if family_id is None:
        raise NotFound
    locked_family(family_id)
    return PolicyVersion.objects.select_related("family").get(id=version_id)


def locked_activation(activation_id: UUID) -> PolicyActivation:
    """Read an activation and its version with the family locked.

    :raises NotFound: there is none
    """
    version_id = PolicyActivation.objects.filter(id=activation_id).values_list("version_id", flat=True).first()
    if version_id is None:
        raise NotFound
    locked_version(version_id)
    return PolicyActivation.objects.select_related("version__family", "base_version").get(id=activation_id)


def moment(family_id: UUID, *, now: datetime) -> datetime:
    """Tell when a step under the lock of a family happens: now, or when its newest window began, if that is later.

    Whoever waited for the lock read the clock before; they still come after whoever held it.
    """
    newest = EffectiveWindow.objects.filter(family_id=family_id).aggregate(began=Max("effective__startswith"))["began"]
    return max(now, newest) if newest else now


def deciding(
    family_id: UUID, *, region: str | None = None, agent_id: UUID | None = None, now: datetime
) -> PolicyVersion | None:
    """Find the version of a family that decides for a region and an agent: that of the narrowest scope in force."""
    scopes = scope_names(region=region, agent_id=agent_id)
    windows = EffectiveWindow.objects.select_related("activation__version__family").filter(
        family_id=family_id, lane=Lane.ENFORCE, scope__in=scopes, effective__contains=now
    )
    held = min(windows, key=lambda window: scopes.index(window.scope), default=None)
    return held.activation.version if held else None


def planned(version: PolicyVersion) -> PolicyActivation | None:
    """Find the use of a version that is still to be decided or released; the newest, if there are several."""
    return version.activations.filter(state=ActivationState.PLANNED).order_by("-id").first()


def terms_of(activation: PolicyActivation) -> Terms:
    """Read the terms that an approval of an activation covers."""
    return Terms(
        region=activation.region,
        agent_id=activation.agent_id,
        lane=activation.lane,
        mode=activation.mode,
        effective_from=None if activation.on_release else activation.effective_from,
        effective_until=activation.effective_until,
    )


def suite_of(version: PolicyVersion) -> list[PolicyTestCase]:
    """Read the tests that a version is held against, by name: its own, and those of what it is built on.

    A version is built on its base; one that goes back to an older version is built on that one.
    """
    rows = PolicyVersion.objects.filter(family_id=version.family_id).values_list(
        "id", "restored_from_id", "base_version_id"
    )
    parents = {id_: restored or base for id_, restored, base in rows}
    line: list[UUID] = []
    at: UUID | None = version.id
    while at is not None and at not in line:
        line.append(at)
        at = parents.get(at)
    retired = PolicyTestRetirement.objects.filter(version_id__in=line).values("case_id")
    mine = Q(added_in_id=None) | Q(added_in_id__in=line)
    found = PolicyTestCase.objects.filter(mine, family_id=version.family_id).exclude(id__in=retired)
    return list(found.order_by("name", "id"))


def cases_of(version: PolicyVersion) -> list[cases.Case]:
    """Read the tests of a version as the engine runs them."""
    return [
        cases.Case(name=one.name, given=one.given, expect=one.expect, tags=tuple(one.tags), skip_reason=one.skip_reason)
        for one in suite_of(version)
    ]


def review_digest_of(activation: PolicyActivation) -> str:
    """Digest everything a reviewer of this activation relies on, from the rows as they are now."""
    version, base = activation.version, activation.base_version
    content = sha256_of(version.content)
    return review_sha256(
        content=content,
        activation=terms_sha256(terms_of(activation), version_id=version.id, content_sha256=content),
        suite=cases.suite_sha256(cases_of(version)),
        base=base.content_sha256 if base else "",
    )


def decisions_that_count(activation: PolicyActivation, *, digest: str) -> list[ReviewDecision]:
    """List what reviewers decided about exactly this, in whatever round that did not lapse: of each the newest.

    Comments are left out.
    """
    found = ReviewDecision.objects.filter(review__activation_id=activation.id, review_digest=digest)
    found = found.exclude(review__status=ReviewStatus.EXPIRED)
    newest = {one.reviewer_id: one for one in found.exclude(kind=DecisionKind.COMMENT).order_by("at", "id")}
    return list(newest.values())


def editors_of(version: PolicyVersion) -> set[UUID]:
    """Name everybody who had a hand in a version, in any round."""
    return set(version.editors.values_list("user_id", flat=True))
