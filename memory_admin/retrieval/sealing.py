"""What a seal commits to: for each row of the log a salted digest of everything in it that never changes.

    leaf = SHA-256(0x00 ‖ salt ‖ the row as RFC 8785 JSON)      the tree over the leaves of a batch is that of RFC 9162

The salt is random and lies in the row. When an erasure takes the row the salt goes with it: the leaf stays, so that
every other proof of the batch stays what it was, and tells nothing about what it stood for (`adr/0014`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from memory_admin.audit import chain

# Not among them: the text of the question, which goes by its time; what versions that watch would have answered, from
# which an erasure takes memories; and whether the uses were counted.
OF_AN_ANSWER = (
    "id",
    "subject_ids",
    "asked_by",
    "agent_id",
    "purpose",
    "query_digest",
    "model",
    "used_vector",
    "k",
    "min_score",
    "token_budget",
    "valid_at",
    "recorded_at",
    "policy_version",
    "access_version",
    "considered",
    "returned",
    "tokens",
    "left_out",
    "dropped",
    "stages",
    "created_at",
)
OF_A_CANDIDATE = (
    "id",
    "retrieval_id",
    "memory_id",
    "subject_id",
    "memory_version",
    "kind",
    "origin",
    "channel",
    "asserted_by",
    "age_days",
    "expires_at",
    "access_rule",
    "rank",
    "returned",
    "drop_reason",
    "score",
    "parts",
    "reason",
)


def body_of(row: Mapping[str, Any]) -> bytes:
    """Write the columns of a row, without its salt, as the bytes that are committed to."""
    return chain.canonicalise({name: _plain(value) for name, value in row.items() if name != "salt"})


def leaf_of(row: Mapping[str, Any]) -> bytes:
    """Commit to the columns of a row, of which one is its salt."""
    return chain.commitment(row["salt"].bytes, body_of(row))


def _plain(value: Any) -> Any:
    return bytes(value).hex() if isinstance(value, bytes | memoryview) else value
