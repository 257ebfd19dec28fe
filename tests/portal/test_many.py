"""Whatever number of memories somebody has, each page asks the database equally often."""

from random import Random
from time import perf_counter
from typing import Any
from urllib.parse import urlencode

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import Agent
from memory_admin.tenancy.roles import as_owner
from memory_admin.tenancy.scope import tenant_scope
from tests.portal.cast import Larkfield, Person
from tests.stores import fill

ASKED: list[dict[str, Any]] = [
    {},
    *({"sort": sort} for sort in ("used", "unused", "expiring")),
    {"origin": "inferred"},
    {"status": "active"},
    {"kind": "fact"},
    {"category": "travel"},
    {"used": "week"},
    {"used": "never"},
    {"q": "garden"},
    {"page": "2"},
    {"page": "2", "sort": "expiring"},
    {"status": "active", "q": "in", "used": "month", "sort": "used"},
]


def fill_up(larkfield: Larkfield, who: Person, size: int) -> None:
    now, draw = timezone.now(), Random(size)
    with tenant_scope(larkfield.tenant.id):
        agents = list(Agent.objects.all())
        for begin in range(0, size, 1_000):
            fill([who.subject] * min(1_000, size - begin), agents=agents, draw=draw, now=now)


def statements(who: Person) -> list[int]:
    counts = []
    for asked in ASKED:
        with CaptureQueriesContext(connection) as captured:
            assert who.get(f"/?{urlencode(asked)}").status_code == 200
        counts.append(len(captured))
    return counts


def test_each_list_takes_as_many_statements_for_sixty_memories_as_for_six_hundred(
    larkfield: Larkfield, mia: Person, jonas: Person
) -> None:
    fill_up(larkfield, mia, 60)
    fill_up(larkfield, jonas, 600)
    for who in (jonas, mia):
        statements(who)  # what is looked up once and remembered is not counted

    assert statements(jonas) == statements(mia)
    assert max(statements(mia)) <= 21


@pytest.mark.long
def test_each_list_of_ten_thousand_memories_takes_at_most_four_times_that_of_a_hundred(
    transactional_db: None, larkfield: Larkfield, mia: Person, jonas: Person
) -> None:
    fill_up(larkfield, mia, 100)
    fill_up(larkfield, jonas, 10_000)
    with as_owner(), connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE memories_memory")

    for asked in [*ASKED, {"page": "400"}, {"page": "400", "sort": "used"}]:
        few, many = fastest(mia, asked), fastest(jonas, asked)
        assert many < 4 * few, (asked, few, many)


def fastest(who: Person, asked: dict[str, Any]) -> float:
    times = []
    for _ in range(15):
        began = perf_counter()
        assert who.get(f"/?{urlencode(asked)}").status_code == 200
        times.append(perf_counter() - began)
    return min(times)
