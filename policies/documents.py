"""The typed content of the five policy families. Pure: parsed once, frozen, compared and hashed by value.

Lists are tuples, never sets, so that the same document always has the same bytes (see ``policies.digests``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal, Self, get_args

from pydantic import BaseModel, ConfigDict, Field, model_validator

Family = Literal["write", "retention", "retrieval", "access", "procedure"]
Kind = Literal["preference", "fact", "relationship", "instruction", "outcome", "event", "episode", "summary"]
Origin = Literal["stated", "observed", "inferred", "verified_outcome", "imported"]
Channel = Literal["portal", "user_message", "import", "agent", "tool", "document", "peer_agent", "consolidation"]
SubjectKind = Literal["user", "entity", "team"]

FAMILIES: tuple[Family, ...] = get_args(Family)
KINDS: tuple[Kind, ...] = get_args(Kind)
ORIGINS: tuple[Origin, ...] = get_args(Origin)
CHANNELS: tuple[Channel, ...] = get_args(Channel)

Code = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_.:-]{0,63}$")]
RuleId = Annotated[str, Field(pattern=r"^[A-Z]-[0-9]{3}$")]
Sentence = Annotated[str, Field(min_length=3, max_length=300)]
Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
Days = Annotated[int, Field(ge=1, le=36_500)]
Count = Annotated[int, Field(ge=1, le=1_000_000)]


class Part(BaseModel):
    """A frozen piece of a policy; an unknown field is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Range(Part):
    """Numbers from ``at_least`` up to, but not including, ``below``; a side left out is open."""

    at_least: float | None = Field(default=None, allow_inf_nan=False)
    below: float | None = Field(default=None, allow_inf_nan=False)

    @model_validator(mode="after")
    def _runs_forward(self) -> Self:
        if self.at_least is None and self.below is None:
            raise ValueError("a range needs a lower or an upper end")
        if self.at_least is not None and self.below is not None and self.at_least >= self.below:
            raise ValueError("a range must run forward")
        return self


def _refuse_repeated_ids(ids: Iterator[str]) -> None:
    seen: set[str] = set()
    for rule_id in ids:
        if rule_id in seen:
            raise ValueError(f"rule id {rule_id} is used twice")
        seen.add(rule_id)


# --- write -----------------------------------------------------------------------------------------------------------

Outcome = Literal["accept", "propose", "quarantine", "refuse", "policy_change"]
RuleOutcome = Literal["accept", "propose", "quarantine", "refuse", "policy_change", "redact"]


class WriteMatch(Part):
    """What a rule applies to: every field that is given must hold, any one value within a field is enough."""

    kinds: tuple[Kind, ...] = ()
    origins: tuple[Origin, ...] = ()
    channels: tuple[Channel, ...] = ()
    categories: tuple[Code, ...] = ()
    sensitive: bool | None = None
    findings: tuple[Code, ...] = ()
    """Groups or codes of screening findings."""
    agents: tuple[str, ...] = ()
    """Names of agents."""
    subject_kinds: tuple[SubjectKind, ...] = ()
    confidence: Range | None = None
    importance: Range | None = None
    length: Range | None = None
    """Characters of the statement in canonical form."""
    is_test: bool | None = None


class WriteRule(Part):
    """One line of a write policy: when it applies, what follows, and how that is told."""

    id: RuleId
    title: Sentence
    """What the person reads beside the memory."""
    match: WriteMatch = WriteMatch()
    outcome: RuleOutcome
    reason: Sentence
    """What the writer reads in the answer."""
    hint: Sentence | None = None
    """Where the statement belongs instead."""
    keeps_text: bool = True
    """Whether a refused text may be kept, sealed, for the subject alone."""


class WriteDefault(Part):
    """What follows when no rule decides."""

    id: RuleId
    title: Sentence
    outcome: Outcome
    reason: Sentence


class Dedupe(Part):
    """When two statements about one subject are taken for the same."""

    near_identical: Share
    """Cosine similarity from which a rewording may be a duplicate."""
    token_overlap: Share
    """Share of their words that two such wordings must have in common."""
    neighbours: Count
    """How many existing memories a new one is judged against."""


class ConfidenceCaps(Part):
    """The highest confidence a claim may have at write time, by who made it."""

    stated: Share
    observed: Share
    inferred: Share
    verified_outcome: Share
    imported: Share


class OriginRanks(Part):
    """Which origin may supersede which: a higher or equal rank may."""

    stated: int
    observed: int
    inferred: int
    verified_outcome: int
    imported: int


class WriteRates(Part):
    """How many writes are taken per window; further ones are told to come back later."""

    window_seconds: Count
    per_subject: Count
    per_agent: Count
    exempt_channels: tuple[Channel, ...]


class WritePolicy(Part):
    """What may be stored."""

    schema_version: Literal[1] = 1
    rules: tuple[WriteRule, ...]
    default: WriteDefault
    sensitive_categories: tuple[Code, ...]
    dedupe: Dedupe
    judge: Literal["deterministic"]
    confidence_caps: ConfidenceCaps
    origin_ranks: OriginRanks
    rates: WriteRates
    refused_text_days: Annotated[int, Field(ge=0, le=365)]

    @model_validator(mode="after")
    def _has_distinct_rule_ids(self) -> Self:
        _refuse_repeated_ids(iter([*(rule.id for rule in self.rules), self.default.id]))
        return self

    def title_of(self, rule_id: str) -> str | None:
        """Return the sentence a person reads for one rule; None for a rule this version does not have."""
        if rule_id == self.default.id:
            return self.default.title
        return next((rule.title for rule in self.rules if rule.id == rule_id), None)


# --- retention -------------------------------------------------------------------------------------------------------


class TimeToLive(Part):
    """Days a memory of one kind is kept, by origin; None is no limit."""

    stated: Days | None
    observed: Days | None
    inferred: Days | None
    verified_outcome: Days | None
    imported: Days | None


class TimesToLive(Part):
    """Days a memory is kept, by kind and origin, counted from when it was recorded."""

    preference: TimeToLive
    fact: TimeToLive
    relationship: TimeToLive
    instruction: TimeToLive
    outcome: TimeToLive
    event: TimeToLive
    episode: TimeToLive
    summary: TimeToLive


class ArchiveRule(Part):
    """What leaves retrieval, restorable by the person, because nobody needs it."""

    unused_days: Days
    importance_below: Share


class DecayRule(Part):
    """How unconfirmed inferences lose confidence with time, and the floor below which they are archived."""

    origins: tuple[Origin, ...]
    confidence_below: Share
    half_life_days: Days
    floor: Share


class Consolidation(Part):
    """When related episodes become one summary."""

    every_days: Days
    minimum_episodes: Count


class RegionLimit(Part):
    """The longest time any memory is kept in one region."""

    region: Code
    maximum_days: Days


class RetentionPolicy(Part):
    """How long a memory is kept."""

    schema_version: Literal[1] = 1
    days: TimesToLive
    archive: ArchiveRule
    decay: DecayRule
    consolidation: Consolidation
    unanswered_days: Days
    """A proposal nobody answers for so long ends as not saved."""
    region_limits: tuple[RegionLimit, ...] = ()


# --- retrieval -------------------------------------------------------------------------------------------------------


class Weights(Part):
    """How much each part of a score counts."""

    similarity: Share
    keyword: Share
    recency: Share
    importance: Share
    confidence: Share
    confirmed: Share

    @model_validator(mode="after")
    def _weighs_something(self) -> Self:
        if not any(dict(self).values()):
            raise ValueError("weights must not all be zero")
        return self


class Limit(Part):
    """What is used when nothing is asked for, and the most that may be asked for."""

    default: Count
    maximum: Count

    @model_validator(mode="after")
    def _default_fits(self) -> Self:
        if self.default > self.maximum:
            raise ValueError("the default is above the maximum")
        return self


class Candidates(Part):
    """How many candidates each search hands on."""

    vector: Count
    lexical: Count


class EvidenceLift(Part):
    """How far turns of one thread support each other; only kinds named here are lifted."""

    neighbour: Share
    session: Share
    kinds: tuple[Kind, ...]


class SourceShare(Part):
    """The largest share of an answer that one source may fill; kinds not named here are not counted."""

    maximum: Share
    kinds: tuple[Kind, ...]


class Purpose(Part):
    """The trust that one purpose needs: a memory must have one of the origins and channels, and the confidence."""

    name: Code
    origins: tuple[Origin, ...]
    channels: tuple[Channel, ...]
    minimum_confidence: Share
    confirmed_suffices: bool
    """Whether the subject's confirmation stands in for origin and channel."""


class RetrievalPolicy(Part):
    """What is handed out, and in which order."""

    schema_version: Literal[1] = 1
    form: Literal["weighted_sum", "product"]
    weights: Weights
    half_life_days: Days
    recency_anchor: Literal["last_use", "creation"]
    minimum_score: Annotated[float, Field(ge=0, le=3, allow_inf_nan=False)]
    k: Limit
    candidates: Candidates
    token_budget: Limit
    profile_share: Share
    source_share: SourceShare
    near_duplicate: Share
    lift: EvidenceLift
    conflicts: Literal["return_both_marked", "newest_only"]
    summary_fallback: bool
    purposes: tuple[Purpose, ...]
    other_purposes: Purpose
    """What holds for a purpose that is not listed."""
    query_text_days: Annotated[int, Field(ge=0, le=365)]

    def purpose(self, name: str) -> Purpose:
        """Return the trust a purpose needs."""
        return next((purpose for purpose in self.purposes if purpose.name == name), self.other_purposes)


# --- access ----------------------------------------------------------------------------------------------------------


class AccessMatch(Part):
    """What an access rule applies to: every field that is given must hold, any one value within it is enough."""

    agents: tuple[str, ...] = ()
    kinds: tuple[Kind, ...] = ()
    categories: tuple[Code, ...] = ()
    sensitive: bool | None = None
    purposes: tuple[Code, ...] = ()
    without_scope: Code | None = None
    """Holds when the key lacks this scope."""


class AccessRule(Part):
    """One line of an access policy."""

    id: RuleId
    title: Sentence
    match: AccessMatch = AccessMatch()
    decision: Literal["allow", "deny"]


class ActionRule(Part):
    """One line of the vocabulary of actions: what it says about one action, of what it applies to."""

    id: RuleId
    title: Sentence
    """What the asking agent reads as the reason."""
    action: Code
    match: AccessMatch = AccessMatch()
    decision: Literal["allow", "deny", "ask_person"]


UNLISTED = ActionRule(
    id="X-001", title="The policy does not allow this action", action="anything_else", decision="deny"
)
"""What holds for an action of which no rule of the policy speaks."""

StaffSight = Literal["nothing", "masked", "queue", "content"]


class StaffVisibility(Part):
    """What each role sees of other people's content: nothing, masked text, only what waits for it, or the text."""

    developer: StaffSight
    reviewer: StaffSight
    policy_editor: StaffSight
    policy_approver: StaffSight
    privacy_officer: StaffSight
    auditor: StaffSight
    admin: StaffSight


class AccessPolicy(Part):
    """Who sees what, and what may be done with it.

    The first rule that matches decides; a memory of several categories needs each one allowed. An action that no rule
    of ``actions`` allows is denied.
    """

    schema_version: Literal[1] = 1
    rules: tuple[AccessRule, ...]
    default: AccessRule
    actions: tuple[ActionRule, ...] = ()
    sensitive_categories: tuple[Code, ...]
    staff: StaffVisibility

    @model_validator(mode="after")
    def _has_distinct_rule_ids(self) -> Self:
        ids = [*(rule.id for rule in self.rules), self.default.id, *(rule.id for rule in self.actions)]
        _refuse_repeated_ids(iter([*ids, UNLISTED.id] if self.actions else ids))
        return self

    @model_validator(mode="after")
    def _default_applies_always(self) -> Self:
        if self.default.match != AccessMatch():
            raise ValueError("the default must match everything")
        return self

    def title_of(self, rule_id: str) -> str | None:
        """Return the sentence a person reads for one rule; None for a rule this version does not have."""
        return next((rule.title for rule in (*self.rules, self.default) if rule.id == rule_id), None)


# --- procedure -------------------------------------------------------------------------------------------------------


class Procedure(Part):
    """A named instruction, playbook or skill that agents read by name and nobody changes but by approval."""

    name: Code
    title: Sentence
    text: Annotated[str, Field(min_length=1, max_length=20_000)]
    owner: Annotated[str, Field(min_length=1, max_length=200)]
    agents: tuple[str, ...] = ()
    """Names of the agents it is for; none named means all."""


class ProcedurePolicy(Part):
    """The procedures in force."""

    schema_version: Literal[1] = 1
    procedures: tuple[Procedure, ...] = ()

    @model_validator(mode="after")
    def _has_distinct_names(self) -> Self:
        names = [procedure.name for procedure in self.procedures]
        if len(names) != len(set(names)):
            raise ValueError("a procedure name is used twice")
        return self


PolicyDocument = WritePolicy | RetentionPolicy | RetrievalPolicy | AccessPolicy | ProcedurePolicy

DOCUMENTS: Mapping[Family, type[PolicyDocument]] = {
    "write": WritePolicy,
    "retention": RetentionPolicy,
    "retrieval": RetrievalPolicy,
    "access": AccessPolicy,
    "procedure": ProcedurePolicy,
}


def parse(family: Family, content: Mapping[str, Any]) -> PolicyDocument:
    """Turn stored content into the typed document of its family.

    :raises pydantic.ValidationError: the content does not fit
    """
    return DOCUMENTS[family].model_validate(content)
