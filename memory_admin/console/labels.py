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
    "context:read": "Read context blocks",
    "decisions:read": "Read decisions",
    "episodes:write": "Write episodes",
    "erasures:write": "Erase",
    "evaluations:write": "Run evaluations",
    "memories:read": "Read memories",
    "memories:sensitive": "Read sensitive memories",
    "memories:write": "Write memories",
    "procedures:read": "Read procedures",
    "profile:read": "Read profiles",
    "profile:write": "Write profiles",
    "retrievals:read": "Read the log of its own questions",
    "threads:read": "Read threads",
    "threads:write": "Write threads",
    "traces:write": "Write traces",
}

AGENT_STATUSES = {
    "active": ("Active", "check", "good"),
    "paused": ("Paused", "pause", "warn"),
    "retired": ("Retired", "x", "calm"),
}
