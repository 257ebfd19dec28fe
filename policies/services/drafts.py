"""Drafting: a version is begun from one that decides, edited, given its terms, moved to a newer base, or withdrawn."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Max
from rfc8785 import CanonicalizationError

from accounts.actors import Actor
from accounts.models import Agent
from memory_admin import audit
from memory_admin.audit import Action
from memory_admin.errors import Conflict, Invalid, NotAllowed, NotFound
from policies import standing
from policies.baseline import BASELINE
from policies.digests import Terms, sha256_of, terms_sha256
from policies.documents import Family
from policies.models import (
    ActivationState,
    Lane,
    Mode,
    PolicyActivation,
    PolicyEditor,
    PolicyFamily,
    PolicyVersion,
    ReviewStatus,
    VersionState,
)
from policies.roles import APPROVERS, EDITORS, refuse_others
from policies.services import rounds

MOST_BYTES = 1_000_000
TITLE_LENGTH, REASON_LENGTH = 200, 4_000
SHORTEST_REASON = 10
EDITABLE = (VersionState.DRAFT, VersionState.IN_REVIEW)
WITHDRAWABLE = (*EDITABLE, VersionState.APPROVED)


class NothingChanged(Conflict):
    code = "nothing_changed"
    sentence = "This is what the draft says already."


class EditedMeanwhile(Conflict):
    """``details["by"]`` names who, as an actor reference."""

    code = "edited_meanwhile"
    sentence = "Somebody else has edited this draft since you opened it."


class NotADraft(Conflict):
    code = "not_a_draft"
    sentence = "This version is decided, so it does not change any more. Begin a new one from it."


class InUse(Conflict):
    code = "version_in_use"
    sentence = "This version is in force, so it is revoked or replaced and not withdrawn."


@transaction.atomic
def begin(
    *,
    family: Family,
    by: Actor,
    now: datetime,
    title: str = "",
    reason: str = "",
    terms: Terms | None = None,
    source_id: UUID | None = None,
) -> PolicyVersion:
    """Begin a draft: the content of a version, by default of the one that decides now where the draft is meant for.

    :param source_id: the version to copy instead
    :raises NotAllowed: the actor is no policy editor
    :raises NotFound: there is no such family or version
    :raises Invalid: the title or the terms do not do
    """
    refuse_others(by, EDITORS)
    held = standing.locked_family(family)
    wanted = terms or Terms()
    check_terms(wanted, now=now)
    base = standing.deciding(held.id, region=wanted.region, agent_id=wanted.agent_id, now=now)
    source = base if source_id is None else PolicyVersion.objects.filter(id=source_id, family_id=held.id).first()
    if source_id is not None and source is None:
        raise NotFound
    content = source.content if source else BASELINE[family].model_dump(mode="json")
    version = add_version(held, content, base=base, by=by, now=now, title=title, reason=reason)
    plan(version, wanted, base=base)
    note_editor(version, by=by, now=now)
    record(Action.POLICY_DRAFTED, version, by=by, now=now)
    return version


@transaction.atomic
def save(
    *,
    version_id: UUID,
    read_sha256: str,
    content: Mapping[str, Any],
    by: Actor,
    now: datetime,
    title: str | None = None,
    reason: str | None = None,
    terms: Terms | None = None,
) -> PolicyVersion:
    """Save a draft, finished or not; one that is in review goes back to draft, and its reviewers decide anew.

    :param read_sha256: the digest of the content that the editor saw when they began
    :raises NotAllowed: the actor is no policy editor
    :raises NotFound: there is no such version
    :raises NotADraft: it is decided
    :raises EditedMeanwhile: it says something else by now
    :raises NothingChanged: it says and means this already
    :raises Invalid: it is too large, holds numbers that JSON cannot, or its title or terms do not do
    """
    refuse_others(by, EDITORS)
    version = editable(version_id)
    if version.content_sha256 != read_sha256:
        last = version.editors.order_by("-since").first()
        raise EditedMeanwhile(details={"by": f"user:{last.user_id}" if last else version.created_by})
    words = _words(version.title if title is None else title, version.reason if reason is None else reason)
    digest = _digest_of(content)
    activation = standing.planned(version)
    held = standing.terms_of(activation) if activation else None
    wanted = terms or held or Terms()
    if (version.content_sha256, (version.title, version.reason), held) == (digest, words, wanted):
        raise NothingChanged
    if wanted != held:
        check_terms(wanted, now=now)
    if version.state == VersionState.IN_REVIEW and (version.content_sha256, held) != (digest, wanted):
        rounds.send_back(version, status=ReviewStatus.CHANGES_REQUESTED, now=now)
    version.content, version.content_sha256 = dict(content), digest
    (version.title, version.reason), version.edited_at = words, now
    version.save(update_fields=["content", "content_sha256", "title", "reason", "edited_at"])
    base = activation.base_version if activation else version.base_version
    if held is None or (held.region, held.agent_id) != (wanted.region, wanted.agent_id):
        base = standing.deciding(version.family_id, region=wanted.region, agent_id=wanted.agent_id, now=now)
    plan(version, wanted, base=base)
    note_editor(version, by=by, now=now)
    record(Action.POLICY_EDITED, version, by=by, now=now)
    return version


@transaction.atomic
def rebase(*, version_id: UUID, by: Actor, now: datetime) -> PolicyVersion:
    """Let a draft take the place of what decides now, where that is no longer what it was begun against.

    Its content stays: the editor has compared the three. One that is in review goes back to draft.

    :raises NotAllowed: the actor is no policy editor
    :raises NotFound: there is no such version
    :raises NotADraft: it is decided
    :raises NothingChanged: what it was begun against decides still
    """
    refuse_others(by, EDITORS)
    version = editable(version_id)
    activation = standing.planned(version)
    terms = standing.terms_of(activation) if activation else Terms()
    base = standing.deciding(version.family_id, region=terms.region, agent_id=terms.agent_id, now=now)
    held = activation.base_version_id if activation else version.base_version_id
    if (base.id if base else None) == held:
        raise NothingChanged
    if version.state == VersionState.IN_REVIEW:
        rounds.send_back(version, status=ReviewStatus.CHANGES_REQUESTED, now=now)
    version.base_version = base
    version.save(update_fields=["base_version_id"])
    plan(version, terms, base=base)
    note_editor(version, by=by, now=now)
    record(Action.POLICY_EDITED, version, by=by, now=now)
    return version


@transaction.atomic
def withdraw(*, version_id: UUID, reason: str, by: Actor, now: datetime) -> PolicyVersion:
    """Give up a version, or, of one that was ever in force, what is planned for it: as an editor of it or an approver.

    :raises NotAllowed: the actor is neither
    :raises NotFound: there is no such version
    :raises NotADraft: it was rejected or withdrawn already
    :raises InUse: it is or was in force, and nothing else is planned for it
    :raises Invalid: the reason is shorter than ten characters
    """
    refuse_others(by, (*EDITORS, *APPROVERS))
    version = standing.locked_version(version_id)
    if by.user_id not in standing.editors_of(version) and by.roles.isdisjoint(APPROVERS):
        raise NotAllowed
    if version.state not in WITHDRAWABLE:
        raise NotADraft(details={"state": version.state})
    if rounds.has_begun(version) and standing.planned(version) is None:
        raise InUse
    said = required_reason(reason)
    rounds.end(version, status=ReviewStatus.WITHDRAWN, state=VersionState.WITHDRAWN, now=now)
    record(Action.POLICY_WITHDRAWN, version, by=by, now=now, reason_length=len(said))
    return version


def add_version(
    family: PolicyFamily,
    content: Mapping[str, Any],
    *,
    base: PolicyVersion | None,
    by: Actor,
    now: datetime,
    title: str = "",
    reason: str = "",
    restored_from: PolicyVersion | None = None,
) -> PolicyVersion:
    """Add the next version of a family whose row is locked."""
    title, reason = _words(title, reason)
    return PolicyVersion.objects.create(
        family=family,
        number=next_number(family.id),
        content=content,
        content_sha256=sha256_of(content),
        base_version=base,
        restored_from=restored_from,
        title=title,
        reason=reason,
        created_by=by.ref,
        created_at=now,
        edited_at=now,
    )


def next_number(family_id: UUID) -> int:
    """Give the number of the next version of a family whose row is locked."""
    last = PolicyVersion.objects.filter(family_id=family_id).aggregate(last=Max("number"))["last"]
    return (last or 0) + 1


def plan(version: PolicyVersion, terms: Terms, *, base: PolicyVersion | None) -> PolicyActivation:
    """Say how a version is to be used: what was planned before is replaced."""
    activation = standing.planned(version) or PolicyActivation(version=version, state=ActivationState.PLANNED)
    activation.region, activation.agent_id = terms.region, terms.agent_id
    activation.lane, activation.mode = Lane(terms.lane), Mode(terms.mode)
    activation.on_release = terms.effective_from is None
    activation.effective_from, activation.effective_until = terms.effective_from, terms.effective_until
    activation.base_version, activation.attention = base, ""
    activation.activation_sha256 = terms_sha256(terms, version_id=version.id, content_sha256=version.content_sha256)
    activation.save()
    return activation


def note_editor(version: PolicyVersion, *, by: Actor, now: datetime) -> None:
    """Remember that somebody had a hand in a version: from now on they never approve it."""
    assert by.user_id is not None  # staff have one
    PolicyEditor.objects.bulk_create(
        [PolicyEditor(version=version, user_id=by.user_id, since=now)], ignore_conflicts=True
    )


def required_reason(said: str) -> str:
    """Give a reason without its margins.

    :raises Invalid: it is shorter than ten characters, or longer than can be kept
    """
    said = said.strip()
    if not SHORTEST_REASON <= len(said) <= REASON_LENGTH:
        raise Invalid(fields={"reason": [f"Give a reason of {SHORTEST_REASON} to {REASON_LENGTH:,} characters."]})
    return said


def editable(version_id: UUID) -> PolicyVersion:
    """Read a version that can be edited, with its family locked.

    :raises NotFound: there is none
    :raises NotADraft: it is decided
    """
    version = standing.locked_version(version_id)
    if version.state not in EDITABLE:
        raise NotADraft(details={"state": version.state})
    return version


def _words(title: str, reason: str) -> tuple[str, str]:
    title, reason = " ".join(title.split()), reason.strip()
    problems = {
        name: [f"At most {longest:,} characters."]
        for name, said, longest in (("title", title, TITLE_LENGTH), ("reason", reason, REASON_LENGTH))
        if len(said) > longest
    }
    if problems:
        raise Invalid(fields=problems)
    return title, reason


def _digest_of(content: Mapping[str, Any]) -> str:
    try:
        if len(json.dumps(content, ensure_ascii=False)) > MOST_BYTES:
            raise Invalid(fields={"content": [f"A policy has at most {MOST_BYTES:,} characters."]})
        return sha256_of(content)
    except (CanonicalizationError, TypeError, ValueError, RecursionError) as error:
        raise Invalid(fields={"content": ["It holds a number or a text that JSON cannot carry."]}) from error


def check_terms(terms: Terms, *, now: datetime) -> None:
    """Let terms pass that can be used from now on.

    :raises Invalid: an unknown agent, a mode that does not fit the lane, a time that has passed or runs backwards
    """
    problems: dict[str, list[str]] = {}
    if terms.agent_id is not None and not Agent.objects.filter(id=terms.agent_id).exists():
        problems["agent"] = ["There is no such agent."]
    if (terms.lane, terms.mode) not in (("enforce", "enforce"), ("shadow", "shadow"), ("shadow", "warn")):
        problems["mode"] = ["Choose enforce, warn or shadow."]
    if terms.effective_from is not None and terms.effective_from <= now:
        problems["effective_from"] = ["This time has passed."]
    if terms.effective_until is not None and terms.effective_until <= (terms.effective_from or now):
        problems["effective_until"] = ["The end comes after the start."]
    if problems:
        raise Invalid(fields=problems)


def record(action: Action, version: PolicyVersion, *, by: Actor, now: datetime, **payload: Any) -> None:
    """Record what happened to a version, as the last step of its transaction."""
    audit.record(
        action=action,
        by=by,
        target=("policy_version", version.id),
        at=now,
        policy_version=version.label,
        payload={"content_sha256": version.content_sha256, "round": version.round, **payload},
    )
