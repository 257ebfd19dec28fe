from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import quote
from uuid import UUID

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.actors import Actor
from accounts.models import Subject
from accounts.vocabulary import Channel, Scope
from memory_admin.memories import queries as memory_queries
from memory_admin.memories import services as memories
from memory_admin.memories.models import Link, Memory, MemoryRevision
from memory_admin.memories.services import Claim
from memory_admin.memories.vocabulary import CorrectionReason
from memory_admin.tenancy.scope import tenant_scope
from tests.api.cast import NOON, Caller, Organisation

CITIES = ["Oslo", "Lima", "Kyoto", "Quito", "Accra", "Turin", "Perth"]


@pytest.fixture
def travelled(helper: Caller) -> list[str]:
    """Seven memories of alice, the oldest first."""
    items = [
        {
            "subject": "user:alice",
            "kind": "fact" if number % 2 else "event",
            "statement": f"Spent a whole spring in {city}.",
            "origin": "stated",
            "source": {"trace_id": f"trip-{number}"},
        }
        for number, city in enumerate(CITIES)
    ]
    return [helper.post("/memories", item).json()["id"] for item in items]


def test_a_list_is_paged_to_its_end_and_back_without_loss(helper: Caller, travelled: list[str]) -> None:
    first = helper.get("/memories?subject=user:alice&limit=3").json()
    second = helper.get(_path(first["next"])).json()
    third = helper.get(_path(second["next"])).json()
    back = helper.get(_path(third["previous"])).json()

    pages = [[item["id"] for item in page["items"]] for page in (first, second, third)]
    assert [memory_id for page in pages for memory_id in page] == travelled[::-1]
    assert (first["previous"], third["next"], first["count"]) == (None, None, 7)
    assert back["items"] == second["items"]
    assert helper.get(_path(back["previous"])).json()["items"] == first["items"]


def test_a_cursor_of_another_list_is_refused(helper: Caller, travelled: list[str]) -> None:
    following = helper.get("/memories?subject=user:alice&limit=3").json()["next"]
    cursor = following.partition("cursor=")[2]

    for query in (
        f"kind=fact&cursor={cursor}",
        f"subject=user:alice&limit=3&cursor={cursor[:-2]}xx",
        "cursor=nonsense",
    ):
        answered = helper.get(f"/memories?{query}")
        assert answered.status_code == 400
        assert answered.json()["code"] == "invalid_cursor"


@pytest.mark.parametrize(
    ("query", "cities"),
    [
        ("kind=fact", ["Turin", "Quito", "Lima"]),
        ("source=trip-2", ["Kyoto"]),
        ("origin=inferred", []),
        ("status=disputed", []),
        ("category=health", []),
        ("key=timezone", []),
        ("changed_since=2999-01-01T00:00:00Z", []),
    ],
)
def test_a_list_is_narrowed_by_filters(helper: Caller, travelled: list[str], query: str, cities: list[str]) -> None:
    listed = helper.get(f"/memories?subject=user:alice&{query}").json()

    assert [item["statement"].split()[-1].strip(".") for item in listed["items"]] == cities


@pytest.mark.parametrize(
    "query",
    [
        "colour=red",
        "format=json",
        "kind=belief",
        "kind=fact&kind=event",
        "limit=0",
        "limit=101",
        "limit=x",
        "changed_since=yesterday",
        "valid_at=9999-12-31T23:59:59-23:59",
        "subject=alice",
    ],
)
def test_a_filter_that_is_unknown_or_not_acceptable_is_refused(helper: Caller, query: str) -> None:
    answered = helper.get(f"/memories?{query}")

    assert answered.status_code == 400
    assert answered["Content-Type"] == "application/problem+json"


@pytest.mark.parametrize("query", ["source=%00", "source=%ff", "%00=1", "source=%ed%a0%80"])
def test_an_address_that_is_no_text_is_refused(helper: Caller, query: str) -> None:
    answered = helper.get(f"/memories?{query}")

    assert answered.status_code == 400
    assert answered["Content-Type"] == "application/problem+json"


@pytest.mark.parametrize("path", ["/subjects/user:%00", "/subjects/%ff", "/%00", "/subjects/user:a/profile/%00"])
def test_a_path_that_is_no_text_is_refused(helper: Caller, path: str) -> None:
    assert helper.get(path).status_code in (400, 404)


def test_the_past_is_read_as_it_was_then(north: Organisation, alice: Subject, helper: Caller) -> None:
    """She moved in March and told us in May; in June it turned out that it had been Bergen all along."""
    january, march, may, june = (datetime(2025, month, 1, tzinfo=UTC) for month in (1, 3, 5, 6))
    with tenant_scope(north.tenant.id):
        by = _relaying(north)
        oslo = memories.capture(claim=_lives("Oslo", january), by=by, now=january).memory
        assert oslo is not None
        moved = memories.correct(
            memory_id=oslo.id,
            statement="Lives in Molde.",
            reason=CorrectionReason.CHANGED,
            changed_at=march,
            by=by,
            now=may,
        )
        memories.correct(memory_id=moved.id, statement="Lives in Bergen.", by=by, now=june)

    def lived(valid_at: datetime, recorded_at: datetime) -> list[str]:
        query = f"valid_at={quote(valid_at.isoformat())}&recorded_at={quote(recorded_at.isoformat())}"
        listed = helper.get(f"/memories?subject=user:alice&{query}").json()
        return [item["statement"] for item in listed["items"]]

    april, now = datetime(2025, 4, 1, tzinfo=UTC), datetime(2025, 7, 1, tzinfo=UTC)
    assert lived(april, april) == ["Lives in Oslo."]
    assert lived(april, datetime(2025, 5, 2, tzinfo=UTC)) == ["Lives in Molde."]
    assert lived(april, now) == ["Lives in Bergen."]
    assert lived(datetime(2025, 2, 1, tzinfo=UTC), now) == ["Lives in Oslo."]


def test_the_history_of_a_memory_names_each_version(helper: Caller, travelled: list[str]) -> None:
    corrected = helper.patch(
        f"/memories/{travelled[1]}", {"statement": "Spent a whole spring in Cusco."}, If_Match='"1"'
    )

    versions = helper.get(f"/memories/{travelled[1]}/history").json()["items"]

    assert corrected.status_code == 200
    assert [version["version"] for version in versions] == [1, 2]
    assert [version["statement"].split()[-1] for version in versions] == ["Lima.", "Cusco."]
    assert versions[0]["recorded_to"] == versions[1]["recorded_from"]


def test_what_a_memory_was_about_before_stays_closed_to_who_may_not_read_it(
    north: Organisation, helper: Caller, alice: Subject
) -> None:
    plain = north.caller(scopes=[Scope.MEMORIES_READ])
    ill = {
        "subject": alice.ref,
        "kind": "event",
        "origin": "observed",
        "statement": "Was diagnosed with HIV in Bergen.",
    }
    stored = north.caller(channel=Channel.IMPORT).post("/memories", ill).json()
    seen = datetime.fromisoformat(helper.get(f"/memories/{stored['memory_id']}").json()["provenance"]["recorded_at"])
    person = Actor(
        kind="person", tenant_id=north.tenant.id, channel=Channel.PORTAL, user_id=UUID(int=1), subject_id=alice.id
    )
    with tenant_scope(north.tenant.id):
        memory_id = UUID(stored["memory_id"])
        memories.correct(memory_id=memory_id, statement="Visited a harbour in Bergen.", by=person, now=timezone.now())
        # What it says now is not about health any more.
        Memory.objects.filter(id=memory_id).update(categories=[])
        MemoryRevision.objects.filter(memory_id=memory_id, version=2).update(categories=[])
    then = seen.isoformat()

    def read(by: Caller) -> list[list[str]]:
        history = by.get(f"/memories/{stored['memory_id']}/history").json()["items"]
        listed = by.get(f"/memories?subject={alice.ref}&recorded_at={quote(then)}").json()["items"]
        asked = {"subject": alice.ref, "query": "What happened in Bergen?", "purpose": "chat", "recorded_at": then}
        found = by.post("/memories/search", asked).json()["items"]
        return [[item["statement"] for item in items] for items in (history, listed, found)]

    assert read(plain) == [["Visited a harbour in Bergen."], [], []]
    assert read(helper) == [[ill["statement"], "Visited a harbour in Bergen."], [ill["statement"]], [ill["statement"]]]


def test_the_links_of_a_memory_are_walked_to_the_depth_asked(helper: Caller, alice: Subject) -> None:
    first = _stored(helper, "Lives in Oslo.")
    second = helper.post(
        f"/memories/{first}/supersede", {"kind": "fact", "statement": "Lives in Molde.", "origin": "stated"}
    ).json()["id"]
    third = helper.post(
        f"/memories/{second}/supersede", {"kind": "fact", "statement": "Lives in Bergen.", "origin": "stated"}
    ).json()["id"]

    near = helper.get(f"/memories/{third}/links").json()["items"]
    far = helper.get(f"/memories/{third}/links?depth=2").json()["items"]

    assert near == [{"from": third, "to": second, "relation": "supersedes", "depth": 1}]
    assert far[1:] == [{"from": second, "to": first, "relation": "supersedes", "depth": 2}]
    assert helper.get(f"/memories/{third}/links?depth=6").status_code == 400


def test_the_history_shows_an_agent_no_version_that_was_kept_from_agents(
    north: Organisation, alice: Subject, helper: Caller
) -> None:
    with tenant_scope(north.tenant.id):
        memory = memories.capture(claim=_lives("Oslo", NOON), by=_relaying(north), now=NOON).memory
        assert memory is not None
        MemoryRevision.objects.filter(memory_id=memory.id).update(status="quarantined")
        memories.correct(memory_id=memory.id, statement="Lives in Bergen.", by=_relaying(north), now=timezone.now())
        own = memory_queries.history(memory.id, by=_person(north, alice))

    versions = helper.get(f"/memories/{memory.id}/history").json()["items"]

    assert [version["statement"] for version in versions] == ["Lives in Bergen."]
    assert [version.statement for version in own] == ["Lives in Oslo.", "Lives in Bergen."]


def test_an_expired_memory_reaches_no_agent_under_any_date(north: Organisation, alice: Subject, helper: Caller) -> None:
    expired = _stored(helper, "Lives in Oslo.")
    with tenant_scope(north.tenant.id):
        Memory.objects.filter(id=expired).update(expires_at=timezone.now() - timedelta(seconds=1))
        assert memory_queries.in_use(_person(north, alice), now=timezone.now()).count() == 1

    held = quote(timezone.now().isoformat())
    lists = [f"/memories?subject=user:alice{more}" for more in ("", f"&valid_at={held}", f"&recorded_at={held}")]

    assert [helper.get(listed).json()["items"] for listed in lists] == [[], [], []]
    assert [helper.get(f"/memories/{expired}{more}").status_code for more in ("", "/history")] == [404, 404]


def test_links_lead_past_nothing_that_the_agent_may_not_see(
    north: Organisation, alice: Subject, helper: Caller
) -> None:
    cities = ("Oslo", "Lima", "Kyoto", "Quito")
    near, hidden, far, beyond = (_stored(helper, f"Spent a whole spring in {city}.") for city in cities)
    with tenant_scope(north.tenant.id):
        for one, other in ((near, hidden), (hidden, far), (far, beyond)):
            Link.objects.create(from_id=one, to_id=other, relation="relates_to", created_at=NOON)
        Memory.objects.filter(id=hidden).update(status="proposed")

    from_one_side = helper.get(f"/memories/{near}/links?depth=5").json()["items"]
    from_the_other = helper.get(f"/memories/{beyond}/links?depth=5").json()["items"]

    assert from_one_side == []
    assert from_the_other == [{"from": far, "to": beyond, "relation": "relates_to", "depth": 1}]


def test_no_answer_holds_a_vector(helper: Caller, travelled: list[str]) -> None:
    read = helper.get("/memories?subject=user:alice").content.decode()

    assert "embedding" not in read
    assert "vector" not in read


def test_a_list_takes_the_same_statements_however_long_it_is(helper: Caller, travelled: list[str]) -> None:
    with CaptureQueriesContext(connection) as short:
        helper.get("/memories?subject=user:alice&limit=2")
    with CaptureQueriesContext(connection) as long:
        helper.get("/memories?subject=user:alice&limit=100")

    assert len(short) == len(long) <= 12


def _path(url: str) -> str:
    return url.partition("/api/v1")[2]


def _relaying(north: Organisation) -> Any:
    from accounts.services import authenticate_key

    actor = authenticate_key(north.caller().key, now=datetime.now(UTC))
    assert actor is not None
    return actor


def _lives(city: str, since: datetime) -> Claim:
    return Claim(
        subject_ref="user:alice",
        kind="fact",
        statement=f"Lives in {city}.",
        origin="stated",
        channel=Channel.USER_MESSAGE,
        valid_from=since,
    )


def _stored(caller: Caller, statement: str) -> str:
    body = {"subject": "user:alice", "kind": "fact", "statement": statement, "origin": "stated"}
    stored = caller.post("/memories", body).json()["id"]
    assert UUID(stored)
    return str(stored)


def _person(north: Organisation, subject: Subject) -> Actor:
    return Actor(kind="person", tenant_id=north.tenant.id, channel=Channel.PORTAL, subject_id=subject.id, name="alice")
