"""Page = API = database, by origin and status, whatever a store holds."""

import re
from collections import Counter
from random import Random

import pytest
from django.utils import timezone

from accounts.models import Agent
from accounts.services import issue_key
from accounts.vocabulary import Channel, Scope
from memory_admin.memories.models import Memory, MemoryPause
from memory_admin.memories.queries import HIDDEN_FROM_AGENTS
from memory_admin.memories.vocabulary import GONE, Origin, PauseMode, PauseTarget, Status
from memory_admin.tenancy.scope import tenant_scope
from tests.api.cast import Caller
from tests.portal.cast import Larkfield, Person
from tests.stores import fill

PICKED = re.compile(r'<input type="checkbox"\s+name="id"\s+value="([0-9a-f-]{36})"')


@pytest.fixture
def caller(larkfield: Larkfield) -> Caller:
    """An agent's key that may read everything an agent may."""
    with tenant_scope(larkfield.tenant.id):
        issued = issue_key(
            agent=larkfield.agent,
            scopes=tuple(Scope),
            channel=Channel.USER_MESSAGE,
            by=larkfield.own,
            now=timezone.now(),
        )
    return Caller(issued.text, issued.key.id)


def store(larkfield: Larkfield, who: Person, draw: Random) -> list[Memory]:
    """Make a store of up to 45 memories, some of them paused, beside what is about somebody else."""
    now = timezone.now()
    with tenant_scope(larkfield.tenant.id):
        other = larkfield.join(f"Other{draw.randrange(10**9)}").subject
        agents = list(Agent.objects.all())
        size = draw.randrange(46)
        fill([who.subject, other] * size, agents=agents, draw=draw, now=now, in_use=draw.random())
        for memory in Memory.objects.filter(subject_id=who.subject.id, status=Status.ACTIVE)[: draw.randrange(4)]:
            MemoryPause.objects.create(
                subject_id=who.subject.id,
                target=PauseTarget.MEMORY,
                memory_id=memory.id,
                mode=PauseMode.BOTH,
                paused_by=who.actor.ref,
                paused_at=now,
            )
        return list(Memory.objects.filter(subject_id=who.subject.id))


def listed(who: Person, query: str = "") -> list[str]:
    """Read the ids of a list, page after page."""
    found: list[str] = []
    number = 1
    while True:
        page = who.get(f"/?{query}&page={number}").content.decode()
        found += PICKED.findall(page)
        if 'rel="next"' not in page:
            return found
        number += 1


def answered(caller: Caller, query: str) -> tuple[int, list[str]]:
    """Read the count and the ids that the API gives, page after page."""
    found: list[str] = []
    address, count = f"/memories?subject=user:mia&limit=20{query}", None
    while True:
        answer = caller.get(address)
        assert answer.status_code == 200, answer.content
        body = answer.json()
        count = body["count"] if count is None else count
        found += [item["id"] for item in body["items"]]
        if not body["next"]:
            return count, found
        address = body["next"][body["next"].index("/memories") :]


def of(page: str, label: str) -> int:
    found = re.search(rf"<b>(\d+)</b> {label}", page)
    return int(found[1]) if found else 0


def agrees(larkfield: Larkfield, mia: Person, caller: Caller, draw: Random) -> None:
    stored = store(larkfield, mia, draw)
    held = [memory for memory in stored if memory.status not in GONE]
    now = timezone.now()
    page = re.sub(r"\s+", " ", mia.get("/").content.decode())

    assert sorted(listed(mia)) == sorted(str(memory.id) for memory in held)
    if held:
        assert f"<b>{len(held)} memor{'y' if len(held) == 1 else 'ies'}.</b>" in page
    by_origin = Counter(memory.origin for memory in held)
    labels = {"stated": "you stated", "verified_outcome": "verified outcomes?", "observed": "observed"}
    for origin in Origin.values:
        assert of(page, labels.get(origin, origin)) == by_origin[origin] == len(listed(mia, f"origin={origin}")), origin
    for status, count in Counter(memory.status for memory in held).items():
        assert len(listed(mia, f"status={status}")) == count, status

    with tenant_scope(larkfield.tenant.id):
        paused = set(MemoryPause.objects.filter(subject_id=mia.subject.id).values_list("memory_id", flat=True))
    assert len(listed(mia, "status=paused")) == (len(paused) if paused else 0)
    open_to_agents = [
        memory
        for memory in held
        if memory.status not in HIDDEN_FROM_AGENTS
        and (memory.expires_at is None or memory.expires_at > now)
        and memory.id not in paused
    ]
    count, ids = answered(caller, "")
    assert count == len(open_to_agents)
    assert sorted(ids) == sorted(str(memory.id) for memory in open_to_agents)
    for name in ("origin", "status"):
        expected = Counter(getattr(memory, name) for memory in open_to_agents)
        for value, number in expected.items():
            assert answered(caller, f"&{name}={value}")[0] == number, value
    for status in HIDDEN_FROM_AGENTS:
        assert answered(caller, f"&status={status}") == (0, []), status


@pytest.mark.parametrize("seed", range(3))
def test_a_random_store_is_counted_alike_everywhere(
    larkfield: Larkfield, mia: Person, caller: Caller, seed: int
) -> None:
    agrees(larkfield, mia, caller, Random(seed))


@pytest.mark.long
@pytest.mark.parametrize("seed", range(1_000, 1_200))
def test_two_hundred_random_stores_are_counted_alike_everywhere(
    larkfield: Larkfield, mia: Person, caller: Caller, seed: int
) -> None:
    agrees(larkfield, mia, caller, Random(seed))
