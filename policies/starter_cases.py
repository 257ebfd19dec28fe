"""The test cases a tenant starts with: for each rule of Baseline 1 one that it decides and one that it leaves alone,
and each time, limit and purpose. What Baseline 1 says is written here once more, so that a change of it shows. Pure.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from policies import wording
from policies.cases.case import Case
from policies.documents import Family

TAGS = ("starter",)

Facts = dict[str, Any]

OWN_WORDS: Facts = {"kind": "fact", "origin": "stated", "channel": "user_message"}
BY_HAND: Facts = {"kind": "fact", "origin": "stated", "channel": "portal"}
BY_AGENT: Facts = {"kind": "fact", "origin": "stated", "channel": "agent"}
GUESS: Facts = {"kind": "fact", "origin": "inferred", "channel": "agent"}
IMPORTED: Facts = {"kind": "fact", "origin": "imported", "channel": "import"}
SPOKEN: Facts = {"kind": "event", "origin": "observed", "channel": "import"}
SUMMED_UP: Facts = {"kind": "summary", "origin": "inferred", "channel": "consolidation"}
HEALTH: Facts = {"categories": ["health"]}


def found(*findings: str) -> Facts:
    """Say what screening finds."""
    return {"findings": list(findings)}


# By rule: what becomes of what it decides, such a write, and one that is none of its business.
WRITES: dict[str, tuple[str, tuple[str, Facts], tuple[str, Facts]]] = {
    "W-010": (
        "refuse",
        ("A password is kept nowhere, by whatever channel", BY_HAND | found("secret")),
        ("A telephone number is no secret", OWN_WORDS | found("personal")),
    ),
    "W-020": (
        "refuse",
        ("A blank statement is nothing to remember", OWN_WORDS | found("blank") | {"length": 0}),
        ("Hidden characters are not blank", OWN_WORDS | found("hidden")),
    ),
    "W-025": (
        "refuse",
        ("A single letter means nothing", OWN_WORDS | {"length": 1}),
        ("Two letters may mean something", OWN_WORDS | {"length": 2}),
    ),
    "W-030": (
        "accept",
        ("A telephone number is replaced, and the rest is kept", OWN_WORDS | found("personal")),
        ("A statement without numbers or addresses keeps its words", OWN_WORDS),
    ),
    "W-040": (
        "quarantine",
        ("An order planted in a document waits for a reviewer", OWN_WORDS | {"channel": "document"} | found("attack")),
        ("An order that a person is said to have given is not planted", OWN_WORDS | found("attack")),
    ),
    "W-050": (
        "policy_change",
        ("A wish to skip approval goes to the policy editors", OWN_WORDS | found("control")),
        ("A planted wish to skip approval does not", GUESS | found("attack", "control")),
    ),
    "W-060": (
        "quarantine",
        ("An order in a person’s own words waits for a reviewer", OWN_WORDS | found("attack")),
        ("Words about a task are no order", OWN_WORDS | found("task")),
    ),
    "W-070": (
        "propose",
        ("Hidden characters typed by the person wait for their answer", BY_HAND | found("hidden")),
        ("What the person types without them is kept", BY_HAND),
    ),
    "W-075": (
        "quarantine",
        ("Hidden characters from an agent wait for a reviewer", BY_AGENT | found("hidden")),
        ("Hidden characters typed by the person do not", BY_HAND | found("hidden")),
    ),
    "W-100": (
        "accept",
        ("A turn of an imported conversation is kept, sensitive or not", SPOKEN | HEALTH),
        ("An imported fact is no turn of a conversation", IMPORTED),
    ),
    "W-110": (
        "refuse",
        ("A guess about health is not kept", GUESS | HEALTH),
        ("A guess about food waits for the person", GUESS | {"categories": ["food"]}),
    ),
    "W-115": (
        "refuse",
        ("A trait concluded by an agent is not kept, however it is worded", BY_AGENT | found("trait_inferred")),
        ("A person may conclude something about themself", OWN_WORDS | found("trait_inferred")),
    ),
    "W-120": (
        "propose",
        ("What a person says about their health waits for their answer", OWN_WORDS | HEALTH),
        ("What a person says about food does not", OWN_WORDS | {"categories": ["food"]}),
    ),
    "W-130": (
        "propose",
        ("What a person told an agent about their health waits for their answer", BY_AGENT | HEALTH),
        ("What an agent observed about health does not", BY_AGENT | {"origin": "observed"} | HEALTH),
    ),
    "W-140": (
        "refuse",
        ("What an agent observed about health is not kept", BY_AGENT | {"origin": "observed"} | HEALTH),
        ("What a person told an agent about their health is another matter", BY_AGENT | HEALTH),
    ),
    "W-200": (
        "refuse",
        ("An agent’s note about the task at hand is not kept", GUESS | found("task")),
        ("A person may say what sounds like a task", OWN_WORDS | found("task")),
    ),
    "W-210": (
        "refuse",
        ("An agent’s note without importance is not kept", GUESS | {"importance": 0.04}),
        ("One of a little importance may be", GUESS | {"importance": 0.05}),
    ),
    "W-220": (
        "refuse",
        ("An agent’s note that is very unsure is not kept", GUESS | {"confidence": 0.1}),
        ("One that is a little surer may be", GUESS | {"confidence": 0.2}),
    ),
    "W-300": (
        "accept",
        ("What a person writes by hand is kept", BY_HAND),
        ("What a person writes by hand about their health waits for their answer", BY_HAND | HEALTH),
    ),
    "W-310": (
        "accept",
        ("What a person says is kept", OWN_WORDS),
        ("What is concluded from it is not yet", OWN_WORDS | {"origin": "inferred"}),
    ),
    "W-320": (
        "accept",
        ("What happens in a person’s own conversation is kept", OWN_WORDS | {"origin": "observed"}),
        ("What a person says there is kept as said", OWN_WORDS),
    ),
    "W-330": (
        "propose",
        ("What is concluded from a person’s words waits for them", OWN_WORDS | {"origin": "inferred"}),
        ("What a person says does not wait", OWN_WORDS),
    ),
    "W-340": (
        "accept",
        ("What the organisation imports from its records is kept", IMPORTED),
        ("An imported conclusion is not", IMPORTED | {"origin": "inferred"}),
    ),
    "W-350": (
        "propose",
        ("An imported conclusion waits for the person", IMPORTED | {"origin": "inferred"}),
        ("An imported record does not wait", IMPORTED),
    ),
    "W-360": (
        "accept",
        ("A summary of memories is kept", SUMMED_UP),
        ("A fact concluded from memories is no summary", SUMMED_UP | {"kind": "fact"}),
    ),
    "W-370": (
        "propose",
        ("A fact concluded from memories waits for the person", SUMMED_UP | {"kind": "fact"}),
        ("A summary does not wait", SUMMED_UP),
    ),
    "W-400": (
        "propose",
        ("What an agent notes waits for the person", BY_AGENT),
        ("What a person writes by hand is no agent’s note", BY_HAND),
    ),
    "W-410": (
        "propose",
        ("What a tool reports waits for the person", BY_AGENT | {"channel": "tool"}),
        ("An agent’s own note is no report of a tool", BY_AGENT),
    ),
    "W-420": (
        "propose",
        ("What a document says waits for the person", BY_AGENT | {"channel": "document"}),
        ("An agent’s own note stands in no document", BY_AGENT),
    ),
    "W-430": (
        "propose",
        ("What another agent passes on waits for the person", BY_AGENT | {"channel": "peer_agent"}),
        ("An agent’s own note is not passed on", BY_AGENT),
    ),
}

ANSWER: Facts = {"kind": "fact", "purpose": "answer"}
WITH_RIGHT: Facts = {"scopes": ["memories:sensitive"]}

READS: dict[str, tuple[bool, tuple[str, Facts], tuple[str, Facts]]] = {
    "A-010": (
        False,
        ("A memory about health is closed to an agent without the right", ANSWER | HEALTH),
        ("It is open to an agent with the right", ANSWER | HEALTH | WITH_RIGHT),
    ),
    "A-020": (
        False,
        ("An event is no ground for an action", {"kind": "event", "purpose": "action"}),
        ("A fact may be one", {"kind": "fact", "purpose": "action"}),
    ),
    "A-100": (
        True,
        ("An ordinary memory is open to agents", ANSWER),
        ("A memory about health and food is not", ANSWER | {"categories": ["food", "health"]}),
    ),
}
SHARES: Facts = {"action": "share_outside", "purpose": "answer"}
ACTS: Facts = {"action": "act_on_memory", "purpose": "action", "kinds": ["fact"]}
ANSWERS: Facts = {"action": "answer_from_memory", "purpose": "answer"}

# By rule: what it says, an action that it decides, and one that is none of its business, with what is said of that.
ACTIONS: dict[str, tuple[str, tuple[str, Facts], tuple[str, Facts, str]]] = {
    "D-010": (
        "deny",
        ("An agent without the right answers from nothing sensitive", ANSWERS | HEALTH),
        ("An agent with the right may", ANSWERS | HEALTH | WITH_RIGHT, "allow"),
    ),
    "D-020": (
        "allow",
        ("An agent may answer from what is remembered", ANSWERS),
        ("It may not train a model with it", ANSWERS | {"action": "train_model"}, "deny"),
    ),
    "D-110": (
        "deny",
        ("An event is no ground to act", ACTS | {"kinds": ["fact", "event"]}),
        ("A fact may be one to act on", ACTS, "allow"),
    ),
    "D-120": (
        "deny",
        ("An agent without the right acts on nothing sensitive", ACTS | HEALTH),
        ("An agent with the right may ask the person whether to", ACTS | HEALTH | WITH_RIGHT, "ask_person"),
    ),
    "D-130": (
        "ask_person",
        ("Acting on health takes the person’s word", ACTS | HEALTH | WITH_RIGHT),
        ("Acting on an ordinary fact does not", ACTS, "allow"),
    ),
    "D-140": (
        "allow",
        ("An agent may act on an ordinary fact", ACTS),
        ("It may not act when any kind of memory is meant", ACTS | {"kinds": []}, "deny"),
    ),
    "D-210": (
        "deny",
        ("Nothing about health leaves the organisation", SHARES | HEALTH | WITH_RIGHT),
        ("What is ordinary may, if the person says so", SHARES, "ask_person"),
    ),
    "D-220": (
        "ask_person",
        ("Sharing outside takes the person’s word", SHARES),
        ("Nothing about health is shared, whatever they say", SHARES | HEALTH, "deny"),
    ),
    "D-310": (
        "deny",
        ("No model is trained", ANSWERS | {"action": "train_model"} | WITH_RIGHT),
        ("Answering trains no model", ANSWERS | {"kinds": ["fact"]}, "allow"),
    ),
    "D-410": (
        "deny",
        ("No advertising is made of memories", ANSWERS | {"action": "advertise"} | WITH_RIGHT),
        ("Answering is no advertising", ANSWERS | {"kinds": ["preference"]}, "allow"),
    ),
    "D-510": (
        "deny",
        ("Nobody is profiled", ANSWERS | {"action": "profile"} | WITH_RIGHT),
        ("Answering profiles nobody", ANSWERS | {"kinds": ["episode"]}, "allow"),
    ),
    "X-001": (
        "deny",
        ("What no rule speaks of is not done", ANSWERS | {"action": "sell_the_house"}),
        ("Answering is spoken of", ANSWERS | {"kinds": ["relationship"]}, "allow"),
    ),
}
SIGHTS = {
    "developer": "masked",
    "reviewer": "queue",
    "policy_editor": "nothing",
    "policy_approver": "nothing",
    "privacy_officer": "content",
    "auditor": "nothing",
    "admin": "nothing",
}

# Days by kind: stated, proven by an outcome, observed, imported, inferred.
DAYS: dict[str, tuple[int | None, ...]] = {
    "preference": (None, 730, 365, 365, 180),
    "fact": (None, 730, 365, 365, 180),
    "relationship": (None, 730, 365, 365, 180),
    "instruction": (None, 365, 180, 365, 90),
    "outcome": (730, 730, 365, 365, 180),
    "event": (90, 90, 90, 90, 30),
    "episode": (730, 730, 365, 365, 180),
    "summary": (365, 365, 365, 365, 365),
}
BY_ORIGIN = ("stated", "verified_outcome", "observed", "imported", "inferred")

SURE: Facts = {"origin": "stated", "channel": "user_message", "confidence": 0.9}
ACTION: Facts = {"purpose": "action"}

TRUSTED: tuple[tuple[str, Facts, bool], ...] = (
    ("What a person says may lead to an action", ACTION | SURE, True),
    ("What an agent notes may not", ACTION | SURE | {"channel": "agent"}, False),
    ("A guess may not", ACTION | SURE | {"origin": "inferred"}, False),
    (
        "A guess that the person confirmed may",
        ACTION | SURE | {"origin": "inferred", "channel": "tool", "is_confirmed": True},
        True,
    ),
    (
        "What is not sure enough may not, confirmed or not",
        ACTION | SURE | {"confidence": 0.6, "is_confirmed": True},
        False,
    ),
    (
        "Any memory may serve an answer",
        {"purpose": "answer", "origin": "inferred", "channel": "tool", "confidence": 0.1},
        True,
    ),
)
LIMITS: tuple[tuple[str, Facts], ...] = (
    ("An answer holds ten memories, and fifty at most", {"k": 10, "k_maximum": 50}),
    ("An answer holds 1500 tokens, and 8000 at most", {"token_budget": 1_500, "token_budget_maximum": 8_000}),
    ("What scores below 0.3 is not handed out", {"minimum_score": 0.3}),
    ("The text of a question is kept for a week", {"query_text_days": 7}),
)


def _write() -> Iterator[Case]:
    for rule, (outcome, (name, given), (other_name, other)) in WRITES.items():
        yield Case(name, given, {"rule": rule, "outcome": outcome}, TAGS)
        yield Case(other_name, other, {"not_rule": rule}, TAGS)


def _access() -> Iterator[Case]:
    for rule, (allowed, (name, given), (other_name, other)) in READS.items():
        yield Case(name, given, {"rule": rule, "allowed": allowed}, TAGS)
        yield Case(other_name, other, {"not_rule": rule, "allowed": not allowed}, TAGS)
    for rule, (decision, (name, given), (other_name, other, else_)) in ACTIONS.items():
        yield Case(name, given, {"rule": rule, "decision": decision}, TAGS)
        yield Case(other_name, other, {"not_rule": rule, "decision": else_}, TAGS)
    summary = {"kind": "summary", "purpose": "action"}
    yield Case("A summary is no ground for an action", summary, {"rule": "A-020", "allowed": False}, TAGS)
    for role, sight in SIGHTS.items():
        roles, sees = wording.ROLES[role].capitalize(), wording.SIGHTS[sight]
        yield Case(f"{roles} see {sees} of other people’s memories", {"role": role}, {"sight": sight}, TAGS)


def _retention() -> Iterator[Case]:
    for kind, times in DAYS.items():
        for origin, days in zip(BY_ORIGIN, times, strict=True):
            name = f"{wording.memories(kind, origin)} are kept {wording.lasting(days)}"
            yield Case(name, {"kind": kind, "origin": origin}, {"days": days}, TAGS)
    sooner = {"kind": "preference", "origin": "stated", "asked_days": 3}
    yield Case("Whoever asks for a sooner end gets it", sooner, {"days": 3}, TAGS)
    later = {"kind": "event", "origin": "inferred", "asked_days": 3_000}
    yield Case("Whoever asks for a later end does not", later, {"days": 30}, TAGS)


def _retrieval() -> Iterator[Case]:
    yield from (Case(name, given, {"trusted": trusted}, TAGS) for name, given, trusted in TRUSTED)
    yield from (Case(name, {}, expect, TAGS) for name, expect in LIMITS)


def _procedure() -> Iterator[Case]:
    yield Case("There is no procedure to begin with", {"name": "refund"}, {"found": False}, TAGS)


STARTER_CASES: Mapping[Family, tuple[Case, ...]] = {
    "write": tuple(_write()),
    "access": tuple(_access()),
    "retention": tuple(_retention()),
    "retrieval": tuple(_retrieval()),
    "procedure": tuple(_procedure()),
}
"""The suite of each family; names are unique within one."""
