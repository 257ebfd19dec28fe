"""What deciding costs: one write by a hundred rules, and ten thousand writes decided again by two versions."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import partial
from random import Random
from time import perf_counter

from django.utils import timezone
from rich.console import Console
from rich.table import Table

from accounts.actors import Actor, system
from accounts.models import Subject, Tenant, User
from accounts.queries import memberships_of, staff
from accounts.services import create_tenant, ensure_subject, grant_membership
from accounts.vocabulary import Role
from benchmarks.goals import Goals
from benchmarks.measure import in_turn
from memory_admin.memories.models import WriteDecision
from memory_admin.simulation import services as simulation
from memory_admin.tenancy.scope import tenant_scope, uuid7
from policies import services
from policies.baseline import WRITE
from policies.documents import CHANNELS, KINDS, ORIGINS, WriteMatch, WritePolicy, WriteRule
from policies.engine import WriteFacts, confidence_cap, decide_write

RULES = 100
WRITES = 10_000
DECISIONS = 2_000
SIMULATIONS = 5

LONGEST_DECISION = 1.0
"""Milliseconds that one write may take half of the time, by a hundred rules."""

LONGEST_SIMULATION = 10.0
"""Seconds for ten thousand writes."""


def run(console: Console) -> None:
    """Measure and print."""
    goals = Goals()
    draw = Random(13)
    facts = [_facts(draw) for _ in range(WRITES)]
    many = _with_rules(RULES)
    console.print(_decisions(many, facts, goals))
    console.print(_simulations(many, facts, goals))
    console.print(goals.table)


def _decisions(many: WritePolicy, facts: Sequence[WriteFacts], goals: Goals) -> Table:
    things = {
        f"Baseline 1, {len(WRITE.rules)} rules": partial(decide_write, WRITE),
        f"{RULES} rules": partial(decide_write, many),
    }
    table = Table("milliseconds", "p50", "p95", title="One write decided")
    for name, times in in_turn(things, facts[:DECISIONS]).items():
        table.add_row(name, f"{times.p50:.4f}", f"{times.p95:.4f}")
        goals.most(f"{name}, p50 in ms", times.p50, LONGEST_DECISION)
    return table


def _simulations(many: WritePolicy, facts: Sequence[WriteFacts], goals: Goals) -> Table:
    now = timezone.now()
    tenant = create_tenant(slug="policies", name="Policies", now=now)
    by = system("benchmarks", tenant_id=tenant.id)
    services.install_baseline(tenant_id=tenant.id, by=by, now=now)
    with tenant_scope(tenant.id):
        editor = _editor(tenant, by, now)
        subject = ensure_subject(ref="user:one", by=by, now=now)
        WriteDecision.objects.bulk_create(_rows(facts, subject, now), batch_size=1_000)
    table = Table("seconds", "least", "most", "× reading", title=f"{WRITES:,} writes, no two alike, decided again")
    reading = [_seconds(partial(_read, tenant)) for _ in range(SIMULATIONS)]
    table.add_row("reading their rows", f"{min(reading):.2f}", f"{max(reading):.2f}", "1.0")
    for name, document in (("Baseline 1 against itself", WRITE), (f"{RULES} rules against Baseline 1", many)):
        taken = [_seconds(partial(_simulate, tenant, document, editor)) for _ in range(SIMULATIONS)]
        table.add_row(name, f"{min(taken):.2f}", f"{max(taken):.2f}", f"{min(taken) / min(reading):.1f}")
        goals.most(f"{name}, s", max(taken), LONGEST_SIMULATION)
    return table


def _seconds(do: partial[None]) -> float:
    began = perf_counter()
    do()
    return perf_counter() - began


def _read(tenant: Tenant) -> None:
    with tenant_scope(tenant.id):
        assert len(list(WriteDecision.objects.values())) == WRITES


def _simulate(tenant: Tenant, document: WritePolicy, editor: Actor) -> None:
    """Draft a version and simulate it, each part in a transaction of its own, as jobs do."""
    now = timezone.now()
    content = document.model_dump(mode="json")
    with tenant_scope(tenant.id):
        version = services.begin(family="write", by=editor, now=now)
        if content != version.content:
            services.save(
                version_id=version.id, read_sha256=version.content_sha256, content=content, by=editor, now=now
            )
        asked = simulation.ask(
            version_id=version.id, since=now - timedelta(days=1), until=now, maximum_events=WRITES, by=editor, now=now
        )
    while asked.state in simulation.UNFINISHED:
        with tenant_scope(tenant.id):
            found = simulation.run(simulation_id=asked.id, now=now)
        assert found is not None
        asked = found
    assert (asked.state, asked.considered, asked.not_replayable) == ("succeeded", WRITES, 0), asked.error


def _editor(tenant: Tenant, by: Actor, now: datetime) -> Actor:
    user = User.objects.create_user("editor@policies.example", None, name="Editor")
    grant_membership(user=user, roles=[Role.POLICY_EDITOR], by=by, now=now)
    return staff(user.id, memberships_of(user.id)[0])


def _facts(draw: Random) -> WriteFacts:
    """Make up a write; its confidence and importance are of a kind with no other's."""
    origin = draw.choice(ORIGINS)
    return WriteFacts(
        kind=draw.choice(KINDS),
        origin=origin,
        channel=draw.choice(CHANNELS),
        length=draw.randint(2, 400),
        confidence=draw.uniform(0.0, confidence_cap(WRITE, origin)),
        importance=draw.random(),
        categories=frozenset(draw.sample(["health", "finances", "travel", "food"], draw.choice([0, 0, 0, 1, 2]))),
        findings=frozenset(draw.sample(["personal", "email", "task", "attack"], draw.choice([0, 0, 0, 1, 2]))),
        agent=f"Agent {draw.randint(1, 6)}",
    )


def _rows(facts: Sequence[WriteFacts], subject: Subject, now: datetime) -> list[WriteDecision]:
    rows = []
    for number, one in enumerate(facts):
        verdict = decide_write(WRITE, one)
        rows.append(
            WriteDecision(
                subject=subject,
                memory_id=uuid7(),
                result="refused" if verdict.outcome == "refuse" else "stored",
                kind=one.kind,
                origin=one.origin,
                channel=one.channel,
                asserted_by="system:benchmarks",
                findings=sorted(one.findings),
                categories=sorted(one.categories),
                rule_ids=list(verdict.rule_ids),
                policy_version="write/1",
                agent_name=one.agent or "",
                length=one.length,
                confidence=one.confidence,
                importance=one.importance,
                subject_kind=one.subject_kind,
                outcome=verdict.outcome,
                decided_at=now - timedelta(seconds=number + 1),
            )
        )
    return rows


def _with_rules(number: int) -> WritePolicy:
    """Put rules before those of Baseline 1 that hardly anything matches, so that all of them are asked."""
    more = [
        WriteRule(
            id=f"X-{place:03}",
            title=f"Rule {place}",
            match=WriteMatch(
                kinds=(KINDS[place % len(KINDS)],), agents=("Agent 3",), sensitive=True, findings=("task",)
            ),
            outcome="quarantine",
            reason="A reviewer looks at it.",
        )
        for place in range(number - len(WRITE.rules))
    ]
    return WRITE.model_copy(update={"rules": (*more, *WRITE.rules)})
