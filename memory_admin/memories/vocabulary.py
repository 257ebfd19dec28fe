"""The words of a memory: its kind, origin, status and relations."""

from __future__ import annotations

from django.db import models


class Kind(models.TextChoices):
    """What a memory is."""

    PREFERENCE = "preference"
    FACT = "fact"
    RELATIONSHIP = "relationship"
    INSTRUCTION = "instruction"
    OUTCOME = "outcome"
    EVENT = "event"
    EPISODE = "episode"
    SUMMARY = "summary"


# Compared with nothing: a turn of a conversation neither repeats nor replaces another.
UNJUDGED = (Kind.EVENT, Kind.EPISODE, Kind.SUMMARY)


class Origin(models.TextChoices):
    """Who made the claim."""

    STATED = "stated"
    OBSERVED = "observed"
    INFERRED = "inferred"
    VERIFIED_OUTCOME = "verified_outcome"
    IMPORTED = "imported"


class Status(models.TextChoices):
    """What has become of a memory. Only an active one can be retrieved."""

    QUARANTINED = "quarantined"
    PROPOSED = "proposed"
    ACTIVE = "active"
    DISPUTED = "disputed"
    SUPERSEDED = "superseded"
    EXPIRED = "expired"
    ARCHIVED = "archived"
    REJECTED = "rejected"
    ERASING = "erasing"  # out of every use; its words are about to go
    ERASED = "erased"


# What is there for nobody any more.
GONE = (Status.ERASING, Status.ERASED)

# What a question about the past may answer with: what was in force then, though it may not be now.
HELD = (Status.ACTIVE, Status.SUPERSEDED, Status.EXPIRED, Status.ARCHIVED)


class Relation(models.TextChoices):
    """How one memory stands to another."""

    SUPERSEDES = "supersedes"
    DERIVED_FROM = "derived_from"
    CONTRADICTS = "contradicts"
    FOLLOWS = "follows"
    RELATES_TO = "relates_to"


class WriteResult(models.TextChoices):
    """What came of a write."""

    STORED = "stored"
    DUPLICATE = "duplicate"
    PROPOSED = "proposed"
    QUARANTINED = "quarantined"
    REFUSED = "refused"
    BLOCKED = "blocked"  # by a tombstone; nobody but the subject is told
    POLICY_CHANGE = "policy_change"


# What the person reads under "Not saved".
NOT_SAVED = (WriteResult.REFUSED, WriteResult.BLOCKED, WriteResult.POLICY_CHANGE)


class DisputeReason(models.TextChoices):
    """Why a memory is disputed."""

    WRONG = "wrong"
    SOMEONE_ELSE = "someone_else"
    TOO_PRIVATE = "too_private"
    OUT_OF_DATE = "out_of_date"
    OTHER = "other"


class DisputeResult(models.TextChoices):
    """How a dispute ended."""

    WITHDRAWN = "withdrawn"
    UPHELD = "upheld"
    NOT_UPHELD = "not_upheld"
    OVERTAKEN = "overtaken"  # what it was about was erased before anybody answered


class Remedy(models.TextChoices):
    """What a reviewer does about a memory whose dispute is upheld."""

    ERASED = "erased"
    CORRECTED = "corrected"
    RETIRED = "retired"  # it held until now; its history stays


class ReviewResult(models.TextChoices):
    """How the review of a refusal ended."""

    LET_IN = "let_in"
    KEPT_OUT = "kept_out"
    SENT_ON = "sent_on"  # to those who decide policies
    OVERTAKEN = "overtaken"  # what it was about was erased before anybody answered


class RequestKind(models.TextChoices):
    """What was asked for."""

    DISPUTE = "dispute"
    REVIEW = "review"
    ERASURE = "erasure"
    OBJECTION = "objection"
    EXPORT = "export"


class CorrectionReason(models.TextChoices):
    """Why a memory is corrected: the old words never held, or they held until now, or they lacked something."""

    WRONG = "wrong"
    CHANGED = "changed"
    NEEDS_CONTEXT = "needs_context"


class PauseTarget(models.TextChoices):
    """What is paused."""

    ALL = "all"
    AGENT = "agent"
    CATEGORY = "category"
    MEMORY = "memory"


class PauseMode(models.TextChoices):
    """What a pause stops: agents' use, agents' saving, or both."""

    USE = "use"
    SAVE = "save"
    BOTH = "both"
