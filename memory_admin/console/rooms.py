"""The rooms of the console, and the roles that open each. Pure."""

from dataclasses import dataclass

from accounts.vocabulary import REVIEWERS, Role

STAFF = tuple(role for role in Role if role != Role.PERSON)
AGENTS = (Role.ADMIN, Role.DEVELOPER)
CHANGE_AGENTS = (Role.ADMIN,)
RETRIEVALS = (Role.DEVELOPER, Role.PRIVACY_OFFICER, Role.AUDITOR, Role.ADMIN)
READ_CONTENT = (Role.PRIVACY_OFFICER,)
POLICIES = (Role.POLICY_EDITOR, Role.POLICY_APPROVER, Role.PRIVACY_OFFICER, Role.AUDITOR)
READ_REQUESTS = (Role.POLICY_EDITOR, Role.POLICY_APPROVER, Role.PRIVACY_OFFICER)
SUBJECTS = (Role.PRIVACY_OFFICER, Role.REVIEWER, Role.AUDITOR, Role.ADMIN)
REVIEWS = REVIEWERS
MEMBERS = (Role.ADMIN,)
DATA_REQUESTS = (Role.PRIVACY_OFFICER, Role.AUDITOR)
AUDIT = (Role.AUDITOR, Role.PRIVACY_OFFICER, Role.ADMIN)


@dataclass(frozen=True, slots=True)
class Room:
    """One entry of the navigation; `name` is that of its first page."""

    name: str
    label: str
    roles: tuple[Role, ...]


ROOMS: tuple[tuple[str, tuple[Room, ...]], ...] = (
    ("", (Room("overview", "Overview", STAFF),)),
    (
        "People",
        (
            Room("reviews", "Reviews", REVIEWS),
            Room("data_requests", "Requests of people", DATA_REQUESTS),
            Room("members", "Members", MEMBERS),
        ),
    ),
    ("Agents", (Room("agents", "Agents and keys", AGENTS), Room("retrievals", "Retrieval log", RETRIEVALS))),
    ("Rules", (Room("policies", "Policies", POLICIES), Room("requests", "Change requests", POLICIES))),
    (
        "Record",
        (
            Room("subjects", "Subjects", SUBJECTS),
            Room("audit", "Audit", AUDIT),
        ),
    ),
)


def open_to(roles: frozenset[Role]) -> list[tuple[str, list[Room]]]:
    """Name the rooms that somebody with these roles may enter, by group."""
    groups = [(title, [room for room in rooms if roles & set(room.roles)]) for title, rooms in ROOMS]
    return [(title, rooms) for title, rooms in groups if rooms]


def may(roles: frozenset[Role], needed: tuple[Role, ...]) -> bool:
    """Tell whether one of the roles is among those needed."""
    return not roles.isdisjoint(needed)
