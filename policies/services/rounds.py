"""What ends a round of review; part of other steps, under the lock of the family."""

from __future__ import annotations

from datetime import datetime

from policies.models import ActivationState, PolicyReview, PolicyVersion, ReviewStatus, VersionState

WAITING = (ActivationState.PLANNED, ActivationState.SCHEDULED)


def has_begun(version: PolicyVersion) -> bool:
    """Tell whether a version was ever in force: then what it says stands for good."""
    return version.activations.exclude(state__in=[*WAITING, ActivationState.WITHDRAWN]).exists()


def send_back(version: PolicyVersion, *, status: ReviewStatus, now: datetime) -> None:
    """End the open round and bring the version back to draft; one that was ever in force loses its plan only."""
    _close(version, status=status, now=now)
    if has_begun(version):
        _drop_plans(version)
        return
    version.state = VersionState.DRAFT
    version.approved_by = version.approved_at = None
    version.save(update_fields=["state", "approved_by", "approved_at"])


def end(version: PolicyVersion, *, status: ReviewStatus, state: VersionState, now: datetime) -> None:
    """End the open round and what was planned for good; one that was ever in force stays the version that it is."""
    _close(version, status=status, now=now)
    _drop_plans(version)
    if not has_begun(version):
        version.state = state
        version.save(update_fields=["state"])


def _close(version: PolicyVersion, *, status: ReviewStatus, now: datetime) -> None:
    PolicyReview.objects.filter(version_id=version.id, status=ReviewStatus.OPEN).update(status=status, closed_at=now)


def _drop_plans(version: PolicyVersion) -> None:
    version.activations.filter(state__in=WAITING).update(state=ActivationState.WITHDRAWN)
