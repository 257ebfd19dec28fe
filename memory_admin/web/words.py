"""The words people read for what the database holds, each with the icon that stands beside it. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta


@dataclass(frozen=True, slots=True)
class Word:
    """A word, its icon in the sprite, and its tone: `good`, `warn`, `bad`, `calm` or none."""

    text: str
    icon: str
    tone: str = ""


ORIGINS = {
    "stated": Word("Stated", "stated"),
    "verified_outcome": Word("Verified outcome", "verified"),
    "observed": Word("Observed", "observed"),
    "inferred": Word("Inferred", "inferred"),
    "imported": Word("Imported", "imported"),
}

STATUSES = {
    "active": Word("Active", "check", "good"),
    "proposed": Word("To confirm", "open", "warn"),
    "quarantined": Word("On hold for a check", "lock", "warn"),
    "disputed": Word("Disputed", "flag", "warn"),
    "superseded": Word("Replaced", "right", "calm"),
    "archived": Word("Resting", "pause", "calm"),
    "expired": Word("Expired", "clock", "calm"),
    "rejected": Word("Not kept", "x", "calm"),
    "erasing": Word("Being deleted", "trash", "calm"),
    "erased": Word("Erased", "trash", "calm"),
}

KINDS = {
    "preference": "Preference",
    "fact": "Fact",
    "relationship": "Relationship",
    "instruction": "Instruction",
    "outcome": "Outcome",
    "event": "Event",
    "episode": "Episode",
    "summary": "Summary",
}

#: How each origin reads in a sentence about the person: "5 observed".
TALLY = {
    "stated": "you stated",
    "verified_outcome": "verified outcomes",
    "observed": "observed",
    "inferred": "inferred",
    "imported": "imported",
}

#: Why a memory is known, as the person is told.
HOW_WE_KNOW = {
    "stated": "You said it",
    "verified_outcome": "A finished and checked piece of work",
    "observed": "Seen from what you did",
    "inferred": "An agent concluded it",
    "imported": "Brought over from another system",
}

#: What a membership may do, as people call it.
ROLES = {
    "person": "Person",
    "developer": "Developer",
    "reviewer": "Reviewer",
    "policy_editor": "Policy editor",
    "policy_approver": "Policy approver",
    "privacy_officer": "Privacy officer",
    "auditor": "Auditor",
    "admin": "Administrator",
}


def tally(origin: str, count: int) -> str:
    """Say what so many memories of an origin are: "verified outcomes", and "verified outcome" for a single one."""
    return TALLY[origin].removesuffix("s") if count == 1 else TALLY[origin]


def either(names: Sequence[str]) -> str:
    """Join names to a choice: "Amara, Ines or Sofia"."""
    *before, last = names
    return f"{', '.join(before)} or {last}" if before else last


def several(count: int, one: str, many: str) -> str:
    """Say how many of something there are: "1 memory", "12 memories"."""
    return f"{count:,} {one if count == 1 else many}"


def certainty(confidence: float) -> str:
    """Say how sure a confidence of 0..1 is: certain, likely or unsure."""
    if confidence >= 0.95:
        return "Certain"
    return "Likely" if confidence >= 0.6 else "Unsure"


def category(name: str) -> str:
    """Name a category: "health", "sex life"."""
    return name.replace("_", " ")


def day(at: datetime, now: datetime) -> str:
    """Name a day in the fewest words that stay clear: "14 December", with the year when it is another one."""
    return f"{at.day} {at:%B}" if at.year == now.year else f"{at.day} {at:%B} {at.year}"


def exact(at: datetime) -> str:
    """Name an instant in full: "30 November 2026, 14:07 UTC"."""
    return f"{at.day} {at:%B %Y, %H:%M %Z}"


def clock(at: datetime) -> str:
    """Name a time of today: "14:07 UTC"."""
    return f"{at:%H:%M %Z}"


def ago(at: datetime, now: datetime) -> str:
    """Say how long ago, or when, an instant is: "2 hours ago", "yesterday", "on Tuesday", "on 21 October"."""
    passed = now - at
    days = (now.date() - at.date()).days
    if timedelta(0) <= passed < timedelta(minutes=1):
        return "just now"
    if timedelta(0) <= passed < timedelta(hours=1):
        return _counted(passed // timedelta(minutes=1), "minute")
    if passed >= timedelta(0) and days == 0:
        return _counted(passed // timedelta(hours=1), "hour")
    if days == 1:
        return "yesterday"
    return f"on {at:%A}" if 1 < days < 7 else f"on {day(at, now)}"


def since(at: datetime, now: datetime) -> str:
    """Name the stretch of time a list is parted by: Today, Yesterday, Last seven days, then each month."""
    days = (now.date() - at.date()).days
    if days <= 0:
        return "Today"
    if days == 1:
        return "Yesterday"
    if days < 7:
        return "Last seven days"
    if (at.year, at.month) == (now.year, now.month):
        return f"Earlier in {at:%B}"
    return f"{at:%B}" if at.year == now.year else f"{at:%B %Y}"


def _counted(number: int, unit: str) -> str:
    return f"{number} {unit} ago" if number == 1 else f"{number} {unit}s ago"
