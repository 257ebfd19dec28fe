"""Versions in force without their long way there, for tests of what they decide."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.utils import timezone

from accounts.actors import system
from memory_admin.tenancy.scope import tenant_scope
from policies import standing
from policies.digests import Terms
from policies.documents import Family, PolicyDocument
from policies.models import PolicyVersion, VersionState
from policies.services import drafts, effect


def put_in_force(
    tenant_id: UUID, family: Family, document: PolicyDocument | dict[str, Any], *, terms: Terms | None = None
) -> str:
    """Let a document decide, or watch, from now on as if people had approved it; give the name of its version."""
    now, by = timezone.now(), system("tests", tenant_id=tenant_id)
    content = document if isinstance(document, dict) else document.model_dump(mode="json")
    with tenant_scope(tenant_id):
        version = drafts.add_version(standing.locked_family(family), content, base=None, by=by, now=now)
        activation = drafts.plan(version, terms or Terms(), base=None)
        approved = {"state": VersionState.APPROVED, "approved_by": by.ref, "approved_at": now}
        PolicyVersion.objects.filter(id=version.id).update(**approved)
        effect.take_effect(activation, by=by, now=now)
    return f"{family}/{version.number}"
