"""The audit trail: one chain of events per tenant, appended in the transaction of what happened.

audit.record(action=audit.Action.MEMORY_STORED, by=actor, target=("memory", memory.id), at=now)
"""

from memory_admin.audit.actions import Action
from memory_admin.audit.services import (
    Actor,
    Entry,
    checkpoint,
    erase_payloads,
    hold,
    record,
    record_many,
    request_id,
    within_request,
)
from memory_admin.audit.verification import verify

__all__ = [
    "Action",
    "Actor",
    "Entry",
    "checkpoint",
    "erase_payloads",
    "hold",
    "record",
    "record_many",
    "request_id",
    "verify",
    "within_request",
]
