"""A tenant to queue jobs for, and brokers of the tests' own: one that takes messages and one that is down."""

from __future__ import annotations

import base64
import json
import socket
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
import redis
from celery import current_app
from django.utils import timezone

from accounts.services import create_tenant
from memory_admin import jobs
from memory_admin.embedded import places, valkey
from memory_admin.jobs.models import Job
from memory_admin.tenancy.scope import tenant_scope, uuid7


@dataclass(frozen=True)
class Message:
    """What a worker would receive."""

    task: str
    args: list[str]


class Broker:
    """A broker whose queue the test reads in place of a worker."""

    def __init__(self, data: Path) -> None:
        self.url = f"redis+socket://{places.valkey_socket(data)}"
        self._client: Any = redis.Redis(unix_socket_path=str(places.valkey_socket(data)))

    def empty(self) -> None:
        self._client.flushall()

    def messages(self) -> list[Message]:
        """Read what waits in the queue, the oldest first."""
        sent = [json.loads(raw) for raw in reversed(self._client.lrange("celery", 0, -1))]
        return [Message(one["headers"]["task"], json.loads(base64.b64decode(one["body"]))[0]) for one in sent]


def send_to(url: str) -> None:
    """Let this process send its jobs to another broker."""
    app: Any = current_app
    app.conf.update(broker_url=url)
    app._after_fork()  # drops the connections to the broker before


@pytest.fixture(scope="session")
def own_broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Broker]:
    data = tmp_path_factory.mktemp("broker") / "valkey"
    valkey.ensure(data)
    yield Broker(data)
    valkey.stop(data)


@pytest.fixture
def broker(own_broker: Broker) -> Iterator[Broker]:
    """A broker with nothing in its queue, that this process sends to."""
    kept = current_app.conf.broker_url
    send_to(own_broker.url)
    yield own_broker
    send_to(kept)
    own_broker.empty()


@pytest.fixture
def closed_broker(broker: Broker) -> str:
    """The address of a broker that does not listen; this process sends there until it is told otherwise."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        url = f"redis://127.0.0.1:{probe.getsockname()[1]}/0"
    send_to(url)
    return url


@dataclass(frozen=True)
class House:
    """A tenant, and what is queued for it."""

    tenant_id: UUID

    def queue(self, *, object_id: UUID | None = None, **terms: Any) -> Job:
        """Queue a job in a transaction of its own."""
        object_id = object_id or uuid7()
        with tenant_scope(self.tenant_id):
            jobs.after_commit(jobs.EMBED_MEMORY, object_id=object_id, **terms)
            return Job.objects.get(object_id=object_id, done_at=None, attempts=0)

    def now(self, job: Job) -> Job:
        """Read a job as it now is."""
        with tenant_scope(self.tenant_id):
            return Job.objects.get(id=job.id)

    def change(self, job: Job, **fields: Any) -> None:
        with tenant_scope(self.tenant_id):
            Job.objects.filter(id=job.id).update(**fields)


def house(slug: str) -> House:
    return House(create_tenant(slug=slug, name=slug.title(), now=timezone.now()).id)


@pytest.fixture
def north(transactional_db: None) -> House:
    return house("north")


@pytest.fixture
def south(transactional_db: None) -> House:
    return house("south")
