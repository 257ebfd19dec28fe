"""Correcting a memory: it was wrong, it changed, or it lacked something."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction

from accounts.actors import Actor
from memory_admin import audit
from memory_admin.audit import Action
from memory_admin.errors import Conflict, Invalid, Refused
from memory_admin.memories import changes, queries
from memory_admin.memories.claims import Claim, Prepared, screen_claim, spoken
from memory_admin.memories.deciding import facts_of
from memory_admin.memories.digests import statement_digest
from memory_admin.memories.judge import is_same_value
from memory_admin.memories.models import Memory
from memory_admin.memories.services.capture import capture, prepare
from memory_admin.memories.services.confirm import confirm, make_room
from memory_admin.memories.tombstones import entomb, is_entombed
from memory_admin.memories.vocabulary import CorrectionReason, Origin, Status, WriteResult
from memory_admin.memories.wishes import soonest, wishes_of
from policies import engine
from policies.queries import in_force

CORRECTABLE = (Status.ACTIVE, Status.PROPOSED, Status.DISPUTED, Status.QUARANTINED, Status.ARCHIVED)


class NothingChanged(Conflict):
    """The new words are the old ones."""

    code = "nothing_changed"
    sentence = "Nothing changed: the words are the same."


class NotYours(Conflict):
    """Nobody else may correct what the person said or confirmed, unless it is disputed and a reviewer answers."""

    code = "confirmed_by_the_person"
    sentence = "The person confirmed this memory; only they can change it."


class CorrectionRefused(Refused):
    """The policy in force does not let the new words in."""

    code = "correction_refused"
    sentence = "A rule does not allow these words."


@dataclass(frozen=True)
class Foreseen:
    """What new words would come to: the verdict on them, how they would read, and what becomes sensitive by them."""

    verdict: engine.WriteVerdict
    statement: str
    newly_sensitive: tuple[str, ...]

    @property
    def needs_consent(self) -> bool:
        """Tell whether the policy asks the person about a sensitive category that the memory did not have."""
        return self.verdict.outcome == "propose" and bool(self.newly_sensitive)


def foresee(*, memory_id: UUID, statement: str, by: Actor, now: datetime) -> Foreseen:
    """Tell what a correction would come to by the policy in force; nothing is stored.

    :raises NotFound: it does not exist for this actor
    """
    memory = queries.one(memory_id, by=by)
    claim = _claim(memory, statement=statement, value=None, by=by)
    screened, policies = screen_claim(claim), in_force(now, agent_id=by.agent_id)
    facts = facts_of(claim, screened, policies, by, subject_kind=memory.subject.kind)
    verdict = engine.decide_write(policies.write.document, facts)
    sensitive = queries.sensitive_categories(policies)
    return Foreseen(
        verdict,
        screened.redacted.statement if verdict.redact else statement,
        tuple(sorted(sensitive.intersection(screened.categories).difference(memory.categories))),
    )


@transaction.atomic
def correct(
    *,
    memory_id: UUID,
    statement: str,
    by: Actor,
    now: datetime,
    reason: CorrectionReason = CorrectionReason.WRONG,
    value: Any = None,
    changed_at: datetime | None = None,
    version: int | None = None,
) -> Memory:
    """Put right what a memory says, and give the memory that now holds.

    *Wrong*: the same memory in a new version, the old words only in its history. *Changed*: a new memory from
    ``changed_at`` (default now) on, the old one ends there. *Needs context*: new words in place, for a statement that
    was right and incomplete. A person's correction counts as stated and confirmed by them. A reviewer's, in answer to a
    dispute, counts as brought in by the organisation and confirmed by nobody.

    :param version: the version the caller read
    :raises NotFound: it does not exist for this actor
    :raises ChangedMeanwhile: it has another version by now
    :raises NothingChanged: the words and the value are the same
    :raises NotYours: an agent, or staff without a dispute, corrects what a person stated or confirmed
    :raises CorrectionRefused: the write policy refuses the new words, or holds them for somebody to look at
    """
    memory = queries.one(memory_id, by=by)
    if version is not None and memory.version != version:
        raise changes.ChangedMeanwhile(details={"version": memory.version})
    if not is_correctable(memory, now=now):
        raise changes.WrongState(details={"status": memory.status})
    if has_the_same_words(statement, memory) and (value is None or is_same_value(value, memory.value)):
        raise NothingChanged
    if not _may_correct(memory, by):
        raise NotYours
    # Reading and embedding the new words takes time, so nobody waits for it: the lock comes after, and whatever was
    # read before it still holds if the version is the same.
    if reason == CorrectionReason.CHANGED and memory.status == Status.ACTIVE:
        newer = _newer(memory, statement=statement, value=value, by=by, now=now, at=changed_at or now)
        changes.locked(memory_id, by=by, version=memory.version)
        return _follow(newer, by=by, now=now)
    amended = _amended(memory, statement=statement, value=value, by=by)
    memory = changes.locked(memory_id, by=by, version=memory.version)
    return _amend(memory, amended, by=by, now=now, reason=reason)


def has_the_same_words(statement: str, memory: Memory) -> bool:
    """Tell whether a memory reads so already; how its words are spaced and parted into lines changes nothing."""
    return statement.split() == memory.statement.split()


def is_correctable(memory: Memory, *, now: datetime) -> bool:
    """Tell whether a memory is in a state in which it can be put right: neither over nor gone."""
    return memory.status in CORRECTABLE and (memory.expires_at is None or memory.expires_at > now)


def _may_correct(memory: Memory, by: Actor) -> bool:
    if by.kind == "staff":
        return memory.status == Status.DISPUTED
    return by.channel.is_the_persons or (memory.confirmed_at is None and memory.origin != Origin.STATED)


def _amended(memory: Memory, *, statement: str, value: Any, by: Actor) -> Prepared:
    """Screen and embed the new words of a memory."""
    claim = _claim(memory, statement=statement, value=value, by=by)
    screened = screen_claim(claim)
    speaker = memory.source.speaker if memory.source else ""
    text = spoken(screened.redacted.statement, kind=memory.kind, speaker=speaker)
    return Prepared(claim, screened, text, changes.embed_or_none([text])[0])


def _claim(memory: Memory, *, statement: str, value: Any, by: Actor) -> Claim:
    return Claim(
        subject_ref=memory.subject.ref,
        kind=memory.kind,
        statement=statement,
        origin=_origin(memory, by),
        channel=by.channel,
        value=memory.value if value is None else value,
        key=memory.key,
        categories=tuple(memory.categories),
    )


def _amend(memory: Memory, amended: Prepared, *, by: Actor, now: datetime, reason: CorrectionReason) -> Memory:
    claim, screened, origin = amended.claim, amended.screened, Origin(amended.claim.origin)
    policies = in_force(now, agent_id=by.agent_id)
    facts = facts_of(claim, screened, policies, by, subject_kind=memory.subject.kind)
    verdict = engine.decide_write(policies.write.document, facts)
    # A correction in the person's own words is their answer: what would only ask them again is answered.
    if verdict.outcome not in ("accept", "propose") or (verdict.outcome == "propose" and not by.is_person):
        raise CorrectionRefused(verdict.reason, rule_ids=verdict.rule_ids, policy_version=policies.write.version_label)
    if verdict.redact:
        claim = screened.redacted
    digest = statement_digest(claim.statement, tenant_id=by.tenant_id, subject_id=memory.subject_id)
    # What was erased comes back by the person's own hand alone. An agent is not told that this is why.
    if not by.is_person and is_entombed(subject_id=memory.subject_id, statement=digest):
        raise CorrectionRefused(verdict.reason, policy_version=policies.write.version_label)
    is_confirmed = by.channel.is_the_persons
    is_answered = is_confirmed or by.kind == "staff"
    was_open = memory.status == Status.DISPUTED
    wished = wishes_of(memory.subject).end(kind=memory.kind, categories=screened.categories, at=now)
    if is_answered:
        make_room(memory, by=by, now=now)
    changes.revise(
        memory,
        by=by,
        now=now,
        reason=reason,
        vectors={amended.embedded: amended.vector},
        statement=claim.statement,
        value=claim.value,
        origin=origin,
        channel=by.channel,
        **({"agent_id": None, "asserted_by": by.ref} if by.kind == "staff" else {}),
        categories=list(screened.categories),
        language=screened.statement.language,
        confidence=facts.confidence,
        expires_at=engine.expires_at(
            policies.retention.document,
            kind=memory.kind,
            origin=origin,
            at=now,
            asked=soonest(memory.asked_expiry, wished),
            region=policies.region,
        ),
        wished_expiry=wished,
        kept_from=now,
        digest=digest,
        policy_version=policies.write.version_label,
        rule_ids=list(verdict.rule_ids),
        status=Status.ACTIVE if is_answered else memory.status,
        confirmed_at=now if is_confirmed else None if is_answered else memory.confirmed_at,
        confirmed_by=by.ref if is_confirmed else None if is_answered else memory.confirmed_by,
    )
    if was_open and is_answered:
        memory.disputes.filter(closed_at=None).update(closed_at=now, closed_by=by.ref, result="upheld")
    if reason == CorrectionReason.WRONG:
        _bury_old_words(memory, now=now)
    audit.record(
        action=Action.MEMORY_CORRECTED,
        by=by,
        target=("memory", memory.id),
        at=now,
        policy_version=policies.write.version_label,
        payload={"reason": str(reason), "version": memory.version, "rules": list(verdict.rule_ids)},
    )
    return memory


def _origin(memory: Memory, by: Actor) -> Origin:
    """Say who makes the claim of the new words: the person, the organisation, or whoever made it before."""
    if by.channel.is_the_persons:
        return Origin.STATED
    return Origin.IMPORTED if by.kind == "staff" else Origin(memory.origin)


def _bury_old_words(memory: Memory, *, now: datetime) -> None:
    """Keep words that never held from being learned again from another source."""
    before = memory.revisions.filter(version=memory.version - 1).values_list("statement", flat=True).first()
    if not before:
        return
    digest = statement_digest(before, tenant_id=memory.tenant_id, subject_id=memory.subject_id)
    if digest == memory.digest:
        return
    entomb(subject_id=memory.subject_id, statements=[digest], now=now)


def _newer(memory: Memory, *, statement: str, value: Any, by: Actor, now: datetime, at: datetime) -> Prepared:
    """Screen and embed the statement that follows a memory from a time on."""
    if at <= memory.valid_from:
        raise Invalid(fields={"changed_at": ["This is before the memory began to hold."]})
    claim = Claim(
        subject_ref=memory.subject.ref,
        kind=memory.kind,
        statement=statement,
        origin=Origin.STATED if by.channel.is_the_persons else memory.origin,
        key=memory.key,
        value=value,
        valid_from=at,
        expires_at=memory.asked_expiry,
        importance=memory.importance,
        scopes=tuple(memory.scopes),
        categories=tuple(memory.categories),
        aliases=tuple(memory.aliases),
        pinned=memory.pinned,
        supersedes=memory.id,
    )
    return prepare([claim], by=by)[0]


def _follow(newer: Prepared, *, by: Actor, now: datetime) -> Memory:
    outcome = capture(claim=newer, by=by, now=now)
    if outcome.memory is None:
        # That it was erased is for nobody but the person to know.
        rule_ids = () if outcome.result == WriteResult.BLOCKED else outcome.rule_ids
        raise CorrectionRefused(outcome.reason, rule_ids=rule_ids, policy_version=outcome.policy_version)
    if outcome.result == WriteResult.DUPLICATE:
        raise NothingChanged
    if outcome.result == WriteResult.QUARANTINED and by.is_person:
        raise CorrectionRefused(outcome.reason, rule_ids=outcome.rule_ids, policy_version=outcome.policy_version)
    if outcome.result == WriteResult.PROPOSED and by.is_person:
        return confirm(memory_id=outcome.memory.id, by=by, now=now)  # it asks the person, and this was the person
    return outcome.memory
