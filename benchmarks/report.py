"""The comparison, printed as a table."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from time import perf_counter
from typing import Any
from uuid import UUID

import numpy as np
from django.db import connection
from django.test import Client as InProcess
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pgvector import HalfVector
from rich.console import Console
from rich.table import Table

from accounts.actors import Actor
from accounts.models import Subject
from accounts.vocabulary import Channel
from benchmarks.goals import Goals
from benchmarks.load import LARGE, SMALL, World, world
from benchmarks.measure import Times, in_turn
from benchmarks.web import Client, server
from memory_admin.indexing.embedding import embed_query, forget_queries
from memory_admin.memories import services as memories
from memory_admin.retrieval.candidates import Filters, Question, find
from memory_admin.retrieval.services import Ask, log, search
from memory_admin.tenancy.scope import tenant_scope, uuid7
from policies.baseline import RETRIEVAL

QUESTIONS = {SMALL: 200, LARGE: 60}
ADDS = 60

LOGGED = "log of one answer (30 candidates), committed"

BARE = "SELECT id FROM bare_vector WHERE tenant = %s AND subject_id = %s ORDER BY embedding <=> %s::halfvec LIMIT 10"


@dataclass(frozen=True)
class Asked:
    """One question, embedded."""

    text: str
    question: Question
    literal: str


def run(console: Console) -> None:
    """Measure searching and writing, and print."""
    began = perf_counter()
    made = world()
    console.print(f"{SMALL * len(made.small) + LARGE:,} memories loaded in {perf_counter() - began:.0f} s")

    goals = Goals()
    table = Table("milliseconds", "p50", "p95", "× bare", title="Searching one subject")
    with server() as port:
        agent = Client(port, made.key)
        for size, subject in ((SMALL, made.small[0]), (LARGE, made.large)):
            _searches(table, goals, made, subject, size, agent)
    console.print(table)
    console.print(_writes(made, goals))
    console.print(_statements(made, goals))
    console.print(goals.table)


def _searches(table: Table, goals: Goals, made: World, subject: Subject, size: int, agent: Client) -> None:
    asked = list(_questions(made, QUESTIONS[size]))
    by = Actor(
        kind="agent", tenant_id=made.tenant.id, channel=Channel.AGENT, agent_id=made.agent.id, agent_name="Bench"
    )
    spent = _Spent()

    def bare(one: Asked) -> None:
        with tenant_scope(made.tenant.id), connection.cursor() as cursor:
            cursor.execute(BARE, [made.tenant.id, subject.id, one.literal])
            cursor.fetchall()

    def candidates(one: Asked) -> None:
        with tenant_scope(made.tenant.id):
            _find(subject.id, one)

    def whole(one: Asked) -> None:
        with spent.watching(), tenant_scope(made.tenant.id):
            search(ask=Ask(subjects=[subject.ref], query=one.text, purpose="chat"), by=by, now=timezone.now())

    def cold(one: Asked) -> None:
        forget_queries()
        embed_query(one.text)
        whole(one)

    def http(one: Asked) -> None:
        agent.search(subject.ref, one.text)

    things: dict[str, Callable[[Asked], object]] = {
        "bare SQL, exact top ten": bare,
        "candidate query": candidates,
        "search service": whole,
        "HTTP search": http,
    }
    for one in asked:
        http(one)  # the server's own process embeds each question once
    times = in_turn(things, asked)
    inside = Times(spent.milliseconds[6:])
    times |= in_turn({"search service, question embedded anew": cold}, asked[:40])
    base = times["bare SQL, exact top ten"].p50
    table.add_section()
    for name, taken in times.items():
        _row(table, f"{size:>6,}  {name}", taken, base)
        if name == "search service":
            _row(table, f"{size:>6,}  … of it in the database", inside, base)
    most = 3.0 if size == SMALL else 1.5
    goals.most(f"candidate query / bare SQL, {size:,} memories", times["candidate query"].p50 / base, most)
    goals.least(f"of the true ten nearest found, {size:,} memories", _true_ten(made, subject, asked), 0.99)


def _questions(made: World, count: int) -> Iterator[Asked]:
    draw = np.random.default_rng(3)
    for at in draw.integers(len(made.sentences), size=count):
        words = made.sentences[at].split()
        text = f"Who {' '.join(words[1:-2])}?"
        vector = embed_query(text)
        yield Asked(text, Question.of(text, vector), HalfVector(vector).to_text())


def _find(subject_id: UUID, one: Asked) -> list[UUID]:
    found = find(
        subject_id=subject_id,
        question=one.question,
        filters=Filters(at=timezone.now()),
        nearest=RETRIEVAL.candidates.vector,
        richest=RETRIEVAL.candidates.lexical,
    )
    return [candidate.memory_id for candidate in found]


def _true_ten(made: World, subject: Subject, asked: Sequence[Asked]) -> float:
    hits = 0
    for one in asked:
        with tenant_scope(made.tenant.id), connection.cursor() as cursor:
            cursor.execute(BARE, [made.tenant.id, subject.id, one.literal])
            true = {memory_id for (memory_id,) in cursor.fetchall()}
            hits += len(true.intersection(_find(subject.id, one)))
    return hits / (10 * len(asked))


def _writes(made: World, goals: Goals) -> Table:
    """What is written: the log of one answer, and one new memory, beside one bare row committed."""
    by = Actor(
        kind="agent", tenant_id=made.tenant.id, channel=Channel.USER_MESSAGE, agent_id=made.agent.id, agent_name="Bench"
    )
    subject = made.small[1]
    vector = HalfVector(embed_query("a row")).to_text()
    records = _records(made)
    claims = [
        memories.prepare([_claim(subject, f"{made.sentences[number]}, and again {number}")], by=by)
        for number in range(ADDS)
    ]

    def bare(number: int) -> None:
        with tenant_scope(made.tenant.id), connection.cursor() as cursor:
            cursor.execute(
                "INSERT INTO bare_row VALUES (%s, %s, %s, %s::halfvec)",
                [uuid7(), made.tenant.id, made.sentences[number], vector],
            )

    def logged(number: int) -> None:
        record, rows = records
        at = uuid7()
        rows = [{**row, "id": uuid7()} for row in rows]
        with tenant_scope(made.tenant.id):
            log.write({**record, "id": at}, rows)

    def add(number: int) -> None:
        with tenant_scope(made.tenant.id):
            memories.capture_many(claims=claims[number], by=by, now=timezone.now())

    things: dict[str, Callable[[int], object]] = {
        "bare one-row insert, committed": bare,
        LOGGED: logged,
        "one memory added: decision, revision, entry, audit": add,
    }
    times = in_turn(things, range(ADDS))
    table = Table("milliseconds", "p50", "p95", "× bare", title="Writing")
    base = times["bare one-row insert, committed"].p50
    for name, taken in times.items():
        _row(table, name, taken, base)
    goals.most("log of one answer / bare insert, committed", times[LOGGED].p50 / base, 3.0)
    return table


def _claim(subject: Subject, statement: str) -> memories.Claim:
    return memories.Claim(subject_ref=subject.ref, kind="preference", statement=statement, origin="stated")


def _records(made: World) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Catch what one search would log."""
    caught: list[tuple[dict[str, Any], list[dict[str, Any]]]] = []
    kept = log.write
    log.write = lambda record, rows: caught.append((dict(record), [dict(row) for row in rows]))  # type: ignore[assignment]
    try:
        by = Actor(kind="agent", tenant_id=made.tenant.id, channel=Channel.AGENT, agent_id=made.agent.id)
        with tenant_scope(made.tenant.id):
            ask = Ask(subjects=[made.small[0].ref], query=made.sentences[0], purpose="chat")
            search(ask=ask, by=by, now=timezone.now())
    finally:
        log.write = kept
    return caught[0]


def _statements(made: World, goals: Goals) -> str:
    """Count the SQL statements of one HTTP search, after the first."""
    client = InProcess()
    body = json.dumps({"subject": made.small[2].ref, "query": made.sentences[5], "purpose": "chat"})
    headers = {"Authorization": f"Bearer {made.key}"}
    for _ in range(2):
        with CaptureQueriesContext(connection) as captured:
            answer = client.post("/api/v1/memories/search", body, content_type="application/json", headers=headers)
    assert answer.status_code == 200, answer.content
    control = ("BEGIN", "COMMIT", "SET LOCAL", "SAVEPOINT", "RELEASE")
    working = [query for query in captured.captured_queries if not query["sql"].startswith(control)]
    goals.most("SQL statements of one HTTP search", len(working), 12)
    return f"{len(working)} SQL statements for one HTTP search, and {len(captured) - len(working)} for its transaction"


class _Spent:
    """The time that statements take within what is watched."""

    def __init__(self) -> None:
        self.milliseconds: list[float] = []

    @contextmanager
    def watching(self) -> Iterator[None]:
        total = 0.0

        def timed(execute: Callable[..., Any], sql: Any, params: Any, many: bool, context: Any) -> Any:
            nonlocal total
            began = perf_counter()
            try:
                return execute(sql, params, many, context)
            finally:
                total += (perf_counter() - began) * 1000

        with connection.execute_wrapper(timed):
            yield
        self.milliseconds.append(total)


def _row(table: Table, name: str, taken: Times, base: float) -> None:
    table.add_row(name, f"{taken.p50:.2f}", f"{taken.p95:.2f}", f"{taken.p50 / base:.2f}")
