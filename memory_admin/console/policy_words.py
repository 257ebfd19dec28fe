"""The words staff read for where a policy stands. Pure."""

from collections.abc import Iterable

from memory_admin.web import words
from memory_admin.web.words import Word
from policies.digests import sha256_of
from policies.models import ActivationState, PolicyActivation, PolicyTestRun, PolicyVersion

STATES = {
    "draft": Word("Draft", "pencil", "calm"),
    "in_review": Word("In review", "clock", "warn"),
    "approved": Word("Approved", "check", "good"),
    "rejected": Word("Rejected", "x", "bad"),
    "withdrawn": Word("Withdrawn", "x", "calm"),
    "planned": Word("Planned", "open", "calm"),
    "scheduled": Word("Scheduled", "clock", "warn"),
    "effective": Word("In force", "check", "good"),
    "altered": Word("Altered", "alert", "bad"),
    "watching": Word("Watching", "observed", "calm"),
    "superseded": Word("Replaced", "right", "calm"),
    "revoked": Word("Revoked", "x", "bad"),
    "ended": Word("Ended", "x", "calm"),
}
MODES = {
    "enforce": "enforced",
    "warn": "watched, and told to the writer",
    "shadow": "watched, and only recorded",
}
DIRECTIONS = {
    "loosens": Word("Loosens", "loose", "warn"),
    "tightens": Word("Tightens", "tight", "calm"),
    "neutral": Word("Neutral", "right", "calm"),
}
SEVERITIES = {
    "error": Word("Error", "alert", "bad"),
    "security": Word("Security", "lock", "warn"),
    "warning": Word("Warning", "alert", "warn"),
    "suggestion": Word("Suggestion", "info", "calm"),
}
DECISIONS = {
    "approve": Word("Approved", "check", "good"),
    "request_changes": Word("Asked for changes", "pencil", "warn"),
    "reject": Word("Rejected", "x", "bad"),
    "comment": Word("Commented", "stated", "calm"),
}
RESULTS = {
    "pass": Word("Passed", "check", "good"),
    "fail": Word("Failed", "x", "bad"),
    "error": Word("In error", "alert", "bad"),
    "skipped": Word("Skipped", "right", "warn"),
}
GUARDS = {
    "readable": "The engine can read it",
    "no_errors": "No finding is an error",
    "titled": "It has a title and says why",
    "changes_something": "It changes something",
    "tested": "Every changed rule is tested",
    "always_decided": "Something decides when it ends",
    "others_review": "No reviewer had a hand in it",
    "starts_ahead": "It starts in the future",
    "approved_by_enough": "Enough different people approve exactly this",
    "no_objection": "No open request for changes",
    "tests": "Tests pass on exactly this",
    "privacy_officer": "A privacy officer is one of them",
    "simulated": "Simulation is fresh",
    "approved": "Exactly this was approved",
    "base": "What it replaces is still in force",
    "approvers": "Whoever approved it still may",
    "no_freeze": "Changes are not stopped",
    "not_leaving": "The organisation is not leaving",
    "in_time": "It is on time",
}
#: What is said of a guard that does not hold, where its own sentence says what has to be the case.
OPEN = {
    "readable": "A field says something the engine cannot read. See the findings.",
    "titled": "The title or the reason is missing.",
    "changes_something": "It says what decides now, for the same scope.",
    "always_decided": "When it ends, nothing decides.",
    "others_review": "One of the reviewers had a hand in it.",
    "starts_ahead": "Its start has passed. Choose another.",
    "no_objection": "Somebody asks for changes to exactly this.",
    "privacy_officer": "No privacy officer has approved it yet.",
    "simulated": "No simulation of exactly this succeeded within the last 24 hours.",
    "approved": "Exactly this is not approved by enough people yet.",
    "base": "Another version decides by now than the one it was compared with.",
    "approvers": "Somebody who has to have approved it has not, has left, or has lost the role.",
    "no_freeze": "Changes are stopped at this time.",
    "not_leaving": "The organisation is leaving.",
    "in_time": "Its time is past by more than 15 minutes.",
}
HAPPENED = {
    "policy.drafted": Word("began the draft", "pencil"),
    "policy.edited": Word("edited it", "pencil"),
    "policy.submitted": Word("sent it for review", "right"),
    "policy.reviewed": Word("decided about it", "flag"),
    "policy.objection_dismissed": Word("set a request for changes aside", "x"),
    "policy.reviewers_asked": Word("asked reviewers", "right"),
    "policy.withdrawn": Word("withdrew it", "x"),
    "policy.scheduled": Word("scheduled it", "clock"),
    "policy.activated": Word("put it in force", "check"),
    "policy.superseded": Word("put another version in its place", "right"),
    "policy.revocation_asked": Word("asked to revoke it", "flag"),
    "policy.revocation_declined": Word("declined to revoke it", "x"),
    "policy.revoked": Word("revoked it", "x"),
    "policy.ended": Word("ended its use", "x"),
    "policy.stopped": Word("stopped it for a person to look at", "alert"),
    "policy.test_added": Word("added a test", "plus"),
    "policy.test_retired": Word("took a test out", "x"),
    "policy.simulated": Word("simulated it", "clock"),
}
REVIEWED = {
    "approve": Word("approved it", "check"),
    "request_changes": Word("asked for changes", "pencil"),
    "reject": Word("rejected it", "x"),
    "comment": Word("commented on it", "stated"),
}
#: The states of a use, the one that says most about a version first.
TELLING = (
    ActivationState.EFFECTIVE,
    ActivationState.SCHEDULED,
    ActivationState.REVOKED,
    ActivationState.SUPERSEDED,
    ActivationState.ENDED,
)


def standing_of(version: PolicyVersion, uses: Iterable[PolicyActivation]) -> Word:
    """Say where a version stands: what its uses say of it, and before it was used, its own state."""
    if is_altered(version):
        return STATES["altered"]
    held = {use.state: use for use in uses}
    for state in TELLING:
        if state in held:
            watches = state == ActivationState.EFFECTIVE and held[state].lane == "shadow"
            return STATES["watching" if watches else state]
    return STATES[version.state]


def is_altered(version: PolicyVersion) -> bool:
    """Tell whether what is stored of a version is not what its digest says; then it decides nothing."""
    return "content" not in version.get_deferred_fields() and sha256_of(version.content) != version.content_sha256


def of_guard(code: str, sentence: str, *, holds: bool) -> tuple[str, str]:
    """Name a guard, and say what keeps it open; one that holds is said by its name."""
    title = GUARDS.get(code, sentence)
    return title, "" if holds or title == sentence else OPEN.get(code, sentence)


def results_of(run: PolicyTestRun) -> str:
    """Say what came of a run of the tests, and nothing of what did not: “61 passed, 1 failed”."""
    counted = [(run.passed, "passed"), (run.failed, "failed"), (run.errored, "in error"), (run.skipped, "skipped")]
    return ", ".join(f"{count} {what}" for count, what in counted if count) or "No test ran"


def ending(count: int) -> str:
    """Say how many memories a retention policy would delete at once."""
    return f"{words.several(count, 'memory', 'memories')} would be deleted at once."


def changing(sooner: int, later: int, *, is_more: bool) -> str:
    """Say how many memories would end at another time.

    :param is_more: some that would end at once were told of before
    """
    told = [f"{sooner} {'more ' if is_more else ''}would end sooner"] if sooner else []
    told += [f"{later} would be kept longer"] if later else []
    if told:
        return f"{', '.join(told)}."
    return (
        "Nothing else that is stored would end at another time." if is_more else "Nothing stored would end otherwise."
    )


def digest(sha256: str) -> str:
    """Write a digest in short: “3f9a 81d0 … c21e”."""
    return f"{sha256[:4]} {sha256[4:8]} … {sha256[-4:]}"


def scope(region: str | None, agent: str) -> str:
    """Say for whom a policy is used: “everywhere”, “region eu”, “the agent Helper”, or both of these."""
    parts = [f"region {region}"] if region else []
    parts += [f"the agent {agent}"] if agent else []
    return ", ".join(parts) or "everywhere"
