"""Drafting a version: what it starts from, how it is edited, and what goes with it."""

from __future__ import annotations

from datetime import timedelta

import pytest

from accounts.vocabulary import Role
from memory_admin.audit import Action
from memory_admin.audit.queries import actions_on
from memory_admin.errors import Invalid, NotAllowed, NotFound
from memory_admin.tenancy.scope import uuid7
from policies import services, standing
from policies.digests import Terms
from policies.models import PolicyVersion
from policies.services import drafts, reviewing
from tests.policies.council import NOON, Council, Member, drafted, in_review, says, shorter, state_of

LATER = NOON + timedelta(days=1)


def test_a_draft_starts_from_what_decides(eva: Member) -> None:
    version = services.begin(family="retention", by=eva.actor, now=NOON)

    activation = standing.planned(version)
    assert activation is not None
    assert activation.base_version_id == version.base_version_id
    assert (version.number, version.state, version.content) == (2, "draft", version.base_version.content)
    assert standing.editors_of(version) == {eva.user.id}
    assert actions_on(version.id) == [Action.POLICY_DRAFTED]


def test_an_edit_is_recorded_and_makes_an_editor(council: Council, eva: Member) -> None:
    otto = council.hire("otto", Role.POLICY_EDITOR)
    version = services.begin(family="retention", by=eva.actor, now=NOON)

    services.save(
        version_id=version.id,
        read_sha256=version.content_sha256,
        content=shorter(version.content),
        by=otto.actor,
        now=NOON,
    )

    assert standing.editors_of(version) == {eva.user.id, otto.user.id}
    assert actions_on(version.id) == [Action.POLICY_DRAFTED, Action.POLICY_EDITED]


def test_saving_the_same_again_is_no_edit(eva: Member) -> None:
    version = drafted(eva)
    turned = dict(reversed(list(version.content.items())))

    with pytest.raises(drafts.NothingChanged):
        services.save(
            version_id=version.id, read_sha256=version.content_sha256, content=turned, by=eva.actor, now=LATER
        )


def test_two_editors_do_not_overwrite_each_other(council: Council, eva: Member) -> None:
    otto = council.hire("otto", Role.POLICY_EDITOR)
    version = services.begin(family="retention", by=eva.actor, now=NOON)
    read = version.content_sha256
    services.save(version_id=version.id, read_sha256=read, content=shorter(version.content), by=eva.actor, now=NOON)

    with pytest.raises(drafts.EditedMeanwhile) as refused:
        services.save(
            version_id=version.id, read_sha256=read, content=shorter(version.content, 30), by=otto.actor, now=NOON
        )
    assert refused.value.details["by"] == f"user:{eva.user.id}"


@pytest.mark.parametrize("role", [role for role in Role if role != Role.POLICY_EDITOR])
def test_nobody_but_an_editor_drafts(council: Council, role: Role) -> None:
    other = council.hire("other", role)

    with pytest.raises(NotAllowed):
        services.begin(family="retention", by=other.actor, now=NOON)


@pytest.mark.parametrize(
    ("terms", "field"),
    [
        (Terms(effective_from=NOON), "effective_from"),
        (Terms(effective_from=LATER, effective_until=LATER), "effective_until"),
        (Terms(lane="enforce", mode="warn"), "mode"),
        (Terms(agent_id=uuid7()), "agent"),
    ],
)
def test_terms_that_do_not_do_are_refused(eva: Member, terms: Terms, field: str) -> None:
    with pytest.raises(Invalid) as refused:
        services.begin(family="retention", by=eva.actor, now=NOON, terms=terms)
    assert list(refused.value.fields) == [field]


@pytest.mark.parametrize("content", [{"x": float("nan")}, {"x": 2**60}, {"x": "a" * 1_000_001}])
def test_content_that_json_cannot_carry_is_refused(eva: Member, content: dict[str, object]) -> None:
    version = services.begin(family="retention", by=eva.actor, now=NOON)

    with pytest.raises(Invalid):
        services.save(
            version_id=version.id, read_sha256=version.content_sha256, content=content, by=eva.actor, now=NOON
        )


def test_an_unfinished_draft_is_kept(eva: Member) -> None:
    version = services.begin(family="retention", by=eva.actor, now=NOON)

    saved = services.save(
        version_id=version.id,
        read_sha256=version.content_sha256,
        content={"days": "not yet"},
        by=eva.actor,
        now=NOON,
    )

    assert PolicyVersion.objects.get(id=saved.id).content == {"days": "not yet"}


def test_a_draft_is_withdrawn_for_good(eva: Member, anton: Member) -> None:
    review = in_review(eva)
    services.withdraw(version_id=review.version_id, reason="Not needed any more.", by=eva.actor, now=NOON)

    assert state_of(review.version_id) == "withdrawn"
    assert Action.POLICY_WITHDRAWN in actions_on(review.version_id)
    with pytest.raises(reviewing.ReviewClosed):
        says(anton, review)
    with pytest.raises(drafts.NotADraft):
        services.withdraw(version_id=review.version_id, reason="Not needed any more.", by=eva.actor, now=NOON)


def test_a_copy_can_start_from_any_version(eva: Member) -> None:
    first = drafted(eva)
    copy = services.begin(family="retention", by=eva.actor, now=NOON, source_id=first.id)

    assert copy.content == PolicyVersion.objects.get(id=first.id).content
    with pytest.raises(NotFound):
        services.begin(family="write", by=eva.actor, now=NOON, source_id=first.id)
