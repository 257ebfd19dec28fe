"""A version that holds at the tests' noon, without its long way there."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any
from uuid import UUID

from policies.baseline import BASELINE
from policies.digests import sha256_of
from policies.documents import Family
from policies.models import EffectiveWindow, PolicyActivation, PolicyFamily, PolicyVersion, scope_name
from tests.factories import NOON
from tests.policies.drafts import with_


def hold(family: Family, changes: Mapping[str, Any], *, mode: str, agent_id: UUID | None = None) -> None:
    """Let a second version hold, by its mode, that differs from Baseline 1 in the values at some dotted paths."""
    document = BASELINE[family]
    for path, value in changes.items():
        document = with_(document, path, value)
    content = document.model_dump(mode="json")
    held = PolicyFamily.objects.get(key=family)
    since = NOON - timedelta(days=1)
    lane = "enforce" if mode == "enforce" else "shadow"
    version = PolicyVersion.objects.create(
        family=held,
        number=9,
        content=content,
        content_sha256=sha256_of(content),
        state="approved",
        created_by="user:1",
        created_at=since,
        approved_by="user:2",
        approved_at=since,
    )
    activation = PolicyActivation.objects.create(
        version=version,
        agent_id=agent_id,
        lane=lane,
        mode=mode,
        effective_from=since,
        state="effective",
        activation_sha256="0" * 64,
    )
    EffectiveWindow.objects.create(
        family=held, activation=activation, scope=scope_name(agent_id=agent_id), lane=lane, effective=(since, None)
    )
