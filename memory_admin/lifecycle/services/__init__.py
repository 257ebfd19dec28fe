"""Erasing: the only way content leaves, and it leaves everywhere at once."""

from memory_admin.lifecycle.services.bring_in import NotACopy, bring_in
from memory_admin.lifecycle.services.carry_on import carry_on, try_again
from memory_admin.lifecycle.services.erase import NotYoursToErase, erase, erase_subject
from memory_admin.lifecycle.services.export import (
    ask_for_export,
    exports_of,
    fetch_export,
    make_export,
    purge_exports,
)
from memory_admin.lifecycle.services.request_erasure import GRACE, request_erasure
from memory_admin.lifecycle.services.request_scope import request_scope
from memory_admin.lifecycle.services.sweeping import sweep
from memory_admin.lifecycle.services.take_back import TooLate, take_back
from memory_admin.lifecycle.services.verify import verify

__all__ = [
    "GRACE",
    "NotACopy",
    "NotYoursToErase",
    "TooLate",
    "ask_for_export",
    "bring_in",
    "carry_on",
    "erase",
    "erase_subject",
    "exports_of",
    "fetch_export",
    "make_export",
    "purge_exports",
    "request_erasure",
    "request_scope",
    "sweep",
    "take_back",
    "try_again",
    "verify",
]
