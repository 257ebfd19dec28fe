"""Two people at the same moment: one version decides, one draft is kept, one number is given."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from django.db import connection

from accounts.vocabulary import Role
from memory_admin.errors import DomainError
from memory_admin.tenancy.scope import tenant_scope
from policies import services
from policies.models import PolicyActivation, PolicyVersion
from tests.policies.council import NOON, Council, Member, found, in_review, says, shorter


def at_once(council: Council, *steps: Any) -> list[Any]:
    """Take steps in parallel, each in its own transaction; give what came of each, an error by its code."""
    together = Barrier(len(steps))

    def take(step: Any) -> Any:
        together.wait(30)
        try:
            with tenant_scope(council.tenant.id):
                return step()
        except DomainError as error:
            return error.code
        finally:
            connection.close()

    with ThreadPoolExecutor(len(steps)) as pool:
        return list(pool.map(take, steps))


@pytest.mark.django_db(transaction=True)
def test_of_two_releases_and_two_edits_one_each_is_carried_out() -> None:
    for council in found("larkfield"):
        eva, anton = council.hire("eva", Role.POLICY_EDITOR), council.hire("anton", Role.POLICY_APPROVER)
        reviews = [in_review(eva, days=days) for days in (60, 90)]
        for review in reviews:
            says(anton, review)
        draft = services.begin(family="retention", by=eva.actor, now=NOON)
    released = at_once(council, *[lambda one=review: _release(one, eva) for review in reviews])
    edited = at_once(council, *[lambda days=days: _edit(draft, eva, days) for days in (10, 20)])
    begun = at_once(council, *[lambda: services.begin(family="retention", by=eva.actor, now=NOON)] * 2)

    assert sorted(released) == ["guards_fail", "released"]
    assert sorted(edited) == ["edited", "edited_meanwhile"]
    assert {version.number for version in begun} == {5, 6}
    with tenant_scope(council.tenant.id):
        held = PolicyActivation.objects.filter(version__family__key="retention", state="effective")
        assert held.count() == 1


def _release(review: Any, by: Member) -> str:
    services.release(activation_id=review.activation_id, by=by.actor, now=NOON.replace(hour=13))
    return "released"


def _edit(draft: PolicyVersion, by: Member, days: int) -> str:
    services.save(
        version_id=draft.id,
        read_sha256=draft.content_sha256,
        content=shorter(draft.content, days),
        by=by.actor,
        now=NOON,
    )
    return "edited"
