"""Whatever is killed while agents write: what was acknowledged is there afterwards, once, and the trail is whole."""

from __future__ import annotations

import random
import threading
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

import pytest

from memory_admin.jobs import EMBED_MEMORY
from tests.canary import Marks
from tests.durability.installation import Answer, Installation

RARE = "Chrysolophus"  # with the number of the trial, for the installation is the same in all of them
SYLLABLES = ("ba", "ke", "li", "mo", "nu", "ra", "se", "ti", "vo", "zu", "fel", "gor", "hin", "pas", "tur", "wyn")
LONGEST_OUTAGE = 120  # seconds that a writer tries again for
BETWEEN_TRIES = 0.1
BATCH_OF = 3


@dataclass
class Trial:
    """Agents that write at once, each write marked as one and the same however often it is sent."""

    installation: Installation
    writers: int
    writes: int  # of each writer
    seed: int
    acknowledged: dict[str, Answer] = field(default_factory=dict)
    statuses: Counter[int] = field(default_factory=Counter)
    _never: threading.Event = field(default_factory=threading.Event)

    @property
    def rare(self) -> str:
        return f"{RARE}{self.seed}"

    @property
    def total(self) -> int:
        return self.writers * self.writes

    def write_all(self, writer: int) -> None:
        """Write one after the other, each until it is acknowledged."""
        words = random.Random(self.seed * 1000 + writer)  # no secret
        for number in range(self.writes):
            statements = [_statement(self.rare, words) for _ in range(BATCH_OF if number % 5 == 0 else 1)]
            kind = words.choice(("event", "preference", "fact"))
            claims = [
                {"subject": f"user:w{writer % 3}", "kind": kind, "statement": statement, "origin": "stated"}
                for statement in statements
            ]
            answer = self._until_acknowledged(claims)
            self.acknowledged.update(dict.fromkeys(statements, answer))

    def _until_acknowledged(self, claims: list[dict[str, Any]]) -> Answer:
        mark = uuid4().hex
        path, body = ("/memories", claims[0]) if len(claims) == 1 else ("/memories/batch", {"items": claims})
        deadline = time.monotonic() + LONGEST_OUTAGE
        while time.monotonic() < deadline:
            try:
                answer = self.installation.call("POST", path, body, Idempotency_Key=mark)
            except OSError:
                self.statuses[0] += 1
            else:
                self.statuses[answer.status] += 1
                if answer.status < 500:
                    assert answer.status in (200, 201, 202), answer.content
                    return answer
            self._never.wait(BETWEEN_TRIES)
        raise AssertionError(f"not acknowledged within {LONGEST_OUTAGE} seconds: {self.statuses}")

    def run(self, kills: list[Callable[[], None]]) -> None:
        """Write, and kill one thing after another while it is written, spread over the whole."""
        with ThreadPoolExecutor(self.writers) as pool:
            writers = [pool.submit(self.write_all, number) for number in range(self.writers)]
            for number, kill in enumerate(kills, start=1):
                due = self.total * number // (len(kills) + 1)
                while len(self.acknowledged) < due and not any(writer.done() for writer in writers):
                    self._never.wait(0.01)
                assert not all(writer.done() for writer in writers), "killed too late"
                kill()
            for writer in writers:
                writer.result()


def _statement(rare: str, words: random.Random) -> str:
    """Make a statement that shares nothing with any other but the word that is looked for."""
    return " ".join([rare, *("".join(words.choices(SYLLABLES, k=4)) for _ in range(6))])


def everything_is_there_once(trial: Trial) -> None:
    rows = trial.installation.rows
    statements = Counter(statement for (statement,) in rows("SELECT statement FROM memories_memory"))
    written = {statement: count for statement, count in statements.items() if statement.startswith(trial.rare)}
    assert set(written) == set(trial.acknowledged)
    assert set(written.values()) == {1}
    of_each = rows(
        """
        SELECT count(*) FILTER (WHERE r.recorded_to IS NULL), count(DISTINCT e.id), count(DISTINCT d.id),
               count(DISTINCT a.seq)
        FROM memories_memory m
        LEFT JOIN memories_memoryrevision r ON r.memory_id = m.id
        LEFT JOIN indexing_entry e ON e.memory_id = m.id
        LEFT JOIN memories_writedecision d ON d.memory_id = m.id
        LEFT JOIN audit_event a ON a.target_id = m.id::text AND a.action = 'memory.stored'
        WHERE m.statement LIKE %s GROUP BY m.id
        """,
        f"{trial.rare}%",
    )
    assert set(of_each) == {(1, 1, 1, 1)}


def prove(installation: Installation, *, writers: int, writes: int, seed: int, rounds: int) -> None:
    def postgres() -> None:
        installation.kill_postgres()
        installation.start_servers()

    def valkey() -> None:
        installation.kill_valkey()
        installation.start_servers()

    def restart(name: str) -> Callable[[], None]:
        def kill_and_start() -> None:
            installation.kill(name)
            installation.start(name)

        return kill_and_start

    # Without the model every write leaves a job in the outbox.
    installation.kill("web process")
    installation.kill("worker")
    installation.model.unlink()
    installation.start("worker")
    installation.start("web process")
    installation.wait_for("an answer of the web process", installation.is_up)
    trial = Trial(installation, writers, writes, seed)
    kills = [postgres, valkey, restart("worker"), restart("web process"), restart("scheduler")] * rounds
    random.Random(seed).shuffle(kills)  # no secret

    trial.run(kills)

    everything_is_there_once(trial)
    assert "broken" not in installation.manage("verify_audit", "--all")
    installation.bring_model()
    installation.bring_jobs_forward()
    installation.wait_for("an empty outbox", lambda: installation.jobs_waiting() == 0)
    assert installation.rows("SELECT FROM jobs_job WHERE failed_at IS NOT NULL AND name = %s", EMBED_MEMORY) == []
    assert installation.rows("SELECT FROM indexing_entry WHERE embedding IS NULL") == []
    everything_is_there_once(trial)
    marks = Marks(trial.rare)
    assert [path.name for path in installation.logs if marks.are_in(path.read_bytes())] == []


def test_every_acknowledged_write_survives_a_kill_of_each_part(installation: Installation) -> None:
    prove(installation, writers=4, writes=20, seed=1, rounds=1)


@pytest.mark.long
@pytest.mark.parametrize("seed", [2, 3, 4])
def test_every_acknowledged_write_survives_many_kills(installation: Installation, seed: int) -> None:
    prove(installation, writers=8, writes=150, seed=seed, rounds=3)
