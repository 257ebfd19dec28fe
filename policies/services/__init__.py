"""The only writers of policies."""

from policies.services.actions import decide_action, erase_action_decisions
from policies.services.drafts import begin, rebase, save, withdraw
from policies.services.emergency import break_glass, restrict
from policies.services.freezing import freeze, thaw
from policies.services.install import TITLES, install_baseline
from policies.services.releasing import plan_use, release, restore, schedule, stop_watching
from policies.services.requests import dismiss_request, draft_from, erase_change_requests, request_change
from policies.services.reviewing import ask_reviewers, decide, dismiss, submit
from policies.services.revoking import decide_revocation, revoke
from policies.services.suite import add_case, retire_case, run_tests

__all__ = [
    "TITLES",
    "add_case",
    "ask_reviewers",
    "begin",
    "break_glass",
    "decide",
    "decide_action",
    "decide_revocation",
    "dismiss",
    "dismiss_request",
    "draft_from",
    "erase_action_decisions",
    "erase_change_requests",
    "freeze",
    "install_baseline",
    "plan_use",
    "rebase",
    "release",
    "request_change",
    "restore",
    "restrict",
    "retire_case",
    "revoke",
    "run_tests",
    "save",
    "schedule",
    "stop_watching",
    "submit",
    "thaw",
    "withdraw",
]
