"""The only writers of memories, one verb each."""

from memory_admin.memories.claims import Claim, Prepared, SourceIn
from memory_admin.memories.deciding import Outcome
from memory_admin.memories.services.allow_again import allow_again
from memory_admin.memories.services.apply_retention import apply_retention, foresee_retention
from memory_admin.memories.services.archive import archive, restore
from memory_admin.memories.services.capture import capture, capture_many, check, locked_subject, prepare
from memory_admin.memories.services.confirm import confirm, reject
from memory_admin.memories.services.correct import correct
from memory_admin.memories.services.dispute import dispute, state
from memory_admin.memories.services.pause import pause, pause_memories, resume, resume_memories
from memory_admin.memories.services.release import release
from memory_admin.memories.services.retire import retire
from memory_admin.memories.services.supersede import supersede
from memory_admin.memories.services.wish import foresee_keeping, keep_for, keep_until, object_to_inference

__all__ = [
    "Claim",
    "Outcome",
    "Prepared",
    "SourceIn",
    "allow_again",
    "apply_retention",
    "archive",
    "capture",
    "capture_many",
    "check",
    "confirm",
    "correct",
    "dispute",
    "foresee_keeping",
    "foresee_retention",
    "keep_for",
    "keep_until",
    "locked_subject",
    "object_to_inference",
    "pause",
    "pause_memories",
    "prepare",
    "reject",
    "release",
    "restore",
    "resume",
    "resume_memories",
    "retire",
    "state",
    "supersede",
]
