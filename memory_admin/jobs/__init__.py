"""The outbox: every background job by name, written in the transaction that asks for it.

A job carries ids only. It is sent when the transaction commits, and sent again by the relay whenever it was not done in
time (broker down, process killed, message lost). It is idempotent by (name, object, epoch).
"""

from memory_admin.jobs.outbox import (
    ACTIVATE_POLICY,
    APPLY_RETENTION,
    CHECKPOINT,
    COUNT_USES,
    EMBED_MEMORY,
    END_ACTIVATION,
    ERASE,
    EXPIRE_APPROVAL,
    FORGET_INVITATION,
    LIFT_RESTRICTION,
    MAIL_INVITATION,
    MAIL_NOTICE,
    PURGE_DONE,
    PURGE_QUERY_TEXTS,
    PURGE_SEALED_TEXTS,
    REMIND_OF_EMERGENCY,
    REMIND_OF_REQUEST,
    RUN_SIMULATION,
    SWEEP,
    WARN_OF_END,
    after_commit,
    begin_hour,
    job,
    purge_later,
)

__all__ = [
    "ACTIVATE_POLICY",
    "END_ACTIVATION",
    "EXPIRE_APPROVAL",
    "REMIND_OF_EMERGENCY",
    "APPLY_RETENTION",
    "CHECKPOINT",
    "COUNT_USES",
    "EMBED_MEMORY",
    "FORGET_INVITATION",
    "MAIL_INVITATION",
    "MAIL_NOTICE",
    "LIFT_RESTRICTION",
    "ERASE",
    "PURGE_DONE",
    "PURGE_QUERY_TEXTS",
    "PURGE_SEALED_TEXTS",
    "REMIND_OF_REQUEST",
    "RUN_SIMULATION",
    "SWEEP",
    "WARN_OF_END",
    "after_commit",
    "begin_hour",
    "job",
    "purge_later",
]
