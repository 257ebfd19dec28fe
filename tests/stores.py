"""Stores made at random from a seed: memories in every state, more of them and odder than anybody would write down."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from hashlib import sha256
from random import Random
from typing import TypeVar

from accounts.models import Agent, Subject
from accounts.vocabulary import Channel
from memory_admin.memories.models import Memory, Source
from memory_admin.memories.vocabulary import Kind, Origin, Status
from memory_admin.tenancy.scope import uuid7

CATEGORIES = ("food", "travel", "work", "family", "health")
DID = ("likes", "avoids", "visited", "booked", "asked about", "repaired", "sold", "planned", "forgot", "praised")
WHAT = ("window seats", "late trains", "the cello", "green tea", "old maps", "the garden", "night shifts", "rye bread")
WHEN = ("in spring", "on Sundays", "last winter", "before work", "with friends", "at the lake", "since May")

#: Channels whose words nobody may use before a person has confirmed them.
UNTRUSTED = (Channel.AGENT, Channel.TOOL, Channel.DOCUMENT, Channel.PEER_AGENT)

T = TypeVar("T")


def fill(
    subjects: Sequence[Subject], *, agents: Sequence[Agent], draw: Random, now: datetime, in_use: float = 0.5
) -> list[Memory]:
    """Store one random memory for each of these subjects, past the services, and give them in their order.

    :param in_use: the share that is active whatever the dice say
    """
    sources = [
        Source(subject=subject, digest=sha256(uuid7().bytes).digest(), quote="As I said.", created_at=now)
        for subject in subjects
    ]
    Source.objects.bulk_create(sources)
    memories = [_memory(source, agents, draw, now=now, in_use=in_use) for source in sources]
    return list(Memory.objects.bulk_create(memories))


def _memory(source: Source, agents: Sequence[Agent], draw: Random, *, now: datetime, in_use: float) -> Memory:
    recorded_at = now - timedelta(minutes=draw.randrange(600_000))
    status = Status.ACTIVE if draw.random() < in_use else draw.choice(list(Status))
    channel = draw.choice(list(Channel))
    is_confirmed = draw.random() < 0.3 or (channel in UNTRUSTED and status in (Status.ACTIVE, Status.DISPUTED))
    uses = max(draw.randrange(-6, 6), 0)
    return Memory(
        subject_id=source.subject_id,
        source=source,
        kind=draw.choice(list(Kind)),
        status=status,
        origin=draw.choice(list(Origin)),
        channel=channel,
        asserted_by="system:stores",
        agent=None if channel == Channel.PORTAL else draw.choice(agents),
        confidence=round(draw.random(), 2),
        importance=round(draw.random(), 2),
        categories=draw.sample(CATEGORIES, k=max(draw.randrange(-3, 3), 0)),
        statement="" if status == Status.ERASED else _words(draw, source),
        digest=sha256(source.id.bytes).digest(),
        valid_from=recorded_at,
        expires_at=now + timedelta(days=draw.randrange(-50, 300)) if draw.random() < 0.7 else None,
        recorded_at=recorded_at,
        kept_from=recorded_at,
        changed_at=recorded_at,
        confirmed_at=recorded_at if is_confirmed else None,
        confirmed_by="system:stores" if is_confirmed else None,
        use_count=uses,
        last_used_at=now - timedelta(minutes=draw.randrange(80_000)) if uses else None,
        decision_id=uuid7(),
        policy_version="write/1",
        rule_ids=["W-310"],
    )


def _words(draw: Random, source: Source) -> str:
    return f"{draw.choice(DID).capitalize()} {draw.choice(WHAT)} {draw.choice(WHEN)}, note {source.id}"
