"""What can be recorded: one name for each thing that somebody did."""

from enum import StrEnum


class Action(StrEnum):
    """The name of an event, `what.happened`; it is hashed into the chain and never changes its meaning."""

    TENANT_CREATED = "tenant.created"
    MEMBERSHIP_GRANTED = "membership.granted"
    SUBJECT_CREATED = "subject.created"
    AGENT_CREATED = "agent.created"
    AGENT_PAUSED = "agent.paused"
    AGENT_RESUMED = "agent.resumed"
    AGENT_RETIRED = "agent.retired"
    KEY_ISSUED = "key.issued"
    KEY_ROTATED = "key.rotated"
    KEY_REVOKED = "key.revoked"

    POLICY_ACTIVATED = "policy.activated"
    POLICY_CHANGE_REQUESTED = "policy.change_requested"

    MEMORY_STORED = "memory.stored"
    MEMORY_PROPOSED = "memory.proposed"
    MEMORY_QUARANTINED = "memory.quarantined"
    MEMORY_CORRECTED = "memory.corrected"
    MEMORY_CONFIRMED = "memory.confirmed"
    MEMORY_DISPUTED = "memory.disputed"
    MEMORY_SUPERSEDED = "memory.superseded"
    MEMORY_REJECTED = "memory.rejected"
    MEMORY_ARCHIVED = "memory.archived"
    MEMORY_PAUSED = "memory.paused"
    MEMORY_RESUMED = "memory.resumed"
    MEMORY_ERASED = "memory.erased"
    MEMORY_EVIDENCED = "memory.evidenced"
    MEMORY_ALLOWED_AGAIN = "memory.allowed_again"
    WRITE_REFUSED = "write.refused"

    CONTENT_VIEWED = "content.viewed"
    AUDIT_VERIFIED = "audit.verified"
    PAYLOAD_ERASED = "payload.erased"
