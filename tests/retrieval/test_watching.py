"""Versions that watch a question: what they would have answered is noted, and nothing of the answer changes."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.actors import Actor
from accounts.vocabulary import Channel, Scope
from memory_admin.lifecycle import services as lifecycle
from memory_admin.memories import services as memories
from memory_admin.retrieval.answers import Answer
from memory_admin.retrieval.models import Retrieval, RetrievalCandidate
from policies.documents import Family
from tests.factories import NOON, Person, agent, remembered
from tests.retrieval.asking import ask
from tests.retrieval.holding import hold

SEATS = (
    "Prefers the window seat on trains",
    "Prefers the aisle seat on planes",
    "Takes a seat near the exit in theatres",
)
QUESTION = "Which seat does she like?"


def watch(family: Family, changes: dict[str, Any], *, mode: str = "shadow") -> None:
    """Let a version watch that differs from Baseline 1 in the values at some dotted paths."""
    hold(family, changes, mode=mode)


def noted(answer: Answer) -> list[dict[str, Any]]:
    watched: list[dict[str, Any]] = Retrieval.objects.get(id=answer.retrieval_id).watched
    return watched


def told(answer: Answer) -> list[tuple[Any, ...]]:
    """List all that an answer and its log say, but ids and times made anew."""
    logged = RetrievalCandidate.objects.filter(retrieval_id=answer.retrieval_id).order_by("rank")
    columns = ("memory_id", "rank", "returned", "drop_reason", "score", "parts", "reason", "access_rule")
    items = [(item.statement, item.score, item.reason, item.tokens, item.is_profile) for item in answer.items]
    return [*items, *logged.values_list(*columns), (answer.considered, answer.dropped, answer.left_out, answer.tokens)]


@pytest.mark.parametrize("mode", ["shadow", "warn"])
def test_what_another_version_would_return_is_noted_beside_the_answer(alice: Person, helper: Actor, mode: str) -> None:
    for words in SEATS:
        remembered(alice, words)
    before = ask(alice, QUESTION, by=helper)

    watch("retrieval", {"k.default": 2}, mode=mode)
    answer = ask(alice, QUESTION, by=helper)

    assert told(answer) == told(before)
    assert noted(before) == []
    assert noted(answer) == [
        {
            "policy_version": "retrieval/9",
            "mode": mode,
            "complete": True,
            "overlap": 0.6667,
            "gained": [],
            "lost": [str(answer.items[2].facts.memory_id)],
        }
    ]
    warned = [{"policy_version": "retrieval/9", "reason": "1 of these memories would not be handed out."}]
    assert answer.warnings == (warned if mode == "warn" else [])


def test_what_it_would_add_is_noted_though_it_was_not_among_the_best(alice: Person, helper: Actor) -> None:
    for number in range(60):
        remembered(alice, f"Visited town {number} by the sea", kind="fact")
    before = ask(alice, "towns by the sea", k=1, by=helper)
    # Upside down: the words count for nothing, and the least similar comes last of all but few.
    watch("retrieval", {"weights.similarity": 0.0, "weights.keyword": 0.0, "minimum_score": 0.0})

    answer = ask(alice, "towns by the sea", k=1, by=helper)

    assert told(answer) == told(before)
    [note] = noted(answer)
    assert (note["overlap"], len(note["gained"]), len(note["lost"]), note["complete"]) == (0.0, 1, 1, True)


def test_a_version_that_says_the_same_would_answer_the_same(alice: Person, helper: Actor) -> None:
    for words in SEATS:
        remembered(alice, words)
    remembered(alice, "Lives in Oslo", kind="fact", key="city", value="Oslo")
    watch("retrieval", {}, mode="warn")

    others: list[dict[str, Any]] = [{}, {"include_profile": True}, {"k": 1}, {"valid_at": NOON}]
    questions = [(QUESTION, terms) for terms in others] + [("Postcode of the Lisbon warehouse", {})]
    for question, terms in questions:
        answer = ask(alice, question, by=helper, **terms)

        [note] = noted(answer)
        assert (note["overlap"], note["gained"], note["lost"], note["complete"]) == (1.0, [], [], True)
        assert answer.warnings == []


def test_a_version_that_would_not_answer_is_noted_so(alice: Person, helper: Actor) -> None:
    remembered(alice, SEATS[0])
    watch("retrieval", {"k.maximum": 10}, mode="warn")

    answer = ask(alice, QUESTION, by=helper, k=20)

    assert noted(answer)[0]["refused"] is True
    assert answer.warnings == [{"policy_version": "retrieval/9", "reason": "More is asked for than it allows."}]


def test_what_it_might_find_elsewhere_is_not_called_complete(alice: Person, helper: Actor) -> None:
    remembered(alice, SEATS[0])
    watch("retrieval", {"candidates.vector": 300})

    assert noted(ask(alice, QUESTION, by=helper))[0]["complete"] is False


def test_access_that_would_be_denied_or_allowed_is_counted(alice: Person) -> None:
    memory = remembered(alice, "Has type 1 diabetes", kind="fact", categories=["health"])
    memories.confirm(memory_id=memory.id, by=alice.actor, now=NOON)
    reader = agent(alice.house, Channel.AGENT, scopes=[Scope.MEMORIES_READ])
    trusted = agent(alice.house, Channel.AGENT, scopes=[Scope.MEMORIES_READ, Scope.MEMORIES_SENSITIVE])
    # Closed to whoever may not read procedures, instead of whoever may not read what is sensitive.
    watch("access", {"rules.A-010.match.without_scope": "procedures:read"}, mode="warn")
    third = agent(alice.house, Channel.AGENT, scopes=[Scope.MEMORIES_READ, Scope.PROCEDURES_READ])

    had, missed, would = (ask(alice, "diabetes", by=by) for by in (trusted, reader, third))

    assert (noted(had)[0]["denied"], noted(had)[0]["allowed"]) == ([str(memory.id)], 0)
    assert had.warnings == [{"policy_version": "access/9", "reason": "1 of these memories would not be handed out."}]
    assert (noted(missed)[0]["denied"], noted(missed)[0]["allowed"]) == ([], 0)
    assert (noted(would)[0]["denied"], noted(would)[0]["allowed"]) == ([], 1)
    assert would.warnings == [], "nobody is told what is closed to them"
    assert had.items
    assert not would.items
    assert noted(ask(alice, "diabetes", by=alice.actor)) == [], "no rule of agents applies to oneself"


def test_it_costs_no_statement(alice: Person, helper: Actor) -> None:
    for words in SEATS:
        remembered(alice, words)
    ask(alice, QUESTION, by=helper)
    with CaptureQueriesContext(connection) as plain:
        ask(alice, QUESTION, by=helper)
    watch("retrieval", {"k.default": 2})
    watch("access", {"rules.A-010.match.without_scope": None})
    ask(alice, QUESTION, by=helper)

    with CaptureQueriesContext(connection) as watched:
        ask(alice, QUESTION, by=helper)

    assert len(watched) == len(plain)


def test_an_erasure_takes_its_memories_out_of_the_notes(alice: Person, helper: Actor) -> None:
    for words in SEATS:
        remembered(alice, words)
    watch("retrieval", {"k.default": 2})
    answer = ask(alice, QUESTION, by=helper)

    lifecycle.erase(memory_ids=[answer.items[2].facts.memory_id], by=alice.actor, now=NOON)

    assert noted(answer)[0]["lost"] == []
