"""What the list of a person's memories costs: somebody with 10,000 of them, beside somebody with 100."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta
from functools import partial
from itertools import islice
from random import Random
from urllib.parse import urlencode

from django.conf import settings
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from rich.console import Console
from rich.table import Table

from accounts.actors import system
from accounts.models import Agent, Subject, User
from accounts.services import create_agent, create_tenant, ensure_subject, grant_membership
from accounts.vocabulary import Role
from benchmarks.goals import Goals
from benchmarks.measure import Times, in_turn
from memory_admin.memories.models import Memory
from memory_admin.memories.vocabulary import Status
from memory_admin.retrieval.models import Retrieval, RetrievalCandidate
from memory_admin.tenancy.roles import as_owner
from memory_admin.tenancy.scope import tenant_scope
from policies.services import install_baseline
from tests.stores import fill

FEW, MANY = 100, 10_000
OTHERS = 20
"""How many others in the tenant have as many memories as the small one has, times twenty: no list may notice them."""

USES = 4_000
ROUNDS = 26
MOST = 150.0
"""Milliseconds of the server that 95 of 100 pages may take at most."""


def run(console: Console) -> None:
    """Load, measure each page of both lists, and print."""
    large, small, agents, memory = _load(timezone.now())
    pages = {
        "first page": {},
        "most used first": {"sort": "used"},
        "never used first": {"sort": "unused"},
        "expiring soonest": {"sort": "expiring"},
        "one origin": {"origin": "inferred"},
        "one status": {"status": "proposed"},
        "one kind": {"kind": "fact"},
        "one category": {"category": "travel"},
        "one agent": {"agent": str(agents[0].id)},
        "used in seven days": {"used": "week"},
        "never used": {"used": "never"},
        "search, many match": {"q": "garden"},
        "search, none match": {"q": "no such words"},
        "all filters, sorted": {"origin": "stated", "status": "active", "q": "in", "used": "month", "sort": "used"},
        "the last page": {"page": "500"},
        "the last page, sorted": {"page": "500", "sort": "expiring"},
    }
    goals = Goals()
    table = Table("milliseconds", "least", "p50", "p95", f"× {FEW}", "statements", title=f"The list, {MANY:,} memories")
    things: dict[str, Callable[[int], object]] = {}
    for name, asked in pages.items():
        address = f"/?{urlencode(asked)}"
        things |= {name: partial(_get, large, address), f"{name}, few": partial(_get, small, address)}
    things |= {"one memory": partial(_get, large, f"/memories/{memory.id}/")}
    taken = in_turn(things, range(ROUNDS))
    for name in pages:
        ratio = f"{taken[name].p50 / taken[f'{name}, few'].p50:.2f}"
        _row(table, name, taken[name], ratio, _statements(large, f"/?{urlencode(pages[name])}"))
    _row(table, "one memory", taken["one memory"], "", _statements(large, f"/memories/{memory.id}/"))
    worst = max([*pages, "one memory"], key=lambda name: taken[name].p95)
    goals.most(f"slowest page: {worst}, p95", taken[worst].p95, MOST)
    console.print(table)
    console.print(goals.table)


def _row(table: Table, name: str, taken: Times, ratio: str, statements: int) -> None:
    table.add_row(name, f"{taken.least:.1f}", f"{taken.p50:.1f}", f"{taken.p95:.1f}", ratio, str(statements))


def _get(browser: Client, address: str, _: int = 0) -> None:
    answer = browser.get(address)
    assert answer.status_code == 200, answer.status_code


def _statements(browser: Client, address: str) -> int:
    with CaptureQueriesContext(connection) as captured:
        _get(browser, address)
    return len(captured)


def _load(now: datetime) -> tuple[Client, Client, Sequence[Agent], Memory]:
    """Make the tenant, its people and their memories; give two browsers, the agents, and a memory that is much used."""
    settings.ALLOWED_HOSTS = ["testserver"]
    tenant = create_tenant(slug="pages", name="Pages", now=now)
    by = system("benchmarks", tenant_id=tenant.id)
    install_baseline(tenant_id=tenant.id, by=by, now=now)
    browsers, subjects = [], []
    with tenant_scope(tenant.id):
        agents = [create_agent(name=f"Agent {number}", by=by, now=now) for number in range(6)]
        for name in ("large", "small"):
            user = User.objects.create_user(f"{name}@pages.example", None, name=name.title())
            grant_membership(user=user, roles=[Role.PERSON], by=by, now=now)
            subjects.append(ensure_subject(ref=f"user:{name}", by=by, now=now, user=user))
            browser = Client()
            browser.force_login(user)
            browsers.append(browser)
        subjects += [ensure_subject(ref=f"user:other-{number}", by=by, now=now) for number in range(OTHERS)]
    draw = Random(11)
    order = [subjects[0]] * MANY + [subjects[1]] * FEW + [other for other in subjects[2:] for _ in range(20 * FEW)]
    draw.shuffle(order)
    rest: Iterator[Subject] = iter(order)
    used: Memory | None = None
    while batch := list(islice(rest, 1_000)):
        with tenant_scope(tenant.id):
            stored = fill(batch, agents=agents, draw=draw, now=now)
        used = used or next(one for one in stored if one.subject_id == subjects[0].id and one.status == Status.ACTIVE)
    assert used is not None
    with tenant_scope(tenant.id):
        _use(used, agents, now=now)
    with as_owner(), connection.cursor() as cursor:
        for name in ("memories_memory", "memories_source", "retrieval_retrieval", "retrieval_retrievalcandidate"):
            cursor.execute(f"VACUUM ANALYZE {name}")
    return browsers[0], browsers[1], agents, used


def _use(memory: Memory, agents: Sequence[Agent], *, now: datetime) -> None:
    """Log that a memory was found again and again."""
    retrievals = [
        Retrieval(
            subject_ids=[memory.subject_id],
            asked_by="system:benchmarks",
            agent_id=agents[number % len(agents)].id,
            purpose="chat",
            query_digest=b"\0" * 32,
            model="none",
            used_vector=True,
            k=10,
            min_score=0.3,
            token_budget=1_000,
            policy_version="retrieval/1",
            access_version="access/1",
            considered=40,
            returned=10,
            tokens=200,
            created_at=now - timedelta(minutes=number),
            counted_at=now,
        )
        for number in range(USES)
    ]
    Retrieval.objects.bulk_create(retrievals)
    RetrievalCandidate.objects.bulk_create(
        RetrievalCandidate(
            retrieval=one,
            memory_id=memory.id,
            subject_id=memory.subject_id,
            memory_version=1,
            kind=memory.kind,
            origin=memory.origin,
            channel=memory.channel,
            asserted_by=memory.asserted_by,
            age_days=3,
            access_rule="A-900",
            rank=3 if number % 3 else 14,
            returned=bool(number % 3),
            drop_reason=None if number % 3 else "k",
            score=0.7,
            parts={
                "similarity": 0.5,
                "keyword": 0.2,
                "recency": 0.4,
                "importance": 0.6,
                "confidence": 0.9,
                "confirmed": 0.0,
                "neighbour": 0.0,
                "session": 0.0,
            },
            reason="It is close in meaning to the question.",
        )
        for number, one in enumerate(retrievals)
    )
