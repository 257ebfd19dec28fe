"""Asking the questions of a file through the real search."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from time import perf_counter

from accounts.actors import Actor
from memory_admin.evaluation.recall import Asked, Hit
from memory_admin.extraction.conversations import Conversation, Question
from memory_admin.retrieval import services as retrieval
from memory_admin.tenancy.scope import tenant_scope

PURPOSE = "evaluation"
DEPTH = 50
"""How many memories are asked for, so that sessions beyond the first few can be counted."""

TOKENS = 8_000


def ask(conversation: Conversation, *, by: Actor, now: datetime) -> Iterator[Asked]:
    """Ask every question of a conversation that names evidence, one search each.

    :raises NotFound: the conversation was not imported
    """
    session_of = {turn.turn_id: session for session in conversation.sessions for turn in session.turns}
    for question in conversation.questions:
        evidence = question.evidence & session_of.keys()
        if evidence:
            sessions = {conversation.thread_of(session_of[turn]) for turn in evidence}
            hits, milliseconds = _search(conversation, question, by=by, now=now)
            yield Asked(question.category, evidence, sessions, hits, milliseconds)


def _search(conversation: Conversation, question: Question, *, by: Actor, now: datetime) -> tuple[list[Hit], float]:
    began = perf_counter()
    retrieval.prepare(question.text)
    with tenant_scope(by.tenant_id):
        answer = retrieval.search(
            ask=retrieval.Ask(
                subjects=[conversation.subject_ref],
                query=question.text,
                purpose=PURPOSE,
                k=DEPTH,
                token_budget=TOKENS,
            ),
            by=by,
            now=now,
        )
    milliseconds = (perf_counter() - began) * 1000
    return [
        Hit(item.facts.message_id or "", item.facts.trace_id or "", item.tokens) for item in answer.items
    ], milliseconds
