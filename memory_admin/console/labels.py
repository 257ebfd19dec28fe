"""The words staff read for codes. Pure."""

CHANNELS = {
    "portal": "The person’s own page",
    "user_message": "Relays the person’s own words",
    "import": "Brings records over",
    "consolidation": "Sums memories up",
    "agent": "Writes what the agent concludes",
    "tool": "Writes what tools report",
    "document": "Writes what documents say",
    "peer_agent": "Passes on what other agents say",
}

#: What each channel of a key means for what it writes, as the person who issues it is told.
CHANNEL_HINTS = {
    "user_message": "What people say through it counts as said by them, and is kept at once.",
    "import": "Records are kept at once; statements wait for the person.",
    "agent": "What it notes waits for the person.",
    "tool": "What tools report waits for the person.",
    "document": "What documents say waits for the person.",
    "peer_agent": "What other agents say waits for the person.",
}

SCOPES = {
    "memories:read": "Read memories",
    "memories:write": "Write memories",
    "memories:sensitive": "Read sensitive memories",
    "profile:read": "Read profiles",
    "profile:write": "Write profiles",
    "context:read": "Read context blocks",
    "retrievals:read": "Read the log of its own questions",
    "decisions:read": "Read decisions",
    "procedures:read": "Read procedures",
    "threads:read": "Read threads",
    "threads:write": "Write threads",
    "episodes:write": "Write episodes",
    "traces:write": "Write traces",
    "evaluations:write": "Run evaluations",
    "erasures:write": "Erase",
}

#: What each role is for, as whoever gives it is told.
ROLE_HINTS = {
    "person": "Sees and decides what agents remember about them.",
    "developer": "Looks after agents and reads the log of questions, without anybody’s words.",
    "reviewer": "Answers what waits for a check and what people dispute, never about themselves.",
    "policy_editor": "Drafts policies and proposes them.",
    "policy_approver": "Decides about policies that others wrote.",
    "privacy_officer": "Handles requests and erasures, and may read memories. Each look is recorded and shown.",
    "auditor": "Reads the record of what happened, without anybody’s words.",
    "admin": "Looks after members and agents, without anybody’s words.",
}

AGENT_STATUSES = {
    "active": ("Active", "check", "good"),
    "paused": ("Paused", "pause", "warn"),
    "retired": ("Retired", "x", "calm"),
}

#: What an event says that somebody did, after their name.
DID = {
    "tenant.created": "founded the organisation",
    "membership.granted": "gave roles to a member",
    "membership.ended": "deactivated a member",
    "membership.resumed": "let a member in again",
    "roles.proposed": "proposed a change of roles to a second administrator",
    "roles.changed": "changed the roles of a member",
    "roles.declined": "declined a change of roles",
    "roles.withdrawn": "took a proposed change of roles back",
    "invitation.sent": "sent an invitation",
    "invitation.withdrawn": "withdrew an invitation",
    "invitation.accepted": "accepted an invitation",
    "names.shown": "let people read the names of staff who look at memories",
    "names.hidden": "let people read only the roles of staff who look at memories",
    "subject.created": "made a subject",
    "subject.linked": "linked a member to a subject",
    "subject.unlinked": "unlinked a member from a subject",
    "steward.named": "named a steward",
    "steward.ended": "ended a stewardship",
    "agent.created": "registered an agent",
    "agent.paused": "paused an agent",
    "agent.resumed": "resumed an agent",
    "agent.retired": "retired an agent",
    "key.issued": "issued a key",
    "key.rotated": "rotated a key",
    "key.revoked": "revoked a key",
    "policy.drafted": "began a draft of a policy",
    "policy.edited": "edited a draft of a policy",
    "policy.submitted": "handed a policy in for review",
    "policy.reviewed": "said something in the review of a policy",
    "policy.objection_dismissed": "set a wish for changes aside",
    "policy.reviewers_asked": "asked others to review a policy",
    "policy.withdrawn": "withdrew a policy",
    "policy.scheduled": "scheduled a policy",
    "policy.activated": "put a policy in force",
    "policy.superseded": "replaced a policy in force",
    "policy.revocation_asked": "asked a second person to take a policy out of force",
    "policy.revocation_declined": "left a policy in force that was to be revoked",
    "policy.revoked": "took a policy out of force",
    "policy.ended": "ended a use of a policy",
    "policy.stopped": "stopped a policy for somebody to look at",
    "policy.test_added": "added a test of a policy",
    "policy.test_retired": "took a test out of a policy",
    "policy.simulated": "tried a policy on what happened",
    "policy.frozen": "stopped changes of policies for a while",
    "policy.thawed": "let policies change again",
    "policy.change_requested": "asked to change a policy",
    "policy.request_answered": "answered a wish to change a policy",
    "memory.stored": "stored a memory",
    "memory.proposed": "proposed a memory",
    "memory.quarantined": "wrote something that waits for a check",
    "memory.released": "let a held memory come before the person",
    "memory.corrected": "corrected a memory",
    "memory.confirmed": "confirmed a memory",
    "memory.disputed": "disputed a memory",
    "memory.dispute_answered": "answered a dispute",
    "memory.statement_added": "put a statement beside a memory",
    "memory.statement_removed": "took a statement beside a memory away",
    "memory.superseded": "replaced a memory",
    "memory.rejected": "rejected a memory",
    "memory.archived": "put a memory to rest",
    "memory.retired": "ended a memory that held no longer",
    "memory.expired": "ended a memory whose time was over",
    "memory.paused": "paused memory",
    "memory.resumed": "resumed memory",
    "memory.allowed_again": "allowed a removed memory again",
    "memory.evidenced": "found another source that says the same",
    "memory.end_chosen": "chose when a memory ends",
    "wishes.changed": "chose how long their memories are kept",
    "inference.objected": "objected to conclusions about themselves",
    "inference.allowed": "allowed conclusions about themselves again",
    "erasure.requested": "asked to have memories erased",
    "erasure.taken_back": "took a deletion back",
    "memory.erased": "erased memories",
    "write.refused": "wrote something that was refused",
    "review.requested": "asked to look again at a refusal",
    "review.answered": "looked at a refusal again",
    "content.viewed": "looked at a person’s memories",
    "reads.sealed": "sealed a batch of answers to agents",
    "audit.verified": "checked the audit trail",
    "payload.erased": "erased particulars of earlier events",
}

#: What events are about.
OBJECTS = {
    "tenant": "organisation",
    "membership": "member",
    "invitation": "invitation",
    "key": "key",
    "policy_version": "policy",
    "policy_freeze": "stop of changes",
    "policy_change_request": "change request",
    "decision": "decision",
    "write_decision": "decision",
    "dispute": "dispute",
    "review": "review of a refusal",
    "pause": "pause",
    "tombstone": "removed memory",
    "erasure": "erasure",
    "seal": "seal",
}

#: What is wrong with a chain, as the person who checks it is told.
PROBLEMS = {
    "edited": "The event was edited after it was recorded.",
    "unreadable": "The event cannot be read.",
    "unlinked": "The event does not follow the one before it.",
    "dropped": "An event is missing.",
    "cut": "The trail ends elsewhere than it should.",
    "contradicted": "The trail was written anew: it is not the one that a checkpoint, kept elsewhere, was signed for.",
    "payload_forged": "The particulars are not the ones that were recorded.",
    "payload_missing": "The particulars are gone, and no event says that they were erased.",
}


def did(action: str | None) -> str:
    """Say what somebody did; an action without words of its own is named as it is."""
    return DID.get(action or "", f"did {action}" if action else "did something that cannot be read any more")
