"""Who plays in the demo: people, those who work for Larkfield, and agents. Pure."""

from dataclasses import dataclass
from datetime import timedelta

from accounts.vocabulary import Channel, Role, Scope

SLUG, NAME = "larkfield", "Larkfield"
FOUNDED = timedelta(days=60)


@dataclass(frozen=True, slots=True)
class Somebody:
    """Somebody who can sign in; about those without `ref` nothing is remembered."""

    name: str
    roles: tuple[Role, ...]
    who: str
    ref: str = ""

    @property
    def email(self) -> str:
        """The address they sign in with."""
        return f"{self.name.lower()}@larkfield.example"


PEOPLE = (
    Somebody("Mia", (Role.PERSON,), "a person: what agents remember about her", "user:mia"),
    Somebody("Jonas", (Role.PERSON,), "a person with few memories", "user:jonas"),
    Somebody("Amara", (Role.PRIVACY_OFFICER,), "privacy officer"),
    Somebody("Sofia", (Role.ADMIN,), "administrator"),
    Somebody("Tuva", (Role.ADMIN,), "second administrator"),
    Somebody("Henrik", (Role.DEVELOPER,), "developer"),
    Somebody("Nadia", (Role.REVIEWER,), "reviewer"),
    Somebody("Petra", (Role.POLICY_EDITOR,), "policy editor"),
    Somebody("Ruben", (Role.POLICY_APPROVER,), "policy approver"),
    Somebody("Elias", (Role.AUDITOR,), "auditor"),
)

#: What the people of Larkfield look after besides their customers.
DESK, HOUSE = "team:trip-desk", "entity:harbour-house"
THINGS = {DESK: "Trip desk", HOUSE: "Harbour House"}


@dataclass(frozen=True, slots=True)
class Program:
    """An agent, the most trusted channel that its key may claim, and when that key ends."""

    name: str
    purpose: str
    channel: Channel
    scopes: tuple[Scope, ...]
    ends_in: timedelta | None = None


TRAVEL, SUPPORT, IMPORTER = "Travel assistant", "Support agent", "Meeting importer"

AGENTS = (
    Program(TRAVEL, "plans and books trips", Channel.USER_MESSAGE, tuple(Scope)),
    Program(
        SUPPORT,
        "answers questions and closes cases",
        Channel.AGENT,
        (Scope.MEMORIES_READ, Scope.MEMORIES_WRITE, Scope.PROFILE_READ, Scope.DECISIONS_READ, Scope.PROCEDURES_READ),
    ),
    Program(
        IMPORTER,
        "brings in meeting notes and older records",
        Channel.IMPORT,
        (Scope.MEMORIES_WRITE, Scope.TRACES_WRITE),
        ends_in=timedelta(days=5),
    ),
)
PRINTED_KEY = TRAVEL
