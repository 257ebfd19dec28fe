"""Taking effect: the next version takes the place of the one that decides, in one step; part of other services."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django.db.backends.postgresql.psycopg_any import DateTimeTZRange

from accounts.actors import Actor
from memory_admin import audit, jobs
from memory_admin.audit import Action
from memory_admin.tenancy.scope import required_tenant
from policies.models import ActivationState, EffectiveWindow, PolicyActivation, scope_name


def take_effect(activation: PolicyActivation, *, by: Actor, now: datetime, **payload: Any) -> None:
    """Put an activation in force from now on; whatever was in force in its scope and lane is superseded.

    The family is locked. The exclusion constraint of the windows holds that one decides at a time.
    """
    version = activation.version
    scope = scope_name(region=activation.region, agent_id=activation.agent_id)
    entries = [close(window, state=ActivationState.SUPERSEDED, by=by, now=now) for window in open_windows(activation)]
    if activation.effective_from is None:
        activation.effective_from = now
    activation.state, activation.attention, activation.released_by = ActivationState.EFFECTIVE, "", by.ref
    activation.save()
    EffectiveWindow.objects.create(
        family_id=version.family_id,
        activation=activation,
        scope=scope,
        lane=activation.lane,
        effective=DateTimeTZRange(now, activation.effective_until),
    )
    if activation.effective_until is not None:
        jobs.after_commit(jobs.END_ACTIVATION, object_id=activation.id, at=activation.effective_until)
    if version.family.key == "retention" and activation.lane == "enforce":
        jobs.after_commit(jobs.APPLY_RETENTION, object_id=activation.id)
        # Once more for what is written at this moment under the version before.
        jobs.after_commit(jobs.APPLY_RETENTION, object_id=activation.id, epoch=1, at=now + timedelta(minutes=2))
    jobs.after_commit(jobs.CHECKPOINT, object_id=required_tenant())
    entries.append(entry(Action.POLICY_ACTIVATED, activation, by=by, now=now, scope=scope, **payload))
    audit.record_many(entries)


def open_windows(activation: PolicyActivation) -> list[EffectiveWindow]:
    """List what is in force, or will be, in the scope and lane of an activation."""
    scope = scope_name(region=activation.region, agent_id=activation.agent_id)
    found = EffectiveWindow.objects.select_related("activation__version__family").filter(
        family_id=activation.version.family_id, scope=scope, lane=activation.lane
    )
    return list(found.filter(activation__state=ActivationState.EFFECTIVE))


def close(window: EffectiveWindow, *, state: ActivationState, by: Actor, now: datetime) -> audit.Entry:
    """End a window now, and say what to record of it; a window that would be empty was never open."""
    upper = window.effective.upper
    end = now if upper is None or upper > now else upper
    if window.effective.lower < end:
        EffectiveWindow.objects.filter(id=window.id).update(effective=DateTimeTZRange(window.effective.lower, end))
    else:
        EffectiveWindow.objects.filter(id=window.id).delete()
    PolicyActivation.objects.filter(id=window.activation_id).update(state=state)
    actions = {
        ActivationState.SUPERSEDED: Action.POLICY_SUPERSEDED,
        ActivationState.REVOKED: Action.POLICY_REVOKED,
        ActivationState.ENDED: Action.POLICY_ENDED,
    }
    return entry(actions[state], window.activation, by=by, now=now)


def record(action: Action, activation: PolicyActivation, *, by: Actor, now: datetime, **payload: Any) -> None:
    """Record what happened to an activation, as the last step of its transaction."""
    audit.record_many([entry(action, activation, by=by, now=now, **payload)])


def entry(action: Action, activation: PolicyActivation, *, by: Actor, now: datetime, **payload: Any) -> audit.Entry:
    """Say what to record of an activation."""
    version = activation.version
    return audit.Entry(
        action=action,
        by=by,
        target=("policy_version", version.id),
        at=now,
        policy_version=version.label,
        payload={
            "activation": str(activation.id),
            "content_sha256": version.content_sha256,
            "activation_sha256": activation.activation_sha256,
            **payload,
        },
    )
