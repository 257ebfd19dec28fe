"""Baseline 1: the built-in policies a tenant starts with. Every number here is printed in ``docs/policies.md``."""

from __future__ import annotations

from collections.abc import Mapping

from policies.documents import (
    CHANNELS,
    ORIGINS,
    AccessMatch,
    AccessPolicy,
    AccessRule,
    ArchiveRule,
    Candidates,
    ConfidenceCaps,
    Consolidation,
    DecayRule,
    Dedupe,
    EvidenceLift,
    Family,
    Limit,
    OriginRanks,
    PolicyDocument,
    ProcedurePolicy,
    Purpose,
    Range,
    RetentionPolicy,
    RetrievalPolicy,
    SourceShare,
    StaffVisibility,
    TimesToLive,
    TimeToLive,
    Weights,
    WriteDefault,
    WriteMatch,
    WritePolicy,
    WriteRates,
    WriteRule,
)

NAME = "Baseline 1"

SENSITIVE_CATEGORIES = (
    "health",
    "sex_life",
    "religion",
    "politics",
    "union_membership",
    "ethnicity",
    "biometric",
    "genetic",
    "immigration",
    "criminal_record",
    "finances",
    "minors",
    "precise_location",
)

WRITE = WritePolicy(
    rules=(
        # Nothing below may see a secret: this rule stays first.
        WriteRule(
            id="W-010",
            title="It held a password, key or code, and those are kept nowhere",
            match=WriteMatch(findings=("secret",)),
            outcome="refuse",
            reason="The text holds a secret. Nothing of it was kept.",
            hint="Keep it in a password safe or a secret store.",
            keeps_text=False,
        ),
        WriteRule(
            id="W-020",
            title="There was nothing to remember",
            match=WriteMatch(findings=("blank",)),
            outcome="refuse",
            reason="The statement is blank.",
            keeps_text=False,
        ),
        WriteRule(
            id="W-025",
            title="It was too short to mean anything",
            match=WriteMatch(length=Range(below=2)),
            outcome="refuse",
            reason="The statement is too short.",
        ),
        # Before every rule that lets words be kept anywhere, the policy queue included.
        WriteRule(
            id="W-030",
            title="Numbers and addresses in it were replaced by placeholders",
            match=WriteMatch(findings=("personal",)),
            outcome="redact",
            reason="Personal data was replaced by placeholders.",
        ),
        # Planted text must not reach the policy editors as if the person had asked: so before the control rule.
        WriteRule(
            id="W-040",
            title="It reads like an order planted for agents",
            match=WriteMatch(
                findings=("attack",),
                channels=("agent", "tool", "document", "peer_agent", "import", "consolidation"),
            ),
            outcome="quarantine",
            reason="The text reads like an instruction to agents, not like something to remember.",
        ),
        WriteRule(
            id="W-050",
            title="It asks to change a rule, so it went to the people who decide rules",
            match=WriteMatch(findings=("control",)),
            outcome="policy_change",
            reason="A memory cannot waive a control. The words went to the policy queue as a request.",
            hint="Ask for a change of policy.",
        ),
        WriteRule(
            id="W-060",
            title="It reads like an order to agents, so a reviewer looks at it",
            match=WriteMatch(findings=("attack",)),
            outcome="quarantine",
            reason="The text reads like an instruction to agents, not like something to remember.",
        ),
        WriteRule(
            id="W-070",
            title="It held hidden characters, so it waits for your answer",
            match=WriteMatch(findings=("hidden",), channels=("portal",)),
            outcome="propose",
            reason="The text holds characters that cannot be seen.",
        ),
        WriteRule(
            id="W-075",
            title="It held hidden characters, so a reviewer looks at it",
            match=WriteMatch(findings=("hidden",)),
            outcome="quarantine",
            reason="The text holds characters that cannot be seen.",
        ),
        WriteRule(
            id="W-100",
            title="It was said in a conversation that your organisation brought in",
            match=WriteMatch(channels=("import",), kinds=("event",), origins=("observed",)),
            outcome="accept",
            reason="A turn of an imported conversation is kept as an event.",
        ),
        WriteRule(
            id="W-110",
            title="It was a guess about something sensitive, and such guesses are not kept",
            match=WriteMatch(sensitive=True, origins=("inferred",)),
            outcome="refuse",
            reason="A sensitive trait may not be inferred.",
            keeps_text=False,
        ),
        WriteRule(
            id="W-115",
            title="It was concluded from what you do, and such guesses about something sensitive are not kept",
            match=WriteMatch(findings=("trait_inferred",), channels=("agent", "tool", "document", "peer_agent")),
            outcome="refuse",
            reason="A sensitive trait may not be inferred.",
            keeps_text=False,
        ),
        WriteRule(
            id="W-120",
            title="It is sensitive, so it waits for your answer",
            match=WriteMatch(sensitive=True, channels=("portal", "user_message", "import", "consolidation")),
            outcome="propose",
            reason="The statement is sensitive: the person decides whether it is kept.",
        ),
        WriteRule(
            id="W-130",
            title="It is sensitive and you said it to an agent, so it waits for your answer",
            match=WriteMatch(sensitive=True, origins=("stated",)),
            outcome="propose",
            reason="The statement is sensitive: the person decides whether it is kept.",
        ),
        WriteRule(
            id="W-140",
            title="It was sensitive and you did not say it yourself",
            match=WriteMatch(sensitive=True),
            outcome="refuse",
            reason="A sensitive statement is kept only when the person made it.",
            keeps_text=False,
        ),
        WriteRule(
            id="W-200",
            title="It was about the task at hand, not about you",
            match=WriteMatch(findings=("task",), channels=("agent", "tool", "document", "peer_agent")),
            outcome="refuse",
            reason="The statement is about the present task.",
            hint="Keep it in the state of the thread.",
        ),
        WriteRule(
            id="W-210",
            title="It was too unimportant to keep",
            match=WriteMatch(importance=Range(below=0.05), channels=("agent", "tool", "document", "peer_agent")),
            outcome="refuse",
            reason="The statement would change no later decision.",
        ),
        WriteRule(
            id="W-220",
            title="It was too unsure to keep",
            match=WriteMatch(confidence=Range(below=0.2), channels=("agent", "tool", "document", "peer_agent")),
            outcome="refuse",
            reason="The confidence is too low to keep the statement.",
        ),
        WriteRule(
            id="W-300",
            title="You wrote it here yourself",
            match=WriteMatch(channels=("portal",)),
            outcome="accept",
            reason="The person wrote it on their own page.",
        ),
        WriteRule(
            id="W-310",
            title="You said it yourself",
            match=WriteMatch(channels=("user_message",), origins=("stated",)),
            outcome="accept",
            reason="The person said it in their own words.",
        ),
        WriteRule(
            id="W-320",
            title="It happened while you were working with an agent you speak through",
            match=WriteMatch(channels=("user_message",), origins=("observed", "verified_outcome")),
            outcome="accept",
            reason="It was observed in the person's own conversation.",
        ),
        WriteRule(
            id="W-330",
            title="It was concluded from what you said, so it waits for your answer",
            match=WriteMatch(channels=("user_message",)),
            outcome="propose",
            reason="A conclusion waits for the person, even from their own words.",
        ),
        WriteRule(
            id="W-340",
            title="Your organisation brought it in from its records",
            match=WriteMatch(channels=("import",), origins=("imported", "observed")),
            outcome="accept",
            reason="The organisation imported it from its own records.",
        ),
        WriteRule(
            id="W-350",
            title="It came with an import that says more than records can, so it waits for your answer",
            match=WriteMatch(channels=("import",)),
            outcome="propose",
            reason="An import may bring records and events, not statements or conclusions.",
        ),
        WriteRule(
            id="W-360",
            title="It sums up memories you already have",
            match=WriteMatch(channels=("consolidation",), kinds=("summary",)),
            outcome="accept",
            reason="A summary is built from memories that were let in already.",
        ),
        WriteRule(
            id="W-370",
            title="It was concluded from memories you already have, so it waits for your answer",
            match=WriteMatch(channels=("consolidation",)),
            outcome="propose",
            reason="A conclusion from memories waits for the person.",
        ),
        WriteRule(
            id="W-400",
            title="An agent noted it, so it waits for your answer",
            match=WriteMatch(channels=("agent",)),
            outcome="propose",
            reason="What an agent notes waits for the person.",
        ),
        WriteRule(
            id="W-410",
            title="A tool reported it, so it waits for your answer",
            match=WriteMatch(channels=("tool",)),
            outcome="propose",
            reason="What a tool reports waits for the person.",
        ),
        WriteRule(
            id="W-420",
            title="It was read in a document, so it waits for your answer",
            match=WriteMatch(channels=("document",)),
            outcome="propose",
            reason="What a document says waits for the person.",
        ),
        WriteRule(
            id="W-430",
            title="Another agent passed it on, so it waits for your answer",
            match=WriteMatch(channels=("peer_agent",)),
            outcome="propose",
            reason="What another agent passes on waits for the person.",
        ),
    ),
    default=WriteDefault(
        id="W-999",
        title="No rule allows it",
        outcome="refuse",
        reason="No rule of the policy allows the statement.",
    ),
    sensitive_categories=SENSITIVE_CATEGORIES,
    dedupe=Dedupe(near_identical=0.95, token_overlap=0.75, neighbours=20),
    judge="deterministic",
    confidence_caps=ConfidenceCaps(stated=1.0, verified_outcome=0.95, observed=0.9, imported=0.8, inferred=0.7),
    origin_ranks=OriginRanks(stated=5, verified_outcome=4, observed=3, imported=2, inferred=1),
    rates=WriteRates(
        window_seconds=3_600,
        per_subject=3_600,
        per_agent=36_000,
        exempt_channels=("portal", "import", "consolidation"),
    ),
    refused_text_days=30,
)

RETENTION = RetentionPolicy(
    days=TimesToLive(
        preference=TimeToLive(stated=None, verified_outcome=730, observed=365, imported=365, inferred=180),
        fact=TimeToLive(stated=None, verified_outcome=730, observed=365, imported=365, inferred=180),
        relationship=TimeToLive(stated=None, verified_outcome=730, observed=365, imported=365, inferred=180),
        instruction=TimeToLive(stated=None, verified_outcome=365, observed=180, imported=365, inferred=90),
        outcome=TimeToLive(stated=730, verified_outcome=730, observed=365, imported=365, inferred=180),
        event=TimeToLive(stated=90, verified_outcome=90, observed=90, imported=90, inferred=30),
        episode=TimeToLive(stated=730, verified_outcome=730, observed=365, imported=365, inferred=180),
        summary=TimeToLive(stated=365, verified_outcome=365, observed=365, imported=365, inferred=365),
    ),
    archive=ArchiveRule(unused_days=180, importance_below=0.3),
    decay=DecayRule(origins=("inferred",), confidence_below=0.5, half_life_days=90, floor=0.2),
    consolidation=Consolidation(every_days=7, minimum_episodes=3),
    unanswered_days=30,
)

RETRIEVAL = RetrievalPolicy(
    form="weighted_sum",
    weights=Weights(similarity=1.0, keyword=1.0, recency=0.05, importance=0.05, confidence=0.05, confirmed=0.05),
    half_life_days=30,
    recency_anchor="last_use",
    minimum_score=0.3,
    k=Limit(default=10, maximum=50),
    candidates=Candidates(vector=150, lexical=100),
    token_budget=Limit(default=1_500, maximum=8_000),
    profile_share=0.3,
    source_share=SourceShare(
        maximum=0.5, kinds=("preference", "fact", "relationship", "instruction", "outcome", "episode")
    ),
    near_duplicate=0.95,
    lift=EvidenceLift(neighbour=0.1, session=0.4, kinds=("event",)),
    conflicts="return_both_marked",
    summary_fallback=True,
    purposes=(
        Purpose(
            name="action",
            origins=("stated", "verified_outcome"),
            channels=("portal", "user_message"),
            minimum_confidence=0.7,
            confirmed_suffices=True,
        ),
    ),
    other_purposes=Purpose(
        name="other", origins=ORIGINS, channels=CHANNELS, minimum_confidence=0.0, confirmed_suffices=True
    ),
    query_text_days=7,
)

ACCESS = AccessPolicy(
    rules=(
        AccessRule(
            id="A-010",
            title="Sensitive memories are closed to agents without the right to read them",
            match=AccessMatch(sensitive=True, without_scope="memories:sensitive"),
            decision="deny",
        ),
        AccessRule(
            id="A-020",
            title="What merely happened is no ground for an action",
            match=AccessMatch(purposes=("action",), kinds=("event", "summary")),
            decision="deny",
        ),
        AccessRule(
            id="A-100",
            title="Your organisation's agents may read it",
            decision="allow",
        ),
    ),
    default=AccessRule(id="A-999", title="No rule allows it", decision="deny"),
    sensitive_categories=SENSITIVE_CATEGORIES,
    staff=StaffVisibility(
        developer="masked",
        reviewer="queue",
        policy_editor="nothing",
        policy_approver="nothing",
        privacy_officer="content",
        auditor="nothing",
        admin="nothing",
    ),
)

PROCEDURE = ProcedurePolicy()

BASELINE: Mapping[Family, PolicyDocument] = {
    "write": WRITE,
    "retention": RETENTION,
    "retrieval": RETRIEVAL,
    "access": ACCESS,
    "procedure": PROCEDURE,
}
